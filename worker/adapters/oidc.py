"""Who pushes: the token that Google puts beside a pushed message, checked in every part. Nothing is let in on doubt."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any, Protocol, cast

import structlog
from google.auth import jwt
from google.auth.exceptions import TransportError
from google.oauth2 import id_token

log = structlog.get_logger(__name__)
ISSUERS = frozenset({"https://accounts.google.com", "accounts.google.com"})
SKEW_S = 10
"""How far Google's clock and ours may be apart."""
ALGORITHM, MOST_CHARACTERS = "RS256", 8_000
"""How Google signs, and what none of its tokens comes near."""
KEPT_S = 3600.0
"""How long the keys of an answer that doesn't say so are kept."""


class Answer(Protocol):
    """What is fetched."""

    status: int
    headers: Mapping[str, str]
    data: bytes


class Fetch(Protocol):
    """What google-auth fetches with."""

    def __call__(self, url: str, method: str = "GET", **more: Any) -> Answer:
        """The answer; raises TransportError if there is none."""
        ...


class RefusedError(Exception):
    """Nothing is taken from this caller: `status` is HTTP's, `why` some words for the log."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


class KeptAnswers:
    """Fetches as `fetch` does, and keeps good answers as long as they say: Google's keys are asked for now and then."""

    def __init__(self, fetch: Fetch | None = None) -> None:
        self._fetch = fetch
        self._kept: dict[str, tuple[float, Answer]] = {}

    def __call__(self, url: str, method: str = "GET", **more: Any) -> Answer:
        """The answer, from before if it is still good."""
        until, answer = self._kept.get(url, (0.0, None))
        if answer is not None and time.monotonic() < until:
            return answer
        if self._fetch is None:
            from google.auth.transport.requests import Request

            self._fetch = cast("Fetch", Request())
        answer = self._fetch(url, method=method, timeout=10, **more)
        if answer.status == 200:
            self._kept[url] = (time.monotonic() + _good_for_s(answer), answer)
        return answer


def _good_for_s(answer: Answer) -> float:
    headers = {name.lower(): value for name, value in answer.headers.items()}
    found = re.search(r"max-age=(\d+)", headers.get("cache-control", ""))
    return min(float(found[1]), 24 * KEPT_S) if found else KEPT_S


def _may_be_googles(token: str) -> bool:
    """Whether Google's keys could say anything of it: nothing is fetched for what is no token, or signed otherwise."""
    if not 0 < len(token) <= MOST_CHARACTERS:
        return False
    try:
        read: Any = jwt.decode_header  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # no types
        header = read(token)
        return header.get("alg") == ALGORITHM and isinstance(header.get("kid"), str)
    except Exception:  # noqa: BLE001 a stranger's bytes fail where they like
        return False


class PushGuard:
    """Lets in what `email` pushed for `audience`, by tokens of Google's; without both it lets in nothing."""

    def __init__(self, audience: str, email: str, fetch: Fetch | None = None) -> None:
        self._audience, self._email = audience, email
        self._fetch = KeptAnswers(fetch)

    def check(self, authorization: str) -> None:
        """Return if the `Authorization` header lets the request in; blocks while keys are fetched.

        Raises RefusedError: 403 if nothing is set up, or for another account; 401 for a token that is missing,
        forged, expired, for somebody else or from somewhere else, 503 if Google's keys can't be had.
        """
        if not (self._audience and self._email):
            raise RefusedError(403, "push is not set up")
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not _may_be_googles(token.strip()):
            raise RefusedError(401, "no token")
        claims = self._claims(token.strip())
        if claims.get("iss") not in ISSUERS:
            raise RefusedError(401, "another issuer")
        if claims.get("email") != self._email:
            raise RefusedError(403, "another account")
        if claims.get("email_verified") is not True:
            raise RefusedError(403, "address not verified")

    def _claims(self, token: str) -> dict[str, Any]:
        try:
            verify: Any = id_token.verify_token  # pyright: ignore[reportUnknownMemberType]  # google-auth has no types
            return verify(token, self._fetch, audience=self._audience, clock_skew_in_seconds=SKEW_S)
        except TransportError as error:
            raise RefusedError(503, "no keys") from error
        except Exception as error:
            # Whatever is wrong with what a stranger sent, and however a library says so: it isn't let in.
            log.info("token_refused", error=type(error).__name__)
            raise RefusedError(401, "no good token") from error
