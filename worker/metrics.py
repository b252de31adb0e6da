"""Metrics: what was done is counted as its spans end, and how jobs stand is asked of the ledger; in Prometheus' form.

Labels have few values: names and codes of ours, subscriptions, models. Of any label MOST_VALUES are told apart at most,
and what comes after those is `other`, so that nobody outside can make series without end.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

from worker.app import App
from worker.standing import GAUGES, Standing, read_standing
from worker.tracing import Fact, Span

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
MOST_VALUES = 50
KEPT_S = 10.0
"""How long an answer of the ledger serves: many may ask, and it is asked once."""
BUCKETS_S = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)


@dataclass(frozen=True, slots=True)
class Count:
    """What is counted of spans of a name: each, or those of one outcome, or what a fact of theirs adds up to."""

    span: str
    name: str
    text: str
    labels: tuple[str, ...]
    only: str | None = None
    amount: str | None = None


COUNTS = (
    Count("delivery", "deliveries", "Deliveries handled", ("subscription", "kind", "outcome")),
    Count("delivery", "jobs_set_aside", "Jobs set aside", ("code",), only="Quarantined"),
    Count("publish", "messages_published", "Messages handed to the transport", ("topic", "outcome")),
    Count("attempt", "attempts", "Attempts ended", ("stage", "outcome", "code")),
    Count("lease_lost", "leases_lost", "Leases that ran out and were taken over", ("of",)),
    Count("model call", "model_calls", "Calls of models", ("model", "stage", "outcome")),
    Count("model call", "model_tokens_asked", "Tokens of requests, or bytes / 4", ("model",), amount="asked"),
    Count("model call", "model_tokens_answered", "Tokens of answers", ("model",), amount="answered"),
    Count("webhook", "webhook_tries", "Posts of results to the webhook", ("outcome",)),
    Count("decision", "decisions", "Decisions of people on gates", ("verdict", "outcome")),
)
TIMERS = {
    "attempt": ("attempt_duration", "How long attempts took", ("stage",)),
    "render": ("render_duration", "How long documents took to make", ("document",)),
    "deliver documents": ("delivery_duration", "How long approved documents took to deliver", ()),
    "webhook": ("webhook_duration", "How long posts to the webhook took", ()),
}


class Metrics:
    """Counts what the spans of this process tell (`take`), and says how the app's jobs stand (`text`)."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._counters = [
            (count, Counter(f"dealwright_{count.name}", count.text, count.labels, registry=registry))
            for count in COUNTS
        ]
        self._timers = {
            span: (labels, Histogram(f"dealwright_{name}_seconds", text, labels, buckets=BUCKETS_S, registry=registry))
            for span, (name, text, labels) in TIMERS.items()
        }
        self._gauges = {
            name: Gauge(f"dealwright_{name}", text, labels, registry=registry)
            for name, (text, labels) in GAUGES.items()
        }
        self._values: dict[str, set[str]] = {}
        self._standing: Standing = {}
        self._read_at: float | None = None

    def take(self, span: Span) -> None:
        """Count what ended."""
        facts = {"outcome": _outcome(span), **span.facts}
        for count, counter in self._counters:
            if count.span == span.name and count.only in (None, facts["outcome"]):
                amount = 1 if count.amount is None else int(facts.get(count.amount, 0))
                values = self._told(count.labels, facts)
                (counter.labels(*values) if values else counter).inc(amount)
        if span.name in self._timers:
            labels, timer = self._timers[span.name]
            values = self._told(labels, facts)
            (timer.labels(*values) if values else timer).observe(span.seconds)

    def _told(self, labels: tuple[str, ...], facts: Mapping[str, Fact]) -> list[str]:
        return [self._value(label, str(facts.get(label, "none"))) for label in labels]

    def _value(self, label: str, value: str) -> str:
        known = self._values.setdefault(label, set())
        if len(known) < MOST_VALUES:
            known.add(value)
        return value if value in known else "other"

    async def text(self) -> bytes:
        """All of it, in the text format; raises what the ledger raises."""
        now = time.monotonic()
        if self._read_at is None or now - self._read_at > KEPT_S:
            self._standing, self._read_at = await read_standing(self._app.ledger, self._app.breaker), now
        for name, gauge in self._gauges.items():
            gauge.clear()
            for labels, value in self._standing.get(name, {}).items():
                told = [self._value(label, each) for label, each in zip(GAUGES[name][1], labels, strict=True)]
                (gauge.labels(*told) if told else gauge).set(value)
        return generate_latest(self._registry)


def _outcome(span: Span) -> str:
    """How a span ended that says nothing of it itself: work that is taken from a worker is handed back."""
    error = span.facts.get("error")
    return "done" if error is None else "handed_back" if error == "CancelledError" else "failed"
