"""The true Gemini class over HTTP: whole stages, and each kind of fault with its outcome."""

from __future__ import annotations

import pytest

from agents import pause
from agents.extraction import agent as extraction_agent
from agents.model import GeminiModel, build_model
from agents.presentation import agent
from agents.requests import request_tokens
from schemas.agent_answers import PresentationRequest
from schemas.errors import DealwrightError, InputError, OutputError, TransientError
from tests.agents.books import listing
from tests.agents.gemini import model_at, stub, think
from tests.agents.stage import REQUEST, StageRun, decide, open_extraction, open_presentation, render_all, tickets
from tests.servers.gemini import GeminiStub, Reply, blocked_reply, call_reply, error_reply, finish_reply, parts_reply


async def fault(*first: Reply, attempts: int = 1) -> tuple[DealwrightError, StageRun]:
    """What a presentation's first run raises when the model's first replies are these."""
    with stub(*first) as server:
        return await fault_at(server, attempts)


async def fault_at(server: GeminiStub, attempts: int = 1, timeout_s: float = 30.0) -> tuple[DealwrightError, StageRun]:
    """What a presentation's first run at a server raises."""
    stage = StageRun("presentation", model_at(server, attempts, timeout_s))
    message, state = agent.start(REQUEST)
    await stage.open(state)
    with pytest.raises(DealwrightError) as raised:
        await stage.run(message)
    return raised.value, stage


async def test_a_whole_presentation_with_a_round_of_changes_is_held_over_http() -> None:
    """Roles alternate, calls are answered in their order, pending answers are never sent: the server would refuse."""
    with stub() as server:
        stage = await open_presentation(model_at(server))
        await render_all(stage)
        await decide(stage, "changes_requested", "Lead with price.")
        await render_all(stage)
        await decide(stage, "approved")
        assert agent.result(await stage.session()).verdict == "approved"
        assert len(server.requests) == 5
        sent = [part for body in server.requests for content in body["contents"] for part in content["parts"]]
        answers = [part["functionResponse"]["response"] for part in sent if "functionResponse" in part]
        assert answers
        assert "pending" not in str(answers)
        assert all(path.endswith("/models/gemini-2.5-flash:generateContent") for path in server.paths)


async def test_a_whole_job_is_held_over_http_through_a_quota_and_a_malformed_call() -> None:
    """From the upload to the approval on one server; what went over the wire is within the job's tokens."""
    with stub(error_reply(429, "RESOURCE_EXHAUSTED")) as server:
        extraction = await open_extraction(listing(50), "comps.xlsx", model_at(server))
        read = extraction_agent.result(await extraction.session())
        server.give(finish_reply("MALFORMED_FUNCTION_CALL"))
        presentation = StageRun("presentation", model_at(server))
        request = PresentationRequest(deals=read.deals, title="Comps", summary=read.summary)
        message, state = agent.start(request)
        await presentation.open(state)
        with pytest.raises(TransientError):
            await presentation.run(message)
        await presentation.run()
        await render_all(presentation)
        await decide(presentation, "approved")
    assert agent.result(await presentation.session()).verdict == "approved"
    assert len(server.requests) == 8
    assert sum(server.sizes) // 4 <= 16_000
    asked = request_tokens(extraction.stamps) + request_tokens(presentation.stamps)
    assert asked == pytest.approx(sum(server.sizes[1:]) // 4, rel=0.02)


async def test_a_request_carries_instruction_tools_and_settings_and_no_schema_beside_them() -> None:
    """The final answer comes through a tool on every backend."""
    with stub() as server:
        await open_presentation(model_at(server))
        body = server.requests[0]
    names = [tool["name"] for tools in body["tools"] for tool in tools["functionDeclarations"]]
    assert sorted(names) == ["request_approval", "request_deck", "request_pdf", "set_model_response"]
    assert "Only the verdict of request_approval approves" in body["systemInstruction"]["parts"][0]["text"]
    assert body["generationConfig"]["temperature"] == 0.0
    assert "responseSchema" not in str(body)


async def test_stamps_hold_the_models_own_counts_and_the_size_of_what_was_sent() -> None:
    """Our count of a request's bytes is within two per cent of the body that went out."""
    with stub() as server:
        stage = await open_presentation(model_at(server))
        (stamp,) = stage.stamps
        assert (stamp.prompt_tokens, stamp.answer_tokens) == (server.sizes[0] // 4, 7)
        assert stamp.model == "stub-of-gemini"
        assert stamp.request_bytes == pytest.approx(server.sizes[0], rel=0.02)


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_model_at_its_quota_or_down_is_asked_again(status: int) -> None:
    """The client waits and tries again; the agent sees one call."""
    with stub(error_reply(status, "BUSY"), error_reply(status, "BUSY")) as server:
        stage = await open_presentation(model_at(server, attempts=3))
        assert len(server.requests) == 3
    assert len(stage.stamps) == 1
    assert [ticket.kind for ticket in await tickets(stage)] == ["deck", "memo"]


async def test_a_model_that_stays_down_is_a_transient_fault() -> None:
    """Tried as often as it may be, then left to the worker's retry clock; nothing is stored but the request."""
    raised, stage = await fault(*[error_reply(503, "UNAVAILABLE")] * 2, attempts=2)
    assert isinstance(raised, TransientError)
    assert raised.code == "model.unavailable"
    assert pause.phase((await stage.session()).events) == "owed"
    assert stage.stamps[-1].outcome == "model.unavailable"


@pytest.mark.parametrize(
    ("reply", "code", "words"),
    [
        (error_reply(400, "INVALID_ARGUMENT", "schema at properties.deals is not supported"), "refused", "MODEL"),
        (error_reply(404, "NOT_FOUND"), "refused", "DEALWRIGHT_MODEL"),
        (error_reply(413, "TOO_LARGE"), "refused", "HTTP 413"),
        (
            error_reply(400, "INVALID_ARGUMENT", "API key not valid. Pass a valid API key."),
            "credentials",
            "GOOGLE_API_KEY",
        ),
        (error_reply(401, "UNAUTHENTICATED"), "credentials", "GOOGLE_API_KEY"),
        (error_reply(403, "PERMISSION_DENIED"), "credentials", "what it may use"),
    ],
)
async def test_a_refused_request_is_asked_once_and_says_what_to_mend(reply: Reply, code: str, words: str) -> None:
    """Trying again changes nothing."""
    with stub(reply) as server:
        raised, stage = await fault_at(server, attempts=3)
        assert len(server.requests) == 1
    assert isinstance(raised, OutputError)
    assert raised.code == f"model.{code}"
    assert words in raised.message
    assert stage.stamps[-1].outcome == raised.code


@pytest.mark.parametrize(
    ("reply", "family", "code"),
    [
        (finish_reply("SAFETY"), OutputError, "model.blocked"),
        (finish_reply("RECITATION"), OutputError, "model.blocked"),
        (finish_reply("PROHIBITED_CONTENT"), OutputError, "model.blocked"),
        (finish_reply("SPII"), OutputError, "model.blocked"),
        (parts_reply([{"text": "The deck"}], "SAFETY"), OutputError, "model.blocked"),
        (blocked_reply("SAFETY"), OutputError, "model.prompt_blocked"),
        (blocked_reply("PROHIBITED_CONTENT"), OutputError, "model.prompt_blocked"),
        (blocked_reply("OTHER"), TransientError, "model.malformed"),
        (finish_reply("MAX_TOKENS"), OutputError, "model.cut_off"),
        (parts_reply([{"text": '{"verdict": "app'}], "MAX_TOKENS"), OutputError, "model.cut_off"),
        (call_reply("request_deck", {"title": "Harb"}, "MAX_TOKENS"), OutputError, "model.cut_off"),
        (parts_reply([{"text": "deal " * 60_000}]), OutputError, "model.too_long"),
        (call_reply("request_deck", {"title": "deal " * 60_000}), OutputError, "model.too_long"),
        (parts_reply([{"functionCall": {"name": "request_deck", "args": {}}}] * 201), OutputError, "model.too_long"),
        (finish_reply("MALFORMED_FUNCTION_CALL"), TransientError, "model.malformed"),
        (finish_reply("UNEXPECTED_TOOL_CALL"), TransientError, "model.malformed"),
        (finish_reply("OTHER"), TransientError, "model.malformed"),
        (parts_reply([]), TransientError, "model.empty"),
        (parts_reply([{"text": "  \n"}]), TransientError, "model.empty"),
        (parts_reply([{"text": "Let me think.", "thought": True}]), TransientError, "model.empty"),
        (Reply(200, {"candidates": []}), TransientError, "model.empty"),
        (Reply(200, {}), TransientError, "model.empty"),
        (Reply(200, b'["no", "reply"]'), TransientError, "model.empty"),
        (Reply(200, {"candidates": [{"content": {}, "finishReason": "STOP"}]}), TransientError, "model.empty"),
        (call_reply("", {}), TransientError, "model.malformed"),
        (call_reply("request deck", {}), TransientError, "model.malformed"),
        (parts_reply([{"text": '{"verdict": "maybe"}'}]), TransientError, "model.answer"),
        (parts_reply([{"text": "Sure, the deck is coming."}]), TransientError, "model.answer"),
    ],
)
async def test_each_unusable_reply_has_its_outcome_and_leaves_the_turn_owed(
    reply: Reply, family: type[DealwrightError], code: str
) -> None:
    """By the reason it ended for: refusals and cut replies are ours to mend, the rest may do better next time."""
    raised, stage = await fault(reply)
    assert type(raised) is family
    assert raised.code == code
    assert pause.phase((await stage.session()).events) == "owed"
    assert [stamp.outcome for stamp in stage.stamps] == [code]


async def test_a_turn_that_failed_is_given_again_by_the_next_attempt() -> None:
    """The invocation id alone: the request is stored once and the model is asked anew."""
    with stub(finish_reply("MALFORMED_FUNCTION_CALL")) as server:
        stage = StageRun("presentation", model_at(server))
        message, state = agent.start(REQUEST)
        await stage.open(state)
        with pytest.raises(TransientError):
            await stage.run(message)
        await stage.run()
        assert [ticket.kind for ticket in await tickets(stage)] == ["deck", "memo"]
        assert server.requests[0]["contents"] == server.requests[1]["contents"]


async def test_a_call_of_an_unknown_tool_or_without_an_argument_is_answered_and_put_right() -> None:
    """The model is told, every answer has a status, and its correction goes through."""
    wrong = [
        {"functionCall": {"name": "make_deck", "args": {}}},
        {"functionCall": {"name": "request_deck", "args": {}}},
    ]
    with stub(parts_reply(wrong)) as server:
        stage = await open_presentation(model_at(server))
        answers = [part["functionResponse"]["response"] for part in server.requests[1]["contents"][-1]["parts"]]
    assert [answer["status"] for answer in answers] == ["error", "error"]
    assert "title" in answers[1]["error"]
    assert await tickets(stage) == [] or [ticket.kind for ticket in await tickets(stage)] == ["memo"]


async def test_call_ids_that_the_model_repeats_are_replaced() -> None:
    """Models number their calls from 1 in each turn: an answer must never reach another call of that number."""
    order = {"title": "Deals", "emphasis": "income"}
    first = [
        {"functionCall": {"id": "call_1", "name": name, "args": order}} for name in ("request_deck", "request_pdf")
    ]
    second = [{"functionCall": {"id": "call_1", "name": "request_approval", "args": {"summary": "Done."}}}]
    with stub(parts_reply(first), parts_reply(second)) as server:
        stage = await open_presentation(model_at(server))
        found = await tickets(stage)
        assert len({ticket.call_id for ticket in found}) == 2
        await render_all(stage)
        (approval,) = await tickets(stage)
        assert approval.call_id not in {ticket.call_id for ticket in found}
        await decide(stage, "approved")
    assert agent.result(await stage.session()).verdict == "approved"


async def test_an_unreachable_model_is_a_transient_fault() -> None:
    """Nothing listens there any more."""
    with stub() as server:
        model = model_at(server, attempts=1)
    stage = StageRun("presentation", model)
    message, state = agent.start(REQUEST)
    await stage.open(state)
    with pytest.raises(TransientError) as raised:
        await stage.run(message)
    assert raised.value.code == "model.unreachable"
    assert "GOOGLE_GEMINI_BASE_URL" in raised.value.message


async def test_a_model_without_credentials_says_what_to_set() -> None:
    """In a sentence of ours."""
    stage = StageRun("presentation", build_model("gemini-2.5-flash"))
    message, state = agent.start(REQUEST)
    await stage.open(state)
    with pytest.raises(OutputError, match="set GOOGLE_API_KEY") as raised:
        await stage.run(message)
    assert raised.value.code == "model.credentials"


def test_a_model_name_that_is_none_is_refused_with_the_names_that_are() -> None:
    """The setting's own words."""
    assert isinstance(build_model("gemini-2.5-pro"), GeminiModel)
    for name in ("gpt", "litellm/"):
        with pytest.raises(InputError, match="give offline, the name of a Gemini model"):
            build_model(name)


def test_the_brain_behind_the_stub_sees_no_call_ids() -> None:
    """Ids that ADK made are not sent; order pairs calls and answers."""
    assert think({"contents": [{"role": "user", "parts": [{"text": "x"}]}]})[0]["text"]
