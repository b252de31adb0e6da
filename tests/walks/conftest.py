"""Where walks happen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.walks.driver import Place


@pytest.fixture(scope="session")
def renders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where documents are remembered: each is rendered for real once, however many walks need it."""
    return tmp_path_factory.mktemp("renders")


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path, renders: Path) -> Place:
    """A folder and a database, of either kind."""
    if request.param == "sqlite":
        return Place(tmp_path, "sqlite", renders)
    return Place(tmp_path, request.getfixturevalue("postgres_url"), renders)


@pytest.fixture
def postgres_place(postgres_url: str, tmp_path: Path, renders: Path) -> Place:
    """A folder and a PostgreSQL database, for walks that take two workers."""
    return Place(tmp_path, postgres_url, renders)
