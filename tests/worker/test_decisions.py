"""Decisions at a gate: once, about what was shown, by somebody, within time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from schemas import ids
from schemas.errors import InputError
from tests.worker.conftest import Ahead
from worker import decisions, jobs
from worker.app import App
from worker.decisions import Correction, Said

APPROVED, REJECTED = Said("approved", "ann"), Said("rejected", "ben", "Too dear.")


def changes(*, comment: str = "", assignment: str = "", **given: str) -> Said:
    """Changes asked for."""
    corrections = [Correction(assignment, "as per the broker")] if assignment else []
    return Said("changes_requested", "ann", comment, corrections, **given)


async def test_a_decision_says_who_when_and_about_which_hashes(app: App, waiting: str) -> None:
    """And the audit says it too."""
    outcome = await jobs.decide(app, waiting, APPROVED)
    detail = await jobs.show_job(app, waiting)
    assert outcome.status == "applied"
    assert detail.decisions == (outcome.decision,)
    assert (outcome.decision.by, outcome.decision.verdict) == ("ann", "approved")
    assert outcome.decision.subject["deck_final_sha256"] == detail.documents[0].final.sha256
    assert detail.deals is not None
    assert outcome.decision.subject["deals_sha256"] == detail.deals.sha256
    assert (detail.audit[-1].who, detail.audit[-1].action) == ("ann", "decided")
    assert detail.state == "presenting"


@pytest.mark.parametrize(("second", "status"), [(APPROVED, "repeat"), (REJECTED, "conflict")])
async def test_whoever_comes_later_is_told_the_first_decision(
    app: App, waiting: str, second: Said, status: str
) -> None:
    """Whether they say the same or not."""
    first = await jobs.decide(app, waiting, APPROVED)
    later = await jobs.decide(app, waiting, second)
    assert (later.status, later.decision) == (status, first.decision)
    assert len((await jobs.show_job(app, waiting)).decisions) == 1


async def test_the_drafts_are_delivered_to_nobody_and_the_finals_only_once_approved(app: App, waiting: str) -> None:
    """The delivery folder holds the final editions, byte for byte."""
    assert not (app.deliveries.folder / waiting).exists()
    await jobs.decide(app, waiting, APPROVED)
    assert await jobs.run_until_quiet(app, waiting) == "completed"
    detail = await jobs.show_job(app, waiting)
    assert detail.delivered is not None
    finals = {document.kind: document.final.sha256 for document in detail.documents}
    for name, kind in (("deck.pptx", "deck"), ("memo.pdf", "memo")):
        data = (app.deliveries.folder / waiting / name).read_bytes()
        assert ids.sha256_hex(data) == finals[kind]
    assert (detail.delivered.deck_sha256, detail.delivered.memo_sha256) == (finals["deck"], finals["memo"])


async def test_a_correction_makes_new_deals_and_new_documents(app: App, waiting: str) -> None:
    """The old gate is closed, the new one is about other hashes, and the new deals hold the pin."""
    before = await jobs.show_job(app, waiting)
    said = changes(comment="Mill Lane is wrong.", assignment="Mill Lane.asking_price=4,000,000", emphasis="price")
    assert (await jobs.decide(app, waiting, said)).status == "applied"
    assert await jobs.run_until_quiet(app, waiting) == "waiting"
    after = await jobs.show_job(app, waiting)
    assert after.deals is not None
    assert before.deals is not None
    assert after.deals.sha256 != before.deals.sha256
    assert after.rounds == 1
    newest = [document for document in after.documents if document.newest]
    assert {document.emphasis for document in newest} == {"price"}
    assert len(newest) == 2
    (pin,) = after.decisions[0].pins
    assert (pin["field"], pin["was"], pin["by"], pin["reason"]) == (
        "asking_price",
        "4100000",
        "ann",
        "as per the broker",
    )
    from tools.deals.archive import load

    deals = load(await jobs.read_artifact(app, after, after.deals.artifact, after.deals.version))
    assert [pinned.value for pinned in deals.pins] == ["4000000"]


async def test_a_value_corrected_again_is_told_with_what_was_in_force(app: App, waiting: str) -> None:
    """The first correction's value, and in one decision that of the correction before; the file's is kept beside."""
    said = changes(comment="Wrong.", assignment="Mill Lane.asking_price=4,000,000")
    assert (await jobs.decide(app, waiting, said)).status == "applied"
    assert await jobs.run_until_quiet(app, waiting) == "waiting"
    again = replace(
        said,
        corrections=[
            Correction("Mill Lane.asking_price=€3.900.000", "in euros"),
            Correction("Mill Lane.asking_price=3,800,000", "less"),
        ],
    )
    first, second = await decisions.preview(app, waiting, again)
    assert [
        (pin["was"], pin["before"], pin["before_currency"], pin["value"], pin["currency"]) for pin in (first, second)
    ] == [
        ("4100000", "4000000", "USD", "3900000", "EUR"),
        ("4100000", "3900000", "EUR", "3800000", "USD"),
    ]


async def test_an_emphasis_alone_keeps_the_deals(app: App, waiting: str) -> None:
    """Other documents, the same deals."""
    before = await jobs.show_job(app, waiting)
    await jobs.decide(app, waiting, changes(emphasis="price"))
    assert await jobs.run_until_quiet(app, waiting) == "waiting"
    after = await jobs.show_job(app, waiting)
    assert after.deals == before.deals
    assert len(after.documents) == 4


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (changes(), "decision.empty"),
        (changes(assignment="Nobody.asking_price=1"), "pin."),
        (changes(assignment="Mill Lane.asking_price=cheap"), "pin."),
        (changes(assignment="Mill Lane"), "pin."),
    ],
    ids=["nothing", "no such deal", "no price", "no value"],
)
async def test_changes_that_cannot_be_made_are_refused_and_leave_the_gate_open(
    app: App, waiting: str, said: Said, code: str
) -> None:
    """In a sentence; the person may try again."""
    with pytest.raises(InputError) as refused:
        await jobs.decide(app, waiting, said)
    assert refused.value.code.startswith(code)
    detail = await jobs.show_job(app, waiting)
    assert (detail.state, detail.decisions) == ("waiting", ())


async def test_rounds_come_to_an_end(app: App, waiting: str) -> None:
    """After the last one it is yes, no or cancelled."""
    await jobs.decide(app, waiting, changes(emphasis="price"))
    await jobs.run_until_quiet(app, waiting)
    with pytest.raises(InputError) as refused:
        await jobs.decide(app, waiting, changes(emphasis="income"))
    assert refused.value.code == "decision.rounds"
    assert (await jobs.decide(app, waiting, APPROVED)).status == "applied"


async def test_nobody_signs_what_they_did_not_see(app: App, waiting: str) -> None:
    """A decision on the gate that was shown, which is closed by now, does not fall on the newer one."""
    shown = next(ticket for ticket in (await jobs.show_job(app, waiting)).tickets if ticket.kind == "approval")
    await jobs.decide(app, waiting, changes(emphasis="price"))
    await jobs.run_until_quiet(app, waiting)
    late = await jobs.decide(app, waiting, APPROVED, shown.ticket_id)
    assert (late.status, late.decision.verdict) == ("conflict", "changes_requested")
    assert (await jobs.show_job(app, waiting)).state == "waiting"


async def test_a_gate_runs_out(app: App, waiting: str, clock: Ahead) -> None:
    """The next run says so, and the job is turned down."""
    clock.jump(7 * 24 * 3600 + 60)
    assert await jobs.run_until_quiet(app, waiting) == "rejected"
    detail = await jobs.show_job(app, waiting)
    assert [(said.verdict, said.by) for said in detail.decisions] == [("expired", "dealwright")]
    assert detail.reason is not None
    assert detail.reason.code == "approval.expired"


async def test_a_decision_that_comes_too_late_is_told_so(app: App, waiting: str, clock: Ahead) -> None:
    """The gate had run out, though nobody had looked."""
    clock.jump(7 * 24 * 3600 + 60)
    late = await jobs.decide(app, waiting, APPROVED)
    assert (late.status, late.decision.verdict) == ("conflict", "expired")


async def test_a_job_without_a_gate_waits_for_no_decision(app: App, waiting: str) -> None:
    """Nothing to sign yet."""
    await jobs.cancel(app, waiting, by="ann")
    with pytest.raises(InputError) as refused:
        await jobs.decide(app, waiting, APPROVED)
    assert (refused.value.code, "cancelled" in refused.value.message) == ("job.not_waiting", True)


@pytest.mark.parametrize("odd", ["\0", "\x0b", "\x1b", "\x85", "\ud800"])
async def test_what_no_database_keeps_is_taken_out_of_what_was_said(app: App, waiting: str, odd: str) -> None:
    """A comment, a reason and a name are text for people; PostgreSQL refuses NUL, and every database half a pair."""
    said = Said("changes_requested", f"an{odd}n", f"hi{odd}there\nall", [Correction("#1.noi=4000000", f"so{odd}it is")])
    outcome = await jobs.decide(app, waiting, said)
    assert (outcome.decision.by, outcome.decision.comment) == ("an n", "hi there\nall")
    assert [pin["reason"] for pin in outcome.decision.pins] == ["so it is"]


@pytest.mark.parametrize("odd", ["\0", "\x1b", "\ud800"])
async def test_a_value_with_a_control_character_is_refused(app: App, waiting: str, odd: str) -> None:
    """Without it, it could be another value."""
    said = changes(assignment=f"#1.noi=4{odd}000000")
    with pytest.raises(InputError) as refused:
        await jobs.decide(app, waiting, said)
    assert refused.value.code == "pin.unprintable"
    with pytest.raises(InputError):
        await decisions.preview(app, waiting, said)
    assert (await jobs.show_job(app, waiting)).decisions == ()


@pytest.mark.parametrize("odd", ["\0", "\ud800", "%\0"])
async def test_a_job_is_not_looked_for_by_what_no_id_holds(app: App, odd: str) -> None:
    """No database is asked, as some refuse the question."""
    with pytest.raises(InputError) as unknown:
        await jobs.show_job(app, odd)
    assert unknown.value.code == "job.unknown"
