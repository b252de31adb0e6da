"""Shows on a terminal what is being read, and for how long: a long reading is then seen to go on."""

from __future__ import annotations

import sys
from typing import Any

from worker.commands.terminal import printable

_LONGEST_STAGE = 60


class Waiting:
    """A moving line on standard error, told each stage of a reading; nothing but on a terminal. None wipes it."""

    def __init__(self, name: str, size_bytes: int) -> None:
        self._subject = f"reading {printable(name)} ({size_bytes / 1e6:,.1f} MB)"
        self._drawn: Any = None
        self._task: Any = None

    def __call__(self, stage: str | None) -> None:
        """Shows `stage` beside the time that the reading has taken; it may hold the name of a sheet."""
        if stage is None:
            self.close()
        elif sys.stderr is not None and sys.stderr.isatty():  # pyright: ignore[reportUnnecessaryComparison]  # a daemon has none
            self._show(" ".join(printable(stage).split()))

    def _show(self, stage: str) -> None:
        from rich.markup import escape

        shown = stage if len(stage) <= _LONGEST_STAGE else stage[: _LONGEST_STAGE - 1] + "…"
        text = escape(f"{self._subject}: {shown}")
        if self._drawn is None:
            self._start(text)
        else:
            self._drawn.update(self._task, description=text)

    def _start(self, text: str) -> None:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        # The time comes first: a narrow terminal cuts the end.
        columns = SpinnerColumn(), TimeElapsedColumn(), TextColumn("{task.description}")
        self._drawn = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._drawn.add_task(text, total=None)
        self._drawn.start()

    def close(self) -> None:
        """Wipes the line, if there is one."""
        if self._drawn is not None:
            self._drawn.stop()
            self._drawn = None
