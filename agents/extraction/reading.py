"""The document work behind the tools, as plain functions for a thread: bytes and values in, values out.

A workbook is read in a child process within limits; what comes back is values. The readers are imported where they
run, so that an idle worker does not hold them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agents.extraction import view
from schemas import ids, state
from schemas.deal import Deal, Extraction
from schemas.state import UploadRef
from schemas.survey import Survey
from schemas.workbook import Overrides
from tools.deals import archive, summary
from tools.deals.dictionary import field_spec
from tools.isolation.extraction import extract_limited, survey_limited
from tools.workbook.limits import Limits


@dataclass(frozen=True, slots=True)
class Extracted:
    """Deals as they are stored (`data`, whose hash is the deals hash), and the small facts about them."""

    data: bytes
    sha256: str
    summary: dict[str, Any]
    issues: list[dict[str, Any]]
    records: list[dict[str, Any]] | None
    answer: dict[str, Any]


def survey(data: bytes, upload: UploadRef, overrides: Overrides, limits: Limits) -> Survey:
    """A workbook's tables and open questions; raises InputError for one that cannot be used."""
    return survey_limited(data, upload.filename, overrides=overrides, limits=limits)


def extract(data: bytes, upload: UploadRef, overrides: Overrides, limits: Limits) -> Extracted:
    """All deals of a workbook, ready to be stored; raises InputError for one that cannot be used or holds none."""
    from tools.deals.extract import require_deals

    made = extract_limited(data, upload.filename, artifact=upload.artifact, overrides=overrides, limits=limits)
    require_deals(made)
    dumped, counts = archive.dump(made), summary.summarise(made)
    return Extracted(
        data=dumped,
        sha256=ids.sha256_hex(dumped),
        summary=counts,
        issues=view.issues(made),
        records=_small_records(made),
        answer=view.extraction_answer(made),
    )


def _small_records(made: Extraction) -> list[dict[str, Any]] | None:
    """All deals in short, if they fit well inside a state value."""
    if made.deal_count > view.STATE_DEALS:
        return None
    records = [view.deal_in_short(number, deal) for number, deal in enumerate(made.deals(), 1)]
    return records if state.size_bytes(records) <= state.VALUE_BYTES // 2 else None


def numbered(data: bytes, wanted: frozenset[int] | None = None) -> tuple[int, dict[int, Deal]]:
    """How many deals there are in a stored extraction, and those numbered in `wanted` (from 1), or all."""
    made = archive.load(data)
    last = max(wanted, default=0) if wanted is not None else made.deal_count
    found = {
        number: deal
        for number, deal in zip(range(1, last + 1), made.deals(), strict=False)
        if wanted is None or number in wanted
    }
    return made.deal_count, found


def page(data: bytes, first: int, count: int) -> dict[str, Any]:
    """`count` deals of a stored extraction after the first `first`, as a model is shown them."""
    total, found = numbered(data, frozenset(range(first + 1, first + count + 1)))
    return {"total": total, "deals": [view.deal_answer(number, deal) for number, deal in sorted(found.items())]}


def is_field(name: str) -> bool:
    """Whether the dictionary has a field of that name."""
    return field_spec(name) is not None
