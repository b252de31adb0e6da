"""ADK's sessions in our database; a turn that has just read its session spares the runner the same reading."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from google.adk.sessions.base_session_service import GetSessionConfig
from google.adk.sessions.database_session_service import DatabaseSessionService
from google.adk.sessions.session import Session
from sqlalchemy.ext.asyncio import AsyncEngine


class Sessions(DatabaseSessionService):
    """ADK's service over an engine that is not its own."""

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__(db_engine=engine)
        self._just_read: dict[str, Session] = {}

    @contextmanager
    def just_read(self, session: Session) -> Generator[None]:
        """While it is held, the session's next reading is answered with `session`, which then belongs to who asked.

        Nothing is lost if another has written meanwhile: ADK refuses to append to a session that is behind its row.
        """
        self._just_read[session.id] = session
        try:
            yield
        finally:
            self._just_read.pop(session.id, None)

    async def get_session(
        self, *, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None = None
    ) -> Session | None:
        """The session as it was just read, once, or as it is stored; None if there is none."""
        known = self._just_read.pop(session_id, None)
        if known is not None:
            return known
        return await super().get_session(app_name=app_name, user_id=user_id, session_id=session_id, config=config)
