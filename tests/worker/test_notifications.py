"""What comes in from outside, read: what may be believed becomes an event, and all else is harmless."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import ids
from schemas.errors import InputError
from schemas.event import ObjectFinalized, ObjectIgnored, parse_event
from worker.adapters.notifications import (
    LIMIT_BYTES,
    PUBSUB_EVENT,
    read_json,
    read_message,
    read_notification,
    read_request,
)

NAME = "inbox/anna/Angebote Ü 2026.xlsx"
PAYLOAD: dict[str, Any] = {"bucket": "acme-inbox", "name": NAME, "generation": "1700000000000001", "size": "12"}
ATTRIBUTES = {
    "eventType": "OBJECT_FINALIZE",
    "bucketId": "acme-inbox",
    "objectId": NAME,
    "objectGeneration": "1700000000000001",
    "payloadFormat": "JSON_API_V1",
}
TOLD = {
    "kind": "ObjectFinalized",
    "job_id": ids.job_id_of_object("acme-inbox", NAME, 1700000000000001),
    "bucket": "acme-inbox",
    "name": NAME,
    "generation": 1700000000000001,
    "size_bytes": 12,
}
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def encoded(value: object) -> bytes:
    """The value as JSON."""
    return json.dumps(value).encode()


def test_a_notification_tells_of_its_object() -> None:
    """In the form of our event, which takes it as it is."""
    body = read_notification(ATTRIBUTES, encoded(PAYLOAD))
    assert body == TOLD
    assert isinstance(parse_event(body), ObjectFinalized)
    assert read_message(ATTRIBUTES, encoded(PAYLOAD)) == TOLD


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"eventType": "OBJECT_METADATA_UPDATE"}, "OBJECT_METADATA_UPDATE"),
        ({"eventType": "OBJECT_DELETE"}, "OBJECT_DELETE"),
        ({"eventType": "OBJECT_ARCHIVE"}, "OBJECT_ARCHIVE"),
        ({"eventType": "<script>"}, "unknown event"),
        ({"eventType": ""}, "unknown event"),
        ({"eventType": "X" * 1_000_000}, "unknown event"),
        ({"bucketId": "another"}, "attributes and payload differ"),
        ({"objectId": "inbox/other.xlsx"}, "attributes and payload differ"),
        ({"objectGeneration": "2"}, "attributes and payload differ"),
    ],
)
def test_a_notification_of_something_else_is_ignored_with_the_reason(changed: dict[str, str], why: str) -> None:
    """And what the two halves tell differently is not believed at all."""
    body = read_notification(ATTRIBUTES | changed, encoded(PAYLOAD))
    event = parse_event(body)
    assert isinstance(event, ObjectIgnored)
    assert event.why == why


@pytest.mark.parametrize(
    "changed",
    [
        {"generation": None},
        {"generation": "-1"},
        {"generation": "1e3"},
        {"generation": "١٢"},
        {"generation": True},
        {"generation": 1.5},
        {"generation": "9" * 5_000},
        {"generation": str(2**63)},
        {"size": None},
        {"size": [12]},
        {"size": "-12"},
        {"name": ""},
        {"name": 7},
        {"name": {"a": "b"}},
        {"name": "x" * 1025},
        {"name": "ü" * 513},
        {"bucket": None},
        {"bucket": ["acme-inbox"]},
    ],
)
def test_a_payload_of_another_form_is_ignored(changed: dict[str, Any]) -> None:
    """A wrong type, a number that no store counts to, a name that no store keeps."""
    body = read_notification({"eventType": "OBJECT_FINALIZE"}, encoded(PAYLOAD | changed))
    assert body == {"kind": "ObjectIgnored", "why": "incomplete payload"}


@pytest.mark.parametrize("data", [b"", b"[]", b"not json", b"\xff", b"null", encoded({"a": "\ud800"}), b"\0"])
def test_a_notification_without_a_payload_is_ignored(data: bytes) -> None:
    """Nothing says then how big the object is."""
    assert read_notification(ATTRIBUTES, data) == {"kind": "ObjectIgnored", "why": "no payload"}


@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b'{"a": Infinity}',
        b'{"a": "\\u0000"}',
        b'{"\\u0000": 1}',
        b'{"a": "\\udc00x"}',
        b'{"a": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        b'{"a": ' + b"1" * 10_000 + b"}",
        b'{"a": "' + b"x" * LIMIT_BYTES + b'"}',
        "{}".encode("utf-16"),
    ],
)
def test_what_cannot_be_kept_is_an_empty_body(data: bytes) -> None:
    """Not JSON, too deep, too long, or text that a database refuses; and dispatch has a code for it."""
    assert read_json(data) == {}
    with pytest.raises(InputError) as unknown:
        parse_event(read_json(data))
    assert unknown.value.code == "event.unknown"


def test_an_upload_that_names_another_objects_job_is_no_event() -> None:
    """Whoever may publish to us must not join a job to a file that isn't its own."""
    with pytest.raises(InputError):
        parse_event(read_message({}, encoded(TOLD | {"name": "inbox/b/other.xlsx"})))


def storage_event(kind: str = "finalized") -> dict[str, str]:
    """The attributes of a CloudEvent about the object."""
    return {
        "specversion": "1.0",
        "type": f"google.cloud.storage.object.v1.{kind}",
        "source": "//storage.googleapis.com/projects/_/buckets/acme-inbox",
        "subject": f"objects/{NAME}",
        "id": "1234567890",
        "traceparent": TRACE,
    }


def binary(attributes: dict[str, str]) -> dict[str, str]:
    """The headers of a CloudEvent in binary form."""
    return {f"ce-{key}": value for key, value in attributes.items()} | {"content-type": "application/json"}


def structured(attributes: dict[str, str], **data: Any) -> tuple[dict[str, str], bytes]:
    """Headers and content of a CloudEvent in structured form."""
    return {"content-type": "application/cloudevents+json; charset=utf-8"}, encoded(attributes | data)


@pytest.mark.parametrize(
    ("headers", "content"),
    [
        (binary(storage_event()), encoded(PAYLOAD)),
        structured(storage_event(), data=PAYLOAD),
        structured(storage_event(), data_base64=base64.b64encode(encoded(PAYLOAD)).decode()),
    ],
    ids=["binary", "structured", "structured, base64"],
)
def test_a_cloud_event_tells_the_same_in_each_form(headers: dict[str, str], content: bytes) -> None:
    """As the notification does, with its own id as the message's."""
    delivery = read_request(headers, content)
    assert delivery.body == TOLD
    assert (delivery.message_id, delivery.number, delivery.trace) == ("1234567890", 1, TRACE)
    assert delivery.subscription == "//storage.googleapis.com/projects/_/buckets/acme-inbox"


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("deleted", "OBJECT_DELETE"),
        ("archived", "OBJECT_ARCHIVE"),
        ("metadataUpdated", "OBJECT_METADATA_UPDATE"),
        ("more", "unknown event"),
    ],
)
def test_other_cloud_events_of_storage_are_ignored(kind: str, why: str) -> None:
    """With the same reasons as notifications."""
    assert read_request(binary(storage_event(kind)), encoded(PAYLOAD)).body == {"kind": "ObjectIgnored", "why": why}


def envelope(data: bytes, **attributes: str) -> dict[str, Any]:
    """What Pub/Sub pushes."""
    message = {"data": base64.b64encode(data).decode(), "attributes": attributes, "messageId": "77"}
    return {"message": message, "subscription": "projects/p/subscriptions/dealwright-uploads-worker"}


PUSHES = {
    "plain": ({"content-type": "application/json"}, encoded),
    "binary": (binary(storage_event() | {"type": PUBSUB_EVENT}), encoded),
    "structured": (
        {"content-type": "application/cloudevents+json"},
        lambda content: encoded(storage_event() | {"type": PUBSUB_EVENT, "data": content}),
    ),
}


@pytest.mark.parametrize("form", PUSHES)
def test_a_pushed_message_is_read_in_each_wrapping(form: str) -> None:
    """Pub/Sub's own, and a CloudEvent around it: a notification and a message of ours alike."""
    headers, wrap = PUSHES[form]
    delivery = read_request(headers, wrap(envelope(encoded(PAYLOAD), **ATTRIBUTES) | {"deliveryAttempt": 3}))
    assert delivery.body == TOLD
    assert (delivery.subscription, delivery.message_id) == ("dealwright-uploads-worker", "77")
    assert delivery.number == 3
    ours = read_request(headers, wrap(envelope(b'{"kind": "k"}', traceparent=TRACE)))
    assert (ours.body, ours.number, ours.trace) == ({"kind": "k"}, 1, TRACE)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        encoded({"message": None}),
        encoded({"message": []}),
        encoded({"message": {"data": 7, "attributes": [1], "messageId": {}}, "subscription": 3}),
        encoded({"message": {"data": "***", "messageId": "x" * 2_000}}),
        encoded({"message": {"data": "ü"}, "deliveryAttempt": "many"}),
        encoded(envelope(b"\xff\xfe")),
        encoded(envelope(b"x" * (LIMIT_BYTES + 1))),
        encoded(envelope(b"x" * (3 * LIMIT_BYTES))),
        encoded(envelope(b'{"a": "\\u0000"}')),
    ],
)
@pytest.mark.parametrize(
    "headers", [{}, {"content-type": "application/cloudevents+json"}, {"ce-type": PUBSUB_EVENT}, {"ce-type": ""}]
)
def test_a_request_that_cannot_be_read_is_a_delivery_all_the_same(headers: dict[str, str], content: bytes) -> None:
    """Empty, to be set aside: answering it with an error would have it sent again for days."""
    delivery = read_request(headers, content)
    assert delivery.body == {}
    assert delivery.number == 1


KEYS = st.sampled_from([*PAYLOAD, *ATTRIBUTES, "message", "data", "attributes", "messageId", "type", "id"])
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
JSON = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner))


@given(JSON, st.sampled_from([{}, *(headers for headers, _ in PUSHES.values()), binary(storage_event())]))
def test_whatever_json_comes_nothing_is_raised(value: object, headers: dict[str, str]) -> None:
    """And what comes out can be written to a database and read as JSON again."""
    delivery = read_request(headers, json.dumps(value).encode())
    assert "\0" not in json.dumps(delivery.body, ensure_ascii=False).encode().decode() + delivery.message_id


@given(st.dictionaries(st.sampled_from([*ATTRIBUTES]), st.text()), st.binary())
def test_whatever_message_comes_nothing_is_raised(attributes: dict[str, str], data: bytes) -> None:
    """Pub/Sub's attributes are text of any kind, and its data any bytes."""
    body = read_message(attributes, data)
    assert body == json.loads(json.dumps(body))
