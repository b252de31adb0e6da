"""Webhooks: how a result that is posted to a listener is signed, by the Standard Webhooks scheme (v1, symmetric).

Three headers go with each post: `webhook-id`, the result's id, the same however often it is sent; `webhook-timestamp`,
seconds since 1970; `webhook-signature`, `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import re
from collections.abc import Mapping
from datetime import datetime
from ipaddress import ip_address
from urllib.parse import urlsplit

PREFIX = "whsec_"
LEAST_KEY_BYTES, MOST_KEY_BYTES = 24, 64
TOLERANCE_S = 300.0
"""How far a listener's clock may be from ours before it refuses a post as one that somebody kept and sends again."""


def key_of(secret: str) -> bytes:
    """The key that a secret (`whsec_` and base64 of 24 to 64 bytes) stands for; raises ValueError for another form."""
    encoded = secret.removeprefix(PREFIX)
    try:
        key = base64.b64decode(encoded, validate=True)
    except binascii.Error as broken:
        raise ValueError("not base64") from broken
    if encoded == secret or not LEAST_KEY_BYTES <= len(key) <= MOST_KEY_BYTES:
        raise ValueError("of another form")
    return key


def fault_of_address(url: str) -> str | None:
    """What an address that results are posted to must be and isn't, or None: only this machine is spoken to openly."""
    try:
        place = urlsplit(url)
        _ = place.port
    except ValueError:
        return "be an address whose host and port can be read"
    if not place.hostname or place.fragment or place.username is not None:
        return "be an address with a host, and without a password or a #fragment"
    if place.scheme == "https" or (place.scheme == "http" and _is_loopback(place.hostname)):
        return None
    return "begin with https://, or with http:// and an address of this machine"


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def signed_headers(key: bytes, message_id: str, at: datetime, body: bytes) -> dict[str, str]:
    """The headers that go with `body`."""
    stamp = str(int(at.timestamp()))
    return {
        "webhook-id": message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{_signature(key, message_id, stamp, body)}",
    }


def is_genuine(key: bytes, headers: Mapping[str, str], body: bytes, now: datetime) -> bool:
    """Whether a post, its headers by their names in small letters, was signed with `key` within TOLERANCE_S of now."""
    message_id, stamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", stamp) or abs(int(stamp) - now.timestamp()) > TOLERANCE_S:
        return False
    wanted = f"v1,{_signature(key, message_id, stamp, body)}".encode()
    given = headers.get("webhook-signature", "").encode().split()
    return any(hmac.compare_digest(wanted, each) for each in given)


def _signature(key: bytes, message_id: str, stamp: str, body: bytes) -> str:
    signed = f"{message_id}.{stamp}.".encode() + body
    return base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
