"""Compaction that loses no fact: whatever a model writes, names, prices and cap rates are stated again by code."""

from __future__ import annotations

import json
import warnings
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from google.adk.agents.invocation_context import InvocationContext
from google.adk.apps._configs import EventsCompactionConfig
from google.adk.apps.base_events_summarizer import BaseEventsSummarizer
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions, EventCompaction
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.genai import types

from agents.extraction.facts import facts_of
from agents.model_calls import Asker, ModelCalls
from agents.model_faults import model_fault
from agents.outcomes import CUT_OFF, parts_of, refusal
from agents.planner import FACTS
from agents.prompts.load import Prompt
from schemas import state

INTERVAL, OVERLAP = 10, 2
TOKEN_THRESHOLD, RETAINED_EVENTS = 4_500, 2
SUMMARY_CHARS = 1_500
Facts = Callable[[InvocationContext, list[Event]], Awaitable[dict[str, Any]]]


class RunningSessions(BasePlugin):
    """Remembers which session an invocation runs in: a summarizer is given events, which do not say."""

    def __init__(self, kept: int = 64) -> None:
        super().__init__(name="running_sessions")
        self._kept = kept
        self._contexts: OrderedDict[str, InvocationContext] = OrderedDict()

    async def before_run_callback(self, *, invocation_context: InvocationContext) -> types.Content | None:
        """None; notes the invocation."""
        self._contexts[invocation_context.invocation_id] = invocation_context
        while len(self._contexts) > self._kept:
            self._contexts.popitem(last=False)
        return None

    def of(self, events: list[Event]) -> InvocationContext | None:
        """The running invocation that the newest of `events` belongs to."""
        found = (self._contexts.get(event.invocation_id) for event in reversed(events))
        return next((context for context in found if context), None)


class FactKeepingSummarizer(BaseEventsSummarizer):
    """Folds events into a model's words and the facts that they held, as a turn of the user.

    Of the user, because a request must begin with the user's turn, and a call must follow one.
    """

    def __init__(
        self, model: BaseLlm, prompt: Prompt, run: ModelCalls, sessions: RunningSessions, facts: Facts
    ) -> None:
        self._model = model
        self._asker = Asker("extraction", prompt, model.model)
        self._run = run
        self._sessions = sessions
        self._facts = facts

    async def maybe_summarize_events(self, *, events: list[Event]) -> Event | None:
        """The summary of `events`, or None if there is nothing to fold or their session is not running here."""
        context = self._sessions.of(events)
        if not events or context is None:
            return None
        facts = await self._facts(context, events)
        lines = ["Summary of earlier turns.", await self._words(events)]
        if facts:
            lines.append(FACTS + json.dumps(facts, ensure_ascii=False, separators=(",", ":")))
        content = types.Content(role="user", parts=[types.Part(text="\n".join(lines))])
        first, last = events[0].timestamp, events[-1].timestamp
        folded = EventCompaction(start_timestamp=first, end_timestamp=last, compacted_content=content)
        return Event(author="user", invocation_id=events[-1].invocation_id, actions=EventActions(compaction=folded))

    async def _words(self, events: list[Event]) -> str:
        """What the model makes of the events; no line of it can pass for facts."""
        contents = [event.content for event in events if event.content and event.content.parts]
        asked = types.Content(role="user", parts=[types.Part(text=_transcript(contents))])
        prompt = self._asker.prompt
        config = types.GenerateContentConfig.model_validate(dict(prompt.settings) | {"system_instruction": prompt.text})
        request = LlmRequest(model=self._model.model, contents=[asked], config=config)
        request_bytes = self._run.admit(request)
        stamp = partial(self._run.stamp, self._asker, events[-1].invocation_id, request_bytes)
        lines = state.storable("".join(await self._ask(request, stamp))).splitlines()
        return "\n".join(line for line in lines if not line.startswith(FACTS))[:SUMMARY_CHARS]

    async def _ask(self, request: LlmRequest, stamp: Callable[[LlmResponse | None, str], None]) -> list[str]:
        """The texts that the model answers; raises for a refusal, and ADK then leaves the history as it is."""
        said: list[str] = []
        try:
            replies = [response async for response in self._model.generate_content_async(request)]
        except Exception as error:
            fault = model_fault(error)
            stamp(None, fault.code if fault else type(error).__name__)
            raise
        for response in replies:
            fault = refusal(response)
            stamp(response, fault.code if fault else "ok")
            if fault and fault.code != CUT_OFF:
                raise fault
            said += [part.text for part in parts_of(response) if part.text and not part.thought]
        return said


def _transcript(contents: list[types.Content]) -> str:
    """The turns as plain lines: a summary is asked about a conversation, not inside it."""
    lines: list[str] = []
    for content in contents:
        for part in content.parts or []:
            if part.function_call:
                args = json.dumps(part.function_call.args, default=str)
                lines.append(f"call {part.function_call.name} {args[:400]}")
            elif part.function_response:
                said = json.dumps(part.function_response.response, default=str)
                lines.append(f"answer {part.function_response.name} {said[:1200]}")
            elif part.text and not part.thought:
                lines.append(f"{content.role}: {part.text[:1200]}")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Compaction:
    """A compaction and the plugin that it needs."""

    config: EventsCompactionConfig
    sessions: RunningSessions


def extraction_compaction(model: BaseLlm, prompt: Prompt, run: ModelCalls) -> Compaction:
    """Compaction for extraction: every ten invocations with an overlap of two, and before a call that grew too long."""
    sessions = RunningSessions()
    with warnings.catch_warnings():
        # ADK calls compaction experimental; tests of the facts that we lean on hold it to what it does now.
        warnings.filterwarnings("ignore", message=r"\[EXPERIMENTAL\]", category=UserWarning)
        config = EventsCompactionConfig(
            summarizer=FactKeepingSummarizer(model, prompt, run, sessions, facts_of),
            compaction_interval=INTERVAL,
            overlap_size=OVERLAP,
            token_threshold=TOKEN_THRESHOLD,
            event_retention_size=RETAINED_EVENTS,
        )
    return Compaction(config, sessions)
