"""Google's clients, built in one place: credentials, emulators, time limits. Only roles that talk to Google load it.

An `endpoint` names an emulator (host and port for Pub/Sub, an address for Cloud Storage); without one the clients
speak to Google as whoever the surroundings say that we are (application default credentials).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from typing import Any

import google.auth
import grpc
from google.api_core import exceptions
from google.api_core.retry import AsyncRetry, Retry
from google.auth.credentials import AnonymousCredentials, Signing
from google.auth.exceptions import GoogleAuthError, TransportError
from google.auth.transport.requests import Request
from google.cloud import storage
from google.cloud.storage.exceptions import DataCorruption
from google.pubsub_v1.services.publisher.async_client import PublisherAsyncClient
from google.pubsub_v1.services.publisher.transports.grpc_asyncio import PublisherGrpcAsyncIOTransport
from google.pubsub_v1.services.subscriber.async_client import SubscriberAsyncClient
from google.pubsub_v1.services.subscriber.transports.grpc_asyncio import SubscriberGrpcAsyncIOTransport
from requests import exceptions as http

from schemas.errors import InputError, TransientError

PASSING = (
    exceptions.Aborted,
    exceptions.DeadlineExceeded,
    exceptions.ServerError,
    exceptions.TooManyRequests,
)
"""Answers of Google's that may be others a moment later."""
CONNECTION = (http.ConnectionError, http.Timeout, http.ChunkedEncodingError)
"""What the HTTP client raises when the other end is away, or goes away."""
STORAGE_TIMEOUT_S = 60.0
"""How long one request to Cloud Storage may be silent; requests are repeated for twice that."""
STORAGE_RETRY = Retry(
    predicate=lambda error: isinstance(error, (*PASSING, *CONNECTION)),
    initial=0.2,
    maximum=10.0,
    timeout=2 * STORAGE_TIMEOUT_S,
)
_CHANNEL_OPTIONS = [
    # A connection that a router forgot is found out within 40 s, though nothing is being sent.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    # A server that was away is found again soon after it is back; the library would wait for up to two minutes.
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 5_000),
    # A new channel is a new connection: the library would have it share a dead one.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", -1),
]


def open_publisher(endpoint: str | None) -> PublisherAsyncClient:
    """A client for publishing; to be made inside the loop that uses it."""
    kind = PublisherGrpcAsyncIOTransport
    return PublisherAsyncClient(transport=kind(channel=_channel(kind, endpoint)))


def open_subscriber(endpoint: str | None) -> SubscriberAsyncClient:
    """A client for pulling; to be made inside the loop that uses it."""
    kind = SubscriberGrpcAsyncIOTransport
    return SubscriberAsyncClient(transport=kind(channel=_channel(kind, endpoint)))


def _channel(kind: Any, endpoint: str | None) -> grpc.aio.Channel:
    if endpoint:
        return grpc.aio.insecure_channel(endpoint, options=_CHANNEL_OPTIONS)
    return kind.create_channel(kind.DEFAULT_HOST, options=_CHANNEL_OPTIONS)


def patient(give_up_s: float) -> AsyncRetry:
    """Repeats a call to Pub/Sub that fails for a passing reason, ever more slowly, until the time is over."""
    return AsyncRetry(
        predicate=lambda error: isinstance(error, PASSING), initial=0.1, maximum=5.0, multiplier=2.0, timeout=give_up_s
    )


def storage_options(project: str, endpoint: str | None) -> dict[str, Any]:
    """What a Cloud Storage client is made with; ADK's artifact service makes its own with the same."""
    if not endpoint:
        return {"project": project or None}
    return {
        "project": project or "dealwright",
        "credentials": AnonymousCredentials(),
        "client_options": {"api_endpoint": endpoint if "://" in endpoint else f"http://{endpoint}"},
    }


def open_storage(project: str, endpoint: str | None) -> Any:
    """A Cloud Storage client: its calls block, and may be made from any thread."""
    return storage.Client(**storage_options(project, endpoint))


def trouble_of(error: Exception, service: str, code: str, what: str) -> TransientError | None:
    """What a failed call means to us, with a sentence that says who must act; None if it is no failure of Google's.

    The code is `<code>.refused` where rights are lacking, `<code>.missing` for a thing that isn't there, and
    `<code>.unavailable` for what may pass.
    """
    if isinstance(error, (exceptions.Forbidden, exceptions.Unauthorized)) or (
        isinstance(error, GoogleAuthError) and not isinstance(error, TransportError)
    ):
        return TransientError(f"{code}.refused", f"{service} refused us {what}; give this service account the rights.")
    if isinstance(error, exceptions.NotFound):
        return TransientError(f"{code}.missing", f"{service} knows no {what}; make it as infra/topology.yaml says.")
    if isinstance(error, (exceptions.GoogleAPIError, TransportError, *CONNECTION, DataCorruption)):
        return TransientError(f"{code}.unavailable", f"{service} can't be reached for {what}; it is tried again.")
    return None


@contextmanager
def storage_trouble(what: str) -> Generator[None]:
    """Raises TransientError `store.unavailable`, `store.refused`, `store.missing` where Cloud Storage fails inside."""
    try:
        yield
    except Exception as error:
        known = trouble_of(error, "Cloud Storage", "store", what)
        if known is None:
            raise
        raise known from error


def link_signer(endpoint: str | None) -> Callable[[], dict[str, Any]]:
    """What gives, when it is called, the arguments by which a link is signed.

    A service account signs with its key, if it has one; else (on Cloud Run) Google signs for it, for which it needs the
    role iam.serviceAccountTokenCreator on itself. For an emulator, which checks nothing, a key is made up.
    """
    return _made_up if endpoint else _signing


def _signing() -> dict[str, Any]:
    surroundings: Any = google.auth
    credentials, _ = surroundings.default(scopes=["https://www.googleapis.com/auth/cloud-platform"])
    return signing_arguments(credentials, Request())


def signing_arguments(credentials: Any, request: Request) -> dict[str, Any]:
    """The arguments for credentials that can sign, or have Google sign.

    Raises InputError `store.unsigned` for a person's credentials, which can't.
    """
    if isinstance(credentials, Signing):
        return {"credentials": credentials}
    if not hasattr(credentials, "service_account_email"):
        raise InputError("store.unsigned", "Links are signed by a service account; run this process as one.")
    if not credentials.valid:
        credentials.refresh(request)
    return {"service_account_email": credentials.service_account_email, "access_token": credentials.token}


@cache
def _made_up() -> dict[str, Any]:
    from cryptography.hazmat.primitives.asymmetric import rsa
    from google.auth.crypt import RSASigner
    from google.oauth2.service_account import Credentials

    key: Any = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    signer = RSASigner(key)
    return {"credentials": Credentials(signer, "dealwright@emulator.invalid", "https://emulator.invalid/token")}
