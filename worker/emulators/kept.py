"""Processes that are started again when they end by themselves, as a service's instances are on Google."""

from __future__ import annotations

from collections.abc import Callable

from schemas.errors import TransientError
from worker.emulators.leashed import Leashed

MOST_STARTS, WITHIN_S = 3, 60.0
"""How often one is started again within that time: what ends at once each time would go on for ever."""


class Kept:
    """A process that `make` starts, by what people call it."""

    def __init__(self, name: str, make: Callable[[], Leashed]) -> None:
        self.process = make()
        self._name, self._make = name, make
        self._starts: list[float] = []

    def look(self, now_s: float) -> str:
        """A sentence if it had ended and is started again, else nothing.

        Raises TransientError `process.ended`, which names its log, if that was done MOST_STARTS times already.
        """
        if self.process.ended() is None:
            return ""
        self.process.release()
        self._starts = [at for at in self._starts if now_s - at < WITHIN_S]
        how, log = self.process.end(), self.process.log
        if len(self._starts) == MOST_STARTS:
            often = f"{self._name} ended {MOST_STARTS + 1} times within {WITHIN_S:.0f} s, at last {how}"
            raise TransientError("process.ended", f"{often}; its log says why: {log}")
        self._starts.append(now_s)
        self.process = self._make()
        return f"{self._name} ended {how} and is started again; its log: {log}"
