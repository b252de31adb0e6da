"""The true Gemini class over a connection that fails, and replies that are whole and still not what was asked for."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from agents import outcomes, pause
from agents.extraction import agent as extraction_agent
from agents.model_faults import asked_wait_s, model_fault
from agents.patience import ASKED_AGAIN, LONGEST_WAIT_S, Patience
from agents.presentation import agent
from schemas.errors import DEPENDENCY_DOWN, TransientError
from tests.agents.books import listing
from tests.agents.gemini import model_at, stub
from tests.agents.stage import decide, open_extraction, open_presentation, render_all, tickets
from tests.agents.test_gemini import fault, fault_at
from tests.servers.gemini import Reply, broken_reply, call_reply, error_reply, parts_reply

ORDER = {"title": "Deals", "emphasis": "income"}
PAGE = Reply(200, b"<html><body>Sign in to the network</body></html>", {"X-Proxy": "1"})


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (error_reply(503, "UNAVAILABLE"), "model.unavailable"),
        (error_reply(500, "INTERNAL"), "model.unavailable"),
        (error_reply(504, "DEADLINE_EXCEEDED"), "model.unavailable"),
        (Reply(502, b"<html>Bad gateway</html>"), "model.unavailable"),
        (error_reply(429, "RESOURCE_EXHAUSTED"), "model.quota"),
        (broken_reply("reset"), "model.unreachable"),
        (broken_reply("half"), "model.unreachable"),
    ],
)
async def test_a_passing_fault_is_asked_again_and_then_left_to_the_next_attempt(reply: Reply, code: str) -> None:
    """The same call within the attempt, seen by the agent as one; if it stays, a code that says the service is down."""
    with stub(reply, reply) as server:
        stage = await open_presentation(model_at(server, attempts=3))
        assert len(server.requests) == 3
        assert server.requests[0] == server.requests[2]
    assert [stamp.outcome for stamp in stage.stamps] == ["ok"]
    with stub(*[reply] * 3) as server:
        raised, stage = await fault_at(server, attempts=3)
        assert len(server.requests) == 3
    assert isinstance(raised, TransientError)
    assert raised.code == code
    assert code in DEPENDENCY_DOWN
    assert pause.phase((await stage.session()).events) == "owed"
    assert [stamp.outcome for stamp in stage.stamps] == [code]


@pytest.mark.parametrize("manner", ["silent", "dripping"])
async def test_a_model_that_never_ends_its_reply_is_given_up_in_time(manner: Any) -> None:
    """Bytes that trickle in do not prolong it: an attempt that waits for ever would hold its lease for ever."""
    with stub(broken_reply(manner)) as server:
        raised, stage = await fault_at(server, attempts=3, timeout_s=1.0)
        assert len(server.requests) == 1
    assert isinstance(raised, TransientError)
    assert raised.code == "model.timeout"
    assert raised.code in DEPENDENCY_DOWN
    assert pause.phase((await stage.session()).events) == "owed"


@pytest.mark.parametrize(
    "reply",
    [PAGE, Reply(200, {"candidates": [{"content": {"parts": ["x"]}}]})],
    ids=["a page", "another form"],
)
async def test_what_is_no_reply_at_all_is_told_from_a_reply_that_is_bad(reply: Reply) -> None:
    """A proxy that answers for the model speaks of no job."""
    raised, stage = await fault(reply)
    assert isinstance(raised, TransientError)
    assert raised.code == "model.unreadable"
    assert raised.code in DEPENDENCY_DOWN
    assert pause.phase((await stage.session()).events) == "owed"


@pytest.mark.parametrize(
    "reply",
    [
        error_reply(429, "RESOURCE_EXHAUSTED", retry_s=0.4),
        Reply(429, {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}, {"Retry-After": "0.4"}),
    ],
    ids=["RetryInfo", "Retry-After"],
)
async def test_a_model_is_left_alone_for_as_long_as_it_asks(reply: Reply) -> None:
    """Asking again sooner would only prolong the storm."""
    with stub(reply) as server:
        await open_presentation(model_at(server))
        first, second = server.times
    assert second - first >= 0.4


async def test_a_model_that_asks_for_a_long_rest_ends_the_attempt_at_once() -> None:
    """An attempt that slept would hold a place that other work could have."""
    with stub(error_reply(429, "RESOURCE_EXHAUSTED", retry_s=3600)) as server:
        raised, _ = await fault_at(server, attempts=5)
        assert len(server.requests) == 1
    assert raised.code == "model.quota"


async def test_a_storm_of_refusals_passes_and_each_stage_makes_its_calls_once() -> None:
    """Ten stages at once against a quota that is used up twenty times."""
    with stub(*[error_reply(429, "RESOURCE_EXHAUSTED", retry_s=0.05)] * 20) as server:
        model = model_at(server, attempts=8)
        stages = await asyncio.gather(*(open_presentation(model, job_id=f"job-{number}") for number in range(10)))
        assert len(server.requests) == 30
    for stage in stages:
        assert [ticket.kind for ticket in await tickets(stage)] == ["deck", "memo"]
        assert [stamp.outcome for stamp in stage.stamps] == ["ok"]


def test_waits_grow_are_spread_and_end_at_a_bound() -> None:
    """Those who were refused together do not come back together."""
    patience = Patience(initial_delay_s=1.0)
    for tries, at_least, at_most in ((1, 1, 2), (2, 2, 4), (5, 16, 32), (12, LONGEST_WAIT_S, 2 * LONGEST_WAIT_S)):
        waits = {patience.wait_s(tries, 0.0) for _ in range(50)}
        assert len(waits) > 40
        assert at_least <= min(waits)
        assert max(waits) <= at_most
    assert 20 <= patience.wait_s(1, 20.0) <= 21


def test_what_a_service_asks_is_read_wherever_it_is_said_and_nonsense_is_not() -> None:
    """Errors of any shape."""

    class RefusalError(Exception):
        def __init__(self, details: object = None, headers: object = None) -> None:
            self.details = details
            self.response = type("Response", (), {"headers": headers})

    info = {"error": {"details": [{"@type": "Help"}, {"retryDelay": "12.5s"}]}}
    assert asked_wait_s(RefusalError(info)) == 12.5
    assert asked_wait_s(RefusalError(info, {"retry-after": "30"})) == 30
    assert (
        asked_wait_s(RefusalError({"error": {"details": "soon"}}, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}))
        is None
    )
    assert asked_wait_s(RefusalError(["x"])) is None
    assert asked_wait_s(ValueError("x")) is None


def test_the_table_of_faults_names_every_code_there_is_and_no_other() -> None:
    """It is what operators read; the codes that pass with the service are those that are asked again or waited for."""
    agents = Path(outcomes.__file__).parent
    sources = [path.read_text(encoding="utf-8") for path in agents.glob("*.py")]
    given = {code for source in sources for code in re.findall(r'"(model\.\w+)"', source)}
    table = [line for line in (outcomes.__doc__ or "").splitlines() if line.startswith("| ")]
    told = {code for line in table for code in re.findall(r"`(model\.\w+)`", line)}
    assert told == given
    assert told > {code for code in DEPENDENCY_DOWN if code.startswith("model.")}
    assert DEPENDENCY_DOWN >= ASKED_AGAIN


def test_an_error_that_is_not_about_the_model_stays_what_it_is() -> None:
    """It is a fault of ours, and its traceback is wanted."""
    assert model_fault(KeyError("x")) is None
    assert model_fault(ValueError("x")) is None


async def test_text_beside_calls_is_dropped_and_the_calls_are_made() -> None:
    """ADK would take it for the final answer as soon as a call waits, and break the run over its form."""
    said = [{"text": "I order both."}, *[_call(name, ORDER) for name in ("request_deck", "request_pdf")]]
    with stub(parts_reply(said)) as server:
        stage = await open_presentation(model_at(server))
        assert [ticket.kind for ticket in await tickets(stage)] == ["deck", "memo"]
        await render_all(stage)
        await decide(stage, "approved")
    assert agent.result(await stage.session()).verdict == "approved"
    assert "I order both" not in str((await stage.session()).events)


async def test_two_identical_calls_in_one_turn_share_a_ticket_and_are_both_answered() -> None:
    """One document is made; the API wants as many answers as there were calls."""
    twice = [_call("request_deck", ORDER), _call("request_deck", ORDER), _call("request_pdf", ORDER)]
    with stub(parts_reply(twice)) as server:
        stage = await open_presentation(model_at(server))
        found = await tickets(stage)
        assert [ticket.kind for ticket in found] == ["deck", "deck", "memo"]
        assert found[0].ticket_id == found[1].ticket_id != found[2].ticket_id
        assert found[0].call_id != found[1].call_id
        await render_all(stage)
        await decide(stage, "approved")
    assert agent.result(await stage.session()).verdict == "approved"


async def test_two_calls_of_one_id_in_one_turn_stay_two() -> None:
    """Each is answered by its own ticket."""
    both = [_call("request_deck", ORDER, id="call_1"), _call("request_pdf", ORDER, id="call_1")]
    with stub(parts_reply(both)) as server:
        stage = await open_presentation(model_at(server))
        first, second = await tickets(stage)
        assert (first.kind, second.kind) == ("deck", "memo")
        assert first.call_id != second.call_id
        await render_all(stage)
        assert [ticket.kind for ticket in await tickets(stage)] == ["approval"]


async def test_an_id_of_an_earlier_turn_never_answers_for_that_turn() -> None:
    """A round of changes whose calls are numbered as the first round's were."""
    orders = [_call("request_deck", ORDER, id="1"), _call("request_pdf", ORDER, id="2")]
    approval = [_call("request_approval", {"summary": "Done."}, id="1")]
    with stub(parts_reply(orders), parts_reply(approval), parts_reply(orders), parts_reply(approval)) as server:
        stage = await open_presentation(model_at(server))
        await render_all(stage)
        await decide(stage, "changes_requested", "Lead with price.")
        again = await tickets(stage)
        assert [ticket.kind for ticket in again] == ["deck", "memo"]
        await render_all(stage)
        (ticket,) = await tickets(stage)
        assert ticket.subject is not None
        assert ticket.subject.round == 1
        await decide(stage, "approved")
    calls = [call.id for event in (await stage.session()).events for call in event.get_function_calls()]
    assert len(calls) == len(set(calls))
    assert agent.result(await stage.session()).verdict == "approved"


async def test_calls_beside_a_final_answer_hold_the_answer_back() -> None:
    """A model that orders and is done in one breath still waits for its documents."""
    eager = [
        *[_call(name, ORDER) for name in ("request_deck", "request_pdf")],
        _call("set_model_response", {"verdict": "approved", "deck_sha256": "", "pdf_sha256": "", "reason": ""}),
    ]
    with stub(parts_reply(eager)) as server:
        stage = await open_presentation(model_at(server))
        assert [ticket.kind for ticket in await tickets(stage)] == ["deck", "memo"]
        assert pause.phase((await stage.session()).events) == "waiting"


@pytest.mark.parametrize(
    "args",
    [
        {"title": {"a": 1}, "emphasis": "income"},
        {"title": ["Deals"], "emphasis": "income"},
        {"title": 12, "emphasis": "income"},
        {"title": "x" * 500, "emphasis": "income"},
        {"title": "Deals", "emphasis": "everything"},
        {"title": None, "emphasis": None},
    ],
    ids=["object", "list", "number", "long", "no such emphasis", "null"],
)
async def test_an_order_of_the_wrong_types_is_answered_with_an_error_and_put_right(args: dict[str, Any]) -> None:
    """No ticket is made of it, but of the order that follows."""
    with stub(call_reply("request_deck", args)) as server:
        stage = await open_presentation(model_at(server))
        told = server.requests[1]["contents"][-1]["parts"][0]["functionResponse"]["response"]
        assert told["status"] == "error"
        assert told["error"]
    assert [ticket.kind for ticket in await tickets(stage)] == ["deck", "memo"]


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("set_column_field", {"table_id": 1, "column": None, "field": []}),
        ("adjust_table", {"table_id": "t1", "header_rows": "four", "first_row": "5", "last_row": 1e30}),
        ("adjust_table", {"table_id": "t1", "header_rows": None, "first_row": float("nan"), "last_row": {}}),
        ("show_deals", {"offset": "many", "limit": -1}),
        ("run_shell", {"command": "ls"}),
    ],
)
async def test_wrong_arguments_to_any_tool_are_answered_and_the_extraction_goes_on(name: str, args: Any) -> None:
    """Nothing of it breaks the run or is kept."""
    with stub(call_reply(name, args)) as server:
        stage = await open_extraction(listing(12), "comps.xlsx", model_at(server))
        told = server.requests[1]["contents"][-1]["parts"][0]["functionResponse"]["response"]
    assert told["status"] == "error"
    assert extraction_agent.result(await stage.session()).answer.deals == 12


async def test_a_final_answer_of_the_wrong_form_is_sent_back_and_put_right() -> None:
    """The form is told with the error; nothing is taken from the wrong one."""
    wrong = call_reply("set_model_response", {"status": "perhaps", "deals": "many"})
    with stub(wrong) as server:
        stage = await open_extraction(listing(12), "comps.xlsx", model_at(server))
        told = server.requests[1]["contents"][-1]["parts"][0]["functionResponse"]["response"]
        assert "status" in str(told)
    assert extraction_agent.result(await stage.session()).answer.status == "extracted"


async def test_a_reply_without_a_role_is_the_models() -> None:
    """The next request would be refused for its order of roles."""
    content = {"parts": [_call("request_deck", ORDER), _call("request_pdf", ORDER)]}
    reply = Reply(200, {"candidates": [{"content": content, "finishReason": "STOP"}]})
    with stub(reply) as server:
        stage = await open_presentation(model_at(server))
        await render_all(stage)
        assert [content["role"] for content in server.requests[1]["contents"]] == ["user", "model", "user"]
    assert stage.stamps[0].prompt_tokens is None


async def test_a_fault_in_mid_turn_leaves_what_was_done_and_asks_from_there() -> None:
    """A tool's answer is stored before the next call fails; the next attempt asks the same and calls nothing twice."""
    with stub(
        call_reply("request_deck", {"title": "", "emphasis": "income"}), error_reply(503, "UNAVAILABLE")
    ) as server:
        raised, stage = await fault_at(server)
        assert raised.code == "model.unavailable"
        assert pause.phase((await stage.session()).events) == "owed"
        await stage.run()
        assert server.requests[2]["contents"] == server.requests[1]["contents"]
    answers = [answer for event in (await stage.session()).events for answer in event.get_function_responses()]
    assert [answer.name for answer in answers] == ["request_deck", "request_deck", "request_pdf"]
    assert [ticket.kind for ticket in await tickets(stage)] == ["deck", "memo"]


def _call(name: str, args: Any, **more: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": args, **more}}
