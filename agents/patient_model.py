"""What our models have in common, whoever answers: they give their answer one way, and are asked with patience."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from functools import partial

from google.adk.models._capabilities import LlmCapabilities
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse

from agents.patience import Patience


class PatientModel(BaseLlm):
    """To be named before one of ADK's models among a class's bases, whose calls it then makes."""

    patience: Patience = Patience()

    @property
    def capabilities(self) -> LlmCapabilities:
        """No native schema beside tools, whatever model or backend can do, so that one rule reads the answer."""
        return LlmCapabilities(output_schema_and_tools=False)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """What the model says once it has said all; raises what its last failure means."""
        for response in await self.patience.ask(partial(super().generate_content_async, llm_request, stream)):
            yield response
