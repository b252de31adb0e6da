"""What a model's reply means: nothing wrong, or a fault with a code that says what becomes of the attempt.

| what comes back | code | what becomes of it |
|---|---|---|
| HTTP 429 | `model.quota` | asked again in the same attempt, as late as the service asks; then the next attempt |
| HTTP 408, 425, 500, 502, 503, 504 | `model.unavailable` | asked again in the same attempt; then the next attempt |
| refused or reset connection, unknown host, half a body | `model.unreachable` | as `model.unavailable` |
| no whole reply within the time | `model.timeout` | next attempt |
| a body that is no reply at all (a proxy's page) | `model.unreadable` | next attempt |
| HTTP 401, 403, a key that is none, no key | `model.credentials` | set aside at once |
| HTTP 400 (a schema refused, too long), 404, other 4xx | `model.refused` | set aside at once |
| the prompt blocked | `model.prompt_blocked` | set aside at once |
| SAFETY, RECITATION and other refusals to reply | `model.blocked` | next attempt, in a fresh session |
| MAX_TOKENS, in text or in a call | `model.cut_off` | next attempt, in a fresh session |
| a reply, or a number of calls, beyond all bounds | `model.too_long` | next attempt, in a fresh session |
| more calls than a run may make | `model.calls` | next attempt, in a fresh session |
| more tokens than a job may use | `model.tokens` | set aside at once |
| MALFORMED_FUNCTION_CALL, UNEXPECTED_TOOL_CALL, OTHER | `model.malformed` | next attempt |
| a call without a name that can be sent back | `model.malformed` | next attempt |
| no candidates, no parts, thoughts alone | `model.empty` | next attempt |
| prose, or JSON that breaks the answer's form, in place of a call | `model.answer` | next attempt |

Nothing of such a reply is stored and none of its calls is made. The next attempt asks the same session anew, from the
last event that was stored. What is no fault stays within the run: an unknown tool, a wrong or missing argument, or an
answer whose arguments break its form is answered with an error that the model may mend; call ids that were used before
are replaced; text beside calls is dropped; two calls for the same document share one ticket.
"""

from __future__ import annotations

import json
import re

from google.adk.models.llm_response import LlmResponse
from google.genai import types
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
CUT_OFF = "model.cut_off"
"""A reply that its limit ended: no answer and no call, and still the beginning of a summary."""
REPLY_CHARS = 262_144
"""The most that a reply may hold, in texts and arguments; a model that keeps to its own limit stays far below."""
REPLY_CALLS = 200
_FENCE = re.compile(r"\A\s*```\w*\s*(.*?)\s*```\s*\Z", re.DOTALL)
_TOOL_NAME = re.compile(r"[A-Za-z_][\w.:-]{0,127}", re.ASCII)
"""What Gemini takes as a tool's name; a call of another name could not be sent back with its answer."""


def reply_fault(response: LlmResponse, answer: type[BaseModel]) -> DealwrightError | None:
    """What is wrong with a complete reply, or None; `answer` is the schema that a reply in plain text must fit."""
    return refusal(response) or _excess(response) or _unusable(response, answer)


def refusal(response: LlmResponse) -> DealwrightError | None:
    """What the reason that a reply ended for means; None if it ended as it should."""
    reason = _reason(response)
    if reason == "MAX_TOKENS":
        return OutputError(CUT_OFF, "The model's reply was cut off at its token limit; raise max_output_tokens.")
    if reason in AGAIN:
        return TransientError("model.malformed", f"The model's reply cannot be used ({reason}).")
    if reason in ("", "STOP", "MODEL_RETURNED_NO_CONTENT"):
        return None
    if response.finish_reason is None:
        return OutputError("model.prompt_blocked", f"The model's service blocked what it was asked ({reason}).")
    return OutputError("model.blocked", f"The model refused to reply ({reason}).")


def _reason(response: LlmResponse) -> str:
    found = response.error_code or response.finish_reason
    return str(getattr(found, "name", found) or "")


def _excess(response: LlmResponse) -> DealwrightError | None:
    """Whether there is more in a reply than a session should ever hold."""
    calls = response.get_function_calls()
    chars = sum(len(part.text or "") for part in parts_of(response)) + sum(len(repr(call.args)) for call in calls)
    if chars <= REPLY_CHARS and len(calls) <= REPLY_CALLS:
        return None
    return OutputError("model.too_long", f"The model's reply is too long ({chars} characters, {len(calls)} calls).")


def _unusable(response: LlmResponse, answer: type[BaseModel]) -> DealwrightError | None:
    if calls := response.get_function_calls():
        nameless = not all(_TOOL_NAME.fullmatch(call.name or "") for call in calls)
        return TransientError("model.malformed", "The model called a tool without a name.") if nameless else None
    text = "".join(part.text or "" for part in parts_of(response) if not part.thought)
    if not text.strip():
        return TransientError("model.empty", "The model's reply was empty.")
    if fits(text, answer):
        return None
    return TransientError("model.answer", "The model's answer does not have the agreed form.")


def parts_of(response: LlmResponse) -> list[types.Part]:
    """The parts of a reply; none if it has no content."""
    return (response.content.parts if response.content else None) or []


def fits(text: str, answer: type[BaseModel]) -> bool:
    """Whether `text` is a JSON object that fits `answer`, in a code fence or bare."""
    fenced = _FENCE.match(text)
    try:
        answer.model_validate(json.loads(fenced[1] if fenced else text))
    except (ValueError, ValidationError, RecursionError):
        return False
    return True
