"""Traces: one of them through a whole job, over processes, and nothing in it of what the file holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from opentelemetry.proto.trace.v1.trace_pb2 import Span as Sent
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from tests.servers.otlp import Collector, collecting
from worker import jobs, tracing
from worker.adapters.spans import BareExporter
from worker.adapters.transport import InProcessTransport
from worker.app import App
from worker.decisions import Said
from worker.ledger.tables import job, outbox
from worker.settings import export_patience_s, traces_wanted

ROOT = Path(__file__).parents[2]
MARK = "Zyxomark"
"""In each cell of text, the sheet's name, the header and the file's name: it must appear in no log line and no span."""


@dataclass(frozen=True)
class Watched:
    """A job that two processes did, and all that they said of it."""

    logs: list[dict[str, Any]]
    collector: Collector

    @property
    def spans(self) -> list[Sent]:
        """What was exported."""
        return self.collector.spans


def marked_workbook(path: Path) -> None:
    """Four deals whose every text bears the mark, one value that is no number, and a column that nobody knows."""
    book = Workbook()
    sheet = book.active
    sheet.title = f"{MARK} deals"
    sheet.append(["Property Name", "Address", "Asking Price", "Cap Rate", "NOI", f"{MARK} remarks"])
    for number in range(4):
        price = 1_000_000 * (number + 1)
        row = [
            f"{MARK} Plaza {number}",
            f"{number} {MARK} Street",
            price,
            0.05,
            price * 0.05,
            f"{MARK} = note {number}",
        ]
        sheet.append(row)
    sheet["C3"] = f"{MARK} on request"
    book.save(path)


def run(folder: Path, environment: Mapping[str, str], *words: str) -> list[dict[str, Any]]:
    """The log lines of a command, which must go well."""
    command = [sys.executable, "-m", "worker.cli", *words, "--log-json"]
    given = {**os.environ, **environment, "PYTHONPATH": str(ROOT), "DEALWRIGHT_PROJECT": "a-project"}
    done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), done.stderr
    return [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Generator[Watched]:
    """A job that waits for its approval in one process, is approved by a second one, and finished by that."""
    folder = tmp_path_factory.mktemp("watched")
    marked_workbook(folder / f"{MARK} list.xlsx")
    with collecting() as collector:
        told = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}
        logs = run(folder, told, "process", f"{MARK} list.xlsx", "--approve", "later")
        (job_id,) = {line["logging.googleapis.com/labels"]["job_id"] for line in logs if "delivery" in line["message"]}
        logs += run(folder, told, "approve", job_id)
        yield Watched(logs, collector)


def attributes(span: Sent) -> dict[str, Any]:
    """A span's attributes by name."""
    kinds = {each.key: each.value for each in span.attributes}
    return {key: getattr(value, value.WhichOneof("value")) for key, value in kinds.items()}


def test_one_trace_goes_through_a_whole_job_and_its_approval_in_another_process(watched: Watched) -> None:
    """Each span but the first has its parent in the same trace, so that none hangs loose."""
    spans = watched.spans
    assert len({span.trace_id for span in spans}) == 1
    ids = {span.span_id for span in spans}
    assert [span.name for span in spans if span.parent_span_id not in ids] == ["delivery"]
    names = {span.name for span in spans}
    assert names >= {"publish", "delivery", "attempt", "render", "decision", "deliver documents"}
    stages = {attributes(span).get("dealwright.stage") for span in spans if span.name == "attempt"}
    assert stages == {"extraction", "presentation", "render", "delivery"}


def test_spans_of_adk_hang_under_the_attempt_that_ran_the_agent(watched: Watched) -> None:
    """Agents, model calls and tools are seen in the job's trace, with the tokens that they cost."""
    spans = {span.span_id: span for span in watched.spans}
    calls = [span for span in spans.values() if span.name.startswith("generate_content")]
    assert len(calls) >= 4
    for call in calls:
        above = [call]
        while above[-1].parent_span_id:
            above.append(spans[above[-1].parent_span_id])
        names = [span.name for span in above]
        assert "attempt" in names, names
        assert names[-1] == "delivery"
    assert any(span.name.startswith("execute_tool") for span in spans.values())


def test_neither_logs_nor_spans_hold_what_the_file_says(watched: Watched) -> None:
    """No cell, header, sheet name or file name; nor prompts, of which each knows its model's instructions."""
    assert len(watched.logs) > 10
    everything = [json.dumps(line) for line in watched.logs] + [str(span) for span in watched.spans]
    for text in everything:
        assert MARK.lower() not in text.lower()
        assert "You " not in text
        assert "Signature=" not in text


def test_log_lines_name_the_job_and_the_trace_as_cloud_logging_reads_them(watched: Watched) -> None:
    """Severity, message, time, labels, and the trace that the spans are in."""
    handled = [line for line in watched.logs if line["message"] == "delivery_handled"]
    (trace_id,) = {span.trace_id.hex() for span in watched.spans}
    spans = {span.span_id.hex(): span.name for span in watched.spans}
    assert len(handled) >= 6
    for line in handled:
        assert (line["severity"], line["event"]) == ("INFO", "delivery_handled")
        assert line["time"].endswith("Z")
        assert line["logging.googleapis.com/trace"] == f"projects/a-project/traces/{trace_id}"
        assert spans[line["logging.googleapis.com/spanId"]] == "delivery"
        assert line["logging.googleapis.com/trace_sampled"] is True
        assert set(line["logging.googleapis.com/labels"]) >= {"job_id", "subscription", "message_id"}
    calls = [line for line in watched.logs if line["message"] == "model_call"]
    assert {line["logging.googleapis.com/labels"]["stage"] for line in calls} == {"extraction", "presentation"}


@pytest.fixture
def kept() -> Generator[InMemorySpanExporter]:
    """The spans that are made meanwhile."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(BareExporter(exporter)))
    before = tracing.make_spans(provider.get_tracer("test"))
    yield exporter
    tracing.make_spans(before)
    provider.shutdown()


def named(exporter: InMemorySpanExporter, name: str) -> ReadableSpan:
    """The only span of a name."""
    (found,) = [span for span in exporter.get_finished_spans() if span.name == name]
    return found


OTHER = "00-11111111111111111111111111111111-2222222222222222-01"


def test_a_span_that_belongs_to_another_trace_is_linked_to_the_one_it_began_in(kept: InMemorySpanExporter) -> None:
    """A job approved by a request of another trace stays in its own."""
    with tracing.span("request") as _, tracing.span("decision", within=OTHER):
        pass
    decision, request = named(kept, "decision"), named(kept, "request")
    assert decision.context.trace_id == int("1" * 32, 16)
    assert decision.parent is not None
    assert decision.parent.span_id == int("2" * 16, 16)
    assert [link.context for link in decision.links] == [request.context]


def test_a_span_within_the_trace_that_is_under_way_is_a_child_of_the_nearest(kept: InMemorySpanExporter) -> None:
    """The job's root is not the parent of everything."""
    with tracing.span("delivery", "consumer", within=OTHER), tracing.span("attempt", within=OTHER):
        pass
    attempt, delivery = named(kept, "attempt"), named(kept, "delivery")
    assert attempt.parent == delivery.context
    assert not attempt.links
    assert delivery.kind == SpanKind.CONSUMER


def test_an_error_leaves_its_type_in_a_span_and_none_of_its_words(kept: InMemorySpanExporter) -> None:
    """Nor does any attribute, event or name that another library wrote."""
    with pytest.raises(ValueError, match=MARK), tracing.span("attempt", stage="extraction"):
        raise ValueError(MARK)
    tracer = tracing._wiring.tracer
    assert tracer is not None
    theirs = tracer.start_span(f"execute_tool {MARK} told: $1")
    theirs.set_attributes({"gen_ai.prompt": MARK, "gen_ai.usage.input_tokens": 7})
    theirs.record_exception(KeyError(MARK))
    theirs.set_status(StatusCode.ERROR, MARK)
    theirs.end()
    ours, other = kept.get_finished_spans()
    assert ours.attributes == {"dealwright.stage": "extraction", "dealwright.error": "ValueError"}
    assert (other.name, other.attributes) == ("unnamed", {"gen_ai.usage.input_tokens": 7})
    assert MARK not in ours.to_json() + other.to_json()


async def test_what_is_promised_where_nobody_traces_stays_in_the_jobs_trace(app: App, waiting: str) -> None:
    """An approval by a command line without traces hands on the context that the ledger keeps."""
    async with app.ledger.change(waiting, "test") as change:
        await change.set(job, job.c.id == waiting, trace=OTHER)
    await jobs.decide(app, waiting, Said("approved", "approver"))
    rows = await app.ledger.rows(outbox.select().where(outbox.c.sent_at.is_(None)))
    assert [row["trace"] for row in rows if row["topic"] == "work"] == [OTHER]


async def test_a_delivery_carries_the_trace_of_whoever_published_it(kept: InMemorySpanExporter) -> None:
    """In one process as over Pub/Sub."""
    taken: list[str] = []

    async def take(delivery: Any) -> Any:
        taken.append(delivery.trace)
        return "ack"

    transport = InProcessTransport()
    transport.subscribe(take)
    with tracing.span("publish", "producer", within=OTHER):
        await transport.publish("work", "m1", {"kind": "StageRequested"})
        await transport.settle(5)
    assert taken == [f"00-{'1' * 32}-{named(kept, 'publish').context.span_id:016x}-01"]
    await transport.close()


def test_without_a_tracer_no_part_of_opentelemetry_is_loaded() -> None:
    """Commands that only show things start as fast as before."""
    code = "import sys, worker.dispatch, worker.log, worker.tracing\nwith worker.tracing.span('x'): pass\n"
    code += "print([name for name in sys.modules if name.startswith(('opentelemetry', 'prometheus'))])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("environment", "wanted", "patience_s"),
    [
        ({}, False, 3),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, True, 3),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://collector:4318/v1/traces"}, True, 3),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", "OTEL_SDK_DISABLED": "true"}, False, 3),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", "OTEL_EXPORTER_OTLP_TIMEOUT": "20"}, True, None),
    ],
)
def test_the_standard_variables_say_whether_and_how_spans_are_exported(
    environment: dict[str, str], wanted: bool, patience_s: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of OpenTelemetry; we have none of our own for it."""
    for name in [each for each in os.environ if each.startswith("OTEL_")]:
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert (traces_wanted(), export_patience_s()) == (wanted, patience_s)
