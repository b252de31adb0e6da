"""What we write, apart from where uploads are taken from: a file of ours there would be a job, and so would its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from schemas import ids

_IN_STATE = ("crashes", "exports", "bench")
"""Folders that are made in the state folder whatever else is set."""
_SHELF, _BUCKET_SHELF = "apps", "dealwright"
"""Where ADK puts artifacts below a folder, and in a bucket."""


class Places(Protocol):
    """The settings that name places, with their defaults filled in."""

    @property
    def state_dir(self) -> Path:
        """The folder of everything without a place of its own."""
        ...

    @property
    def database_url(self) -> str:
        """The database's address."""
        ...

    @property
    def artifacts(self) -> str:
        """A folder or a bucket."""
        ...

    @property
    def deliveries(self) -> str:
        """A folder or a bucket."""
        ...

    @property
    def delivery_prefix(self) -> str:
        """The folder in `deliveries`, or the beginning of its names."""
        ...

    @property
    def inbox(self) -> str:
        """A folder or a bucket, empty for none."""
        ...

    @property
    def inbox_prefix(self) -> str:
        """The folder in `inbox`, or the beginning of its names."""
        ...


def misplaced(places: Places, defaults: dict[str, str]) -> str | None:
    """What is wrong, with the settings that differ from their `defaults`, where a file of ours would be an upload."""
    if not places.inbox:
        return None
    taken = _real(places.inbox, places.inbox_prefix)
    own = "files of dealwright's own"
    for written, causes, around in _written(places):
        if not (_lies_in(written, taken) or (around and _lies_in(taken, written))):
            continue
        for name in causes:
            if str(getattr(places, name)) != defaults[name]:
                where = f"({written}) lie where uploads are taken from ({taken})"
                return f"DEALWRIGHT_{name.upper()} must not have {own} {where}"
        given = [n for n in ("inbox", "inbox_prefix") if getattr(places, n) != defaults[n]] or ["inbox"]
        names = " and ".join(f"DEALWRIGHT_{name.upper()}" for name in given)
        return f"{names} must not have uploads taken from where {own} lie ({written})"
    return None


def _written(places: Places) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """Each place that we write to, the settings that put it there, and whether nothing else may lie in it."""
    yield _real(str(places.state_dir)), ("state_dir",), False
    for name in _IN_STATE:
        yield _real(str(places.state_dir), name), ("state_dir",), True
    if places.database_url.startswith("sqlite"):
        yield _real(places.database_url.partition("///")[2]), ("database_url", "state_dir"), False
    shelf = _BUCKET_SHELF if places.artifacts.startswith("gs://") else _SHELF
    yield _real(places.artifacts), ("artifacts", "state_dir"), False
    yield _real(places.artifacts, shelf), ("artifacts", "state_dir"), True
    yield _real(places.deliveries), ("deliveries", "state_dir"), False
    causes = ("delivery_prefix", "deliveries", "state_dir")
    yield _real(places.deliveries, places.delivery_prefix), causes, True


def _real(place: str, *inside: str) -> str:
    """The place as it is found, through links and `..`; of a bucket its name, and the prefix in it."""
    if place.startswith("gs://"):
        return "/".join([place.rstrip("/"), *inside]).rstrip("/")
    return os.path.realpath(Path(place, *inside))


def _lies_in(place: str, folder: str) -> bool:
    """Whether it does, in sight: what is hidden is never taken for an upload."""
    if place == folder:
        return True
    within = place.removeprefix(folder.rstrip("/") + "/")
    return within != place and not ids.is_hidden(within)
