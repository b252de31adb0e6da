"""Google's clients: loaded only by who needs them, and their failures in words of ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import requests
from google.api_core import exceptions
from google.auth.exceptions import DefaultCredentialsError, TransportError
from google.cloud.storage.exceptions import DataCorruption

from worker.adapters.google_clients import open_storage, trouble_of

#: Prints which of Google's libraries a process has that runs without the cloud.
LOADED = """
import sys, worker.cli, worker.bootstrap, worker.dispatch, worker.pulling, worker.topology
heavy = ("grpc", "google.cloud", "google.pubsub", "google.api_core", "google.auth", "google.adk", "requests")
print(sorted(name for name in sys.modules if name in heavy))
"""


def test_who_stays_on_this_machine_loads_nothing_of_googles() -> None:
    """They take most of a second, and a third of an idle worker's memory."""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", LOADED], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (exceptions.ServiceUnavailable("x"), "c.unavailable"),
        (exceptions.DeadlineExceeded("x"), "c.unavailable"),
        (exceptions.TooManyRequests("x"), "c.unavailable"),
        (exceptions.RetryError("x", cause=ValueError("y")), "c.unavailable"),
        (requests.ConnectionError("x"), "c.unavailable"),
        (requests.Timeout("x"), "c.unavailable"),
        (TransportError("x"), "c.unavailable"),
        (DataCorruption(None, "x"), "c.unavailable"),
        (exceptions.Forbidden("x"), "c.refused"),
        (exceptions.PermissionDenied("x"), "c.refused"),
        (exceptions.Unauthenticated("x"), "c.refused"),
        (DefaultCredentialsError("x"), "c.refused"),
        (exceptions.NotFound("x"), "c.missing"),
        (ValueError("x"), None),
    ],
)
def test_a_failure_says_who_must_act(failure: Exception, code: str | None) -> None:
    """Time heals it, or somebody gives rights or makes what is missing; what is no failure of Google's stays itself."""
    known = trouble_of(failure, "Pub/Sub", "c", "topic t")
    assert (known.code if known else None) == code
    assert known is None or "topic t" in known.message


@pytest.mark.parametrize("endpoint", ["127.0.0.1:9023", "http://127.0.0.1:9023"])
def test_a_storage_emulator_may_be_named_with_or_without_its_scheme(endpoint: str) -> None:
    """Google's own tools differ in it."""
    client = open_storage("p", endpoint)
    assert client.api_endpoint == "http://127.0.0.1:9023"
    client.close()
