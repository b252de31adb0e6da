"""What people and programs see: sentences on standard error, results on standard output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from schemas.errors import InputError

OUTPUT = "standard output"
"""What `to_output` gives an error for its file."""

CONTROL = dict.fromkeys(
    (*range(32), *range(127, 160), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\ufffd"
)
"""Characters that could move a terminal's cursor or turn its text round; names of files and sheets are hostile."""


def printable(text: str) -> str:
    """`text` with control characters replaced, safe to show on a terminal."""
    return text.translate(CONTROL)


def say(text: str) -> None:
    """Write one line to standard error; if nobody reads it any more, the work goes on unheard."""
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]  # a daemon has none
        return
    try:
        print(printable(text), file=sys.stderr, flush=True)
    except OSError:
        let_go(sys.stderr)


def flush_output() -> None:
    """Write out what standard output still holds; raises OSError where that can't be done."""
    if sys.stdout is not None:  # pyright: ignore[reportUnnecessaryComparison]  # a daemon has none
        with to_output():
            sys.stdout.flush()


@contextmanager
def to_output() -> Generator[None]:
    """While it lasts, an OSError that names no file is standard output's, and is raised with `OUTPUT` for its file."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, OUTPUT) from error


def require_output() -> None:
    """Raises InputError `out.closed` where there is no standard output to put a result on."""
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]  # as after >&- in a shell
        raise InputError("out.closed", "Standard output is closed, so there is no place for the result; open it.")


def let_go(stream: TextIO) -> None:
    """Send what `stream` still holds, and all that comes, nowhere: Python would try again to write it when it ends."""
    with suppress(OSError, ValueError), open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123  # os.devnull is text, and no file
        os.dup2(nowhere.fileno(), stream.fileno())


def tell(text: str = "") -> None:
    """Write one line of the result to standard output."""
    put(printable(text))


def print_json(document: object) -> None:
    """Write one JSON document to standard output."""
    put(json.dumps(document, indent=2, ensure_ascii=False, default=str))


def put(text: str) -> None:
    """Write `text` to standard output as it is; it must be safe to show, or be read by programs."""
    with to_output():
        print(text)


def is_interactive() -> bool:
    """Whether somebody can be asked: both the keyboard and the screen are a terminal."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()  # pyright: ignore[reportUnnecessaryComparison]  # a daemon has none


def tell_table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Write `rows` under `heads` to standard output, in aligned columns; None is shown as a dash."""
    lines = [[printable("-" if cell is None else str(cell)) for cell in row] for row in (heads, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    for line in lines:
        put("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def error_document(code: str, message: str) -> dict[str, Any]:
    """What `--json` prints instead of a result."""
    return {"error": {"code": code, "message": message}}
