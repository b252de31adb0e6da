"""Messages from outside, read: notifications of Cloud Storage, CloudEvents, Pub/Sub's pushes and our own messages.

Whatever comes in, a body goes out: `{}` for what can't be read, which dispatch sets aside with a code. Nothing here
raises, and nothing that it returns holds text that a database would refuse.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn, cast

from schemas import ids
from schemas.event import Delivery

LIMIT_BYTES = 1_000_000
"""More than this no message of ours has, nor any notification; Pub/Sub would take ten times as much."""
FINALIZED = "OBJECT_FINALIZE"
STORAGE_EVENT = "google.cloud.storage.object.v1."
PUBSUB_EVENT = "google.cloud.pubsub.topic.v1.messagePublished"
_EVENT_TYPES = {
    "finalized": FINALIZED,
    "deleted": "OBJECT_DELETE",
    "archived": "OBJECT_ARCHIVE",
    "metadataUpdated": "OBJECT_METADATA_UPDATE",
}
_TRACE = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
_WORD = re.compile(r"[A-Za-z_]{1,64}")
_Json = dict[str, Any]


def read_message(attributes: Mapping[str, str], data: bytes) -> _Json:
    """The body of a Pub/Sub message: our own, or what a notification of Cloud Storage tells."""
    if "eventType" in attributes and "bucketId" in attributes:
        return read_notification(attributes, data)
    return read_json(data)


def read_notification(attributes: Mapping[str, str], data: bytes) -> _Json:
    """The body of an ObjectFinalized, or of an ObjectIgnored with the reason, from a notification of Cloud Storage.

    What the attributes and the payload both tell must be the same.
    """
    kind = attributes.get("eventType", "")
    if kind != FINALIZED:
        return _ignored(kind if _WORD.fullmatch(kind) else "unknown event")
    told = read_json(data)
    if not told:
        return _ignored("no payload")
    stated = {"bucket": "bucketId", "name": "objectId", "generation": "objectGeneration"}
    if any(str(told.get(key)) != attributes.get(name) for key, name in stated.items() if name in attributes):
        return _ignored("attributes and payload differ")
    return _finalized(told)


def read_json(data: bytes, limit_bytes: int = LIMIT_BYTES) -> _Json:
    """The JSON object that the bytes are, in UTF-8; `{}` for anything else."""
    if len(data) > limit_bytes:
        return {}
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=_refuse)
        # What was escaped inside the text may still be none: half a surrogate pair, or NUL.
        plain = json.dumps(value, ensure_ascii=False)
        plain.encode("utf-8")
    except (ValueError, RecursionError):
        return {}
    return cast("_Json", value) if isinstance(value, dict) and "\\u0000" not in plain else {}


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _finalized(told: _Json) -> _Json:
    """What a payload of Cloud Storage's says of an object, each part of the form that it must have."""
    bucket, name = _name(told.get("bucket")), _name(told.get("name"))
    generation, size_bytes = _whole(told.get("generation")), _whole(told.get("size"))
    if bucket is None or name is None or generation is None or size_bytes is None:
        return _ignored("incomplete payload")
    job_id = ids.job_id_of_object(bucket, name, generation)
    place = {"bucket": bucket, "name": name, "generation": generation}
    return {"kind": "ObjectFinalized", "job_id": job_id, **place, "size_bytes": size_bytes}


def _ignored(why: str) -> _Json:
    return {"kind": "ObjectIgnored", "why": why}


def _name(value: object) -> str | None:
    """The name of a bucket or object; None for what can't be one."""
    return value if isinstance(value, str) and 0 < len(value.encode()) <= 1024 else None


def _whole(value: object) -> int | None:
    """A count as Cloud Storage writes it, in digits; None for anything else, and for what no database holds."""
    digits = str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
    number = int(digits) if re.fullmatch(r"[0-9]{1,19}", digits) else None
    return number if number is not None and number < 2**63 else None


def read_request(headers: Mapping[str, str], data: bytes) -> Delivery:
    """The delivery that an HTTP request is: a CloudEvent, binary or structured, or Pub/Sub's push.

    `headers` have names in small letters. Its body is `{}` if the request is none of these.
    """
    if "ce-type" in headers:
        return _of_cloud_event({key.removeprefix("ce-"): told for key, told in headers.items()}, data)
    # Inside an envelope the message is base64, which makes four bytes of three.
    envelope = read_json(data, 2 * LIMIT_BYTES)
    if headers.get("content-type", "").startswith("application/cloudevents+json"):
        given = envelope.get("data_base64")
        return _of_cloud_event(envelope, _decode(given) if given else json.dumps(envelope.get("data")).encode())
    return _of_push(envelope, headers.get("traceparent", ""))


def _of_cloud_event(told: Mapping[str, Any], data: bytes) -> Delivery:
    kind, trace = _text(told, "type"), _text(told, "traceparent")
    if kind == PUBSUB_EVENT:
        return _of_push(read_json(data), trace)
    body: _Json = {}
    if kind.startswith(STORAGE_EVENT):
        body = read_notification({"eventType": _EVENT_TYPES.get(kind.removeprefix(STORAGE_EVENT), "")}, data)
    source, event_id = _text(told, "source"), _text(told, "id")
    return Delivery(subscription=source, message_id=event_id, body=body, trace=_trace(trace))


def _of_push(envelope: _Json, trace: str) -> Delivery:
    """The delivery in Pub/Sub's envelope, where the message's data is base64."""
    given = envelope.get("message")
    message = cast("_Json", given) if isinstance(given, dict) else {}
    attributes = _attributes(message.get("attributes"))
    number = _whole(envelope.get("deliveryAttempt")) or 1
    return Delivery(
        subscription=_text(envelope, "subscription").rpartition("/")[2],
        message_id=_text(message, "messageId"),
        body=read_message(attributes, _decode(message.get("data"))),
        number=min(number, 2**31 - 1),
        trace=_trace(attributes.get("traceparent") or trace),
    )


def _attributes(given: object) -> dict[str, str]:
    pairs = cast("_Json", given).items() if isinstance(given, dict) else ()
    return {key: value for key, value in pairs if isinstance(value, str)}


def _text(told: Mapping[str, Any], key: str) -> str:
    """A short text, or nothing."""
    value = told.get(key)
    return value if isinstance(value, str) and len(value) <= 1024 and "\0" not in value else ""


def _trace(value: str) -> str:
    return value if _TRACE.fullmatch(value) else ""


def trace_of(attributes: Mapping[str, str]) -> str:
    """The W3C trace context (`traceparent`) that a message carries; nothing if it has none of that form."""
    return _trace(attributes.get("traceparent") or attributes.get("googclient_traceparent", ""))


def _decode(value: object) -> bytes:
    try:
        return base64.b64decode(value, validate=True) if isinstance(value, str) else b""
    except (binascii.Error, ValueError):
        return b""
