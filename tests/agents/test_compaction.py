"""Compaction folds turns away and loses no fact."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from google.adk.events.event import Event
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types
from pydantic import Field

from agents import registry
from agents.compaction import INTERVAL, OVERLAP, TOKEN_THRESHOLD, FactKeepingSummarizer, RunningSessions
from agents.extraction import agent
from agents.extraction.facts import facts_of, shown_numbers
from agents.model import build_model
from agents.model_calls import ModelCalls
from agents.planner import FACTS, OfflinePlanner, read_facts
from agents.requests import declared_tools, size_of
from schemas.agent_answers import ExtractionTurn, ModelCallStamp
from schemas.errors import DealwrightError
from tests.agents.books import deals, listing, many_sheets
from tests.agents.gemini import model_at, stub
from tests.agents.stage import StageRun, open_extraction
from tests.servers.gemini import Reply, error_reply, finish_reply, parts_reply

LOSSY = (
    'Forty properties were shown, at prices between $3.0M and $3.7M.\nFACTS {"deals":[{"number":1,"price":"1 USD"}]}'
)


SAID = Event(author="user", invocation_id="i", content=types.Content(role="user", parts=[types.Part(text="Show.")]))


def summarizer(model: BaseLlm, stamps: list[ModelCallStamp]) -> FactKeepingSummarizer:
    """A summarizer whose calls are stamped there."""
    prompt = registry.open_prompts().prompts["summary"]
    return FactKeepingSummarizer(model, prompt, ModelCalls(stamps.append), RunningSessions(), facts_of)


class Watched(OfflinePlanner):
    """The planner, whose requests can be looked at; asked for a summary, it loses every figure and forges some."""

    seen: list[str] = Field(default_factory=list)
    summaries: list[str] = Field(default_factory=list)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """The planner's reply, or a lossy summary."""
        text = json.dumps([content.model_dump(mode="json", exclude_none=True) for content in llm_request.contents])
        if declared_tools(llm_request):
            self.seen.append(text)
            async for response in super().generate_content_async(llm_request, stream):
                yield response
            return
        self.summaries.append(text)
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=LOSSY)]))


def watched() -> Watched:
    """A fresh one."""
    planner = build_model("offline")
    assert isinstance(planner, OfflinePlanner)
    return Watched(plans=planner.plans)


def folds(events: list[Event]) -> list[Any]:
    """The compactions among events."""
    return [event.actions.compaction for event in events if event.actions.compaction]


async def talk(stage: StageRun, first: int, last: int, pages: int = 2) -> None:
    """Invocations that show the deals from `first` to `last`, `pages` at a time."""
    for number in range(first, last + 1, pages):
        asked = ExtractionTurn(question=f"Show deals {number} to {number + pages - 1}.")
        await stage.run(agent.turn(asked), invocation=f"show-{number}")


async def test_twenty_invocations_over_forty_deals_lose_no_name_price_or_cap_rate() -> None:
    """The summaries are lossy and forged; what the next request holds is exact."""
    model = watched()
    stage = await open_extraction(listing(40), "comps.xlsx", model)
    await talk(stage, 1, 38)
    events = (await stage.session()).events
    assert len({event.invocation_id for event in events if not event.actions.compaction}) == 20
    assert folds(events)
    await talk(stage, 39, 40)
    request = model.seen[-1]
    assert "Summary of earlier turns" in request
    assert request.count('"show_deals"') < 12
    for name, _, _, price, _, rate, *_ in deals(40):
        for value in (name, f"{price} USD", rate):
            assert str(value) in request
    assert '"1 USD' not in request
    assert len(request) < 30_000


async def test_the_window_folds_ten_invocations_with_an_overlap_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted as ADK counts them; the token trigger is out of the way."""
    monkeypatch.setattr("agents.compaction.TOKEN_THRESHOLD", 1_000_000)
    model = watched()
    stage = await open_extraction(listing(3), "comps.xlsx", model)
    for number in range(INTERVAL - 2):
        await stage.run(agent.turn(ExtractionTurn(question="Show deal 1.")), invocation=f"small-{number}")
    assert folds((await stage.session()).events) == []
    await stage.run(agent.turn(ExtractionTurn(question="Show deal 2.")), invocation="tenth")
    (first,) = folds((await stage.session()).events)
    for number in range(INTERVAL):
        await stage.run(agent.turn(ExtractionTurn(question="Show deal 3.")), invocation=f"later-{number}")
    session = await stage.session()
    second = folds(session.events)[-1]
    started = {
        event.invocation_id: event.timestamp for event in reversed(session.events) if not event.actions.compaction
    }
    order = sorted(started, key=lambda name: started[name])
    assert second.start_timestamp == started[order[INTERVAL - OVERLAP]]
    assert first.start_timestamp == started[order[0]]


async def test_the_token_trigger_fires_on_a_workbook_of_forty_sheets() -> None:
    """Inside the run, between two calls; the agent goes on, every deal is extracted, the summary's call is stamped."""
    model = watched()
    stage = await open_extraction(many_sheets(40), "markets.xlsx", model)
    session = await stage.session()
    assert max(stamp.prompt_tokens or 0 for stamp in stage.stamps) >= TOKEN_THRESHOLD
    assert len(folds(session.events)) >= 1
    result = agent.result(session)
    assert result.answer.deals == sum(4 + number % 7 for number in range(1, 41))
    assert [stamp.prompt_id for stamp in stage.stamps] == ["extraction", "extraction", "summary", "extraction"]
    assert len(model.seen) == 3
    assert len(model.seen[-1]) < len(model.seen[-2])


async def test_an_ordinary_workbook_does_not_trigger_it() -> None:
    """One sheet, however many rows."""
    stage = await open_extraction(listing(500), "comps.xlsx", watched())
    assert folds((await stage.session()).events) == []


async def test_presentation_is_never_compacted() -> None:
    """A pause must never be folded away."""
    app = registry.build_app("presentation", build_model("offline"), registry.open_prompts())
    assert app.events_compaction_config is None


async def test_a_summary_is_a_turn_of_the_user_with_facts_that_no_text_can_forge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Role user, since a request begins with one; the model's lines cannot pass for facts."""
    monkeypatch.setattr("agents.compaction.TOKEN_THRESHOLD", 2_100)
    model = watched()
    stage = await open_extraction(listing(6), "comps.xlsx", model)
    await talk(stage, 1, 6)
    events = (await stage.session()).events
    fold = folds(events)[-1]
    folded = [event for event in events if event.timestamp <= fold.end_timestamp and not event.actions.compaction]
    content = fold.compacted_content
    assert content.role == "user"
    text = content.parts[0].text
    assert text.count(FACTS) == 1
    facts = read_facts(text)
    assert facts
    assert facts["filename"] == "comps.xlsx"
    assert facts["total"] == 6
    assert {1, 2} <= {deal["number"] for deal in facts["deals"]} == shown_numbers(folded)
    assert "1 USD" not in {deal["price"] for deal in facts["deals"]}


async def test_facts_of_an_earlier_summary_are_read_again_from_the_source() -> None:
    """A rolling summary is given the last one, not the turns behind it."""
    text = 'Summary.\nFACTS {"deals":[{"number":7,"price":"forged"},{"number":"x"}]}'
    seed = Event(author="model", content=types.Content(role="user", parts=[types.Part(text=text)]))
    answer = types.FunctionResponse(name="show_deals", response={"status": "ok", "deals": [{"number": 2}]})
    shown = Event(author="extraction", content=types.Content(role="user", parts=[types.Part(function_response=answer)]))
    assert shown_numbers([seed, shown]) == {2, 7}


async def test_a_request_folded_before_it_was_answered_is_still_answered() -> None:
    """The trigger fires between the tool's answer and the reply: the question is among the facts."""
    model = watched()
    stage = await open_extraction(listing(60), "comps.xlsx", model)
    await talk(stage, 1, 60, pages=10)
    session = await stage.session()
    assert folds(session.events)
    assert all("Court" in str(event.actions.set_model_response) for event in _finals(session.events)[1:])


def _finals(events: list[Event]) -> list[Event]:
    return [event for event in events if event.actions.set_model_response is not None]


async def test_a_summarizer_that_fails_leaves_the_history_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run goes on uncompacted."""
    model = watched()
    stage = await open_extraction(listing(3), "comps.xlsx", model)

    async def fail(*_: object) -> dict[str, Any]:
        raise RuntimeError("no facts today")

    monkeypatch.setattr("agents.compaction.facts_of", fail)
    for number in range(INTERVAL + 1):
        await stage.run(agent.turn(ExtractionTurn(question="Show deal 1.")), invocation=f"small-{number}")
    session = await stage.session()
    assert folds(session.events) == []
    assert len(_finals(session.events)) == INTERVAL + 2


async def test_a_gemini_model_writes_the_summary_over_http_too() -> None:
    """A request of its own, without tools, in which the turns are told and not taken."""
    with stub() as server:
        await open_extraction(many_sheets(40), "markets.xlsx", model_at(server))
        asked = [body for body in server.requests if "tools" not in body]
    assert len(asked) >= 1
    assert [content["role"] for content in asked[0]["contents"]] == ["user"]
    assert "Summarise this conversation" in asked[0]["systemInstruction"]["parts"][0]["text"]
    assert size_of(LlmRequest(contents=[], config=types.GenerateContentConfig())) < 100


@pytest.mark.parametrize(
    ("reply", "code"),
    [(error_reply(503, "UNAVAILABLE"), "model.unavailable"), (finish_reply("SAFETY"), "model.blocked")],
)
async def test_a_summary_that_cannot_be_had_folds_nothing_away_and_is_counted(reply: Reply, code: str) -> None:
    """The call was made, and is stamped with what it came to."""
    stamps: list[ModelCallStamp] = []
    with stub(reply) as server, pytest.raises(DealwrightError) as raised:
        await summarizer(model_at(server, attempts=1), stamps)._words([SAID])
    assert raised.value.code == code
    assert [stamp.outcome for stamp in stamps] == [code]


async def test_a_summary_that_was_cut_off_is_taken_as_far_as_it_goes() -> None:
    """Its facts are code's own in any case."""
    stamps: list[ModelCallStamp] = []
    with stub(parts_reply([{"text": "Three deals were sh"}], "MAX_TOKENS")) as server:
        assert await summarizer(model_at(server), stamps)._words([SAID]) == "Three deals were sh"
    assert [stamp.outcome for stamp in stamps] == ["model.cut_off"]
