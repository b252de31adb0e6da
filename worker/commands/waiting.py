"""Shows on a terminal that a file is being read, and for how long: a long reading is then seen to go on."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager

from worker.commands.terminal import printable


@contextmanager
def reading(name: str, size_bytes: int) -> Generator[None]:
    """A moving line on standard error, with the time taken so far, wiped at the end; nothing but on a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():  # pyright: ignore[reportUnnecessaryComparison]  # a daemon has none
        yield
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(escape(f"reading {printable(name)} ({size_bytes / 1e6:,.1f} MB)"), total=None)
        yield
