"""Links: a pass lets whoever holds it see a gate and answer it. It is signed, good for a time, and kept nowhere.

A pass is bound to the ticket and to what the ticket binds (`subject`), so that nobody decides about other documents
than those that the pass was made for. Showing a pass spends nothing: mail clients open links before people do.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from schemas import ids

Action = Literal["approve", "changes", "reject", "upload"]
DECISIONS: tuple[Action, ...] = ("approve", "changes", "reject")
Purpose = Literal["link", "form", "note"]
"""What a pass is good for: to be let in by an address, to send one form, or to show `by` as text of ours on a page."""
_FOR = b"dealwright pass 1\n"
"""Signed with every pass, so that nothing else that the secret may have signed is taken for one."""


class Pass(BaseModel):
    """What its holder may see and do: one job's gate, or with an empty `job_id` all jobs. `by` names the holder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    purpose: Purpose = "link"
    job_id: str = ""
    ticket_id: str = ""
    subject: str = ""
    actions: tuple[Action, ...] = ()
    by: str = ""
    expires_at: AwareDatetime

    def shows(self, job_id: str) -> bool:
        """Whether its holder may see the job."""
        return self.job_id in ("", job_id)


def subject_of(bound: Mapping[str, Any]) -> str:
    """The digest of what a gate's ticket binds: deals and documents, by their hashes."""
    return ids.derive("subject", bound)


def sign(secret: str, granted: Pass) -> str:
    """The pass as text that can stand in an address."""
    payload = granted.model_dump_json(exclude_defaults=True).encode()
    return f"{_text(payload)}.{_text(_mac(secret, payload))}"


def read_pass(secret: str, token: str, now: datetime, purpose: Purpose = "link") -> Pass | None:
    """The pass that the text is; None if it isn't ours word for word, is for something else, or has run out.

    Without a secret there is none.
    """
    head, _, tail = token.partition(".")
    try:
        payload, mac = _bytes(head), _bytes(tail)
    except (binascii.Error, ValueError):
        return None
    if not secret or not hmac.compare_digest(mac, _mac(secret, payload)):
        return None
    try:
        granted = Pass.model_validate_json(payload)
    except ValidationError:
        return None
    return granted if granted.purpose == purpose and now < granted.expires_at else None


def gate_url(public_url: str, secret: str, gate: Mapping[str, Any]) -> str:
    """The link to a gate, by its ticket's row; good for all three decisions as long as the gate is open."""
    granted = Pass(
        job_id=gate["job_id"],
        ticket_id=gate["id"],
        subject=subject_of(gate["subject"]),
        actions=DECISIONS,
        expires_at=gate["expires_at"],
    )
    return f"{public_url.rstrip('/')}/jobs/{gate['job_id']}?pass={sign(secret, granted)}"


def _mac(secret: str, payload: bytes) -> bytes:
    return hmac.new(secret.encode(), _FOR + payload, hashlib.sha256).digest()


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    """The bytes of a text as `_text` writes it, and of no other."""
    data = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if _text(data) != text:
        raise ValueError("not as written")
    return data
