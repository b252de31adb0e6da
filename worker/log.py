"""Logs: one line an event, to standard error, with the job's ids bound; never a cell's text.

JSON lines have the shape that Cloud Logging reads: `severity`, `message`, `time`, labels, the trace. `event` is the
name of what happened, which alerts are made of; the message is the same name, for people who read along.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, TextIO, cast

import structlog
from structlog.tracebacks import ExceptionDictTransformer

from worker.tracing import current_span

LONGEST = 300
"""Characters of a value that a line keeps: names and codes are short, and what is longer was not meant for a log."""


LABELS = ("job_id", "stage", "ticket_id", "attempt", "subscription", "message_id")
"""What a line is found by: Cloud Logging indexes labels."""
SEVERITIES = {"warn": "WARNING", "exception": "ERROR"}
_FIELDS = "logging.googleapis.com/"


class _BareTracebacks(ExceptionDictTransformer):
    """Where an exception came from, without its words and the variables on the way: they may quote a cell."""

    def __call__(self, exc_info: Any) -> list[dict[str, Any]]:
        return [_wordless(each) for each in super().__call__(exc_info)]


def _wordless(error: dict[str, Any]) -> dict[str, Any]:
    grouped = [[_wordless(each) for each in group] for group in error.get("exceptions", ())]
    left_out = {"exc_value", "exc_notes", "syntax_error"}
    return {key: value for key, value in error.items() if key not in left_out} | {"exceptions": grouped}


_BARE_TRACEBACKS = structlog.processors.ExceptionRenderer(_BareTracebacks(show_locals=False))


class Stream(Protocol):
    """Where lines go."""

    def write(self, text: str, /) -> object:
        """Take `text`."""
        ...

    def flush(self) -> object:
        """Nothing stays behind."""
        ...


class Screen:
    """Standard error, for as long as somebody reads it: a log must not end the work."""

    def write(self, text: str, /) -> None:
        """Show `text`."""
        with suppress(OSError):
            sys.stderr.write(text)

    def flush(self) -> None:
        """Show it now."""
        with suppress(OSError):
            sys.stderr.flush()


class LogFile:
    """A file that lines are added to; it appears with the first one, and moves to `<name>.1` when it is full."""

    def __init__(self, path: Path, full_bytes: int = 10_000_000) -> None:
        self.path = path
        self.full_bytes = full_bytes

    def write(self, text: str, /) -> None:
        """Add `text`; a log that can't be written must not end the work, so it is lost then."""
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and self.path.stat().st_size > self.full_bytes:
                self.path.replace(self.path.with_name(f"{self.path.name}.1"))
            with self.path.open("a", encoding="utf-8", errors="replace") as file:
                file.write(text)

    def flush(self) -> None:
        """Nothing is held back."""


class Libraries(logging.Handler):
    """What libraries log, as lines of ours: who, where and which error, since their words may quote a cell."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log `record`; without this, Python prints it with its traceback on the screen."""
        error = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
        told = {"logger": record.name, "at": f"{record.module}:{record.lineno}", "error": error}
        structlog.get_logger(record.name).log(record.levelno, "library", **told)


def set_up_logs(*, json_lines: bool = False, stream: Stream | None = None, project: str = "") -> None:
    """Log from here on, to standard error or `stream`: JSON lines from `info` on, else plain ones from `warning` on.

    `project` is the Google project whose traces the lines name. What libraries log from `warning` on goes the same way.
    """
    level = logging.INFO if json_lines else logging.WARNING
    shape = [_Shape(project), structlog.processors.JSONRenderer()]
    render = shape if json_lines else [structlog.dev.ConsoleRenderer(colors=False)]
    root = logging.getLogger()
    root.handlers = [*(kept for kept in root.handlers if not isinstance(kept, Libraries)), Libraries(logging.WARNING)]
    logging.captureWarnings(capture=True)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _BARE_TRACEBACKS if json_lines else structlog.processors.format_exc_info,
            _tame,
            *render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", stream or Screen())),
        cache_logger_on_first_use=False,
    )


class _Shape:
    """Gives an event the form of Cloud Logging's structured lines."""

    def __init__(self, project: str) -> None:
        self._traces = f"projects/{project}/traces/" if project else ""

    def __call__(self, _: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        """The event in that form."""
        level = event.pop("level", "info")
        labels = {key: str(event.pop(key)) for key in LABELS if key in event}
        head = {"severity": SEVERITIES.get(level, level.upper()), "message": event["event"]}
        head |= {"time": event.pop("timestamp"), **self._trace()}
        if labels:
            head[_FIELDS + "labels"] = {key: value for key, value in labels.items() if value}
        return {**head, **event}

    def _trace(self) -> dict[str, Any]:
        span = current_span()
        if span is None:
            return {}
        ids = {"trace": f"{self._traces}{span.trace_id:032x}", "spanId": f"{span.span_id:016x}"}
        sampled = {"trace_sampled": bool(span.trace_flags.sampled)}
        return {_FIELDS + key: value for key, value in (ids | sampled).items()}


def _tame(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The event with control characters escaped and long values cut: names of files and sheets come from outside."""
    for key, value in event.items():
        if isinstance(value, str) and key != "exception":
            event[key] = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in value[:LONGEST])
    return event
