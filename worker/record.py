"""What a turn came to, as changes to the ledger: the next stage, or the tickets that the session now waits for."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from schemas.errors import OutputError
from schemas.event import PauseResolved, RenderRequested, StageRequested
from schemas.job import Reason
from schemas.results import ApprovalRequested, DealsExtracted, DocumentsReady, JobRejected
from schemas.ticket import HANDOFFS
from worker.attempt import Finish
from worker.ledger import tickets
from worker.ledger.jobs import decisions_in
from worker.ledger.ledger import Change
from worker.ledger.messages import announce, promise
from worker.ledger.tables import stage
from worker.links import gate_url
from worker.policy import Fault
from worker.quarantine import quarantine
from worker.settings import Settings
from worker.shelves import check_hash, deals_scope

if TYPE_CHECKING:
    from agents.pause import TicketSpec
    from schemas.agent_answers import PresentationAnswer
    from worker.turn import Turn


async def finish_of(turn: Turn) -> Finish:
    """What to write about the session as it stands; raises OutputError if the agent stopped before it was done."""
    from agents import pause

    phase = pause.phase(turn.session.events)
    if phase == "waiting":
        return _wait(turn, pause.tickets_of(turn.job["id"], turn.session), pause.pause_id(turn.session))
    if phase != "finished":
        raise OutputError("session.unfinished", f"The {turn.name} agent stopped without an answer.")
    return await _extracted(turn) if turn.name == "extraction" else _presented(turn)


async def spend(turn: Turn) -> None:
    """Add the model calls of a turn that came to nothing to its stage, which another worker may have by now."""
    if not turn.stamps:
        return
    async with turn.app.ledger.change(turn.job["id"], "spent") as change:
        row = await change.one(select(stage).where(stage.c.job_id == turn.job["id"], stage.c.stage == turn.name))
        assert row is not None, "a stage is entered before its agent runs"
        turn.stage = row
        await _update_stage(change, turn)


def _spent(turn: Turn) -> dict[str, Any]:
    """What a turn adds to its stage: model calls, tokens, and both for each distinct stamp of what answered."""
    stamps: list[dict[str, Any]] = [dict(stamp) for stamp in turn.stage["stamps"]]
    for call in turn.stamps:
        stamp = call.model_dump(mode="json", include=STAMPED)
        known = next((each for each in stamps if stamp.items() <= each.items()), None)
        if known is None:
            stamps.append(known := stamp)
        counted = {"calls": 1, "prompt_tokens": call.prompt_tokens or 0, "answer_tokens": call.answer_tokens or 0}
        known |= {name: known.get(name, 0) + count for name, count in counted.items()}
    calls, tokens = turn.stage["model_calls"] + len(turn.stamps), (turn.stage["tokens"] or 0) + turn.tokens
    return {"model_calls": calls, "tokens": tokens, "stamps": stamps}


STAMPED = {"prompt_id", "prompt_version", "prompt_sha256", "tools_sha256", "model", "settings"}
"""What a job keeps of its model calls: which prompt, tools, model and settings answered; the rest is in the log."""


async def _update_stage(change: Change, turn: Turn, **values: Any) -> None:
    here = (stage.c.job_id == change.job_id, stage.c.stage == turn.name)
    await change.set(stage, *here, **_spent(turn), **values)


async def _extracted(turn: Turn) -> Finish:
    from agents.extraction import agent as extraction

    result = extraction.result(turn.session)
    deals = result.deals.model_dump(mode="json")
    data = await turn.services.shelf.fetch(
        turn.job["user_id"], turn.session.id, result.deals.artifact, result.deals.version
    )
    check_hash(data, result.deals.sha256)
    scope = deals_scope(turn.job["id"])
    if scope != turn.session.id:
        # A fresh session after a failed one: its artifact moves to where every later stage looks for deals.
        deals["version"] = await turn.services.shelf.save_once(
            turn.job["user_id"], scope, result.deals.artifact, data, "application/gzip"
        )

    async def finish(change: Change) -> None:
        told = result.answer.model_dump(mode="json")
        await _update_stage(change, turn, state="done", turns=stage.c.turns + 1, ended_at=change.now, answer=told)
        moved = {"stage": "presentation", "deals": deals, "deals_summary": result.summary}
        await change.move("presenting", expects={"extracting"}, **moved)
        await promise(change, StageRequested(job_id=change.job_id, stage="presentation"))
        await change.note("dealwright", "extracted", deals=deals["sha256"])
        issues = result.summary["issues"]["by_code"]
        await announce(change, DealsExtracted, deals=deals, records=result.summary["deals"], issues=issues)

    return finish


def _wait(turn: Turn, specs: list[TicketSpec], pause_id: str) -> Finish:
    """Open what the session waits for; all of it is derived, so writing it twice changes nothing."""

    async def finish(change: Change) -> None:
        fresh = [await _open_ticket(turn, change, spec, pause_id) for spec in specs]
        asked = any(spec.kind == "approval" for spec in specs)
        if await tickets.is_resolved(change, pause_id):
            # Every ticket was known and answered: nobody else will send the message that goes on from here.
            await promise(change, PauseResolved(job_id=change.job_id, pause_id=pause_id))
        elif asked and change.job["state"] != "waiting":
            await change.move("waiting", expects={"presenting"})
            await _announce_gates(change, turn.app.settings)
            turn.app.tell(change.job_id, "asked", "approval")
        # A message that came once more finds everything written: that was no turn.
        turns = stage.c.turns + int(turn.ran or any(fresh))
        await _update_stage(change, turn, state="paused", turns=turns)

    return finish


async def _announce_gates(change: Change, settings: Settings) -> None:
    public_url, secret = settings.public_url, settings.link_secret
    for gate in await tickets.tickets_in(change, kind="approval", state="open"):
        subject = gate["subject"]
        documents = [
            {
                "kind": kind,
                "draft_sha256": subject[f"{kind}_draft_sha256"],
                "final_sha256": subject[f"{kind}_final_sha256"],
            }
            for kind in ("deck", "memo")
        ]
        told = {"ticket_id": gate["id"], "deals_sha256": subject["deals_sha256"], "documents": documents}
        await announce(change, DocumentsReady, **told)
        url = gate_url(public_url, secret, gate) if public_url and secret else ""
        await announce(change, ApprovalRequested, ticket_id=gate["id"], expires_at=gate["expires_at"], url=url)


async def _open_ticket(turn: Turn, change: Change, spec: TicketSpec, pause_id: str) -> bool:
    """Whether the ticket was not known before."""
    subject = spec.subject.model_dump(mode="json") if spec.subject else _ordered(spec)
    gate = spec.kind not in HANDOFFS
    expires_at = change.now + timedelta(seconds=turn.app.settings.approval_ttl_s) if gate else None
    fresh = await tickets.open_ticket(change, spec.ticket_id, spec.kind, subject, expires_at)
    call = (spec.call_id, spec.call_name, spec.seq)
    await tickets.hand_off(change, turn.session.id, pause_id, spec.ticket_id, call)
    if fresh and not gate:
        await promise(change, RenderRequested(job_id=change.job_id, ticket_id=spec.ticket_id))
        turn.app.tell(change.job_id, "ordered", spec.kind)
    return fresh


def _ordered(spec: TicketSpec) -> dict[str, Any]:
    assert spec.order is not None, "a hand-off has an order"
    return {"order": spec.order.model_dump(mode="json"), "deals": spec.deals.model_dump(mode="json")}


def _presented(turn: Turn) -> Finish:
    from agents.presentation import agent as presentation

    answer = presentation.result(turn.session)

    async def finish(change: Change) -> None:
        told = answer.model_dump(mode="json")
        await _update_stage(change, turn, state="done", turns=stage.c.turns + 1, ended_at=change.now, answer=told)
        await _conclude(turn, change, answer)

    return finish


async def _conclude(turn: Turn, change: Change, answer: PresentationAnswer) -> None:
    """Go where the agent says that the decision points; the delivery looks at the decision itself before it acts."""
    if answer.verdict == "approved":
        await change.move("delivering", expects={"presenting"}, stage="delivery")
        await promise(change, StageRequested(job_id=change.job_id, stage="delivery"))
    elif answer.verdict == "failed":
        words = (answer.reason or "no reason given").rstrip(".")
        await quarantine(change, Fault("presentation.failed", f"The documents could not be made: {words}.", "aside"))
    else:
        why = await _why(change, answer.verdict)
        await change.move("rejected", expects={"presenting"}, reason=why)
        await announce(change, JobRejected, verdict=answer.verdict, comment=why["message"])
        turn.app.tell(change.job_id, "ended", "rejected")


async def _why(change: Change, verdict: str) -> dict[str, Any]:
    said = {row["verdict"]: row for row in await decisions_in(change)}.get(verdict)
    if said is None:
        raise OutputError("answer.verdict", f"The agent's answer says {verdict}, and nobody decided that.")
    words = said["comment"] or ("Nobody decided in time." if verdict == "expired" else "Rejected without a comment.")
    return Reason(code=f"approval.{verdict}", message=words).model_dump(mode="json")
