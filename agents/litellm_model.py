"""Models behind LiteLLM; importing this raises ImportError where the extra `dealwright[litellm]` is not installed."""

from __future__ import annotations

import logging
import os
from importlib import import_module
from typing import Any

from google.adk.models import lite_llm
from google.adk.models.base_llm import BaseLlm
from google.adk.models.lite_llm import LiteLlm

from agents.patience import Patience
from agents.patient_model import PatientModel

LOGGERS = ("LiteLLM", "LiteLLM Proxy", "LiteLLM Router")


class LiteLlmModel(PatientModel, LiteLlm):
    """A model behind LiteLLM."""


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
