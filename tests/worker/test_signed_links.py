"""Signed links: what is signed, by whom, and for how long; checked with a key that lives as long as the test."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from google.auth.credentials import AnonymousCredentials
from google.auth.crypt import RSASigner
from google.cloud import storage
from google.cloud.storage import _signing
from google.oauth2.service_account import Credentials

from schemas.errors import InputError, TransientError
from worker.adapters.gcs import GcsDeliveries
from worker.adapters.google_clients import signing_arguments

ACCOUNT = "dealwright-web@acme-deals.iam.gserviceaccount.com"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def deliveries(**signing: Any) -> GcsDeliveries:
    """Deliveries of Google's own Cloud Storage, with no word to it."""
    client = storage.Client(project="p", credentials=AnonymousCredentials())
    return GcsDeliveries(client, "acme-deliveries", "delivered/", lambda: signing)


def with_key() -> dict[str, Any]:
    """What a service account with a key signs with."""
    return signing_arguments(Credentials(RSASigner(KEY), ACCOUNT, "https://example.org/token"), None)


def check(url: str) -> dict[str, str]:
    """The link's parameters, once its signature was checked against Cloud Storage's rules for V4."""
    parts = urlsplit(url)
    given = {key: values[0] for key, values in parse_qs(parts.query, strict_parsing=True).items()}
    signature = bytes.fromhex(given.pop("X-Goog-Signature"))
    query = "&".join(f"{quote(key, safe='')}={quote(value, safe='')}" for key, value in sorted(given.items()))
    canonical = "\n".join(["GET", parts.path, query, f"host:{parts.netloc}", "", "host", "UNSIGNED-PAYLOAD"])
    scope = given["X-Goog-Credential"].removeprefix(f"{ACCOUNT}/")
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    told = "\n".join(["GOOG4-RSA-SHA256", given["X-Goog-Date"], scope, digest])
    KEY.public_key().verify(signature, told.encode(), padding.PKCS1v15(), hashes.SHA256())
    return given | {"path": parts.path, "host": parts.netloc, "scope": scope}


def test_a_link_is_signed_for_one_file_and_a_time() -> None:
    """By the service account, from now on, for reading only, under the file's name."""
    before = datetime.now(UTC).replace(microsecond=0)
    link = check(deliveries(**with_key()).signed_url("gs://acme-deliveries/delivered/j1/", "memo.pdf", 900))
    assert (link["host"], link["path"]) == ("storage.googleapis.com", "/acme-deliveries/delivered/j1/memo.pdf")
    assert link["X-Goog-Expires"] == "900"
    began = datetime.strptime(link["X-Goog-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    assert before <= began <= datetime.now(UTC)
    assert link["scope"] == f"{began:%Y%m%d}/auto/storage/goog4_request"
    assert link["X-Goog-SignedHeaders"] == "host"
    assert link["response-content-disposition"] == 'attachment; filename="memo.pdf"'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("memo.pdf?", "deck.pptx?"),
        ("/j1/", "/j2/"),
        ("X-Goog-Expires=900", "X-Goog-Expires=604800"),
        ("memo.pdf%22", "memo.exe%22"),
        ("storage.googleapis.com", "storage.example.org"),
    ],
)
def test_a_link_that_was_changed_is_worth_nothing(old: str, new: str) -> None:
    """Another file, another job, more time, another name: nothing of it can be had with the same signature."""
    url = deliveries(**with_key()).signed_url("gs://acme-deliveries/delivered/j1/", "memo.pdf", 900)
    assert old in url
    with pytest.raises(InvalidSignature):
        check(url.replace(old, new))


def test_no_link_is_good_for_more_than_a_week() -> None:
    """Cloud Storage would refuse it."""
    url = deliveries(**with_key()).signed_url("gs://acme-deliveries/delivered/j1/", "memo.pdf", 10_000_000)
    assert check(url)["X-Goog-Expires"] == "604800"


@dataclass
class CloudRun:
    """What a service account has that holds no key: a name that is known once it was refreshed, and a token."""

    service_account_email: str = "default"
    token: str = ""
    valid: bool = False

    def refresh(self, _: object) -> None:
        """As the metadata server answers."""
        self.service_account_email, self.token, self.valid = ACCOUNT, "token-1", True


def test_without_a_key_google_signs_for_the_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Cloud Run: what is sent to be signed is the link's own text, as the account, with its token."""
    calls: list[tuple[str, dict[str, str]]] = []

    class Answer:
        status = 200

        def __init__(self, payload: bytes) -> None:
            signed = KEY.sign(payload, padding.PKCS1v15(), hashes.SHA256())
            self.data = json.dumps({"signedBlob": base64.b64encode(signed).decode()}).encode()

    class Request:
        def __call__(self, url: str, method: str, body: str, headers: dict[str, str]) -> Answer:
            calls.append((url, headers))
            return Answer(base64.b64decode(json.loads(body)["payload"]))

    monkeypatch.setattr(_signing.requests, "Request", Request)
    signing = signing_arguments(CloudRun(), None)
    check(deliveries(**signing).signed_url("gs://acme-deliveries/delivered/j1/", "memo.pdf", 900))
    ((url, headers),) = calls
    assert url.startswith(f"https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/{ACCOUNT}:signBlob")
    assert headers["Authorization"] == "Bearer token-1"


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (
            "PERMISSION_DENIED",
            "store.refused",
            "give this service account roles/iam.serviceAccountTokenCreator on itself",
        ),
        ("UNAVAILABLE", "store.unavailable", "it is tried again"),
    ],
)
def test_an_account_that_google_does_not_sign_for_is_told_the_right_that_lacks(
    monkeypatch: pytest.MonkeyPatch, status: str, code: str, words: str
) -> None:
    """Trying again brings no right; what passes is told as that."""
    said = json.dumps({"error": {"status": status}}).encode()

    class Answer:
        status, data = 403, said

    monkeypatch.setattr(_signing.requests, "Request", lambda: lambda **_: Answer)
    with pytest.raises(TransientError) as refused:
        deliveries(**signing_arguments(CloudRun(), None)).signed_url("gs://acme-deliveries/delivered/j1/", "a.pdf", 900)
    assert refused.value.code == code
    assert words in refused.value.message


def test_a_person_signs_no_links() -> None:
    """Credentials of a person can't, and say so at once."""
    with pytest.raises(InputError) as refused:
        signing_arguments(AnonymousCredentials(), None)
    assert refused.value.code == "store.unsigned"
