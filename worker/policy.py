"""What a failure means: who must act, and so what becomes of the attempt. Nobody else decides this."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import ValidationError

from schemas.errors import ConflictError, DealwrightError, InputError, OutputError
from schemas.job import Reason

Act = Literal["retry", "fresh", "aside", "yield"]
"""Try the same again; try again in a fresh session; set the job aside at once; leave it to whoever was first."""

AT_ONCE = frozenset(
    {
        "artifact.changed",
        "artifact.missing",
        "delivery.changed",
        "delivery.unapproved",
        "model.credentials",
        "model.prompt_blocked",
        "model.refused",
        "model.tokens",
        "stage.turns",
    }
)
"""Codes of failures of ours that another attempt cannot mend."""

_BY_NAME: dict[str, tuple[str, str, Act]] = {
    "StaleSessionError": ("session.stale", "Another worker wrote to the same session.", "retry"),
    "LlmCallsLimitExceededError": ("model.calls", "The agent made more model calls than a run may.", "fresh"),
}
"""ADK's errors by class name: importing their classes would load ADK where nothing else needs it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure as the ledger keeps it, and what is to be done about it."""

    code: str
    message: str
    act: Act
    cells: tuple[str, ...] = ()

    @property
    def reason(self) -> Reason:
        """Why a job was set aside."""
        return Reason(code=self.code, message=self.message, cells=self.cells)


def fault_of(error: Exception) -> Fault:
    """The fault that an exception is; one that nobody foresaw is worth another attempt: it may be the surroundings."""
    if isinstance(error, DealwrightError):
        return Fault(error.code, error.message, _act(error), error.cells)
    for kind in type(error).__mro__:
        if kind.__name__ in _BY_NAME:
            return Fault(*_BY_NAME[kind.__name__])
    if isinstance(error, ValidationError):
        return Fault("answer.form", "The agent's answer does not have the agreed form.", "fresh")
    return Fault(
        "fault", f"Something in dealwright itself failed ({type(error).__name__}); the log says where.", "retry"
    )


def _act(error: DealwrightError) -> Act:
    if isinstance(error, InputError) or error.code in AT_ONCE:
        return "aside"
    if isinstance(error, ConflictError):
        return "yield"
    return "fresh" if isinstance(error, OutputError) else "retry"
