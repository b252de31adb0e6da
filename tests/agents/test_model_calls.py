"""Around each model call: caps before it, a stamp after it; tools that fail answer and leave their siblings alone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import structlog
from google.adk.apps.app import App
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.sessions.session import Session
from google.adk.tools.function_tool import FunctionTool
from google.genai import types

from agents import pause, registry
from agents.build import Parts, llm_agent
from agents.model_calls import ModelCalls
from agents.presentation import agent
from agents.prompts.load import Prompt
from schemas.agent_answers import ExtractionAnswer, ExtractionTurn, ModelCallStamp
from schemas.errors import InputError, OutputError, TransientError
from tests.agents.books import listing
from tests.agents.scripted import Scripted
from tests.agents.stage import REQUEST, StageRun, decide, open_extraction, open_presentation, render_all

PROMPT = Prompt("extraction", "v1", "f" * 64, "Work.", {"temperature": 0.0}, "m")
FINAL = ("set_model_response", {"status": "extracted", "deals": 1})


async def test_each_call_leaves_a_stamp_and_one_log_line() -> None:
    """Prompt id, version and hash, the tools' hash, model, settings and sizes; no content."""
    with structlog.testing.capture_logs() as logs:
        stage = await open_presentation()
    (stamp,) = stage.stamps
    prompt = registry.open_prompts().prompts["presentation"]
    assert (stamp.prompt_id, stamp.prompt_version, stamp.prompt_sha256) == ("presentation", "v1", prompt.sha256)
    assert stamp.model == "offline-rules/1"
    assert stamp.settings == prompt.settings
    assert len(stamp.tools_sha256) == 64
    assert stamp.request_bytes > 1000
    assert (stamp.prompt_tokens, stamp.answer_tokens, stamp.outcome) == (stamp.request_bytes // 4, 0, "ok")
    (line,) = [line for line in logs if line["event"] == "model_call"]
    assert {name: line[name] for name in ModelCallStamp.model_fields} == stamp.model_dump()
    assert REQUEST.title not in str(logs)


async def test_a_run_over_its_calls_stops_before_the_next_one() -> None:
    """A model that never comes to an end is ours to mend."""
    turn = [("request_deck", {"title": "", "emphasis": "income"})]
    stage = StageRun("presentation", Scripted(script=[turn] * 50))
    message, state = agent.start(REQUEST)
    await stage.open(state)
    with pytest.raises(OutputError) as raised:
        await stage.run(message, calls=ModelCalls(max_calls=4))
    assert raised.value.code == "model.calls"
    assert len(stage.stamps) == 4


async def test_a_job_over_its_tokens_stops_before_the_next_call() -> None:
    """What earlier runs used counts; a request is refused by its size before it is sent."""
    stage = StageRun("presentation")
    message, state = agent.start(REQUEST)
    await stage.open(state)
    with pytest.raises(OutputError) as raised:
        await stage.run(message, calls=ModelCalls(max_tokens=5_000, tokens_used=4_500))
    assert raised.value.code == "model.tokens"
    assert stage.stamps == []
    calls = ModelCalls(max_tokens=6_000, tokens_used=4_500)
    await stage.run(calls=calls)
    assert calls.tokens_used == 4_500 + stage.stamps[0].request_bytes // 4


class Desk:
    """Three tools: one waits and works, one fails in a given way, one counts its calls."""

    def __init__(self, error: Exception) -> None:
        self._error: Exception | None = error
        self.finished = 0

    async def slow_work(self, name: str) -> dict[str, Any]:
        """Works, for a moment."""
        await asyncio.sleep(0.02)
        self.finished += 1
        return {"status": "ok", "name": name}

    async def extract_deals(self, name: str) -> dict[str, Any]:
        """Fails the first time."""
        error, self._error = self._error, None
        if error:
            raise error
        return {"status": "ok", "name": name}

    async def run(self, calls: ModelCalls, session: InMemorySessionService, message: bool = True) -> Session:
        """The session after one run of a turn with both tools."""
        model = Scripted(script=[[("slow_work", {"name": "a"}), ("extract_deals", {"name": "b"})], [FINAL]])
        parts = Parts(
            stage="extraction",
            tools=(FunctionTool(func=self.slow_work), FunctionTool(func=self.extract_deals)),
            request=ExtractionTurn,
            answer=ExtractionAnswer,
            output_key="deals:answer",
        )
        app = App(name="dealwright", root_agent=llm_agent(parts, model, PROMPT, calls))
        key = {"app_name": "dealwright", "user_id": "u", "session_id": "s"}
        if message:
            await session.create_session(**key)
        told = types.Content(role="user", parts=[types.Part(text="{}")]) if message else None
        runner = Runner(app=app, session_service=session)
        async for _ in runner.run_async(user_id="u", session_id="s", invocation_id="i", new_message=told):
            pass
        found = await session.get_session(**key)
        assert found is not None
        return found


def answers(session: Session) -> dict[str, dict[str, Any]]:
    """The tools' answers by name."""
    return {
        answer.name or "": dict(answer.response or {})
        for event in session.events
        for answer in event.get_function_responses()
    }


async def test_a_failing_tool_answers_with_an_error_and_its_sibling_runs_on() -> None:
    """Its sentence for an error of ours."""
    desk = Desk(InputError("file.empty", "comps.xlsx is empty; send another file."))
    session = await desk.run(ModelCalls(), InMemorySessionService())
    assert desk.finished == 1
    assert answers(session)["slow_work"] == {"status": "ok", "name": "a"}
    assert answers(session)["extract_deals"] == {
        "status": "error",
        "code": "file.empty",
        "error": "comps.xlsx is empty; send another file.",
    }


async def test_a_fault_of_a_tools_own_tells_neither_model_nor_log_what_a_cell_said() -> None:
    """Its type and place are logged, its words are not."""
    desk = Desk(ValueError("secret cell text"))
    with structlog.testing.capture_logs() as logs:
        session = await desk.run(ModelCalls(), InMemorySessionService())
    assert answers(session)["extract_deals"]["code"] == "tool.failed"
    (line,) = [line for line in logs if line["event"] == "tool_failed"]
    assert (line["tool"], line["error"]) == ("extract_deals", "ValueError")
    assert "secret" not in str(logs) + str(session.events)


async def test_a_transient_fault_in_a_tool_ends_the_run_after_its_siblings() -> None:
    """The attempt is tried again later, and the model then reads that the call may be made again."""
    desk, sessions = Desk(TransientError("store.down", "The store is down.")), InMemorySessionService()
    with pytest.raises(TransientError, match="store is down"):
        await desk.run(ModelCalls(), sessions)
    assert desk.finished == 1
    session = await desk.run(ModelCalls(), sessions, message=False)
    assert answers(session)["extract_deals"]["call_again"] is True
    assert pause.answer_in(session) == {"status": "extracted", "deals": 1, "summary": "", "reason": ""}


async def test_an_answer_that_breaks_its_form_is_sent_back_to_the_model() -> None:
    """Through its tool it is corrected within the run."""
    bad = ("set_model_response", {"verdict": "maybe", "deck_sha256": "", "pdf_sha256": "", "reason": ""})
    good = ("set_model_response", {"verdict": "failed", "deck_sha256": "", "pdf_sha256": "", "reason": "x"})
    stage = await open_presentation(Scripted(script=[[bad], [good]]))
    session = await stage.session()
    assert agent.result(session).verdict == "failed"
    assert len(stage.stamps) == 2


async def test_what_no_database_takes_is_taken_out_of_a_reply_before_it_is_stored() -> None:
    """A NUL in an argument would break the append of the event, and of every retry."""
    order = {"title": "Har\x00bor \ud800Deals", "emphasis": "income"}
    stage = await open_presentation(Scripted(script=[[("request_deck", order), ("request_pdf", order)]]))
    calls = [call for event in (await stage.session()).events for call in event.get_function_calls()]
    assert {str((call.args or {})["title"]) for call in calls} == {"Harbor Deals"}


async def test_an_offline_run_writes_no_warning_of_adks(caplog: pytest.LogCaptureFixture) -> None:
    """What people see on their terminal is ours."""
    stage = await open_presentation()
    await render_all(stage)
    await decide(stage, "approved")
    await open_extraction(listing(5), "comps.xlsx")
    said = [record for record in caplog.records if record.name.startswith("google")]
    assert [record.getMessage() for record in said if record.levelname in {"WARNING", "ERROR"}] == []
