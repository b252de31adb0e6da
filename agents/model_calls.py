"""The model calls of a run: what they may cost, and a stamp of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import structlog
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from agents.prompts.load import Prompt
from agents.requests import size_of, tokens_in
from schemas import ids
from schemas.agent_answers import ModelCallStamp, Stage
from schemas.errors import DealwrightError, OutputError

log = structlog.get_logger(__name__)
NO_TOOLS = ids.sha256_hex(b"[]")


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: an agent's stage, its prompt, the model's name, and the hash of the tools that the model is told of."""

    stage: Stage
    prompt: Prompt
    model: str
    tools_sha256: str = NO_TOOLS


@dataclass(slots=True)
class ModelCalls:
    """The model calls of one run: at most `max_calls`, and at most `max_tokens` over the job.

    `tokens_used` is what the job's earlier runs used; where a model counts none, request bytes ÷ 4 stand for them.
    `sink` is given each call's stamp. `broken` is a tool's transient fault, for the next call to raise.
    """

    sink: Callable[[ModelCallStamp], None] = lambda _: None
    max_calls: int = 25
    max_tokens: int = 200_000
    tokens_used: int = 0
    calls: int = 0
    broken: DealwrightError | OSError | None = None

    def admit(self, request: LlmRequest) -> int:
        """The bytes of a request that may be sent now; raises what a tool left broken, and OutputError over a cap."""
        if self.broken:
            raise self.broken
        request_bytes = size_of(request)
        if self.calls >= self.max_calls:
            raise OutputError("model.calls", f"The run made {self.calls} model calls and is not done.")
        if self.tokens_used + tokens_in(request_bytes) > self.max_tokens:
            raise OutputError("model.tokens", f"The job would use more than its {self.max_tokens} tokens.")
        self.calls += 1
        return request_bytes

    def stamp(
        self, asker: Asker, invocation_id: str, request_bytes: int, response: LlmResponse | None, outcome: str
    ) -> None:
        """Counts a call that was made, logs it in one line, and gives its stamp to the sink."""
        usage = response.usage_metadata if response else None
        stamp = ModelCallStamp(
            stage=asker.stage,
            invocation_id=invocation_id,
            prompt_id=asker.prompt.prompt_id,
            prompt_version=asker.prompt.version,
            prompt_sha256=asker.prompt.sha256,
            tools_sha256=asker.tools_sha256,
            model=(response.model_version if response else None) or asker.model,
            settings=dict(asker.prompt.settings),
            request_bytes=request_bytes,
            prompt_tokens=usage.prompt_token_count if usage else None,
            answer_tokens=_written(usage) if usage else None,
            outcome=outcome,
        )
        self.tokens_used += (stamp.prompt_tokens or tokens_in(request_bytes)) + (stamp.answer_tokens or 0)
        log.info("model_call", **stamp.model_dump())
        self.sink(stamp)


def _written(usage: types.GenerateContentResponseUsageMetadata) -> int | None:
    """The tokens that a model wrote: its thoughts are paid for like its answer."""
    counts = [count for count in (usage.candidates_token_count, usage.thoughts_token_count) if count is not None]
    return sum(counts) if counts else None
