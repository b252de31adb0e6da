"""Progress for whoever waits: one moving line on a terminal, plain lines elsewhere, always on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

from worker.app import Progress
from worker.commands.terminal import printable, say

WORDS = {
    ("started", "extraction"): "reading the workbook",
    ("started", "presentation"): "the workbook is read; planning the documents",
    ("started", "delivery"): "delivering",
    ("ordered", "deck"): "making the deck",
    ("ordered", "memo"): "making the PDF",
    ("rendered", "deck"): "the deck is made",
    ("rendered", "memo"): "the PDF is made",
    ("asked", "approval"): "asking for approval",
    ("ended", "rejected"): "rejected",
    ("ended", "cancelled"): "cancelled",
}


def words_for(progress: Progress) -> str | None:
    """What to tell people of a step, or None where it would tell them nothing."""
    if progress.step in ("retrying", "waiting_for_worker"):
        return progress.what
    if progress.step == "delivered":
        return f"delivered to {progress.what}"
    return WORDS.get((progress.step, progress.what))


@contextmanager
def watching(name: str) -> Generator[Callable[[Progress], None]]:
    """A function to tell of progress on the file called `name`."""
    if not sys.stderr.isatty():
        yield lambda progress: _plain(name, progress)
        return
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True)
    with console.status(escape(f"{printable(name)}: starting")) as status:

        def move(progress: Progress) -> None:
            words = words_for(progress)
            if words:
                status.update(escape(f"{printable(name)}: {printable(words)}"))

        yield move


def _plain(name: str, progress: Progress) -> None:
    """Says what was reached, not that reading began: a file that can't be read is told of in one line."""
    words = words_for(progress)
    if words and progress.what != "extraction":
        say(f"{name}: {words}")
