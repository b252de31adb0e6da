"""The presentation agent: what it is built of, how a session of it starts, and what its answer is worth."""

from __future__ import annotations

from collections.abc import Mapping

from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types
from pydantic import ValidationError

from agents import pause
from agents.build import Parts, llm_agent
from agents.model_calls import ModelCalls
from agents.presentation.toolset import EMPHASES, tools
from agents.prompts.load import Prompt
from schemas import state
from schemas.agent_answers import PresentationAnswer, PresentationRequest
from schemas.errors import OutputError

PROMPT_VALUES: Mapping[str, str] = {"emphases": " or ".join(EMPHASES)}


def build(model: BaseLlm, prompt: Prompt, run: ModelCalls) -> LlmAgent:
    """The agent, with hand-offs only; while any of its newest answers is pending it ends the turn without its model."""
    parts = Parts(
        stage="presentation",
        tools=tools(),
        request=PresentationRequest,
        answer=PresentationAnswer,
        output_key=state.PRESENTATION_ANSWER.name,
        before_model=(wait_for_answers,),
    )
    return llm_agent(parts, model, prompt, run)


def wait_for_answers(callback_context: CallbackContext, llm_request: LlmRequest) -> LlmResponse | None:
    """An empty reply while any of the newest answers is pending, else None.

    Empty, because that leaves no event and no trace in a later request; any, because an answer that came at once (a
    refused argument) must reach the model together with the ones that are still to come.
    """
    del callback_context
    for content in reversed(llm_request.contents):
        answers = [part.function_response for part in content.parts or [] if part.function_response]
        if answers:
            return LlmResponse() if any(map(pause.is_pending, answers)) else None
    return None


TOLD = ("deals", "kinds", "tables_in_all", "totals", "issues", "deals_with_warnings", "pins")


def start(request: PresentationRequest) -> tuple[types.Content, dict[str, object]]:
    """The first message of a session, and the state that the session is created with.

    The message holds of the summary what is bounded whatever the workbook: counts and totals, no list of tables.
    """
    told = {name: request.summary[name] for name in TOLD if name in request.summary}
    text = request.model_copy(update={"summary": told}).model_dump_json()
    message = types.Content(role="user", parts=[types.Part(text=text)])
    return message, state.initial({state.DEALS_REF: request.deals, state.DEALS_SUMMARY: request.summary})


def result(session: pause.SessionLike) -> PresentationAnswer:
    """The answer of a finished session; OutputError if there is none or its hashes are not the newest documents'.

    It opens no gate: delivery asks the ledger for an approval of exactly these hashes.
    """
    try:
        answer = PresentationAnswer.model_validate(pause.answer_in(session))
    except ValidationError as broken:
        raise OutputError("answer.form", "The presentation agent's answer does not have the agreed form.") from broken
    if answer.verdict == "approved":
        made = pause.standing(session.events).documents
        newest = tuple(made[kind].final_sha256 if kind in made else "" for kind in ("deck", "memo"))
        if newest != (answer.deck_sha256, answer.pdf_sha256):
            raise OutputError(
                "answer.documents", "The presentation agent approved documents that are not the newest ones."
            )
    return answer
