"""Identifiers, each derived from what it names: the same inputs give the same id in any process, on any day."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata

ID_LENGTH = 24
"""Hex digits of an id: 96 bits, so that a collision among 10**9 ids has odds of about 10**-11."""


def derive(*parts: object) -> str:
    """The id of `parts`: hex digits of the sha256 of their canonical JSON, where the order of keys does not count."""
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()[:ID_LENGTH]


def sha256_hex(data: bytes) -> str:
    """The sha256 of `data`, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def job_id_of_object(bucket: str, name: str, generation: int) -> str:
    """The job of one generation of one object; every event about it names the same job."""
    return derive("object", bucket, name, generation)


def job_id_of_file(path: str, sha256: str, template: str, rules_version: str, fresh: int = 0) -> str:
    """The job of a local file: same absolute path, bytes, template and rules, same job; `fresh` counts new starts."""
    return derive("local", path, sha256, template, rules_version, *([fresh] if fresh else []))


def deal_id(artifact: str, sheet: str | None, row_or_column: int | str) -> str:
    """The id of the deal at a place: identity is sheet and row (or column), never content, so twins stay two."""
    return derive("deal", artifact, sheet, row_or_column)


def normalise_key(text: str) -> str:
    """`text` for matching: accents, case, punctuation and runs of space do not count."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    kept = (char if char.isalnum() else " " for char in plain if not unicodedata.combining(char))
    return " ".join("".join(kept).split())


def match_key(source_id: object, name: object, address: object, tenant: object) -> str | None:
    """What re-uploads are matched by: the source's own id, else name, address and tenant; None when all are missing."""
    if source_id not in (None, ""):
        return "id:" + normalise_key(str(source_id))
    parts = [normalise_key(str(part)) if part not in (None, "") else "" for part in (name, address, tenant)]
    return "|".join(parts) if any(parts) else None


def safe_name(filename: str) -> str:
    """`filename` with allow-listed characters only, for paths and artifact names; never empty, never a dot name."""
    stem = unicodedata.normalize("NFKC", filename.replace("\\", "/").rsplit("/", 1)[-1])
    kept = re.sub(r"[^\w.\- ]+", "_", stem).strip(" ._")
    return kept[:120] or "workbook"


def is_hidden(name: str) -> bool:
    """Whether a path's file, or a folder of it, is none that people mean: `.name`, or an office program's `~$name`."""
    return any(part.startswith((".", "~$")) for part in name.split("/"))


def upload_artifact(bucket: str, name: str) -> str:
    """The artifact name of an upload: opaque, the user's, so that a corrected re-upload is its next version."""
    return f"user:uploads/{derive('upload', bucket, name)}/{safe_name(name)}"
