"""How an agent is put together; the same for every agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.llm_agent import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.tools.base_tool import BaseTool
from google.genai import types
from pydantic import BaseModel

from agents.callbacks import Callbacks
from agents.model_calls import Asker, ModelCalls
from agents.prompts.load import Prompt
from schemas import ids
from schemas.agent_answers import Stage

BeforeModel = Callable[[CallbackContext, LlmRequest], LlmResponse | None]


@dataclass(frozen=True, slots=True)
class Parts:
    """What is an agent's own: tools, the forms of its request and answer, callbacks ahead of the common ones."""

    stage: Stage
    tools: tuple[BaseTool, ...]
    request: type[BaseModel]
    answer: type[BaseModel]
    output_key: str
    before_model: tuple[BeforeModel, ...] = ()


def llm_agent(parts: Parts, model: BaseLlm, prompt: Prompt, run: ModelCalls) -> LlmAgent:
    """An agent that answers in `parts.answer`'s form, transfers to nobody, and stamps each model call on `run`."""
    asker = Asker(parts.stage, prompt, model.model, tools_sha256(parts.tools))
    around = Callbacks(asker, parts.answer, run)
    return LlmAgent(
        name=parts.stage,
        model=model,
        instruction=prompt.text,
        tools=list(parts.tools),
        input_schema=parts.request,
        output_schema=parts.answer,
        output_key=parts.output_key,
        disallow_transfer_to_parent=True,
        disallow_transfer_to_peers=True,
        generate_content_config=types.GenerateContentConfig.model_validate(dict(prompt.settings)),
        before_model_callback=[*parts.before_model, around.before_model],
        after_model_callback=around.after_model,
        on_model_error_callback=around.on_model_error,
        after_tool_callback=around.after_tool,
        on_tool_error_callback=around.on_tool_error,
    )


def declarations(tools: Sequence[BaseTool]) -> list[dict[str, Any]]:
    """What a model is told of each tool: name, description and the schema of its arguments."""
    found = [tool._get_declaration() for tool in tools]  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] ADK has no public way
    return [declared.model_dump(mode="json", exclude_none=True) for declared in found if declared]


@cache
def tools_sha256(tools: tuple[BaseTool, ...]) -> str:
    """The hash of all that a model is told of its tools: their docstrings are prompt text too."""
    return ids.sha256_hex(repr(sorted("".join(map(repr, declarations([tool]))) for tool in tools)).encode())
