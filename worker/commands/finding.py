"""What `doctor` finds out about one thing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: whether it is well, what was found, and what to do if it isn't.

    `unseen` says that it could not be looked at, and `do` then how somebody else can.
    """

    name: str
    ok: bool
    found: str
    do: str = ""
    unseen: bool = False

    def line(self) -> str:
        """The finding for people."""
        mark = "?  " if self.unseen else "ok " if self.ok else "FIX"
        return f"{mark}  {self.name:<13} {self.found}" + (f" -> {self.do}" if self.do else "")


def unseen(name: str, found: str, do: str) -> Finding:
    """A finding about what could not be looked at."""
    return Finding(name, True, found, do, unseen=True)
