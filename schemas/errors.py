"""Failures, in four families by who must act, each with a code that never changes its meaning."""

from __future__ import annotations


class DealwrightError(Exception):
    """A failure with a stable `code` and one sentence that a person can act on."""

    exit_code = 1

    def __init__(self, code: str, message: str, *, cells: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.cells = cells

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles whole, so that a child process can hand the error to its parent."""
        return _rebuild, (type(self), self.code, self.message, self.cells)


def _rebuild(kind: type[DealwrightError], code: str, message: str, cells: tuple[str, ...]) -> DealwrightError:
    return kind(code, message, cells=cells)


class TransientError(DealwrightError):
    """Nobody need act: the same attempt may succeed later (a model at its quota, a store that is down)."""


DEPENDENCY_DOWN = frozenset(
    {
        "database.down",
        "model.quota",
        "model.timeout",
        "model.unavailable",
        "model.unreachable",
        "model.unreadable",
        "store.unavailable",
        "transport.unavailable",
    }
)
"""Codes of TransientErrors that tell of a service that we need and nothing of the job: any other would meet the same.

Whoever counts failures to pause work while a service is down counts these.
"""


class InputError(DealwrightError):
    """The sender must act: the file cannot be used as it is, and trying again changes nothing."""

    exit_code = 2


class OutputError(DealwrightError):
    """We must act: something of ours made a result that fails its own checks."""


class ConflictError(DealwrightError):
    """Somebody was first: the state that the change expected is no longer there."""

    exit_code = 2
