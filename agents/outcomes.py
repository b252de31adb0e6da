"""What a model's reply or fault means: nothing wrong, try the same again later, or we must act."""

from __future__ import annotations

import json
import re

from google.adk.models.llm_response import LlmResponse
from google.genai import errors
from pydantic import BaseModel, ValidationError

from schemas.errors import DealwrightError, OutputError, TransientError

AGAIN = frozenset(
    {
        "MALFORMED_FUNCTION_CALL",
        "UNEXPECTED_TOOL_CALL",
        "TOO_MANY_TOOL_CALLS",
        "OTHER",
        "FINISH_REASON_UNSPECIFIED",
        "BLOCKED_REASON_UNSPECIFIED",
        "CONTINUATION",
    }
)
"""Reasons that say nothing about the request: the same one may do better. All others but STOP are refusals."""
RETRIED_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
_FENCE = re.compile(r"\A\s*```\w*\s*(.*?)\s*```\s*\Z", re.DOTALL)


def reply_fault(response: LlmResponse, answer: type[BaseModel]) -> DealwrightError | None:
    """What is wrong with a complete reply, or None; `answer` is the schema that a reply in plain text must fit."""
    reason = _reason(response)
    if reason == "MAX_TOKENS":
        return OutputError(
            "model.cut_off", "The model's reply was cut off at its token limit; raise max_output_tokens."
        )
    if reason in AGAIN:
        return TransientError("model.malformed", f"The model's reply cannot be used ({reason}).")
    if reason not in ("", "STOP", "MODEL_RETURNED_NO_CONTENT"):
        return OutputError("model.blocked", f"The model refused to reply ({reason}).")
    if response.get_function_calls():
        return None
    text = "".join(part.text or "" for part in _parts(response) if not part.thought)
    if not text.strip():
        return TransientError("model.empty", "The model's reply was empty.")
    return (
        None
        if fits(text, answer)
        else TransientError("model.answer", "The model's answer does not have the agreed form.")
    )


def _reason(response: LlmResponse) -> str:
    found = response.error_code or response.finish_reason
    return str(getattr(found, "name", found) or "")


def _parts(response: LlmResponse):  # noqa: ANN202 the parts' type is spelled differently in each release of genai
    return (response.content.parts if response.content else None) or []


def fits(text: str, answer: type[BaseModel]) -> bool:
    """Whether `text` is a JSON object that fits `answer`, in a code fence or bare."""
    fenced = _FENCE.match(text)
    try:
        answer.model_validate(json.loads(fenced[1] if fenced else text))
    except (ValueError, ValidationError):
        return False
    return True


def model_fault(error: Exception) -> DealwrightError | None:
    """What a failed model call means, or None for an error that is not about reaching the model."""
    if isinstance(error, errors.APIError):
        if error.code in RETRIED_STATUS:
            words = f"The model cannot answer now (HTTP {error.code}); wait, or see its quota."
            return TransientError("model.unavailable", words)
        words = f"The model's service refused the request (HTTP {error.code}, {error.status}); {_mend(error)}."
        return OutputError("model.refused", words)
    unknown = isinstance(error, ValueError) and "api key" in str(error).lower()
    if unknown or type(error).__name__ == "DefaultCredentialsError":
        return OutputError("model.credentials", "No credentials for Gemini were found; set GOOGLE_API_KEY.")
    # The HTTP client's own errors are named by their module: agents do not import it.
    unreachable = isinstance(error, OSError) or type(error).__module__.partition(".")[0] in {
        "aiohttp",
        "httpcore",
        "httpx",
    }
    words = "The model's service cannot be reached; check the network, and GOOGLE_GEMINI_BASE_URL if it is set."
    return TransientError("model.unreachable", words) if unreachable else None


def _mend(error: errors.APIError) -> str:
    """What to do about a request that is refused each time; a bad key is a 400 to Gemini."""
    if error.code in (401, 403) or "api key" in str(error.message).lower():
        return "check GOOGLE_API_KEY and what it may use"
    return "check DEALWRIGHT_MODEL"
