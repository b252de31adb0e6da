"""Logs: lines that Cloud Logging reads as they are, and that quote nothing of what comes from outside."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Generator
from typing import Any

import pytest
import structlog
from opentelemetry.sdk.trace import TracerProvider

from schemas.event import Delivery
from worker import tracing
from worker.app import App
from worker.cli import main
from worker.dispatch import handle
from worker.ledger.tables import job
from worker.log import LONGEST, set_up_logs
from worker.policy import Fault
from worker.quarantine import quarantine

MARK = "Zyxomark"
LABELS = "logging.googleapis.com/labels"
Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines() -> Generator[Lines]:
    """What was logged so far, each line as the document that it is."""
    stream = io.StringIO()
    before, root = structlog.get_config(), logging.getLogger()
    handlers = root.handlers
    set_up_logs(json_lines=True, stream=stream, project="a-project")
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    structlog.configure(**before)
    root.handlers = handlers
    logging.captureWarnings(capture=False)


@pytest.mark.parametrize(
    ("level", "severity"),
    [("info", "INFO"), ("warning", "WARNING"), ("error", "ERROR"), ("critical", "CRITICAL"), ("exception", "ERROR")],
)
def test_a_line_has_the_severity_that_cloud_logging_knows(lines: Lines, level: str, severity: str) -> None:
    """By its own names; the message is the event's name."""
    getattr(structlog.get_logger(), level)("something_happened", code="a.b")
    (line,) = lines()
    assert (line["severity"], line["message"], line["event"]) == (severity, "something_happened", "something_happened")
    assert (line["code"], "level" in line, "timestamp" in line) == ("a.b", False, False)


def test_ids_are_labels_and_text_as_those_must_be(lines: Lines) -> None:
    """What isn't known is left out."""
    with structlog.contextvars.bound_contextvars(job_id="j1", stage="extraction", attempt=3, ticket_id=""):
        structlog.get_logger().info("something_happened", kind="deck")
    (line,) = lines()
    assert line[LABELS] == {"job_id": "j1", "stage": "extraction", "attempt": "3"}
    assert line["kind"] == "deck"


def test_lines_outside_a_span_name_no_trace(lines: Lines) -> None:
    """Inside one they name it, with the project that keeps it."""
    provider = TracerProvider(shutdown_on_exit=False)
    before = tracing.make_spans(provider.get_tracer("test"))
    try:
        structlog.get_logger().info("outside")
        with tracing.span("delivery"):
            structlog.get_logger().info("inside")
    finally:
        tracing.make_spans(before)
    outside, inside = lines()
    assert not any(key.startswith("logging.googleapis.com/") for key in outside)
    assert inside["logging.googleapis.com/trace"].startswith("projects/a-project/traces/")
    assert len(inside["logging.googleapis.com/spanId"]) == 16


def test_an_exception_leaves_its_types_and_places_and_none_of_its_words(lines: Lines) -> None:
    """Nor those of what caused it, of notes, of groups, or of the variables on the way."""
    secret = f"{MARK} in a variable"

    def fail() -> None:
        try:
            raise KeyError(secret)
        except KeyError as cause:
            error = ExceptionGroup(MARK, [ValueError(MARK)])
            error.add_note(MARK)
            raise error from cause

    try:
        fail()
    except ExceptionGroup as error:
        structlog.get_logger().error("dispatch_failed", exc_info=error)
    (line,) = lines()
    assert [each["exc_type"] for each in line["exception"]] == ["ExceptionGroup", "KeyError"]
    assert line["exception"][0]["exceptions"][0][0]["exc_type"] == "ValueError"
    assert line["exception"][0]["frames"][-1]["name"] == "fail"
    assert MARK not in json.dumps(line)


def test_what_libraries_log_is_told_without_their_words(lines: Lines) -> None:
    """Who, where and which error."""
    try:
        raise ValueError(MARK)
    except ValueError:
        logging.getLogger("some.library").exception("could not read %s", MARK)
    (line,) = lines()
    assert (line["message"], line["logger"], line["error"]) == ("library", "some.library", "ValueError")
    assert MARK not in json.dumps(line)


async def test_garbage_in_a_message_is_named_and_not_repeated(app: App, lines: Lines) -> None:
    """Whatever stands where a kind and a job's id should."""
    body: dict[str, Any] = {"kind": {MARK: MARK}, "job_id": f"{MARK}: {MARK}\n"}
    await handle(app, Delivery(subscription="work", message_id="m1", body=body))
    assert [line["message"] for line in lines()] == ["delivery_ignored", "delivery_handled"]
    for line in lines():
        assert (line["kind"], line[LABELS]) == ("unknown", {"subscription": "work", "message_id": "m1"})
        assert MARK not in json.dumps(line)


def test_long_values_are_cut_and_control_characters_are_escaped(lines: Lines) -> None:
    """One event stays one line."""
    structlog.get_logger().info("something_happened", why="a\nb" + "x" * 10_000)
    (line,) = lines()
    assert line["why"].startswith("a\\nbxxx")
    assert len(line["why"]) < LONGEST + 10


async def test_a_job_that_is_set_aside_is_one_line_with_its_code(
    app: App, waiting: str, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which alerts count; it is written after the commit, so that what is rolled back is not counted."""

    async def refuse(*_: object) -> Any:
        async with app.ledger.change(waiting, "test") as change:
            return await quarantine(change, Fault("file.encrypted", "The file is encrypted.", "aside"))

    monkeypatch.setattr("worker.handlers.stage.run_attempt", refuse)
    body = {"kind": "StageRequested", "job_id": waiting, "stage": "presentation"}
    await handle(app, Delivery(subscription="work", message_id="m1", body=body))
    aside = [line for line in lines() if line["message"] == "job_quarantined"]
    assert [(line["severity"], line["code"], line[LABELS]["job_id"]) for line in aside] == [
        ("WARNING", "file.encrypted", waiting)
    ]
    assert [row["state"] for row in await app.ledger.rows(job.select())] == ["quarantined"]


@pytest.mark.parametrize("name", ["K_SERVICE", "CLOUD_RUN_JOB", "CLOUD_RUN_WORKER_POOL", "DEALWRIGHT_LOG_JSON"])
def test_on_cloud_run_or_by_a_setting_lines_go_to_standard_error(
    name: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: Lines
) -> None:
    """Where they are read from; nothing is written into the state folder's log."""
    monkeypatch.setenv("DEALWRIGHT_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv(name, "true")
    assert main(["jobs"]) == 0
    structlog.get_logger().info("something_happened")
    last = json.loads(capsys.readouterr().err.splitlines()[-1])
    assert (last["message"], lines()) == ("something_happened", [])
    assert not (tmp_path / "state" / "dealwright.log").exists()
