"""Servers of a walk's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import SERVERS, miss
from tests.servers import pubsub
from tests.servers.postgres import ServerError
from tests.walks.stack.servers import Stack


@pytest.fixture
def stack(
    request: pytest.FixtureRequest, tmp_path: Path, gcs_url: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Stack]:
    """PostgreSQL and an emulator that this walk may restart; Cloud Storage is the run's."""
    try:
        made = Stack.start(request.config.stash[SERVERS], tmp_path, gcs_url)
    except ServerError as error:
        miss("pubsub", f"{pubsub.HOW} ({error})")
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", made.storage_url)
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", made.pubsub.host)
    yield made
    made.stop()
