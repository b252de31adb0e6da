"""What surrounds each model call: caps before it, a stamp and a verdict after it, and answers for tools that fail."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import structlog
from google.adk.agents.callback_context import CallbackContext
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from pydantic import BaseModel

from agents.outcomes import model_fault, reply_fault
from agents.prompts.load import Prompt
from agents.requests import size_of, tokens_in
from schemas.agent_answers import ModelCallStamp, Stage
from schemas.errors import DealwrightError, OutputError, TransientError

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class ModelCalls:
    """The model calls of one run: at most `max_calls`, and at most `max_tokens` over the job.

    `tokens_used` is what the job's earlier runs used; where a model counts none, request bytes ÷ 4 stand for them.
    `sink` is given each call's stamp.
    """

    sink: Callable[[ModelCallStamp], None] = lambda _: None
    max_calls: int = 25
    max_tokens: int = 200_000
    tokens_used: int = 0
    calls: int = 0
    broken: DealwrightError | None = None


@dataclass(slots=True)
class Callbacks:
    """An agent's callbacks. They are the agent's own and not a plugin's, since ADK hides what a plugin raises."""

    stage: Stage
    prompt: Prompt
    model: str
    tools_sha256: str
    answer: type[BaseModel]
    run: ModelCalls
    _request_bytes: dict[str, int] = field(default_factory=dict[str, int])

    def before_model(self, callback_context: CallbackContext, llm_request: LlmRequest) -> LlmResponse | None:
        """None, so that the call goes on; raises what a tool left broken, and OutputError over a cap."""
        if self.run.broken:
            raise self.run.broken
        request_bytes = size_of(llm_request)
        if self.run.calls >= self.run.max_calls:
            raise OutputError(
                "model.calls", f"The {self.stage} agent made {self.run.calls} model calls and is not done."
            )
        if self.run.tokens_used + tokens_in(request_bytes) > self.run.max_tokens:
            raise OutputError("model.tokens", f"The job would use more than its {self.run.max_tokens} tokens.")
        self.run.calls += 1
        self._request_bytes[callback_context.invocation_id] = request_bytes
        return None

    def after_model(self, callback_context: CallbackContext, llm_response: LlmResponse) -> LlmResponse | None:
        """None, with repeated call ids taken out of the reply; raises what the reply's fault means."""
        fault = reply_fault(llm_response, self.answer)
        self._stamp(callback_context.invocation_id, llm_response, fault.code if fault else "ok")
        if fault:
            raise fault
        _drop_repeated_ids(callback_context, llm_response)
        return None

    def on_model_error(self, callback_context: CallbackContext, llm_request: LlmRequest, error: Exception) -> None:
        """Raises what a failed call means; an error about something else goes on as it is."""
        del llm_request
        fault = model_fault(error)
        self._stamp(callback_context.invocation_id, None, fault.code if fault else type(error).__name__)
        if fault:
            raise fault from error

    def _stamp(self, invocation_id: str, response: LlmResponse | None, outcome: str) -> None:
        usage = response.usage_metadata if response else None
        request_bytes = self._request_bytes.pop(invocation_id, 0)
        stamp = ModelCallStamp(
            stage=self.stage,
            invocation_id=invocation_id,
            prompt_id=self.prompt.prompt_id,
            prompt_version=self.prompt.version,
            prompt_sha256=self.prompt.sha256,
            tools_sha256=self.tools_sha256,
            model=(response.model_version if response else None) or self.model,
            settings=dict(self.prompt.settings),
            request_bytes=request_bytes,
            prompt_tokens=usage.prompt_token_count if usage else None,
            answer_tokens=usage.candidates_token_count if usage else None,
            outcome=outcome,
        )
        self.run.tokens_used += (stamp.prompt_tokens or tokens_in(request_bytes)) + (stamp.answer_tokens or 0)
        log.info("model_call", **stamp.model_dump())
        self.run.sink(stamp)

    def on_tool_error(
        self, tool: BaseTool, args: dict[str, Any], tool_context: ToolContext, error: BaseException
    ) -> dict[str, Any] | None:
        """An error as a tool's answer, so that its siblings run on.

        A transient fault is also raised before the next model call: the attempt ends, and the next one finds an
        answer that says to call again.
        """
        del args, tool_context
        if isinstance(error, asyncio.CancelledError):  # ADK reports it here too, for cleaning up only
            return None
        if isinstance(error, TransientError):
            self.run.broken = error
            return {"status": "error", "code": error.code, "error": error.message, "call_again": True}
        if isinstance(error, DealwrightError):
            return {"status": "error", "code": error.code, "error": error.message}
        log.error("tool_failed", tool=tool.name, error=type(error).__name__, at=_place(error))
        return {"status": "error", "code": "tool.failed", "error": f"{tool.name} failed for a reason of its own."}

    def after_tool(
        self, tool: BaseTool, args: dict[str, Any], tool_context: ToolContext, tool_response: object
    ) -> dict[str, Any] | None:
        """ADK's own refusals (an unknown tool, a missing argument) with a status like every other answer's."""
        del tool, args, tool_context
        if isinstance(tool_response, dict) and "error" in tool_response and "status" not in tool_response:
            return {"status": "error", "error": str(tool_response["error"])}  # pyright: ignore[reportUnknownArgumentType] any JSON
        return None


def _drop_repeated_ids(callback_context: CallbackContext, response: LlmResponse) -> None:
    """Models number their calls themselves and start again at 1: ADK gives a call without an id a fresh one."""
    taken = {call.id for event in callback_context.session.events for call in event.get_function_calls()}
    for call in response.get_function_calls():
        if call.id in taken:
            call.id = None
        taken.add(call.id)


def _place(error: BaseException) -> str:
    """Where an error was raised. Its words stay out of the log: they may quote a cell."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].name}:{frames[-1].lineno}" if frames else ""
