"""What surrounds an agent's model calls and tools: caps, stamps, verdicts on replies, answers for tools that fail."""

from __future__ import annotations

import asyncio
import traceback
from dataclasses import dataclass, field
from typing import Any, cast

import structlog
from google.adk.agents.callback_context import CallbackContext
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext
from pydantic import BaseModel

from agents.model_calls import Asker, ModelCalls
from agents.model_faults import model_fault
from agents.outcomes import parts_of, reply_fault
from schemas import state
from schemas.errors import DealwrightError, TransientError

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Callbacks:
    """An agent's callbacks. They are the agent's own and not a plugin's, since ADK hides what a plugin raises."""

    asker: Asker
    answer: type[BaseModel]
    run: ModelCalls
    _request_bytes: dict[str, int] = field(default_factory=dict[str, int])

    def before_model(self, callback_context: CallbackContext, llm_request: LlmRequest) -> LlmResponse | None:
        """None, so that the call goes on; raises as `ModelCalls.admit` does."""
        self._request_bytes[callback_context.invocation_id] = self.run.admit(llm_request)
        return None

    def after_model(self, callback_context: CallbackContext, llm_response: LlmResponse) -> LlmResponse | None:
        """None, with the reply made fit to be stored; raises what its fault means."""
        fault = reply_fault(llm_response, self.answer)
        self._stamp(callback_context.invocation_id, llm_response, fault.code if fault else "ok")
        if fault:
            raise fault
        _make_fit(llm_response)
        _drop_repeated_ids(callback_context, llm_response)
        return None

    def on_model_error(self, callback_context: CallbackContext, llm_request: LlmRequest, error: Exception) -> None:
        """Raises what a failed call means; an error about something else goes on as it is."""
        del llm_request
        fault = model_fault(error)
        self._stamp(callback_context.invocation_id, None, fault.code if fault else type(error).__name__)
        if fault and fault is not error:
            raise fault from error

    def _stamp(self, invocation_id: str, response: LlmResponse | None, outcome: str) -> None:
        self.run.stamp(self.asker, invocation_id, self._request_bytes.pop(invocation_id, 0), response, outcome)

    def on_tool_error(
        self, tool: BaseTool, args: dict[str, Any], tool_context: ToolContext, error: BaseException
    ) -> dict[str, Any] | None:
        """An error as a tool's answer, so that its siblings run on.

        A transient fault, or a store's (a full disk), is also raised before the next model call: the attempt ends, and
        the next one finds an answer that says to call again.
        """
        del args, tool_context
        if isinstance(error, asyncio.CancelledError):  # ADK reports it here too, for cleaning up only
            return None
        if isinstance(error, TransientError | OSError):
            self.run.broken = error
            code, words = (error.code, error.message) if isinstance(error, TransientError) else ("store", "Not stored.")
            return {"status": "error", "code": code, "error": words, "call_again": True}
        if isinstance(error, DealwrightError):
            return {"status": "error", "code": error.code, "error": error.message}
        log.error("tool_failed", tool=tool.name, error=type(error).__name__, at=_place(error))
        return {"status": "error", "code": "tool.failed", "error": f"{tool.name} failed for a reason of its own."}

    def after_tool(
        self, tool: BaseTool, args: dict[str, Any], tool_context: ToolContext, tool_response: object
    ) -> dict[str, Any] | None:
        """ADK's own refusals (an unknown tool, a missing argument) with a status like every other answer's."""
        del tool, args, tool_context
        said = cast("dict[str, Any]", tool_response) if isinstance(tool_response, dict) else {}
        if "error" in said and "status" not in said:
            return {"status": "error", "error": str(said["error"])}
        return None


def _make_fit(response: LlmResponse) -> None:
    """Makes a reply fit to be stored: it is stored, and read as an answer, before anything of ours looks at it.

    ADK takes text beside a call that waits for the final answer, and breaks the run over its form.
    """
    if response.content is None:
        return
    response.content.role = "model"
    if response.get_function_calls():
        response.content.parts = [part for part in parts_of(response) if part.function_call or part.thought]
    for part in parts_of(response):
        if part.text:
            part.text = state.storable(part.text)
        if part.function_call and part.function_call.args:
            part.function_call.args = state.storable(part.function_call.args)


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
