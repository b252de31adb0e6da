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


def check_hash(data: bytes, sha256: str) -> None:
    """Raise OutputError `artifact.changed` unless `data` is what the hash was taken of."""
    if ids.sha256_hex(data) != sha256:
        raise OutputError("artifact.changed", f"An artifact's bytes are not those of {sha256[:12]} any more.")
