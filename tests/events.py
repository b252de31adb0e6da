"""Writes infra/events.md, the reference of what dealwright tells others: `python tests/events.py`.

Fields, types and meanings are those of schemas/results.py, whose JSON Schema pydantic makes; each example is a result
made here and put through the same models. tests/docs/test_events.py says when the page is stale.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from schemas import results, webhooks
from schemas.results import TYPES, Outbound, cloud_event
from worker.adapters.webhook_sender import TIME_LIMIT_S
from worker.webhooks import FIRST_WAIT_S, GIVE_UP_S, GROWTH, LONGEST_WAIT_S

PAGE = Path(__file__).resolve().parents[1] / "infra" / "events.md"
AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
JOB = "5f0c1d6e9a7b4c3d8e2f1a0b9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d"
DECK, MEMO, DEALS = "d1" * 32, "e2" * 32, "f3" * 32
TICKET = "a4" * 32
URL = f"https://deals.example/jobs/{JOB}?pass=…"
WHOSE = {"job_id": JOB, "user_id": "harbor", "filename": "comps.xlsx"}
EXAMPLES: dict[str, dict[str, Any]] = {
    "DealsExtracted": {
        "deals": {"artifact": f"deals/{DEALS}", "version": 0, "sha256": DEALS},
        "records": 42,
        "issues": {"value.missing": 3, "total.differs": 1},
    },
    "DocumentsReady": {
        "ticket_id": TICKET,
        "deals_sha256": DEALS,
        "documents": [
            {"kind": "deck", "draft_sha256": "b5" * 32, "final_sha256": DECK},
            {"kind": "memo", "draft_sha256": "c6" * 32, "final_sha256": MEMO},
        ],
    },
    "ApprovalRequested": {"ticket_id": TICKET, "expires_at": datetime(2026, 3, 9, 9, 30, tzinfo=UTC), "url": URL},
    "DealsDelivered": {
        "place": f"gs://acme-deals-dealwright-deliveries/delivered/{JOB}/",
        "deck_sha256": DECK,
        "memo_sha256": MEMO,
        "deals_sha256": DEALS,
    },
    "JobQuarantined": {
        "stage": "extraction",
        "code": "file.encrypted",
        "message": "comps.xlsx is protected by a password; save it without one and send it again.",
        "cells": (),
        "fence": 1,
    },
    "JobRejected": {"verdict": "rejected", "comment": "The Harbor portfolio is not ours to show."},
}
"""What each kind says in its example, beside whose job it is."""

HEAD = """\
# Events

What dealwright tells others, made from `schemas/results.py` by `python tests/events.py`.

Each is a [CloudEvent 1.0](https://cloudevents.io) in JSON, told at least once under an `id` that is the same each time: keep the ids that you have acted on.
Fields are added to a version, never changed or taken away; what can't be said so gets a new type, `….v2`, told beside the old one for a release.
References name artifacts and hashes; no event holds a cell's value.

| where | how |
|---|---|
| topic `dealwright-results` | make a subscription of your own; the message's data is the event, its attribute `message_id` the event's `id` |
| webhook | set `DEALWRIGHT_WEBHOOK_URL` and `DEALWRIGHT_WEBHOOK_SECRET`; the event is posted, signed |
"""  # noqa: E501 a paragraph of the page is one line

HOOK = """\
## Webhook

Posts are signed by the [Standard Webhooks](https://www.standardwebhooks.com) scheme, so any of its libraries verifies them.

| header | value |
|---|---|
| `content-type` | `application/cloudevents+json` |
| `webhook-id` | the event's `id` |
| `webhook-timestamp` | when this post was made, in seconds since 1970 |
| `webhook-signature` | `v1,` and the base64 of HMAC-SHA256, by the secret's key, over `webhook-id.webhook-timestamp.body` |

The secret is `whsec_` and the base64 of its key: `echo "whsec_$(head -c 32 /dev/urandom | base64)"` makes one.
The address must be https, or http on the same machine; redirects are not followed, and the answer's body is not read.

Answer 2xx within {limit:g} s, before you act on it.
`410` ends the posts of that event; any other answer, or none, is tried again after {first:g} s, then {growth} times as long each time up to {longest:g} h, for {day:g} h.
With `429` or `503` a `Retry-After` is heeded, up to {longest:g} h, where it asks for a longer wait.
Every try is kept with its time, status or error and duration: `dealwright show JOB`, and `job.json` under `webhooks`.

Verifying without a library; this is the code that the tests verify with (`schemas/webhooks.py`):

```python
{code}```
"""  # noqa: E501 as above


def page() -> str:
    """The page as it must be."""
    parts = [HEAD, *(section(getattr(results, kind)) for kind in TYPES), envelope(), hook()]
    return "\n".join(parts)


def section(kind: type[Outbound]) -> str:
    """A kind's type, meaning, fields and example."""
    name = kind.__name__
    event = cloud_event(kind.model_validate(WHOSE | EXAMPLES[name]), AT)
    about = inspect.getdoc(kind) or ""
    lines = [f"## {name}", "", f"`{TYPES[name]}`: {about}", "", *fields(kind.model_json_schema()), ""]
    return "\n".join([*lines, "```json", json.dumps(event, indent=2, ensure_ascii=False), "```", ""])


def fields(schema: dict[str, Any]) -> Iterator[str]:
    """A table of the fields of `data`, those of parts below them."""
    yield "| field of `data` | type | always |"
    yield "|---|---|---|"
    yield from rows(schema, schema.get("$defs", {}), "")


def rows(schema: dict[str, Any], parts: dict[str, Any], prefix: str) -> Iterator[str]:
    """A row a field."""
    for name, about in schema["properties"].items():
        always = "yes" if name in schema.get("required", ()) or "const" in about else "no"
        yield f"| `{prefix}{name}` | {type_of(about)} | {always} |"
        inner, mark = (about["items"], "[]") if about.get("type") == "array" else (about, "")
        if "$ref" in inner:
            yield from rows(parts[inner["$ref"].rpartition("/")[2]], parts, f"{prefix}{name}{mark}.")


def type_of(about: dict[str, Any]) -> str:
    """A field's type in words."""
    if "$ref" in about:
        return "object"
    if "const" in about:
        return f"`{about['const']}`"
    if "enum" in about:
        return " or ".join(f"`{value}`" for value in about["enum"])
    if about["type"] == "array":
        return f"list of {type_of(about['items'])}s"
    if about["type"] == "object":
        return f"object of {type_of(about['additionalProperties'])}s"
    more = {"date-time": ", a moment (RFC 3339)"}.get(about.get("format", ""), "")
    more += f", at least {about['minimum']}" if "minimum" in about else ""
    return about["type"] + more + (f", `{about['pattern']}`" if "pattern" in about else "")


def envelope() -> str:
    """The fields around `data`."""
    schema = results.CloudEvent.model_json_schema()
    told = (f"| `{name}` | {type_of(about)} |" for name, about in schema["properties"].items() if name != "data")
    return "\n".join(["## Envelope", "", "| field | type |", "|---|---|", *told, "| `data` | object, as above |", ""])


def hook() -> str:
    """How posts come, and how they are verified."""
    functions = (webhooks.key_of, webhooks.is_genuine, webhooks._signature)
    imports = "import base64, binascii, hmac, re\n"
    imports += "from collections.abc import Mapping\nfrom datetime import datetime\n\n"
    limits = {"LEAST_KEY_BYTES, MOST_KEY_BYTES": (webhooks.LEAST_KEY_BYTES, webhooks.MOST_KEY_BYTES)}
    constants = f'PREFIX = "{webhooks.PREFIX}"\nTOLERANCE_S = {webhooks.TOLERANCE_S:g}\n'
    constants += "".join(f"{name} = {low}, {high}\n" for name, (low, high) in limits.items())
    code = imports + constants + "".join(f"\n\n{inspect.getsource(function)}" for function in functions)
    waits = {"first": FIRST_WAIT_S, "growth": GROWTH, "longest": LONGEST_WAIT_S / 3600, "day": GIVE_UP_S / 3600}
    return HOOK.format(code=code, limit=TIME_LIMIT_S, **waits)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
