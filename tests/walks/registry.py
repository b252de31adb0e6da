"""Safeguards by name, with what takes each out of a process."""

from __future__ import annotations

from collections.abc import Callable, Iterable


class Removals:
    """What takes safeguards out, in the order in which it was entered."""

    def __init__(self) -> None:
        self.known: dict[str, Callable[[], None]] = {}

    def enter(self, take_out: Callable[[], None]) -> Callable[[], None]:
        """Enter a removal under its name."""
        self.known[take_out.__name__] = take_out
        return take_out

    def take_out(self, names: Iterable[str]) -> None:
        """Take the named safeguards out of this process."""
        for name in names:
            self.known[name]()
