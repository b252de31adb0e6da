"""The readings of a hostile upload, each in a child process within limits, else as the functions that they call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from schemas.deal import Extraction
from schemas.survey import Survey
from schemas.workbook import Overrides, Structure
from tools.isolation.child import run_limited
from tools.workbook.limits import DEFAULT_LIMITS, Limits

T = TypeVar("T")


def extract_limited(
    data: bytes,
    filename: str,
    *,
    artifact: str | None = None,
    overrides: Overrides | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Extraction:
    """What `tools.deals.extract.extract` returns; raises what it raises, and what `run_limited` raises."""
    return _limited(read_deals, limits, data, filename, artifact, overrides, limits)


def survey_limited(
    data: bytes,
    filename: str,
    *,
    overrides: Overrides | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Survey:
    """What `tools.deals.survey.survey` returns; raises what it raises, and what `run_limited` raises."""
    return _limited(read_survey, limits, data, filename, overrides, limits)


def structure_limited(
    data: bytes,
    filename: str,
    limits: Limits = DEFAULT_LIMITS,
) -> Structure:
    """What `tools.workbook.structure.structure` returns; raises what it raises, and what `run_limited` raises."""
    return _limited(read_structure, limits, data, filename, limits)


def _limited(read: Callable[..., T], limits: Limits, data: bytes, filename: str, *more: Any) -> T:
    memory_bytes, timeout_s = limits.memory_bytes, limits.timeout_s
    return run_limited(read, data, filename, *more, memory_bytes=memory_bytes, timeout_s=timeout_s, subject=filename)


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
