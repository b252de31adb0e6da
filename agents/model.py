"""The model that answers for the agents: a Gemini model, or the offline planner."""

from __future__ import annotations

from google.adk.models._capabilities import LlmCapabilities
from google.adk.models.base_llm import BaseLlm
from google.adk.models.google_llm import Gemini
from google.genai import types

from agents.extraction import plan as extraction
from agents.outcomes import RETRIED_STATUS
from agents.planner import OfflinePlanner
from agents.presentation import plan as presentation
from schemas.errors import InputError

OFFLINE = "offline"


class GeminiModel(Gemini):
    """Gemini, giving its final answer through a tool on every backend, so that one rule reads it from the events."""

    @property
    def capabilities(self) -> LlmCapabilities:
        """No native schema beside tools, whatever the backend can do."""
        return LlmCapabilities(output_schema_and_tools=False)


def build_model(
    name: str,
    *,
    api_key: str | None = None,
    base_url: str | None = None,
    attempts: int = 5,
    initial_delay_s: float = 1.0,
) -> BaseLlm:
    """The model called `name`: `offline`, or a Gemini model's name or path.

    Gemini is asked up to `attempts` times while it is at its quota or down, `initial_delay_s` apart at first and up to
    a minute later. Without `api_key` its client finds credentials by itself. Raises InputError for any other name.
    """
    if name == OFFLINE:
        return OfflinePlanner(plans={"extract_deals": extraction.decide, "request_approval": presentation.decide})
    if not (name.startswith("gemini-") or "/" in name):
        raise InputError(
            "setting.model",
            f"DEALWRIGHT_MODEL is {name!r}; give offline or the name of a Gemini model, such as gemini-2.5-flash.",
        )
    retry = types.HttpRetryOptions(
        attempts=attempts,
        initial_delay=initial_delay_s,
        jitter=initial_delay_s,
        max_delay=60.0,
        http_status_codes=sorted(RETRIED_STATUS),
    )
    return GeminiModel(
        model=name, base_url=base_url, retry_options=retry, client_kwargs={"api_key": api_key} if api_key else None
    )
