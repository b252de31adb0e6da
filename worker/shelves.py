"""Where a job's artifacts stand: their scopes and names, the same for whoever writes and whoever reads them."""

from __future__ import annotations

from schemas import ids
from schemas.errors import OutputError


def deals_scope(job_id: str) -> str:
    """The scope of a job's deals."""
    return f"{job_id}.extraction"


def documents_scope(job_id: str) -> str:
    """The scope of a job's documents and their figures."""
    return f"{job_id}.presentation"


def check_hash(data: bytes, sha256: str, what: str = "deals") -> None:
    """Raise OutputError `artifact.changed` unless `data` is what the hash was taken of; `what` says it to people."""
    if ids.sha256_hex(data) != sha256:
        raise OutputError(
            "artifact.changed",
            f"The {what} kept for this job (sha256 {sha256[:12]}…) have been changed or damaged since;"
            " put the artifacts folder back from a copy, or start anew with process --fresh.",
        )
