"""A session that was just read is handed to who reads it next, and nothing is written over what others wrote."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from google.adk.errors._stale_session_error import StaleSessionError
from google.adk.events.event import Event
from google.genai import types
from sqlalchemy.ext.asyncio import create_async_engine

from worker.adapters.sessions import Sessions

KEY = {"app_name": "dealwright", "user_id": "someone", "session_id": "one"}


@pytest.fixture
async def sessions(tmp_path: Path) -> AsyncIterator[Sessions]:
    """ADK's sessions with one of them, without events."""
    engine = create_async_engine(f"sqlite+aiosqlite:///{tmp_path}/sessions.db")
    service = Sessions(engine)
    await service.create_session(**KEY)
    yield service
    await engine.dispose()


def _said(text: str) -> Event:
    return Event(author="user", content=types.Content(role="user", parts=[types.Part(text=text)]))


async def test_what_was_just_read_answers_the_next_reading_and_no_other(sessions: Sessions) -> None:
    """The reading after the next one goes to the database, as does any after the turn."""
    read = await sessions.get_session(**KEY)
    assert read
    with sessions.just_read(read):
        assert await sessions.get_session(**KEY) is read
        assert await sessions.get_session(**KEY) is not read
    with sessions.just_read(read):
        pass
    assert await sessions.get_session(**KEY) is not read


async def test_another_session_is_read_from_the_database(sessions: Sessions) -> None:
    """Turns of other jobs run beside this one."""
    other = await sessions.create_session(app_name="dealwright", user_id="someone", session_id="two")
    read = await sessions.get_session(**KEY)
    assert read
    with sessions.just_read(read):
        found = await sessions.get_session(app_name="dealwright", user_id="someone", session_id=other.id)
    assert found
    assert found.id == "two"


async def test_an_append_to_what_was_read_too_early_is_refused(sessions: Sessions) -> None:
    """A worker that lost its lease between its reading and its runner's writes nothing."""
    early, late = await sessions.get_session(**KEY), await sessions.get_session(**KEY)
    assert early
    assert late
    await sessions.append_event(late, _said("mine"))
    with sessions.just_read(early):
        handed = await sessions.get_session(**KEY)
    assert handed
    with pytest.raises(StaleSessionError):
        await sessions.append_event(handed, _said("too late"))
