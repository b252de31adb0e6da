"""Spans made by OpenTelemetry and exported, without anything in them that a file, a model or a person may have written.

Where they go, under which name and how many of them is said by OpenTelemetry's own variables (`OTEL_SERVICE_NAME`,
`OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_*`), which that library reads by itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from opentelemetry import trace
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Status, Tracer
from opentelemetry.util.types import AttributeValue

from worker.tracing import PREFIX

SERVICE = "dealwright"
THEIRS = frozenset(
    {
        "error.type",
        "gcp.vertex.agent.invocation_id",
        "gen_ai.agent.name",
        "gen_ai.conversation.id",
        "gen_ai.operation.name",
        "gen_ai.provider.name",
        "gen_ai.request.model",
        "gen_ai.response.finish_reasons",
        "gen_ai.response.model",
        "gen_ai.system",
        "gen_ai.tool.type",
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.output_tokens",
    }
)
"""The attributes of other libraries' spans that are exported; each of them is an id, a name of ours or a count."""
_NAME = re.compile(r"[\w.()/-]{1,60}( [\w.()/-]{1,60})?")


class BareExporter(SpanExporter):
    """Hands spans on with the attributes that are known to be harmless; of events, texts and messages, nothing."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """As the exporter inside."""
        return self._exporter.export([_bare(span) for span in spans])

    def shutdown(self) -> None:
        """End the exporter inside."""
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """As the exporter inside."""
        return self._exporter.force_flush(timeout_millis)


def _bare(span: ReadableSpan) -> ReadableSpan:
    return ReadableSpan(
        name=span.name if _NAME.fullmatch(span.name) else "unnamed",
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=_harmless(span.attributes or {}),
        links=span.links,
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _harmless(attributes: Mapping[str, AttributeValue]) -> dict[str, AttributeValue]:
    return {key: value for key, value in attributes.items() if key in THEIRS or key.startswith(PREFIX)}


def make_tracer(exporter: SpanExporter | None) -> Tracer:
    """What makes spans from here on, ADK's among them; without an exporter they exist for their ids in logs alone.

    What was not yet exported is so when the process ends.
    """
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: SERVICE}).merge(_named()))
    if exporter is not None:
        provider.add_span_processor(BatchSpanProcessor(BareExporter(exporter)))
    trace.set_tracer_provider(provider)
    return provider.get_tracer(SERVICE)


def _named() -> Resource:
    """What the environment says of the process, which goes before what we say."""
    from opentelemetry.sdk.resources import OTELResourceDetector

    return OTELResourceDetector().detect()


def otlp_exporter(patience_s: float | None) -> SpanExporter:
    """An exporter by OTLP over HTTP, to wherever `OTEL_EXPORTER_OTLP_*` says; an export takes so long at most."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter(timeout=patience_s)
