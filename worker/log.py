"""Logs: one line an event, to standard error, with the job's ids bound; never a cell's text."""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

LONGEST = 300
"""Characters of a value that a line keeps: names and codes are short, and what is longer was not meant for a log."""


def set_up_logs(*, json_lines: bool = False) -> None:
    """Log from here on: JSON lines from `info` on if asked for, else plain lines from `warning` on."""
    level = logging.INFO if json_lines else logging.WARNING
    render = structlog.processors.JSONRenderer() if json_lines else structlog.dev.ConsoleRenderer(colors=False)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.dict_tracebacks if json_lines else structlog.processors.format_exc_info,
            _tame,
            render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


def _tame(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The event with control characters escaped and long values cut: names of files and sheets come from outside."""
    for key, value in event.items():
        if isinstance(value, str) and key != "exception":
            event[key] = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in value[:LONGEST])
    return event
