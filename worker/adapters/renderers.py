"""Documents made in child processes: at once on as many cores, and none of them able to take the worker down."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import structlog

from schemas.documents import DocumentOrder
from schemas.errors import DealwrightError, OutputError, TransientError
from tools.isolation.child import Outcome, run_child
from tools.isolation.child_process import Fault
from tools.isolation.fork_client import ForkClient

log = structlog.get_logger(__name__)
#: Far above what the largest documents were seen to need; beyond it something is wrong.
MEMORY_BYTES = 2_000_000_000
TIMEOUT_S = 300.0
RENDERERS = ForkClient("worker.rendering", "warm_up")
"""The fork server for everything that makes a document."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A document's two editions, its figures as a JSON document, and how many slides or pages it has."""

    draft: bytes
    final: bytes
    figures: bytes
    pages: int


def render(deals: bytes, order: DocumentOrder, as_of: date) -> Rendered:
    """The document that `order` asks for, made of the deals artifact `deals` in a child process; it blocks meanwhile.

    Raises OutputError for a document that fails its own checks, or needs more memory or time than it may have, and
    TransientError for a child that was lost or failed through a fault of ours.
    """
    from worker.rendering import render as make

    given = (deals, order.kind, order.title, order.emphasis, as_of)
    outcome = run_child(make, *given, memory_bytes=MEMORY_BYTES, timeout_s=TIMEOUT_S, readers=RENDERERS, weighed=False)
    if outcome.end == "returned":
        return Rendered(*outcome.value)
    raise error_of(outcome, order)


def get_ready() -> None:
    """Have the fork server load what it needs, meanwhile: documents will be ordered soon."""
    RENDERERS.start()


def error_of(outcome: Outcome, order: DocumentOrder) -> DealwrightError:
    """What an outcome without a document means."""
    if outcome.end == "refused" and isinstance(outcome.value, DealwrightError):
        return outcome.value
    if outcome.end in ("memory", "time"):
        most = f"{MEMORY_BYTES / 1e6:,.0f} MB of memory" if outcome.end == "memory" else f"{TIMEOUT_S:g} s"
        return OutputError("render.too_large", f"The {order.kind} needs more than {most}.")
    if outcome.end == "fault" and isinstance(outcome.value, Fault):
        log.error("render_failed", kind=order.kind, error=outcome.value.error, frames="".join(outcome.value.frames))
        words = (
            f"The {order.kind} could not be made through a fault of ours ({outcome.value.error}); the log says where."
        )
        return TransientError("render.fault", words)
    return TransientError("render.lost", f"The process that made the {order.kind} was ended; it is made again.")
