"""A model that plays given turns first and then decides like the offline planner; for turns that rules never take."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types
from pydantic import Field

from agents.extraction import plan as extraction
from agents.planner import OfflinePlanner
from agents.presentation import plan as presentation

Turn = list[tuple[str, dict[str, Any]]]


class Scripted(OfflinePlanner):
    """Turn number n of a session is `script[n]` while there is one; which turn it is follows from the contents."""

    model: str = "scripted"
    plans: dict[str, Any] = Field(default={"extract_deals": extraction.decide, "request_approval": presentation.decide})
    script: list[Turn]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """The scripted turn, or the planner's."""
        turn = sum(content.role == "model" for content in llm_request.contents)
        if turn >= len(self.script):
            async for response in super().generate_content_async(llm_request, stream):
                yield response
            return
        calls = [types.FunctionCall(name=name, args=args) for name, args in self.script[turn]]
        parts = [types.Part(function_call=call) for call in calls]
        yield LlmResponse(content=types.Content(role="model", parts=parts), finish_reason=types.FinishReason.STOP)
