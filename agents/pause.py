"""Where a session stands and what it waits for, read from its persisted events alone.

A call to a long-running tool is answered at once with `pending`. Whatever it waits for is a ticket, derived here from
the events, so that any process at any time derives the same tickets; the model neither grants one nor names one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from google.adk.events.event import Event
from google.genai import types
from pydantic import ValidationError

from schemas import ids, state
from schemas.agent_answers import ApprovalAnswer, ApprovalSubject, DealsRef, PresentationRequest, RenderAnswer
from schemas.documents import DocumentOrder
from schemas.errors import OutputError

Phase = Literal["new", "owed", "waiting", "finished"]
TicketKind = Literal["deck", "memo", "approval"]
TICKET_KINDS: dict[str, TicketKind] = {"request_deck": "deck", "request_pdf": "memo", "request_approval": "approval"}
ANSWER_KEYS = (state.EXTRACTION_ANSWER.name, state.PRESENTATION_ANSWER.name)
PENDING = {"status": "pending"}


class SessionLike(Protocol):
    """What is read of an ADK session: its events, oldest first."""

    events: list[Event]


@dataclass(frozen=True, slots=True)
class TicketSpec:
    """A ticket that an open call waits for. Several calls may share one: same id, same file or same decision.

    `order` and `deals` say what to render; `subject` what an approval binds. `seq` is the call's place among the open
    calls, which the answer message keeps.
    """

    ticket_id: str
    kind: TicketKind
    args: dict[str, Any]
    call_id: str
    call_name: str
    seq: int
    deals: DealsRef
    order: DocumentOrder | None = None
    subject: ApprovalSubject | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """The newest deals and documents of a session, and how many approvals were answered in it."""

    deals: DealsRef
    documents: Mapping[str, RenderAnswer]
    approvals: int


def is_pending(response: types.FunctionResponse) -> bool:
    """Whether an answer only says that the real one is still to come."""
    return (response.response or {}).get("status") == "pending"


def open_calls(events: Iterable[Event]) -> list[types.FunctionCall]:
    """The long-running calls whose last word is missing or pending, in the order they were made."""
    told = list(events)
    closed = {answer.id for event in told for answer in event.get_function_responses() if not is_pending(answer)}
    return [
        call
        for event in told
        for call in event.get_function_calls()
        if call.id in (event.long_running_tool_ids or ()) and call.id not in closed
    ]


def phase(events: Iterable[Event]) -> Phase:
    """Where the session stands: `new`, `owed` (the model owes a turn), `waiting` (for tickets) or `finished`."""
    told = [event for event in events if not event.actions.compaction and event.content and event.content.parts]
    if not told:
        return "new"
    if told[-1].author == "user":
        return "owed"
    answers = told[-1].get_function_responses()
    if answers and told[-1].actions.set_model_response is None and not any(map(is_pending, answers)):
        return "owed"
    if open_calls(told):
        return "waiting"
    return "finished" if _answer(told) is not None else "owed"


def answer_in(session: SessionLike) -> dict[str, Any] | None:
    """The final answer of the newest turn, or None.

    It is read from the event of `set_model_response` first: a process killed right after it has stored the answer
    there and nowhere else.
    """
    return _answer(session.events)


def _answer(events: Sequence[Event]) -> dict[str, Any] | None:
    for event in reversed(events):
        if event.actions.compaction:
            continue
        if event.author == "user":
            return None
        if event.actions.set_model_response is not None:
            return dict(event.actions.set_model_response)
        given = [event.actions.state_delta[key] for key in ANSWER_KEYS if key in event.actions.state_delta]
        if given:
            return dict(given[-1])
    return None


def standing(events: Sequence[Event]) -> Standing:
    """The newest deals and documents; a document counts only if it was made of the newest deals.

    Raises OutputError if the events do not begin with a presentation request.
    """
    deals, documents, approvals = _request(events).deals, dict[str, RenderAnswer](), set[str]()
    for answer in (answer for event in events for answer in event.get_function_responses()):
        said = answer.response or {}
        if said.get("status") != "done" or answer.name not in TICKET_KINDS:
            continue
        if answer.name == "request_approval":
            newest = ApprovalAnswer.model_validate(said).deals
            if newest.sha256 != deals.sha256:
                documents.clear()
            deals = newest
            approvals.add(answer.id or "")
        else:
            documents[TICKET_KINDS[answer.name]] = RenderAnswer.model_validate(said)
    return Standing(deals, documents, len(approvals))


def _request(events: Sequence[Event]) -> PresentationRequest:
    first = next((event for event in events if event.author == "user" and event.content), None)
    text = "".join(part.text or "" for part in (first.content.parts or [])) if first and first.content else ""
    try:
        return PresentationRequest.model_validate_json(text)
    except ValidationError as broken:
        raise OutputError("session.request", "The session does not begin with a presentation request.") from broken


def document_order(call_name: str, args: Mapping[str, Any]) -> DocumentOrder:
    """The order that a call to `request_deck` or `request_pdf` makes; raises ValidationError for what is no order."""
    title = args.get("title")
    emphasis = str(args.get("emphasis") or "income").strip().lower()
    return DocumentOrder.model_validate(
        {
            "kind": TICKET_KINDS[call_name],
            "title": title.strip() if isinstance(title, str) else title,
            "emphasis": emphasis,
        }
    )


def approval_subject(events: Sequence[Event]) -> ApprovalSubject | None:
    """What an approval asked now would bind, or None while the deck or the PDF of the newest deals is missing."""
    now = standing(events)
    deck, memo = now.documents.get("deck"), now.documents.get("memo")
    if deck is None or memo is None:
        return None
    return ApprovalSubject(
        deals_sha256=now.deals.sha256,
        deck_draft_sha256=deck.draft_sha256,
        deck_final_sha256=deck.final_sha256,
        memo_draft_sha256=memo.draft_sha256,
        memo_final_sha256=memo.final_sha256,
        round=now.approvals,
    )


def tickets_of(job_id: str, session: SessionLike) -> list[TicketSpec]:
    """The tickets that the session's open calls wait for, in call order; the same events give the same tickets.

    A render's id is derived from job, order and deals: same order, same deals, same file. An approval's id is derived
    from job and subject, whose round makes a second question about the same bytes a new ticket.
    """
    return [_ticket(job_id, session.events, call, seq) for seq, call in enumerate(open_calls(session.events))]


def _ticket(job_id: str, events: Sequence[Event], call: types.FunctionCall, seq: int) -> TicketSpec:
    name, args, deals = call.name or "", dict(call.args or {}), standing(events).deals
    kind, order, subject = TICKET_KINDS[name], None, None
    if kind == "approval":
        subject = approval_subject(events)
        if subject is None:
            raise OutputError("session.approval", "An approval is open although a document is missing.")
        ticket_id = ids.derive("ticket", job_id, kind, subject.model_dump())
    else:
        order = document_order(name, args)
        ticket_id = ids.derive("ticket", job_id, kind, order.model_dump(), deals.sha256)
    return TicketSpec(ticket_id, kind, args, call.id or "", name, seq, deals, order, subject)


def pause_id(session: SessionLike) -> str:
    """The id of the pause that the session is in: its open calls, whatever their order."""
    return ids.derive("pause", sorted(call.id or "" for call in open_calls(session.events)))


def answer_message(answers: Sequence[tuple[str, str, Mapping[str, Any]]]) -> types.Content:
    """One message that answers all calls of a pause: (call id, tool name, response), in the order of the calls.

    Gemini is sent no call ids, so order is the only pairing that it sees.
    """
    parts = [
        types.Part(function_response=types.FunctionResponse(id=call_id, name=name, response=dict(response)))
        for call_id, name, response in answers
    ]
    return types.Content(role="user", parts=parts)


def answer_state(answers: Sequence[tuple[str, str, Mapping[str, Any]]]) -> dict[str, Any]:
    """The session state that goes with `answer_message`: the newest documents and decision, by reference."""
    found: dict[str, Any] = {}
    for _, name, response in answers:
        if response.get("status") != "done":
            continue
        if name == "request_approval":
            found |= state.values(__name__, {state.DECISION: ApprovalAnswer.model_validate(response)})
        else:
            key = state.DECK_REF if TICKET_KINDS[name] == "deck" else state.MEMO_REF
            found |= state.values(__name__, {key: RenderAnswer.model_validate(response)})
    return found
