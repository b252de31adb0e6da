"""What an error of the surroundings means: a database that is down, a folder that can't be used, a disk that is full.

None of them is a fault of ours or of a file's, and each has something to do about it.
"""

from __future__ import annotations

import errno
import shutil
import tempfile
from pathlib import Path

from schemas.errors import DEPENDENCY_DOWN, DealwrightError, InputError, TransientError
from worker.addresses import shown
from worker.placing import FULL
from worker.settings import Settings

_OF_A_DATABASE = frozenset({"sqlalchemy", "sqlite3", "asyncpg", "aiosqlite"})
_STATES = ("08", "28", "3D", "53", "57")
"""The classes of PostgreSQL's codes about connecting: refused, not allowed, no such database, full, shut down."""
_BARRED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR})
_AGAIN = "the same command goes on from there"


def set_up_fault(error: BaseException, settings: Settings) -> DealwrightError | None:
    """What to tell of an error that comes from the surroundings, or None for any other."""
    for cause in _causes(error):
        if isinstance(cause, OSError) and cause.errno in FULL:
            return _full(str(cause.strerror), Path(cause.filename) if cause.filename else _fullest(settings))
        told = _database(cause, settings) or _folder(cause, settings)
        if told:
            return told
    return None


def outage(error: BaseException, settings: Settings) -> DealwrightError | None:
    """What to tell of a database that is down, which passes by itself, or None for any other error."""
    if isinstance(error, DealwrightError):
        return None
    told = set_up_fault(error, settings)
    return told if told is not None and told.code in DEPENDENCY_DOWN else None


def lasting_fault(error: BaseException, settings: Settings) -> DealwrightError | None:
    """As `set_up_fault`, where nothing more can be done until somebody acts: a disk that is full, a place barred."""
    told = set_up_fault(error, settings)
    if told is None or told.code not in ("disk.full", "setting.place", "database.place", "database.damaged"):
        return None
    barred = any(isinstance(cause, OSError) and cause.errno in _BARRED for cause in _causes(error))
    return told if told.code != "setting.place" or barred else None


def _full(said: str, place: Path) -> DealwrightError:
    return TransientError("disk.full", f"Nothing more can be written to {place} ({said}); make room, and {_AGAIN}.")


def _fullest(settings: Settings) -> Path:
    """Of the folders that we write to, the one with the least room: a failed write does not say where it went."""
    homes = (settings.state_dir, Path(settings.artifacts), Path(tempfile.gettempdir()))
    return min((home for home in homes if home.exists()), key=lambda home: shutil.disk_usage(home).free)


def _causes(error: BaseException) -> list[BaseException]:
    """The error, and what it was raised from, the outermost first."""
    found: list[BaseException] = []
    at: BaseException | None = error
    while at is not None and at not in found:
        found.append(at)
        at = at.__cause__
    return found


def _database(error: BaseException, settings: Settings) -> DealwrightError | None:
    home = type(error).__module__.partition(".")[0]
    if settings.database == "postgresql":
        unreachable = isinstance(error, OSError) and not error.filename
        state = str(getattr(getattr(error, "orig", error), "sqlstate", None) or "")
        gone = home in _OF_A_DATABASE and (state.startswith(_STATES) or type(error).__name__ == "InterfaceError")
        return _unreachable(error, settings) if unreachable or gone else None
    if home not in _OF_A_DATABASE or type(error).__name__ not in ("OperationalError", "DatabaseError"):
        return None
    said = first_line(getattr(error, "orig", None) or error)
    place = settings.database_url.partition("///")[2]
    if "is full" in said:
        return _full(said, Path(place).parent)
    if "locked" in said or "busy" in said:
        words = f"The database {place} is held by another program; once that is done, {_AGAIN}."
        return TransientError("database.busy", words)
    if "not a database" in said or "malformed" in said:
        words = f"{place} is no SQLite database, or a damaged one; move it away, or correct DEALWRIGHT_DATABASE_URL."
        return InputError("database.damaged", words)
    misplaced = "unable to open" in said or "readonly" in said
    return (InputError if misplaced else TransientError)(
        "database.place",
        f"The database {place} can't be opened or written ({said}); see that its folder is yours to write and that"
        " there is room on its disk, or set DEALWRIGHT_STATE_DIR to another.",
    )


def _unreachable(error: BaseException, settings: Settings) -> DealwrightError:
    return TransientError(
        "database.down",
        f"The database {shown_url(settings)} can't be reached ({first_line(error)});"
        " start the server, or correct DEALWRIGHT_DATABASE_URL.",
    )


def shown_url(settings: Settings) -> str:
    """The database's address without its password."""
    return shown(settings.database_url).replace("+asyncpg", "", 1)


def first_line(error: BaseException) -> str:
    """What an error says, without the lines that follow the first, or its name if it says nothing."""
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def _folder(error: BaseException, settings: Settings) -> DealwrightError | None:
    if not isinstance(error, OSError) or not error.filename:
        return None
    place = Path(str(error.filename)).absolute()
    homes = {"DEALWRIGHT_STATE_DIR": settings.state_dir, "DEALWRIGHT_ARTIFACTS": Path(settings.artifacts).absolute()}
    for name, home in homes.items():
        if place == home or home in place.parents or place in home.parents:
            words = f"The folder {home} can't be used ({place}: {error.strerror})"
            return InputError("setting.place", f"{words}; see that it is a folder of yours, or set {name} to another.")
    return None
