"""Rounds: which documents an approval is about. A job's first documents are round 1; changes make the next one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from schemas.errors import ConflictError
from schemas.job import JobDetail
from schemas.ticket import TicketDetail
from worker.http.view import bound
from worker.placing import SEAL


def gates(detail: JobDetail) -> list[TicketDetail]:
    """The gates of the job's rounds, in their order."""
    return [each for each in detail.tickets if each.kind == "approval" and each.state != "void"]


def newest_gate(detail: JobDetail) -> str | None:
    """The ticket of the job's newest round, for a decision about it and no later one; None before the first."""
    found = gates(detail)
    return found[-1].ticket_id if found else None


def check_round(detail: JobDetail, sha256: str | None, folder: Path | None) -> str:
    """The round that waits and what an approval of it binds, in one line; empty if no gate is open.

    `sha256` names the documents that are meant by the first digits of a hash that the gate binds. Without it those are
    meant that lie in the folder; the first round needs neither. Raises ConflictError: `decision.changed` if others are
    meant than those that wait, `decision.unseen` if nothing says which are.
    """
    found = gates(detail)
    if not found or found[-1].state != "open":
        return ""
    subject = found[-1].subject
    hashes = ", ".join(f"{name} {digits}" for name, digits in bound(subject))
    line = f"round {subject['round'] + 1} of job {detail.job_id[:12]}: {hashes}"
    seen = _laid_out(detail, folder)
    if sha256:
        code, told = "decision.changed", "" if _names_newest(found, sha256) else f"{sha256} isn't what waits"
    elif seen:
        told = "" if seen == found[-1].ticket_id else f"The drafts in {folder} are of an earlier round"
        code = "decision.changed"
    else:
        code, told = "decision.unseen", "There was more than one round" if subject["round"] else ""
    if told:
        how = f"`dealwright process FILE --approve later` writes its drafts; --sha256 {bound(subject)[1][1]} names it"
        raise ConflictError(code, f"{told}; nothing was approved. What waits is {line}. {how}.")
    return line


def _names_newest(found: list[TicketDetail], digits: str) -> bool:
    """Whether the newest round has a hash that begins so, which no earlier round of other documents has too."""
    *earlier, newest = [_hashes(each.subject) for each in found]
    others = {each for old in earlier if old != newest for each in old}
    return any(each.startswith(digits) for each in newest - others)


def _hashes(subject: Mapping[str, Any]) -> set[str]:
    return {str(value) for name, value in subject.items() if name.endswith("sha256")}


def _laid_out(detail: JobDetail, folder: Path | None) -> str | None:
    """The newest gate's ticket in the record that lies in the folder; None if it tells of none, or of another job."""
    try:
        record: Any = json.loads((folder / SEAL).read_text(encoding="utf-8")) if folder else {}
        mine = isinstance(record, dict) and cast("dict[str, Any]", record).get("job_id") == detail.job_id
        return newest_gate(JobDetail.model_validate(record)) if mine else None
    except (OSError, ValueError):
        return None
