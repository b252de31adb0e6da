"""The readings of a hostile upload, each in a child process within limits, else as the functions that they call."""

from __future__ import annotations

from schemas.deal import Extraction
from schemas.survey import Survey
from schemas.workbook import Overrides, Structure
from tools.isolation.child import run_limited
from tools.workbook.limits import DEFAULT_LIMITS, Limits

EXTRACT_MEMORY_BYTES = 2_000_000_000
EXTRACT_TIMEOUT_S = 300.0


def extract_limited(
    data: bytes,
    filename: str,
    *,
    artifact: str | None = None,
    overrides: Overrides | None = None,
    limits: Limits = DEFAULT_LIMITS,
    memory_bytes: int = EXTRACT_MEMORY_BYTES,
    timeout_s: float = EXTRACT_TIMEOUT_S,
) -> Extraction:
    """What `tools.deals.extract.extract` returns; raises what it raises, and what `run_limited` raises."""
    args = (data, filename, artifact, overrides, limits)
    return run_limited(read_deals, *args, memory_bytes=memory_bytes, timeout_s=timeout_s, subject=filename)


def survey_limited(
    data: bytes,
    filename: str,
    *,
    overrides: Overrides | None = None,
    limits: Limits = DEFAULT_LIMITS,
    memory_bytes: int = EXTRACT_MEMORY_BYTES,
    timeout_s: float = EXTRACT_TIMEOUT_S,
) -> Survey:
    """What `tools.deals.survey.survey` returns; raises what it raises, and what `run_limited` raises."""
    args = (data, filename, overrides, limits)
    return run_limited(read_survey, *args, memory_bytes=memory_bytes, timeout_s=timeout_s, subject=filename)


def structure_limited(
    data: bytes,
    filename: str,
    limits: Limits = DEFAULT_LIMITS,
    *,
    memory_bytes: int = EXTRACT_MEMORY_BYTES,
    timeout_s: float = EXTRACT_TIMEOUT_S,
) -> Structure:
    """What `tools.workbook.structure.structure` returns; raises what it raises, and what `run_limited` raises."""
    args = (data, filename, limits)
    return run_limited(read_structure, *args, memory_bytes=memory_bytes, timeout_s=timeout_s, subject=filename)


# The readers are imported where they run: the parent of a child never pays for them.


def read_deals(
    data: bytes, filename: str, artifact: str | None, overrides: Overrides | None, limits: Limits
) -> Extraction:
    """What a child does for `extract_limited`."""
    from tools.deals.extract import extract

    return extract(data, filename, artifact=artifact, overrides=overrides, limits=limits)


def read_survey(data: bytes, filename: str, overrides: Overrides | None, limits: Limits) -> Survey:
    """What a child does for `survey_limited`."""
    from tools.deals.survey import survey

    return survey(data, filename, overrides=overrides, limits=limits)


def read_structure(data: bytes, filename: str, limits: Limits) -> Structure:
    """What a child does for `structure_limited`."""
    from tools.workbook.structure import structure

    return structure(data, filename, limits)
