"""What each failure means."""

from __future__ import annotations

import pytest
from google.adk.agents.invocation_context import LlmCallsLimitExceededError
from google.adk.errors._stale_session_error import StaleSessionError
from pydantic import TypeAdapter, ValidationError

from schemas.errors import ConflictError, InputError, OutputError, TransientError
from schemas.outcome import Busy, Done, Ignored, Quarantined, Retry, verdict_of
from worker.policy import fault_of


@pytest.mark.parametrize(
    ("error", "code", "act"),
    [
        (InputError("file.empty", "Empty."), "file.empty", "aside"),
        (TransientError("model.unavailable", "Later."), "model.unavailable", "retry"),
        (OutputError("answer.form", "Bad."), "answer.form", "fresh"),
        (OutputError("delivery.unapproved", "No."), "delivery.unapproved", "aside"),
        (OutputError("model.credentials", "None."), "model.credentials", "aside"),
        (OutputError("model.refused", "Refused."), "model.refused", "aside"),
        (OutputError("model.prompt_blocked", "Blocked."), "model.prompt_blocked", "aside"),
        (OutputError("model.blocked", "Refused to reply."), "model.blocked", "fresh"),
        (ConflictError("lease.lost", "Lost."), "lease.lost", "yield"),
        (StaleSessionError("stale"), "session.stale", "retry"),
        (LlmCallsLimitExceededError("too many"), "model.calls", "fresh"),
        (RuntimeError("Comps!G6 is 42"), "fault", "retry"),
    ],
)
def test_each_family_of_failures_has_its_act(error: Exception, code: str, act: str) -> None:
    """Who must act decides what becomes of the attempt."""
    fault = fault_of(error)
    assert (fault.code, fault.act) == (code, act)


def test_an_answer_of_the_wrong_form_is_tried_in_a_fresh_session() -> None:
    """ADK lets pydantic's error out of a run."""
    with pytest.raises(ValidationError) as broken:
        TypeAdapter(int).validate_python("x")
    assert (fault_of(broken.value).code, fault_of(broken.value).act) == ("answer.form", "fresh")


def test_what_nobody_foresaw_is_told_without_its_words() -> None:
    """They may quote a cell."""
    assert "42" not in fault_of(RuntimeError("Comps!G6 is 42")).message


def test_only_a_retry_is_worth_another_delivery() -> None:
    """Everything else is settled, busy jobs included."""
    settled = [Done(), Busy(), Ignored("x"), Quarantined("x")]
    assert [verdict_of(outcome) for outcome in settled] == ["ack"] * 4
    assert verdict_of(Retry("x")) == "nack"
