"""What is kept of a crash: its traceback in a file, and the sentence that says where."""

from __future__ import annotations

import tempfile
import traceback
from pathlib import Path

from schemas import ids
from schemas.errors import DealwrightError


def keep_crash(error: BaseException) -> DealwrightError:
    """The error to tell the user; the traceback lies in the file that its sentence names, once for the same crash."""
    text = "".join(traceback.format_exception(error))
    name = f"crash-{ids.sha256_hex(text.encode())[:12]}.txt"
    for folder in _folders():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8", errors="replace")
        except OSError:
            continue
        return DealwrightError(
            "fault",
            f"Something in dealwright itself failed ({type(error).__name__}); the details are in {folder / name}.",
        )
    return DealwrightError("fault", f"Something in dealwright itself failed: {type(error).__name__}.")


def _folders() -> list[Path]:
    """Where a crash may be kept, best first: settings themselves may be what failed."""
    found = [Path(".dealwright") / "crashes", Path(tempfile.gettempdir()) / "dealwright-crashes"]
    try:
        from worker.settings import load_settings

        found.insert(0, Path(load_settings().state_dir) / "crashes")
    except Exception:  # noqa: BLE001, S110  # a second fault here must not hide the first
        pass
    return found
