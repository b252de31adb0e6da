"""What a model call that failed means; `outcomes` has the table of all faults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from google.genai import errors
from pydantic import ValidationError

from schemas.errors import DealwrightError, OutputError, TransientError

DOWN_STATUS = frozenset({408, 425, 500, 502, 503, 504})
QUOTA_STATUS = 429
_CLIENTS = frozenset({"aiohttp", "httpcore", "httpx"})
"""The modules of HTTP clients: their errors are known by these, since agents do not import them."""
_SECONDS = re.compile(r"\s*(\d+(?:\.\d+)?)\s*s?\s*", re.ASCII)
_UNREACHABLE = "The model's service cannot be reached; check the network, and GOOGLE_GEMINI_BASE_URL if it is set."
_NO_KEY = "No credentials for the model were found; set GOOGLE_API_KEY, or the key that its provider names."


def model_fault(error: Exception) -> DealwrightError | None:
    """What a failed model call means, or None for an error that is not about reaching the model."""
    if isinstance(error, DealwrightError):
        return error
    status = _status(error)
    if status is not None:
        return _of_status(status, error)
    return _of_kind(error)


def _status(error: Exception) -> int | None:
    """The HTTP status that an error tells of: Gemini's client's, or LiteLLM's, which follows OpenAI's."""
    if isinstance(error, errors.APIError):
        return error.code
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) and {"litellm", "openai"} & set(_modules(error)) else None


def _of_status(status: int, error: Exception) -> DealwrightError:
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if kinds & {"Timeout", "APITimeoutError"}:
        return _timeout()
    if "APIConnectionError" in kinds:
        return TransientError("model.unreachable", _UNREACHABLE)
    if status == QUOTA_STATUS:
        return TransientError("model.quota", "The model is at its quota (HTTP 429); wait, or see its quota.")
    if status in DOWN_STATUS:
        return TransientError("model.unavailable", f"The model cannot answer now (HTTP {status}); wait.")
    told = f"HTTP {status}, {getattr(error, 'status', None) or type(error).__name__}"
    if "ContentPolicyViolationError" in kinds:
        return OutputError("model.prompt_blocked", f"The model's service blocked what it was asked ({told}).")
    # A bad key is a 400 to Gemini.
    if status in (401, 403) or "api key" in str(error).lower():
        words = "check its key (GOOGLE_API_KEY for Gemini) and what it may use"
        return OutputError("model.credentials", f"The model's service refused the credentials ({told}); {words}.")
    return OutputError("model.refused", f"The model's service refused the request ({told}); check DEALWRIGHT_MODEL.")


def _of_kind(error: Exception) -> DealwrightError | None:
    """What an error that tells of no HTTP status means."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if isinstance(error, TimeoutError) or kinds & {"TimeoutException", "ServerTimeoutError"}:
        return _timeout()
    if kinds & {"DefaultCredentialsError", "RefreshError"} or (
        isinstance(error, ValueError) and "api key" in str(error).lower()
    ):
        return OutputError("model.credentials", _NO_KEY)
    if isinstance(error, OSError) or _CLIENTS & set(_modules(error)) or "TransportError" in kinds:
        return TransientError("model.unreachable", _UNREACHABLE)
    if isinstance(error, (errors.UnknownApiResponseError, ValidationError)) or "JSONDecodeError" in kinds:
        words = "What answers in the model's place cannot be read; check GOOGLE_GEMINI_BASE_URL if it is set."
        return TransientError("model.unreadable", words)
    return None


def _timeout() -> TransientError:
    return TransientError("model.timeout", "The model did not answer in time.")


def _modules(error: Exception) -> Iterator[str]:
    return (kind.__module__.partition(".")[0] for kind in type(error).__mro__)


def asked_wait_s(error: Exception) -> float | None:
    """The seconds that a service asks to be left alone for, in its Retry-After or RetryInfo; None if it names none."""
    answered = getattr(getattr(error, "response", None), "headers", None)
    # LiteLLM replaces the response by one of its own making, and keeps the headers apart.
    headers = cast("Mapping[str, str]", getattr(error, "litellm_response_headers", None) or answered or {})
    named = [str(headers.get("retry-after") or ""), *_retry_delays(getattr(error, "details", None))]
    found = [float(match[1]) for match in map(_SECONDS.fullmatch, named) if match]
    return max(found, default=None)


def _retry_delays(body: object) -> Iterator[str]:
    """The delays of the RetryInfo entries in an error's body, such as `12.5s`."""
    told = cast("Mapping[str, Any]", body).get("error") if isinstance(body, Mapping) else None
    listed: object = cast("Mapping[str, Any]", told).get("details") if isinstance(told, Mapping) else None
    for entry in cast("list[object]", listed) if isinstance(listed, list) else ():
        if isinstance(entry, Mapping):
            yield str(cast("Mapping[str, Any]", entry).get("retryDelay") or "")
