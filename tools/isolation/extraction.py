"""The readings of a hostile upload, each in a child process within limits, else as the functions that they call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemas.deal import Extraction
from schemas.workbook import Overrides, Structure
from tools.isolation.child import run_limited
from tools.workbook.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from tools.deals.survey import Survey

EXTRACT_MEMORY_BYTES = 2_000_000_000
EXTRACT_TIMEOUT_S = 300.0
_SAMPLE = b"Property,City,Asking Price,Cap Rate,NOI\n" + b"Elm Court,Springfield,1200000,5.5%,66000\n" * 3


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
    return run_limited(_extract, *args, memory_bytes=memory_bytes, timeout_s=timeout_s, subject=filename)


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
    return run_limited(_survey, *args, memory_bytes=memory_bytes, timeout_s=timeout_s, subject=filename)


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
    return run_limited(_structure, *args, memory_bytes=memory_bytes, timeout_s=timeout_s, subject=filename)


def warm_up() -> None:
    """Imports the readers and reads a few lines, so that each child is forked with the field dictionary at hand."""
    _extract(_SAMPLE, "sample.csv", None, None, DEFAULT_LIMITS)
    _survey(_SAMPLE, "sample.csv", None, DEFAULT_LIMITS)
    _structure(_SAMPLE, "sample.csv", DEFAULT_LIMITS)


# The readers are imported where they run: the parent of a child never pays for them.


def _extract(
    data: bytes, filename: str, artifact: str | None, overrides: Overrides | None, limits: Limits
) -> Extraction:
    from tools.deals.extract import extract

    return extract(data, filename, artifact=artifact, overrides=overrides, limits=limits)


def _survey(data: bytes, filename: str, overrides: Overrides | None, limits: Limits) -> Survey:
    from tools.deals.survey import survey

    return survey(data, filename, overrides=overrides, limits=limits)


def _structure(data: bytes, filename: str, limits: Limits) -> Structure:
    from tools.workbook.structure import structure

    return structure(data, filename, limits)
