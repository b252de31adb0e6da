"""The model that answers for the agents: a Gemini model, any model behind LiteLLM, or the offline planner."""

from __future__ import annotations

from google.adk.models.base_llm import BaseLlm
from google.adk.models.google_llm import Gemini

from agents.extraction import plan as extraction
from agents.patience import Patience
from agents.patient_model import PatientModel
from agents.planner import OfflinePlanner
from agents.presentation import plan as presentation
from schemas.errors import InputError

OFFLINE = "offline"
LITELLM = "litellm/"


class GeminiModel(PatientModel, Gemini):
    """Gemini, on any of its backends."""


def build_model(
    name: str, *, api_key: str | None = None, base_url: str | None = None, patience: Patience | None = None
) -> BaseLlm:
    """The model called `name`: `offline`, `litellm/<provider>/<model>`, or a Gemini model's name or path.

    Without `api_key` a model's client finds credentials by itself. Raises InputError for any other name, and for a
    LiteLLM model where LiteLLM is not installed.
    """
    patience = patience or Patience()
    if name == OFFLINE:
        return OfflinePlanner(plans={"extract_deals": extraction.decide, "request_approval": presentation.decide})
    if name.startswith(LITELLM) and name != LITELLM:
        return _litellm_model(name.removeprefix(LITELLM), api_key, base_url, patience)
    if name == LITELLM or not (name.startswith("gemini-") or "/" in name):
        raise InputError(
            "setting.model",
            f"DEALWRIGHT_MODEL is {name!r}; give offline, the name of a Gemini model, such as gemini-2.5-flash,"
            " or litellm/<provider>/<model>.",
        )
    key = {"api_key": api_key} if api_key else None
    return GeminiModel(model=name, base_url=base_url, patience=patience, client_kwargs=key)


def _litellm_model(name: str, api_key: str | None, base_url: str | None, patience: Patience) -> BaseLlm:
    try:
        from agents.litellm_model import build
    except ImportError as missing:
        raise InputError(
            "setting.model",
            f"DEALWRIGHT_MODEL is {LITELLM + name!r}, and LiteLLM is not installed;"
            " run: python -m pip install 'dealwright[litellm]'",
        ) from missing
    return build(name, api_key, base_url, patience)
