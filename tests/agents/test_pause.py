"""The presentation stage pauses and resumes by its persisted events alone."""

from __future__ import annotations

import pytest
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions, EventCompaction
from google.genai import types

from agents import pause
from agents.presentation import agent
from schemas.errors import OutputError
from tests.agents import stage as stages
from tests.agents.scripted import Scripted
from tests.agents.stage import PINNED, StageRun, decide, open_presentation, render_all, rendered, resume, tickets


async def phase(stage: StageRun) -> str:
    """Where the stored session stands."""
    return pause.phase((await stage.session()).events)


async def test_a_first_run_waits_for_a_deck_and_a_pdf_and_asks_the_model_once() -> None:
    """Both hand-offs come in one turn, and the pause costs no model call and no event."""
    stage = await open_presentation()
    assert await phase(stage) == "waiting"
    assert [ticket.kind for ticket in await tickets(stage)] == ["deck", "memo"]
    assert len(stage.stamps) == 1
    assert len((await stage.session()).events) == 3


async def test_a_job_that_is_approved_at_once_makes_three_model_calls_and_ten_events() -> None:
    """Start, one resume on both renders, one on the decision."""
    stage = await open_presentation()
    await render_all(stage)
    await decide(stage, "approved")
    session = await stage.session()
    assert await phase(stage) == "finished"
    assert (len(stage.stamps), len(session.events)) == (3, 10)
    answer = agent.result(session)
    standing = pause.standing(session.events).documents
    assert (answer.verdict, answer.deck_sha256) == ("approved", standing["deck"].final_sha256)
    assert answer.pdf_sha256 == standing["memo"].final_sha256


@pytest.mark.parametrize("verdict", ["rejected", "expired"])
async def test_other_verdicts_end_the_stage_too(verdict: str) -> None:
    """What the person said is what the agent answers."""
    stage = await open_presentation()
    await render_all(stage)
    await decide(stage, verdict)
    assert agent.result(await stage.session()).verdict == verdict


async def test_a_round_of_changes_makes_new_tickets_and_voids_the_old_approval() -> None:
    """Five model calls and sixteen events; the second approval binds other documents."""
    stage = await open_presentation()
    first = await tickets(stage)
    await render_all(stage)
    (before,) = await tickets(stage)
    await decide(stage, "changes_requested", "Lead with price, please.")
    second = await tickets(stage)
    assert [ticket.order.emphasis for ticket in second if ticket.order] == ["price", "price"]
    assert not {ticket.ticket_id for ticket in first} & {ticket.ticket_id for ticket in second}
    await render_all(stage)
    (after,) = await tickets(stage)
    assert before.subject
    assert after.subject
    assert before.subject.deck_draft_sha256 != after.subject.deck_draft_sha256
    await decide(stage, "approved")
    assert (len(stage.stamps), len((await stage.session()).events)) == (5, 16)


async def test_the_same_order_of_the_same_deals_is_the_same_render_ticket() -> None:
    """A comment that changes nothing costs no second render."""
    stage = await open_presentation()
    first = await tickets(stage)
    await render_all(stage)
    await decide(stage, "changes_requested", "Nice.")
    assert [ticket.ticket_id for ticket in await tickets(stage)] == [ticket.ticket_id for ticket in first]


async def test_a_second_question_about_the_same_documents_is_a_new_ticket() -> None:
    """Without the round in its id the old decision would answer it at once, for ever."""
    stage = await open_presentation()
    await render_all(stage)
    (first,) = await tickets(stage)
    await decide(stage, "changes_requested", "Nice.")
    await render_all(stage)
    (second,) = await tickets(stage)
    assert first.subject
    assert second.subject
    assert first.subject.model_dump(exclude={"round"}) == second.subject.model_dump(exclude={"round"})
    assert first.ticket_id != second.ticket_id
    assert (first.subject.round, second.subject.round) == (0, 1)


async def test_pins_change_the_deals_that_tickets_are_about() -> None:
    """New deals, new tickets, although the agent's arguments are the same."""
    stage = await open_presentation()
    first = await tickets(stage)
    await render_all(stage)
    await decide(stage, "changes_requested", "", deals=PINNED.model_dump())
    second = await tickets(stage)
    assert [ticket.args for ticket in first] == [ticket.args for ticket in second]
    assert {ticket.deals.sha256 for ticket in second} == {PINNED.sha256}
    assert not {ticket.ticket_id for ticket in first} & {ticket.ticket_id for ticket in second}
    await render_all(stage)
    (approval,) = await tickets(stage)
    assert approval.subject
    assert approval.subject.deals_sha256 == PINNED.sha256


async def test_documents_of_older_deals_cannot_be_put_up_for_approval() -> None:
    """After a pin the deck and the PDF are missing until they are made again."""
    stage = await open_presentation()
    await render_all(stage)
    (ticket,) = await tickets(stage)
    events = [*(await stage.session()).events]
    answer = stages.decided(ticket, "changes_requested", deals=PINNED.model_dump())
    told = pause.answer_message([(ticket.call_id, ticket.call_name, answer)])
    events.append(Event(author="user", content=told))
    assert pause.approval_subject(events) is None


async def test_argument_order_and_an_omitted_default_do_not_make_another_ticket() -> None:
    """A database gives a call's arguments back in another order than the model gave."""
    first = pause.document_order("request_deck", {"title": " Deals ", "emphasis": "Income"})
    assert first == pause.document_order("request_deck", {"title": "Deals"})


async def test_an_owed_turn_is_given_by_the_invocation_id_alone() -> None:
    """Killed after the answers were stored: no message, no new event before the model's, one model call."""
    stage = await open_presentation()
    given = [(ticket.call_id, ticket.call_name, rendered(ticket)) for ticket in await tickets(stage)]
    session = await stage.session()
    await stage.sessions.append_event(
        session, Event(author="user", invocation_id=stage.session_id, content=pause.answer_message(given))
    )
    assert await phase(stage) == "owed"
    events = await stage.run()
    assert [call.name for event in events for call in event.get_function_calls()] == ["request_approval"]
    assert len(stage.stamps) == 2
    assert await phase(stage) == "waiting"


async def test_running_a_waiting_session_again_changes_nothing() -> None:
    """The callback answers: no model call, no event."""
    stage = await open_presentation()
    before = len((await stage.session()).events)
    await stage.run()
    assert (len(stage.stamps), len((await stage.session()).events)) == (1, before)


async def test_a_session_killed_inside_a_hand_off_waits_like_any_other() -> None:
    """The call is stored and its pending answer is not: that answer is never needed."""
    whole = await open_presentation()
    killed = StageRun("presentation")
    message, state = agent.start(stages.REQUEST)
    await killed.open(state)
    for event in (await whole.session()).events[:2]:
        await killed.sessions.append_event(await killed.session(), event)
    assert await phase(killed) == "waiting"
    assert [t.ticket_id for t in await tickets(killed)] == [t.ticket_id for t in await tickets(whole)]
    await render_all(killed)
    assert [ticket.kind for ticket in await tickets(killed)] == ["approval"]
    assert message.parts


async def test_a_refused_argument_reaches_the_model_with_the_answer_of_its_sibling() -> None:
    """The turn waits while any answer is pending, then both come together and only the refused one is asked again."""
    model = Scripted(
        script=[
            [
                ("request_deck", {"title": "Deals", "emphasis": "income"}),
                ("request_pdf", {"title": "Deals", "emphasis": "sunshine"}),
            ]
        ]
    )
    stage = await open_presentation(model)
    assert [ticket.kind for ticket in await tickets(stage)] == ["deck"]
    assert len(stage.stamps) == 1
    await render_all(stage)
    assert [(ticket.kind, ticket.args["emphasis"]) for ticket in await tickets(stage)] == [("memo", "income")]
    await render_all(stage)
    assert [ticket.kind for ticket in await tickets(stage)] == ["approval"]


async def test_an_approval_asked_beside_its_documents_is_refused() -> None:
    """It could only bind documents that are not made yet."""
    order = {"title": "Deals", "emphasis": "income"}
    model = Scripted(
        script=[[("request_deck", order), ("request_pdf", order), ("request_approval", {"summary": "Fine."})]]
    )
    stage = await open_presentation(model)
    assert [ticket.kind for ticket in await tickets(stage)] == ["deck", "memo"]
    answers = [answer for event in (await stage.session()).events for answer in event.get_function_responses()]
    assert [(answer.response or {}).get("status") for answer in answers] == ["pending", "pending", "error"]


async def test_an_answer_given_beside_an_approval_does_not_end_the_wait() -> None:
    """The model says approved before anybody did: the session waits, and its real answer comes after the click."""
    said = ("set_model_response", {"verdict": "approved", "deck_sha256": "", "pdf_sha256": "", "reason": ""})
    order = {"title": "Deals", "emphasis": "income"}
    model = Scripted(
        script=[[("request_deck", order), ("request_pdf", order)], [("request_approval", {"summary": "Fine."}), said]]
    )
    stage = await open_presentation(model)
    await render_all(stage)
    assert await phase(stage) == "waiting"
    await decide(stage, "rejected")
    assert agent.result(await stage.session()).verdict == "rejected"


async def test_an_approval_that_nobody_gave_names_no_documents_that_were_made() -> None:
    """A model that claims approval at once has no hashes to show for it."""
    said = (
        "set_model_response",
        {"verdict": "approved", "deck_sha256": "c" * 64, "pdf_sha256": "d" * 64, "reason": ""},
    )
    stage = await open_presentation(Scripted(script=[[said]]))
    assert await phase(stage) == "finished"
    with pytest.raises(OutputError, match="not the newest"):
        agent.result(await stage.session())


async def test_a_final_answer_is_read_from_its_own_event() -> None:
    """A process killed right after it has stored the answer nowhere else, and another model call is not due."""
    stage = await open_presentation()
    await render_all(stage)
    await decide(stage, "approved")
    events = (await stage.session()).events[:-1]
    assert events[-1].actions.set_model_response is not None
    assert pause.phase(events) == "finished"


async def test_two_calls_with_the_same_order_share_a_ticket() -> None:
    """One render answers both."""
    order = {"title": "Deals", "emphasis": "income"}
    stage = await open_presentation(
        Scripted(script=[[("request_deck", order), ("request_deck", order), ("request_pdf", order)]])
    )
    found = await tickets(stage)
    assert [ticket.kind for ticket in found] == ["deck", "deck", "memo"]
    assert found[0].ticket_id == found[1].ticket_id
    assert found[0].call_id != found[1].call_id


async def test_a_failed_render_ends_the_stage_with_its_words() -> None:
    """The same order would fail the same way: the agent gives up and says what failed."""
    stage = await open_presentation()
    deck, memo = await tickets(stage)
    failed = {"status": "failed", "ticket_id": memo.ticket_id, "error": "A table is wider than the page."}
    await resume(stage, rendered(deck), failed)
    answer = agent.result(await stage.session())
    assert (answer.verdict, answer.reason) == ("failed", "request_pdf: A table is wider than the page.")


async def test_documents_and_decision_enter_state_with_their_answers() -> None:
    """State shows what the newest documents are without reading the events."""
    stage = await open_presentation()
    await render_all(stage)
    await decide(stage, "approved", "Good.")
    state = (await stage.session()).state
    assert state["deck:ref"]["kind"] == "deck"
    assert state["memo:ref"]["kind"] == "memo"
    assert state["approval:decision"]["comment"] == "Good."
    assert state["approval:answer"]["verdict"] == "approved"


def test_no_event_at_all_is_a_new_session() -> None:
    """It is started with the start message."""
    assert pause.phase([]) == "new"


def test_an_event_without_content_does_not_move_the_phase() -> None:
    """A model's fault is stored as an event of its own; the turn is still owed."""
    asked = Event(author="user", content=types.Content(role="user", parts=[types.Part(text="{}")]))
    assert pause.phase([asked, Event(author="presentation", error_code="SAFETY")]) == "owed"


def test_a_compaction_event_is_no_answer() -> None:
    """A summary is written in the user's name and changes nothing about what is owed."""
    asked = Event(author="user", content=types.Content(role="user", parts=[types.Part(text="{}")]))
    summary = EventCompaction(start_timestamp=0, end_timestamp=1, compacted_content=types.Content(role="user"))
    folded = Event(author="user", actions=EventActions(compaction=summary))
    assert pause.phase([folded]) == "new"
    assert pause.phase([asked, folded]) == "owed"


def test_a_pause_is_named_by_its_open_calls_in_any_order() -> None:
    """Two processes that read the same events write the same pause."""

    def call(name: str) -> types.Part:
        return types.Part(function_call=types.FunctionCall(id=name, name="request_deck", args={}))

    one, other = (
        Event(
            author="presentation",
            content=types.Content(role="model", parts=[call(a), call(b)]),
            long_running_tool_ids={"a", "b"},
        )
        for a, b in ("ab", "ba")
    )
    assert pause.pause_id(_Held([one])) == pause.pause_id(_Held([other]))


class _Held:
    def __init__(self, events: list[Event]) -> None:
        self.events = events
