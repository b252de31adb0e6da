"""Traces: spans of what is done with a job, in one trace over all processes that have a hand in it.

A message carries the context of whoever published it, the ledger that of whoever opened the job or made a promise.
Nothing of OpenTelemetry is loaded before `make_spans` is called: until then spans are only told to listeners (metrics),
and contexts are handed on as they came. Facts are ids, codes, names of ours and counts; never what a file holds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    # Loaded where spans are made: `jobs`, `show` and a `process` that nobody traces do without.
    from opentelemetry.context import Context
    from opentelemetry.trace import Link, SpanContext, Tracer

Kind = Literal["internal", "client", "producer", "consumer"]
Fact = str | int | float | bool
PREFIX = "dealwright."
"""What the names of our attributes begin with."""


@dataclass(slots=True)
class Span:
    """Something that is done, what is known of it, and, once it is over, how long it took."""

    name: str
    facts: dict[str, Fact]
    seconds: float = 0.0

    def tell(self, **facts: Fact | None) -> None:
        """Add what is known; None is not."""
        self.facts |= {key: value for key, value in facts.items() if value is not None}


Listener = Callable[[Span], None]


@dataclass(slots=True)
class _Wiring:
    tracer: Tracer | None = None
    listeners: list[Listener] = field(default_factory=list[Listener])


_wiring = _Wiring()
_handed_on: ContextVar[str] = ContextVar("handed_on", default="")
"""The context that is handed on where no spans are made."""


def make_spans(tracer: Tracer | None) -> Tracer | None:
    """Have spans made by `tracer` from here on, or none; what made them before."""
    before, _wiring.tracer = _wiring.tracer, tracer
    return before


@contextmanager
def listening(listener: Listener) -> Generator[None]:
    """Have each span told to `listener` as it ends meanwhile."""
    _wiring.listeners.append(listener)
    try:
        yield
    finally:
        _wiring.listeners.remove(listener)


@contextmanager
def span(name: str, kind: Kind = "internal", /, *, within: str | None = "", **facts: Fact | None) -> Generator[Span]:
    """A span around what is done meanwhile; an error that passes through is told by its type.

    `within` is the context (`traceparent`) of the trace that it belongs to. The current span is its parent if it is of
    that trace too, or if none is given; a current span of another trace is no parent of it, and is linked.
    """
    told = Span(name, {})
    told.tell(**facts)
    began = time.perf_counter()
    with _made(told, kind, within or ""):
        try:
            yield told
        except BaseException as error:
            told.tell(error=type(error).__name__)
            raise
        finally:
            told.seconds = time.perf_counter() - began
            for listener in _wiring.listeners:
                listener(told)


def mention(name: str, /, **facts: Fact | None) -> None:
    """Tell the listeners of something whose span others make."""
    told = Span(name, {})
    told.tell(**facts)
    for listener in _wiring.listeners:
        listener(told)


@contextmanager
def _made(told: Span, kind: Kind, within: str) -> Generator[None]:
    if _wiring.tracer is None:
        token = _handed_on.set(within or _handed_on.get())
        try:
            yield
        finally:
            # Work that was dropped unfinished is closed in no context of its own, and has nothing to set back there.
            with suppress(ValueError):
                _handed_on.reset(token)
        return
    from opentelemetry.trace import SpanKind, Status, StatusCode, use_span

    context, links = _place(within)
    made = _wiring.tracer.start_span(told.name, context, SpanKind[kind.upper()], links=links)
    try:
        with use_span(made, end_on_exit=False, record_exception=False, set_status_on_exception=False):
            yield
    finally:
        made.set_attributes({PREFIX + key: value for key, value in told.facts.items()})
        if "error" in told.facts:
            made.set_status(Status(StatusCode.ERROR))
        made.end()


def _place(within: str) -> tuple[Context | None, list[Link]]:
    """The context that a span begins in (None is the current one), and what it is linked to."""
    from opentelemetry.context import Context
    from opentelemetry.trace import Link, get_current_span
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    current = get_current_span().get_span_context()
    context = TraceContextTextMapPropagator().extract({"traceparent": within}, Context())
    wanted = get_current_span(context).get_span_context()
    if not wanted.is_valid or wanted.trace_id == current.trace_id:
        return None, []
    return context, [Link(current)] if current.is_valid else []


def current_span() -> SpanContext | None:
    """The context of the span that is under way here, if there is one."""
    if _wiring.tracer is None:
        return None
    from opentelemetry.trace import get_current_span

    found = get_current_span().get_span_context()
    return found if found.is_valid else None


def traceparent() -> str | None:
    """The context that goes with what is promised or published here, as messages carry it (W3C Trace Context)."""
    found = current_span()
    if found is None:
        return _handed_on.get() or None
    return f"00-{found.trace_id:032x}-{found.span_id:016x}-{found.trace_flags:02x}"
