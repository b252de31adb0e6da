"""ADK's services on our database and folders, loaded when a role first needs them: they take a second to import."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from schemas.errors import OutputError
from worker.ledger.migrate import LOCK

if TYPE_CHECKING:
    # Only for annotations: importing ADK costs a second, which `jobs` and `show` must not pay.
    from google.adk.artifacts.base_artifact_service import BaseArtifactService

    from worker.adapters.sessions import Sessions

APP_NAME = "dealwright"
"""The one ADK app name: sessions and artifacts under another would not be found."""
SESSION_SCHEMA = "adk"


@dataclass(frozen=True, slots=True)
class Shelf:
    """Artifacts of a user, by scope, name and version; names that begin with `user:` are the same in every scope."""

    service: BaseArtifactService

    async def save_once(self, user_id: str, scope: str, name: str, data: bytes, media_type: str) -> int:
        """The version that holds `data` under a name derived from its content: saved only if there is none yet."""
        newest = await self.newest(user_id, scope, name)
        return await self.save(user_id, scope, name, data, media_type) if newest is None else newest

    async def newest(self, user_id: str, scope: str, name: str) -> int | None:
        """The number of the newest version, or None if there is no such artifact."""
        known = await self.service.list_versions(app_name=APP_NAME, user_id=user_id, session_id=scope, filename=name)
        return max(known, default=None)

    async def save(self, user_id: str, scope: str, name: str, data: bytes, media_type: str) -> int:
        """The number of the new version that holds `data`."""
        from google.genai import types

        where: dict[str, Any] = {"app_name": APP_NAME, "user_id": user_id, "session_id": scope, "filename": name}
        part = types.Part(inline_data=types.Blob(data=data, mime_type=media_type))
        return await self.service.save_artifact(**where, artifact=part)

    async def load(self, user_id: str, scope: str, name: str, version: int | None = None) -> bytes | None:
        """The bytes of a version, the newest if none is named; None if there is no such artifact."""
        where: dict[str, Any] = {"app_name": APP_NAME, "user_id": user_id, "session_id": scope, "filename": name}
        part = await self.service.load_artifact(**where, version=version)
        return part.inline_data.data if part and part.inline_data else None

    async def fetch(self, user_id: str, scope: str, name: str, version: int) -> bytes:
        """The bytes of a version; raises OutputError `artifact.missing` if they are gone."""
        data = await self.load(user_id, scope, name, version)
        if data is None:
            raise OutputError(
                "artifact.missing", f"Artifact {name} version {version} is gone from the artifact folder."
            )
        return data


@dataclass(frozen=True, slots=True)
class AdkServices:
    """ADK's sessions and our shelf of artifacts."""

    sessions: Sessions
    shelf: Shelf


async def open_services(
    engine: AsyncEngine, artifacts: str, *, project: str = "", storage_endpoint: str | None = None
) -> AdkServices:
    """The services over `engine`, whose tables are made if they are missing, and over the place `artifacts`.

    That is a folder, or a bucket as `gs://bucket` of a Google project; `storage_endpoint` names an emulator of it.
    """
    # ADK puts prompts and tool arguments into trace spans unless told not to.
    os.environ["ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS"] = "false"
    from worker.adapters.sessions import Sessions

    logging.getLogger("google_adk").setLevel(logging.ERROR)
    sessions = Sessions(engine)
    await _prepare(engine, sessions)
    return AdkServices(sessions, Shelf(open_artifacts(artifacts, project, storage_endpoint)))


def open_artifacts(place: str, project: str = "", storage_endpoint: str | None = None) -> BaseArtifactService:
    """ADK's service over a folder or a bucket (`gs://bucket`)."""
    if place.startswith("gs://"):
        from worker.adapters.gcs_artifacts import BucketArtifacts

        return BucketArtifacts(place.removeprefix("gs://").rstrip("/"), project, storage_endpoint)
    from google.adk.artifacts.file_artifact_service import FileArtifactService

    return FileArtifactService(place)


async def _prepare(engine: AsyncEngine, sessions: Sessions) -> None:
    """ADK makes its tables on first use, without a lock: two workers starting together would both try."""
    if engine.dialect.name != "postgresql":
        await sessions.prepare_tables()
        return
    async with engine.connect() as plain:
        connection = await plain.execution_options(isolation_level="AUTOCOMMIT")
        await connection.execute(text("select pg_advisory_lock(:lock)"), {"lock": LOCK})
        try:
            await connection.execute(text(f"create schema if not exists {SESSION_SCHEMA}"))
            await sessions.prepare_tables()
        finally:
            await connection.execute(text("select pg_advisory_unlock(:lock)"), {"lock": LOCK})
