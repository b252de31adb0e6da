"""Decisions from another terminal: the job waits, whoever comes goes on from there, and the first decision holds."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

import worker.commands.person
import worker.commands.process
from tests.cli.conftest import Line
from worker import jobs
from worker.bootstrap import open_app
from worker.commands.results import pin_line
from worker.decisions import Said
from worker.settings import load_settings


def job_of(folder: Path) -> str:
    """The id of the job whose results lie in the folder."""
    return str(json.loads((folder / "out" / "pipeline" / "job.json").read_text())["job_id"])


def test_approving_renews_the_results_where_they_were(line: Line, waiting: Path) -> None:
    """Any working hour later: the drafts' folder then holds the final editions."""
    ran = line("approve", job_of(waiting)[:8], "--json", "--log-json")
    assert ran.code == 0, ran.err
    assert ran.document["state"] == "completed"
    logged = [json.loads(text) for text in ran.sentences if text.startswith("{")]
    assert "delivery_handled" in {entry["event"] for entry in logged}
    out = waiting / "out" / "pipeline"
    assert not (out / "DRAFT.txt").exists()
    assert json.loads((out / "job.json").read_text())["edition"] == "final"


def test_changes_make_new_documents_with_the_corrected_value(line: Line, waiting: Path) -> None:
    """A pin and an emphasis go round: new deals, new deck and PDF, a new ticket, the old one void."""
    before = (waiting / "out" / "pipeline" / "deck.pptx").read_bytes()
    assignment = "HL-2603.deal_value=7100000"
    words = (
        "--comment",
        "Lead with price.",
        "--set",
        assignment,
        "--reason",
        "Broker's letter.",
        "--emphasis",
        "price",
    )
    ran = line("changes", job_of(waiting), *words)
    assert ran.code == 3, ran.err
    corrected = "Tannery Row Shops (row 4): deal_value 6,900,000 -> 7,100,000"
    assert ran.sentences[0] == f"Correcting {corrected}"
    assert f"corrected {corrected}; Broker's letter." in line("show", job_of(waiting)).out
    out = waiting / "out" / "pipeline"
    deals = json.loads((out / "deals.json").read_text())["deals"]
    changed = next(deal for deal in deals if deal["fields"]["source_id"]["value"] == "HL-2603")
    assert changed["fields"]["deal_value"]["value"] == 7_100_000
    record = json.loads((out / "job.json").read_text())
    assert record["state"] == "waiting"
    assert {document["emphasis"] for document in record["documents"] if document["newest"]} == {"price"}
    gates = [ticket["state"] for ticket in record["tickets"] if ticket["kind"] == "approval"]
    assert sorted(gates) == ["done", "open"]
    assert (out / "deck.pptx").read_bytes() != before
    assert line("approve", job_of(waiting)).code == 0


@pytest.mark.parametrize(
    ("field", "was", "value", "told"),
    [
        ("cap_rate", "0.0723415559772296", "0.1", "cap_rate 7.2342% -> 10%"),
        ("noi", None, "450000", "noi (none) -> 450,000"),
        ("year_built", "1999", "2001", "year_built 1999 -> 2001"),
        ("lease_expiry", "2030-06-30", "", "lease_expiry 2030-06-30 -> (none)"),
    ],
)
def test_a_correction_is_told_as_its_field_is_read(field: str, was: str | None, value: str, told: str) -> None:
    """Percentages as such, amounts with commas, years without; what is missing is called that."""
    pin = {"deal": "Union Yard", "place": "Deals!4", "field": field, "was": was, "value": value}
    assert pin_line(pin) == f"Union Yard (Deals!4): {told}"


@pytest.mark.parametrize(
    ("told_before", "told"),
    [
        ({"before": "-50000"}, "noi -50,000 -> 50,000"),
        ({"before": None}, "noi (none) -> 50,000"),
        ({"before": "60000", "before_currency": "USD", "currency": "EUR"}, "noi USD 60,000 -> EUR 50,000"),
        ({"before": "60000", "before_currency": "USD", "currency": "USD"}, "noi 60,000 -> 50,000"),
        ({"before": "60000", "before_currency": None, "currency": "EUR"}, "noi 60,000 -> EUR 50,000"),
    ],
)
def test_a_correction_tells_what_was_in_force_and_currencies_that_change(
    told_before: dict[str, str | None], told: str
) -> None:
    """What the file says was corrected before; its own value is kept beside and not told here."""
    pin = {"deal": "Union Yard", "place": "Deals!4", "field": "noi", "was": "60000", "value": "50000", **told_before}
    assert pin_line(pin) == f"Union Yard (Deals!4): {told}"


def test_the_first_decision_holds_and_a_later_one_is_told_of_it(line: Line, waiting: Path) -> None:
    """Approving twice is harmless; rejecting what was approved is refused with who and when."""
    assert line("approve", job_of(waiting)).code == 0
    again = line("approve", job_of(waiting))
    other = line("reject", job_of(waiting), "--comment", "no")
    assert again.code == 0
    assert "decided before" in again.err
    assert "Decided offline" not in again.out
    assert "completed" in again.out
    assert other.code == 2
    assert "approved" in other.err


def test_an_approval_after_the_end_of_its_time_is_told_that(line: Line, waiting: Path) -> None:
    """Nobody was first: it expired, and when."""
    with contextlib.closing(sqlite3.connect(waiting / ".dealwright" / "dealwright.db")) as ledger, ledger:
        ledger.execute("UPDATE ticket SET expires_at = opened_at WHERE kind = 'approval'")
    ran = line("approve", job_of(waiting))
    assert ran.code == 2
    assert "It expired on 20" in ran.err
    assert "was first" not in ran.err


def test_only_who_had_documents_made_is_told_that_rules_decided_on_them(line: Line, waiting: Path) -> None:
    """Changes make some; a person's approval or cancelling is no rule's decision."""
    assert "Decided offline" in line("changes", job_of(waiting), "--comment", "x", "--emphasis", "price").out
    cancelled = line("cancel", job_of(waiting))
    assert "is cancelled" in cancelled.out
    assert "Decided offline" not in cancelled.out


def ask_elsewhere(job_id: str) -> None:
    """Somebody asks for changes by other means, and the worker makes them; the folder of results stays as it is."""

    async def ask() -> None:
        async with open_app(load_settings()) as app:
            await jobs.decide(app, job_id, Said("changes_requested", "bob", "Lead with price.", (), "price"))
            assert await jobs.run_until_quiet(app, job_id) == "waiting"

    asyncio.run(ask())


def bound_by(line: Line, job_id: str) -> list[dict[str, str]]:
    """What the gates of the job bind, oldest first."""
    tickets = line("show", job_id, "--json").document["tickets"]
    return [each["subject"] for each in tickets if each["kind"] == "approval"]


def test_an_approval_is_of_the_documents_that_were_seen(line: Line, waiting: Path) -> None:
    """Others wait meanwhile: the drafts at hand don't name them, nor do old hashes or those of both rounds."""
    job = job_of(waiting)
    ask_elsewhere(job)
    old, new = bound_by(line, job)
    assert old["deals_sha256"] == new["deals_sha256"]
    ran = line("approve", job)
    assert (ran.code, len(ran.sentences)) == (2, 1)
    assert "earlier round" in ran.err
    assert f"--sha256 {new['deck_final_sha256'][:12]}" in ran.err
    for digits in (old["deck_draft_sha256"], old["memo_final_sha256"][:9], new["deals_sha256"]):
        ran = line("approve", job, "--sha256", digits)
        assert (ran.code, len(ran.sentences)) == (2, 1)
        assert "nothing was approved" in ran.err
    assert line("jobs", "--json").document[0]["state"] == "waiting"
    ran = line("approve", job, "--sha256", new["memo_draft_sha256"][:8].upper())
    assert ran.code == 0, ran.err
    assert f"Approved: round 2 of job {job[:12]}: deals {new['deals_sha256'][:12]}, deck" in ran.sentences[0]


@pytest.mark.parametrize("gone", [True, False])
def test_a_later_round_is_named_unless_its_drafts_were_written_here(line: Line, waiting: Path, gone: bool) -> None:
    """Where nothing says what was seen, nothing is signed; drafts that `process` wrote anew say it."""
    job = job_of(waiting)
    ask_elsewhere(job)
    if gone:
        shutil.rmtree(waiting / "out")
    else:
        assert line("process", "pipeline.csv", "--approve", "later").code == 3
    ran = line("approve", job)
    assert ran.code == (2 if gone else 0), ran.err
    assert ("more than one round" in ran.err) == gone


def test_a_hash_has_eight_digits_at_least(line: Line, waiting: Path) -> None:
    """Fewer, or other letters, are a wrong line."""
    for digits in ("abc", "wxyzwxyz", "a" * 65):
        assert line("approve", job_of(waiting), "--sha256", digits).code == 2
    assert line("jobs", "--json").document[0]["state"] == "waiting"


def test_a_rejected_job_delivers_nothing(line: Line, waiting: Path) -> None:
    """Rejecting is done with 0; processing the file again tells 3."""
    ran = line("reject", job_of(waiting), "--comment", "Too thin.")
    assert ran.code == 0, ran.err
    assert not (waiting / ".dealwright" / "delivered").exists()
    assert "rejected" in (waiting / "out" / "pipeline" / "DRAFT.txt").read_text()
    assert line("process", "pipeline.csv").code == 3


def test_a_cancelled_job_ends(line: Line, waiting: Path) -> None:
    """Approving it later is refused in one sentence."""
    assert line("cancel", job_of(waiting)).code == 0
    ran = line("approve", job_of(waiting))
    assert (ran.code, len(ran.sentences)) == (2, 1)


def test_a_wrong_correction_changes_nothing(line: Line, waiting: Path) -> None:
    """One sentence, and the job still waits."""
    ran = line("changes", job_of(waiting), "--comment", "x", "--set", "Nowhere.deal_value=1", "--reason", "y")
    assert (ran.code, len(ran.sentences)) == (2, 1)
    assert line("jobs", "--json").document[0]["state"] == "waiting"


def test_corrections_and_reasons_must_pair_up(line: Line, waiting: Path) -> None:
    """A value without a reason is no correction."""
    ran = line("changes", job_of(waiting), "--comment", "x", "--set", "HL-2603.deal_value=1")
    assert (ran.code, len(ran.sentences)) == (2, 1)
    assert "--reason" in ran.err


def test_a_job_is_named_by_the_first_letters_of_its_id(line: Line, waiting: Path) -> None:
    """Unknown beginnings are told apart from a crash."""
    assert job_of(waiting) in line("show", job_of(waiting)[:6]).out
    assert line("show", job_of(waiting)[:6], "--json").document["job_id"] == job_of(waiting)
    ran = line("show", "zzzz")
    assert (ran.code, len(ran.sentences)) == (2, 1)


def test_jobs_lists_what_waits(line: Line, waiting: Path) -> None:
    """A line a job: id, state, file."""
    ran = line("jobs")
    assert job_of(waiting)[:12] in ran.out
    assert "waiting" in ran.out


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> list[str | type[BaseException]]:
    """What a person types at the prompts, one entry a prompt; an exception is a key such as Ctrl-C."""
    typed: list[str | type[BaseException]] = []

    def ask(prompt: str) -> str:
        answer = typed.pop(0)
        if isinstance(answer, str):
            return answer
        raise answer

    monkeypatch.setattr(worker.commands.person, "ask", ask)
    monkeypatch.setattr(worker.commands.process, "is_interactive", lambda: True)
    return typed


@pytest.mark.parametrize("key", ["l", "", KeyboardInterrupt])
def test_later_the_end_of_input_and_ctrl_c_leave_a_waiting_job_and_say_how_to_finish(
    key: object, line: Line, waiting: Path, keyboard: list[object]
) -> None:
    """Nothing is lost, and the line to type is on the screen."""
    keyboard.append(key)
    ran = line("process", "pipeline.csv")
    assert ran.code == 3
    assert f"dealwright approve {job_of(waiting)[:12]}" in ran.out


def test_a_person_asks_for_changes_then_signs(line: Line, waiting: Path, keyboard: list[object]) -> None:
    """The whole loop at one prompt; a correction that can't be read is told, and the question comes again."""
    keyboard += ["c", "Fix it", "nonsense", "because", "", "", "?", "c", "Price first", "", "price", "y"]
    ran = line("process", "pipeline.csv")
    assert ran.code == 0, ran.err
    assert "goes on" in ran.err
    record = json.loads((waiting / "out" / "pipeline" / "job.json").read_text())
    assert [decision["verdict"] for decision in record["decisions"]] == ["changes_requested", "approved"]
    assert not keyboard
