"""How long a model is waited for, and how often it is asked again within one attempt."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from itertools import count

import structlog
from google.adk.models.llm_response import LlmResponse

from agents.model_faults import asked_wait_s, model_fault

log = structlog.get_logger(__name__)
ASKED_AGAIN = frozenset({"model.quota", "model.unavailable", "model.unreachable"})
"""Faults that may pass while one waits. A model that was silent for all its time has had its wait."""
LONGEST_WAIT_S = 60.0
Ask = Callable[[], AsyncGenerator[LlmResponse, None]]


@dataclass(frozen=True, slots=True)
class Patience:
    """At most `attempts` tries of `timeout_s` each, `initial_delay_s` apart at first and twice as long each time."""

    attempts: int = 5
    initial_delay_s: float = 1.0
    timeout_s: float = 180.0

    async def ask(self, ask: Ask) -> list[LlmResponse]:
        """What a model says, whole; raises what its last failure means.

        The client's own tries are not used: they neither end in time nor wait as long as the service asks.
        """
        for tries in count(1):
            try:
                async with asyncio.timeout(self.timeout_s):
                    return [response async for response in ask()]
            except Exception as error:
                fault = model_fault(error)
                if fault is None:
                    raise
                asked_s = asked_wait_s(error) or 0.0
                if fault.code not in ASKED_AGAIN or tries >= self.attempts or asked_s > LONGEST_WAIT_S:
                    raise fault from error
            wait_s = self.wait_s(tries, asked_s)
            log.info("model_asked_again", code=fault.code, tries=tries, wait_s=round(wait_s, 3))
            await asyncio.sleep(wait_s)
        raise AssertionError("counting never ends")

    def wait_s(self, tries: int, asked_s: float) -> float:
        """Seconds until the next try: never less than the service asks, and never the same for all who were refused."""
        backoff_s = min(self.initial_delay_s * 2 ** (tries - 1), LONGEST_WAIT_S)
        spread_s = random.uniform(0.0, backoff_s)  # noqa: S311 it spreads load and keeps no secret
        return max(backoff_s, asked_s) + spread_s
