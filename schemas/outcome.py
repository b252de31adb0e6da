"""Outcomes: what the handling of a delivery ended as, and what that says to whoever delivered it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from schemas.errors import DealwrightError

Verdict = Literal["ack", "nack"]


@dataclass(frozen=True, slots=True)
class Done:
    """The work was done, or there was none left to do; `what` says which, for logs."""

    what: str = "done"


@dataclass(frozen=True, slots=True)
class Busy:
    """Another holder works on it and has been told that there is more; it, or the sweep, sends the next message."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """The message asks for nothing; `why` is kept with the delivery."""

    why: str


@dataclass(frozen=True, slots=True)
class Retry:
    """It failed and may succeed later; whoever delivers keeps the clock."""

    code: str


@dataclass(frozen=True, slots=True)
class Quarantined:
    """The job was set aside with a reason and a way back."""

    code: str


@dataclass(frozen=True, slots=True)
class Halted:
    """Nothing can be done here until somebody acts, on a full disk say; it is no failure of the job and not counted."""

    error: DealwrightError


Outcome = Done | Busy | Ignored | Retry | Quarantined | Halted


def verdict_of(outcome: Outcome) -> Verdict:
    """What to tell whoever delivered: only a failure that may pass is worth another delivery."""
    return "nack" if isinstance(outcome, Retry | Halted) else "ack"
