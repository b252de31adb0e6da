"""Posts results to one address, signed; the answer's status is all that is looked at."""

from __future__ import annotations

import asyncio
import re
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property

from schemas.webhooks import key_of, signed_headers
from worker.adapters.clock import Clock

TIME_LIMIT_S = 10.0
"""For all of a post, from looking the name up to the answer's status line."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How a post ended: the status that came back, or the name of the error for which none did."""

    status: int | None
    error: str | None
    duration_ms: int
    retry_after_s: float = 0
    """How long the listener asks to be left alone, by `Retry-After`; 0 if it doesn't, or not as HTTP has it."""


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float:
    """The seconds from `now` that `retry-after` asks for, as a number or a date; 0 if there is nothing to read."""
    told = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", told):
        return float(told)
    try:
        until = parsedate_to_datetime(told)
    except (ValueError, OverflowError):
        return 0.0
    zoned = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (zoned - now).total_seconds())


class WebhookSender:
    """Posts to `url`, signing with the key of `secret`."""

    def __init__(self, url: str, secret: str, clock: Clock, *, time_limit_s: float = TIME_LIMIT_S) -> None:
        self._url = url
        self._key = key_of(secret)
        self._clock = clock
        self._time_limit_s = time_limit_s

    async def post(self, message_id: str, body: bytes) -> Answer:
        """The answer; whatever goes wrong is one. Redirects are answers too, and what follows the head is not read."""
        began = time.perf_counter()
        status, error, asked_s = None, None, 0.0
        try:
            async with asyncio.timeout(self._time_limit_s):
                status, headers = await self._head(message_id, body)
                asked_s = retry_after_s(headers, self._clock())
        except Exception as failed:  # noqa: BLE001 whatever hinders a post, from the name's look-up to the other's HTTP, is kept by name
            error = type(failed).__name__
        return Answer(status, error, round((time.perf_counter() - began) * 1000), asked_s)

    async def _head(self, message_id: str, body: bytes) -> tuple[int, Mapping[str, str]]:
        # Loaded by the first post: most commands never make one.
        import httpx

        headers = {"content-type": "application/cloudevents+json", "user-agent": "dealwright"}
        headers |= signed_headers(self._key, message_id, self._clock(), body)
        secure = self._url.startswith("https:")
        # A proxy that the surroundings name is for what is beyond this machine.
        client = httpx.AsyncClient(
            verify=self._trust if secure else False, timeout=self._time_limit_s, trust_env=secure
        )
        async with client, client.stream("POST", self._url, content=body, headers=headers) as answer:
            return answer.status_code, answer.headers

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        return ssl.create_default_context()
