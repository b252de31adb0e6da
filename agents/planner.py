"""The offline model: rules in place of a language model, behind the same interface.

It keeps nothing between calls. What it answers follows from the request's contents alone, so that the same contents
get the same reply in any process. Each agent's rules are its own (`<agent>/plan.py`).
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from google.adk.models._capabilities import LlmCapabilities
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from agents.requests import declared_tools, size_of, tokens_in

OFFLINE_MODEL = "offline-rules/1"
FINAL = "set_model_response"
FACTS = "FACTS "
"""A line of a summary that begins so holds facts as JSON."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool to call."""

    name: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answered:
    """A call that was made, with its answer."""

    name: str
    args: Mapping[str, Any]
    response: Mapping[str, Any]

    @property
    def ok(self) -> bool:
        """Whether the answer is no error."""
        return self.response.get("status") != "error" and "error" not in self.response


@dataclass(frozen=True, slots=True)
class Turn:
    """What a plan decides from: the newest request, the calls answered since, and the facts of earlier summaries."""

    request: str
    answered: tuple[Answered, ...]
    facts: Mapping[str, Any]

    def of(self, *names: str) -> list[Answered]:
        """The answered calls of these tools, oldest first."""
        return [answer for answer in self.answered if answer.name in names]


Plan = Callable[[Turn], Sequence[Call]]


def read_turn(contents: Iterable[types.Content]) -> Turn:
    """The turn that `contents` leave to the model."""
    request, answered, facts = "", list[Answered](), dict[str, Any]()
    for content, calls in _with_calls(contents):
        texts = [part.text for part in content.parts or [] if part.text and not part.thought]
        found = read_facts("\n".join(texts)) if content.role == "user" else None
        if found is not None:
            facts |= found
        elif texts and content.role == "user":
            request, answered = "\n".join(texts), []
        answered += _answers(content, calls)
    return Turn(request or str(facts.get("request") or ""), tuple(answered), facts)


def _with_calls(contents: Iterable[types.Content]) -> Iterable[tuple[types.Content, list[types.FunctionCall]]]:
    """Each content with the calls made before it that are not answered yet."""
    waiting: list[types.FunctionCall] = []
    for content in contents:
        yield content, waiting
        waiting += [part.function_call for part in content.parts or [] if part.function_call]


def _answers(content: types.Content, waiting: list[types.FunctionCall]) -> list[Answered]:
    """The answers in `content`, each with its call, which is taken off `waiting`; ids pair them, else their order."""
    found: list[Answered] = []
    for response in (part.function_response for part in content.parts or [] if part.function_response):
        same = [call for call in waiting if call.name == response.name]
        call = next((call for call in same if call.id == response.id), same[0] if same else None)
        if call:
            waiting.remove(call)
        found.append(
            Answered(response.name or "", dict((call.args if call else None) or {}), dict(response.response or {}))
        )
    return found


def read_facts(text: str) -> dict[str, Any] | None:
    """The facts that a summary's text holds, None for any other text."""
    lines = [line.removeprefix(FACTS) for line in text.splitlines() if line.startswith(FACTS)]
    found: dict[str, Any] = {}
    for line in lines:
        try:
            held = json.loads(line)
        except ValueError:
            return None
        if not isinstance(held, dict):
            return None
        found |= held
    return found if lines else None


class OfflinePlanner(BaseLlm):
    """Answers by rules; its name says so in every stamp. `plans` go by a tool that only their agent has."""

    model: str = OFFLINE_MODEL
    plans: dict[str, Any]

    @property
    def capabilities(self) -> LlmCapabilities:
        """It gives its final answer through a tool, as Gemini does beside tools."""
        return LlmCapabilities(output_schema_and_tools=False)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """One reply: the calls that the agent's plan makes now, or for a request without tools its outline."""
        del stream
        names = declared_tools(llm_request)
        plan: Plan | None = next((found for tool, found in self.plans.items() if tool in names), None)
        calls = plan(read_turn(llm_request.contents)) if plan else ()
        parts = [types.Part(function_call=types.FunctionCall(name=call.name, args=dict(call.args))) for call in calls]
        content = types.Content(role="model", parts=parts or [types.Part(text=outline(llm_request.contents))])
        # Rules write no tokens; a prompt's are counted as everywhere where no model counts them.
        usage = types.GenerateContentResponseUsageMetadata(
            prompt_token_count=tokens_in(size_of(llm_request)), candidates_token_count=0
        )
        yield LlmResponse(
            content=content, finish_reason=types.FinishReason.STOP, model_version=self.model, usage_metadata=usage
        )


def outline(contents: Iterable[types.Content]) -> str:
    """What a conversation was about, in one line: its calls in order."""
    calls = [
        part.function_call.name or "" for content in contents for part in content.parts or [] if part.function_call
    ]
    return f"{len(calls)} tool calls: {', '.join(calls)}." if calls else "No tool was called."
