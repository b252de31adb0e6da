"""Models behind LiteLLM; importing this raises ImportError where the extra `dealwright[litellm]` is not installed."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncGenerator
from functools import partial
from importlib import import_module
from typing import Any

from google.adk.models import lite_llm
from google.adk.models._capabilities import LlmCapabilities
from google.adk.models.base_llm import BaseLlm
from google.adk.models.lite_llm import LiteLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse

from agents.patience import Patience

LOGGERS = ("LiteLLM", "LiteLLM Proxy", "LiteLLM Router")


class LiteLlmModel(LiteLlm):
    """A model behind LiteLLM, giving its final answer through a tool whatever its provider can do."""

    patience: Patience = Patience()

    @property
    def capabilities(self) -> LlmCapabilities:
        """No native schema beside tools, so that one rule reads the answer from the events."""
        return LlmCapabilities(output_schema_and_tools=False)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """What the model says once it has said all; raises what its last failure means."""
        for response in await self.patience.ask(partial(super().generate_content_async, llm_request, stream)):
            yield response


def build(name: str, api_key: str | None, base_url: str | None, patience: Patience) -> BaseLlm:
    """The model that LiteLLM calls `name` (`<provider>/<model>`); its provider's own variables name key and address."""
    _load()
    # Its client's own tries would neither be counted nor wait as long as they are asked to.
    given: dict[str, Any] = {"model": name, "max_retries": 0, "api_key": api_key, "api_base": base_url}
    model = LiteLlmModel(**{key: value for key, value in given.items() if value is not None})
    model.patience = patience
    return model


def _load() -> None:
    """Loads LiteLLM as a guest: nothing fetched from the net, no `.env` read, nothing written to standard output."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # noqa: TID251 the only way to say so before it loads
    lite_llm._ensure_litellm_imported()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] ADK has no public way
    litellm: Any = import_module("litellm")
    litellm.suppress_debug_info = True
    for name in LOGGERS:
        logging.getLogger(name).handlers.clear()
