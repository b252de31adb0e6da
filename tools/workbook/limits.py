"""What a file may cost before it is refused."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest file that is opened, and what its reading in a child process may take at most.

    `ratio` is inflated to packed bytes, looked at above `ratio_floor_bytes`.
    """

    file_bytes: int = 100_000_000
    inflated_bytes: int = 2_000_000_000
    ratio: int = 200
    ratio_floor_bytes: int = 50_000_000
    entries: int = 5_000
    cells: int = 25_000_000
    sheets: int = 500
    memory_bytes: int = 2_000_000_000
    timeout_s: float = 300.0


DEFAULT_LIMITS = Limits()
