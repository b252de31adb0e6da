"""What we lean on in google-adk: a release that changes one of these must not go unnoticed."""

from __future__ import annotations

import asyncio
import importlib.metadata
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest
from google.adk.agents.llm_agent import LlmAgent
from google.adk.apps.app import App
from google.adk.artifacts import InMemoryArtifactService
from google.adk.errors._stale_session_error import StaleSessionError
from google.adk.events.event import Event
from google.adk.models._capabilities import LlmCapabilities
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.runners import Runner
from google.adk.sessions import DatabaseSessionService, InMemorySessionService
from google.adk.sessions.session import Session
from google.adk.tools.long_running_tool import LongRunningFunctionTool
from google.genai import types
from pydantic import BaseModel, Field, ValidationError

KEY = {"app_name": "facts", "user_id": "u", "session_id": "s"}
Reply = list[tuple[str, dict[str, Any]]] | str


class Told(BaseLlm):
    """A model that gives the replies it was told, one a call, and then says that it is done."""

    model: str = "told"
    replies: list[Any] = Field(default_factory=list)
    seen: list[list[types.Content]] = Field(default_factory=list)

    @property
    def capabilities(self) -> LlmCapabilities:
        """No native schema beside tools."""
        return LlmCapabilities(output_schema_and_tools=False)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """The next reply."""
        del stream
        self.seen.append(list(llm_request.contents))
        reply: Reply = self.replies.pop(0) if self.replies else "done"
        if isinstance(reply, str):
            parts = [types.Part(text=reply)]
        else:
            parts = [types.Part(function_call=types.FunctionCall(name=name, args=args)) for name, args in reply]
        yield LlmResponse(content=types.Content(role="model", parts=parts))


class Answer(BaseModel):
    """A structured answer."""

    verdict: str


async def order_deck() -> dict[str, Any]:
    """Orders a deck."""
    return {"status": "pending"}


async def order_pdf() -> dict[str, Any]:
    """Orders a PDF."""
    return {"status": "pending"}


class Desk:
    """An agent on the given model, and its session."""

    def __init__(
        self, *replies: Reply, tools: list[Any] | None = None, plugins: list[BasePlugin] | None = None, **agent: Any
    ) -> None:
        self.model = Told(replies=list(replies))
        self.sessions = InMemorySessionService()
        hand_offs = [LongRunningFunctionTool(order_deck), LongRunningFunctionTool(order_pdf)]
        built = LlmAgent(name="desk", model=self.model, tools=hand_offs if tools is None else tools, **agent)
        app = App(name="facts", root_agent=built, plugins=plugins or [])
        self.runner = Runner(app=app, session_service=self.sessions, artifact_service=InMemoryArtifactService())

    async def run(self, message: types.Content | str | None = None, state: dict[str, Any] | None = None) -> list[Event]:
        """The events of one run under one invocation id."""
        if await self.sessions.get_session(**KEY) is None:
            await self.sessions.create_session(**KEY)
        told = text(message) if isinstance(message, str) else message
        found = self.runner.run_async(
            user_id="u", session_id="s", invocation_id="i", new_message=told, state_delta=state
        )
        return [event async for event in found]

    async def session(self) -> Session:
        """The session as stored."""
        session = await self.sessions.get_session(**KEY)
        assert session is not None
        return session

    async def answers(self, *statuses: str) -> types.Content:
        """One message that answers the long-running calls, in their order, as far as there are statuses."""
        calls = [
            call
            for event in (await self.session()).events
            for call in event.get_function_calls()
            if call.id in (event.long_running_tool_ids or ())
        ]
        given = [
            types.FunctionResponse(id=call.id, name=call.name, response={"status": status})
            for call, status in zip(calls, statuses, strict=False)
        ]
        return types.Content(role="user", parts=[types.Part(function_response=answer) for answer in given])


def text(words: str) -> types.Content:
    """A message of the user's."""
    return types.Content(role="user", parts=[types.Part(text=words)])


def statuses(contents: list[types.Content]) -> list[list[str]]:
    """The statuses of the answers in each turn that has some."""
    found = [[part.function_response for part in content.parts or [] if part.function_response] for content in contents]
    return [[str((answer.response or {}).get("status")) for answer in answers] for answers in found if answers]


def end_turn(callback_context: object, llm_request: LlmRequest) -> LlmResponse | None:
    """An empty reply while something is pending."""
    del callback_context
    pending = "pending" in str(statuses(llm_request.contents)[-1:])
    return LlmResponse() if pending else None


BOTH: Reply = [("order_deck", {}), ("order_pdf", {})]


def test_the_release_is_the_one_that_these_facts_were_found_in() -> None:
    """The lock pins it; a newer one is let in when all the tests below hold for it."""
    assert importlib.metadata.version("google-adk").startswith("2.13.")


async def test_a_pending_answer_does_not_end_the_turn() -> None:
    """The model is called again at once: that is why a callback has to end it."""
    desk = Desk(BOTH)
    await desk.run("go")
    assert len(desk.model.seen) == 2
    assert statuses(desk.model.seen[1]) == [["pending", "pending"]]


async def test_an_empty_reply_of_a_callback_ends_the_turn_and_leaves_no_event() -> None:
    """No model call, no trace in the session or in a later request."""
    desk = Desk(BOTH, before_model_callback=end_turn)
    await desk.run("go")
    assert len(desk.model.seen) == 1
    assert len((await desk.session()).events) == 3


async def test_one_message_with_all_answers_resumes_once_and_hides_the_pending_ones() -> None:
    """In one invocation, strictly alternating, each call answered in its place."""
    desk = Desk(BOTH, before_model_callback=end_turn)
    await desk.run("go")
    await desk.run(await desk.answers("done", "failed"))
    assert len(desk.model.seen) == 2
    assert statuses(desk.model.seen[1]) == [["done", "failed"]]
    assert [content.role for content in desk.model.seen[1]] == ["user", "model", "user"]
    assert {event.invocation_id for event in (await desk.session()).events} == {"i"}


async def test_there_is_no_barrier_between_two_open_calls() -> None:
    """One answer of two runs the model: the barrier has to be ours."""
    desk = Desk(BOTH)
    await desk.run("go")
    await desk.run(await desk.answers("done"))
    assert statuses(desk.model.seen[-1]) == [["done", "pending"]]


async def test_answers_are_not_deduplicated() -> None:
    """The same answer twice runs the model twice: resolving once is ours."""
    desk = Desk(BOTH)
    await desk.run("go")
    before = len(desk.model.seen)
    for _ in range(2):
        await desk.run(await desk.answers("done", "done"))
    assert len(desk.model.seen) == before + 2


async def test_an_unknown_call_id_is_refused_before_anything_is_written() -> None:
    """Alone or beside a known one."""
    desk = Desk(BOTH)
    await desk.run("go")
    before = len((await desk.session()).events)
    unknown = types.FunctionResponse(id="nobody", name="order_deck", response={"status": "done"})
    with pytest.raises(ValueError, match="not found"):
        await desk.run(types.Content(role="user", parts=[types.Part(function_response=unknown)]))
    assert len((await desk.session()).events) == before


async def test_state_that_comes_with_answers_is_stored_with_them() -> None:
    """References to documents enter state by the message that answers."""
    desk = Desk(BOTH, before_model_callback=end_turn)
    await desk.run("go")
    await desk.run(await desk.answers("done", "done"), state={"deck:ref": {"pages": 3}})
    assert (await desk.session()).state["deck:ref"] == {"pages": 3}


async def test_the_invocation_id_alone_gives_an_owed_turn() -> None:
    """After a crash: nothing is appended before the model's reply. Sending the first text again appends nothing too."""
    desk = Desk(BOTH, before_model_callback=end_turn)
    await desk.run("go")
    session, answers = await desk.session(), await desk.answers("done", "done")
    await desk.sessions.append_event(session, Event(author="user", invocation_id="i", content=answers))
    events = await desk.run()
    assert [event.author for event in events] == ["desk"]
    assert statuses(desk.model.seen[-1]) == [["done", "done"]]
    await desk.run("go")
    texts = [part.text for event in (await desk.session()).events for part in (event.content or text("")).parts or []]
    assert texts.count("go") == 1


async def test_a_call_that_was_never_answered_even_with_pending_can_be_answered() -> None:
    """Killed inside the tool: the call is stored, and that is enough."""
    whole = Desk(BOTH, before_model_callback=end_turn)
    await whole.run("go")
    desk = Desk()
    await desk.sessions.create_session(**KEY)
    for event in (await whole.session()).events[:2]:
        await desk.sessions.append_event(await desk.session(), event)
    await desk.run(await desk.answers("done", "done"))
    assert statuses(desk.model.seen[-1]) == [["done", "done"]]


async def test_the_validated_answer_is_in_its_event_before_state_has_it() -> None:
    """And a bad one goes back to the model."""
    bad, good = [("set_model_response", {"wrong": 1})], [("set_model_response", {"verdict": "approved"})]
    desk = Desk(bad, good, output_schema=Answer, output_key="answer")
    events = await desk.run("go")
    assert "Validation Error" in str(events[1].content)
    carried = [at for at, event in enumerate(events) if event.actions.set_model_response == {"verdict": "approved"}]
    stored = [at for at, event in enumerate(events) if "answer" in event.actions.state_delta]
    assert carried == [len(events) - 2]
    assert stored == [len(events) - 1]


async def test_a_plain_text_that_breaks_the_schema_raises_out_of_the_run() -> None:
    """So our own callback looks first."""
    desk = Desk("not json", output_schema=Answer, output_key="answer")
    with pytest.raises(ValidationError):
        await desk.run("go")


async def test_the_request_of_a_root_agent_is_validated_too() -> None:
    """A message that does not fit its input schema raises; answers to calls are let through."""
    desk = Desk(BOTH, input_schema=Answer, before_model_callback=end_turn)
    with pytest.raises(ValidationError):
        await desk.run("go")
    desk = Desk(BOTH, input_schema=Answer, before_model_callback=end_turn)
    await desk.run('{"verdict": "go"}')
    await desk.run(await desk.answers("done", "done"))
    assert len(desk.model.seen) == 2


class Refusing(BasePlugin):
    """A plugin that raises."""

    async def before_model_callback(self, *, callback_context: object, llm_request: LlmRequest) -> None:
        """Raises."""
        raise KeyError("from a plugin")


async def test_what_a_plugin_raises_is_hidden_and_what_an_agents_callback_raises_is_not() -> None:
    """That is why faults are told by the agent's own callbacks."""

    def refuse(callback_context: object, llm_request: LlmRequest) -> None:
        raise KeyError("from a callback")

    with pytest.raises(RuntimeError):
        await Desk(plugins=[Refusing(name="refusing")]).run("go")
    with pytest.raises(KeyError, match="from a callback"):
        await Desk(before_model_callback=refuse).run("go")


async def test_a_failing_tool_cancels_its_siblings_unless_a_callback_answers_for_it() -> None:
    """Set on every agent."""
    finished: list[str] = []

    async def work_on() -> dict[str, Any]:
        """Works."""
        await asyncio.sleep(0.02)
        finished.append("worked")
        return {"status": "ok"}

    async def fail_now() -> dict[str, Any]:
        """Fails."""
        raise ValueError("no")

    turn: Reply = [("work_on", {}), ("fail_now", {})]
    with pytest.raises(ValueError, match="no"):
        await Desk(turn, tools=[work_on, fail_now]).run("go")
    assert finished == []

    def answer(**_: object) -> dict[str, Any]:
        return {"status": "error"}

    desk = Desk(turn, tools=[work_on, fail_now], on_tool_error_callback=answer)
    await desk.run("go")
    assert finished == ["worked"]
    assert statuses(desk.model.seen[-1]) == [["ok", "error"]]


async def test_arguments_are_not_checked_but_missing_ones_and_unknown_tools_are_answered() -> None:
    """A wrong type reaches the function: each tool looks itself."""
    got: list[object] = []

    async def count_to(number: int) -> dict[str, Any]:
        """Counts."""
        got.append(number)
        return {"status": "ok"}

    desk = Desk([("count_to", {"number": "many"}), ("count_to", {}), ("count_down", {})], tools=[count_to])
    await desk.run("go")
    assert got == ["many"]
    answers = [part.function_response for part in desk.model.seen[-1][-1].parts or [] if part.function_response]
    assert ["error" in (answer.response or {}) for answer in answers] == [False, True, True]


async def test_only_calls_without_an_id_are_given_one() -> None:
    """A repeated id of a model's own would reach the wrong call: it is taken out beforehand."""
    desk = Desk([("order_deck", {})], before_model_callback=end_turn)
    events = await desk.run("go")
    (call,) = events[0].get_function_calls()
    assert (call.id or "").startswith("adk-")


@pytest.mark.parametrize(
    ("instruction", "said"), [("{deals:summary} {}", "{deals:summary} {}"), ('{"a": 1}', '{"a": 1}')]
)
async def test_braces_of_our_state_keys_stay_literal(instruction: str, said: str) -> None:
    """ADK fills plain names and its own prefixes only."""
    seen: list[str] = []
    desk = Desk(instruction=instruction, before_model_callback=_spy(seen))
    await desk.run("go")
    assert said in seen[0]


async def test_braces_around_a_plain_name_fail_the_run_without_a_producer() -> None:
    """Which the prompt lint finds at start."""
    with pytest.raises(KeyError, match="name"):
        await Desk(instruction="Hello {name}").run("go")


def _spy(seen: list[str]) -> Callable[..., None]:
    def look(callback_context: object, llm_request: LlmRequest) -> None:
        seen.append(str(llm_request.config.system_instruction))

    return look


async def test_a_session_that_was_written_meanwhile_refuses_an_append(tmp_path: Path) -> None:
    """The second line of defence behind the lease."""
    service = DatabaseSessionService(f"sqlite+aiosqlite:///{tmp_path}/sessions.db")
    try:
        await service.create_session(**KEY)
        first, second = await service.get_session(**KEY), await service.get_session(**KEY)
        assert first
        assert second
        await service.append_event(first, Event(author="user", content=text("one")))
        with pytest.raises(StaleSessionError):
            await service.append_event(second, Event(author="user", content=text("two")))
    finally:
        await service.close()


async def test_an_empty_artifact_of_unknown_type_loads_as_nothing_although_it_has_a_version() -> None:
    """So an empty upload is told from a missing one by its version."""
    artifacts = InMemoryArtifactService()
    empty = types.Part(inline_data=types.Blob(data=b"", mime_type="application/octet-stream"))
    assert await artifacts.save_artifact(**KEY, filename="x", artifact=empty) == 0
    assert await artifacts.load_artifact(**KEY, filename="x") is None
    assert await artifacts.get_artifact_version(**KEY, filename="x")
