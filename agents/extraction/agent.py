"""The extraction agent: what it is built of, how a session of it starts, and what its answer is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.llm_agent import LlmAgent
from google.adk.events.event import Event
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types
from pydantic import ValidationError

from agents import pause
from agents.build import Parts, llm_agent
from agents.extraction.toolset import Toolset
from agents.model_calls import ModelCalls
from agents.prompts.load import Prompt
from agents.uploads import upload_key
from schemas import ids, state
from schemas.agent_answers import DealsRef, ExtractionAnswer, ExtractionRequest, ExtractionTurn
from schemas.errors import InputError, OutputError
from schemas.state import UploadRef
from tools.workbook.limits import Limits

PROMPT_VALUES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    """What a finished session came to: the deals by reference, their summary, and the agent's own words."""

    deals: DealsRef
    summary: dict[str, Any]
    answer: ExtractionAnswer


def build(model: BaseLlm, prompt: Prompt, run: ModelCalls, limits: Limits) -> LlmAgent:
    """The agent; workbooks are opened within `limits`."""
    parts = Parts(
        stage="extraction",
        tools=Toolset(limits).tools(),
        request=ExtractionTurn,
        answer=ExtractionAnswer,
        output_key=state.EXTRACTION_ANSWER.name,
        before_model=(fold_inspections,),
    )
    return llm_agent(parts, model, prompt, run)


FOLDED = {"status": "ok", "shown": "before; call inspect_workbook to see it again"}


def fold_inspections(callback_context: CallbackContext, llm_request: LlmRequest) -> LlmResponse | None:
    """None; what an inspection showed is left out of the request once it was acted on without a refusal.

    It is the longest answer by far, and would be paid for again with every later call.
    """
    del callback_context
    contents = llm_request.contents
    answered = [at for at, content in enumerate(contents) if _answers(content)]
    if not answered or any(
        (answer.response or {}).get("status") == "error" for answer in _answers(contents[answered[-1]])
    ):
        return None
    for at in answered[:-1]:
        if any(answer.name == "inspect_workbook" for answer in _answers(contents[at])):
            contents[at] = types.Content(role="user", parts=[_folded(part) for part in contents[at].parts or []])
    return None


def _answers(content: types.Content) -> list[types.FunctionResponse]:
    return [part.function_response for part in content.parts or [] if part.function_response]


def _folded(part: types.Part) -> types.Part:
    answer = part.function_response
    if answer is None or answer.name != "inspect_workbook":
        return part
    return types.Part(function_response=types.FunctionResponse(id=answer.id, name=answer.name, response=FOLDED))


def start(request: ExtractionRequest) -> tuple[types.Content, dict[str, object]]:
    """The first message of a session, and the state that the session is created with.

    The message names the file, in allow-listed characters; the artifact's name is for code, its bytes for tools.
    """
    upload = UploadRef(artifact=request.artifact, version=request.version, filename=ids.safe_name(request.filename))
    message = turn(ExtractionTurn(filename=upload.filename, version=upload.version))
    return message, state.initial({upload_key(request.artifact): upload})


def turn(told: ExtractionTurn) -> types.Content:
    """A message to the agent; ADK refuses one that does not have the form of its request."""
    return types.Content(role="user", parts=[types.Part(text=told.model_dump_json(exclude_defaults=True))])


class FinishedSession(pause.SessionLike, Protocol):
    """What is read of a finished session: events and state."""

    events: list[Event]
    state: dict[str, Any]


def result(session: FinishedSession) -> ExtractionResult:
    """What the session came to, taken from what code stored there.

    Raises InputError if the workbook was refused, OutputError if there are no deals for another reason or the answer
    does not have the agreed form.
    """
    refused, deals = state.read(session.state, state.REFUSED), state.read(session.state, state.DEALS_REF)
    if refused and deals is None:
        raise InputError(refused.code, refused.message, cells=refused.cells)
    try:
        answer = ExtractionAnswer.model_validate(pause.answer_in(session))
    except ValidationError as broken:
        raise OutputError("answer.form", "The extraction agent's answer does not have the agreed form.") from broken
    if deals is None or answer.status != "extracted":
        raise OutputError("answer.failed", f"The extraction agent gave up: {answer.reason or 'no reason given'}")
    return ExtractionResult(deals, state.read(session.state, state.DEALS_SUMMARY) or {}, answer)
