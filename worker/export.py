"""What a job leaves in the user's folder: deals, documents, figures and its own record, of the newest round."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemas.documents import FILE_NAMES
from schemas.job import ArtifactDetail, DocumentDetail, JobDetail
from worker.app import App
from worker.jobs import read_artifact
from worker.placing import SEAL, SEAL_MARK, placed
from worker.shelves import check_hash

DRAFT_NOTE = "DRAFT.txt"
OURS = frozenset({"deals.json", "deals.xlsx", "figures.json", SEAL, DRAFT_NOTE, *FILE_NAMES.values()})
"""The names that belong to us in a folder of results; whatever else lies there is the user's."""


@dataclass(frozen=True, slots=True)
class Exported:
    """Where results were put, which edition, and what each file is, in words."""

    folder: Path
    edition: str
    files: Mapping[str, str]


async def export(app: App, detail: JobDetail, folder: Path) -> Exported | None:
    """The results as put into `folder`, whole or not at all; None if the job has no deals to show."""
    if detail.deals is None:
        return None
    edition = "final" if detail.state == "completed" else "draft"
    with placed(folder, OURS) as partial:
        files = await _write_deals(app, detail, detail.deals, partial)
        files |= await _write_documents(app, detail, edition, partial)
        if edition == "draft":
            (partial / DRAFT_NOTE).write_text(draft_note(detail), encoding="utf-8")
            files[DRAFT_NOTE] = "why these are drafts, and how to go on"
        _write_json(partial / SEAL, job_document(detail, edition))
    remember(app, detail.job_id, folder)
    return Exported(folder, edition, files | {SEAL: "the job's record"})


async def _write_deals(app: App, detail: JobDetail, deals: ArtifactDetail, folder: Path) -> dict[str, str]:
    data = await read_artifact(app, detail, deals.artifact, deals.version)
    check_hash(data, deals.sha256)
    return await asyncio.to_thread(_spread_deals, data, folder)


def _spread_deals(data: bytes, folder: Path) -> dict[str, str]:
    from tools.deals.document import load, write_document
    from tools.deals.workbook_out import deals_xlsx

    extraction = load(data)
    with (folder / "deals.json").open("w", encoding="utf-8") as stream:
        write_document(extraction, stream)
    (folder / "deals.xlsx").write_bytes(deals_xlsx(extraction))
    return {
        "deals.json": f"{extraction.deal_count:,} deals, each value with its cell",
        "deals.xlsx": "the same for people, with the account of rows",
    }


async def _write_documents(app: App, detail: JobDetail, edition: str, folder: Path) -> dict[str, str]:
    files: dict[str, str] = {}
    listed: list[Mapping[str, Any]] = []
    for document in newest(detail):
        kept: ArtifactDetail = getattr(document, edition)
        data = await read_artifact(app, detail, kept.artifact, kept.version)
        check_hash(data, kept.sha256, f"{document.kind}'s bytes")
        (folder / FILE_NAMES[document.kind]).write_bytes(data)
        unit = "slides" if document.kind == "deck" else "pages"
        files[FILE_NAMES[document.kind]] = f"{document.title}, {document.pages} {unit}, {edition}"
        listed.append(json.loads(await read_artifact(app, detail, document.figures.artifact, document.figures.version)))
    if listed:
        figures = merged_figures(listed)
        _write_json(folder / "figures.json", {"schema": "dealwright.figures/1", "figures": figures})
        files["figures.json"] = f"{len(figures):,} printed numbers, each with its derivation and cells"
    return files


def newest(detail: JobDetail) -> Iterator[DocumentDetail]:
    """The documents of the newest round, the deck first."""
    yield from sorted((each for each in detail.documents if each.newest), key=lambda each: each.kind)


def merged_figures(documents: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The figures of all documents: one that several print in the same words is listed once, with all its places."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for document in documents:
        for figure in document["figures"]:
            known = found.setdefault((figure["id"], figure["text"]), {**figure, "where": []})
            known["where"] += [place for place in figure["where"] if place not in known["where"]]
    return list(found.values())


def draft_note(detail: JobDetail) -> str:
    """The sentences that lie beside drafts."""
    job = detail.job_id[:12]
    if detail.state == "waiting":
        how = f"dealwright approve {job}, dealwright changes {job} --comment …, or dealwright reject {job} --comment …"
        return f"These documents are drafts: job {job} waits for a decision.\nTo finish it: {how}\n"
    return f"These documents are drafts of job {job}, which is {detail.state}. Nothing was delivered.\n"


def job_document(detail: JobDetail, edition: str) -> dict[str, Any]:
    """The job's record as JSON: what the ledger knows, and how long each part took."""
    record = detail.model_dump(mode="json")
    spans = {stage.stage: (stage.started_at, stage.ended_at) for stage in detail.stages}
    spans["job"] = (detail.created_at, detail.finished_at)
    timings = {
        f"{name}_s": round((end - start).total_seconds(), 3) for name, (start, end) in spans.items() if start and end
    }
    return {"schema": SEAL_MARK, "edition": edition, **record, "timings": timings}


def _write_json(path: Path, document: object) -> None:
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def remember(app: App, job_id: str, folder: Path) -> None:
    """Keeps where the job's results go, so that a later decision or a replay writes them there too."""
    note = app.settings.state_dir / "exports" / job_id
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(str(folder.absolute()), encoding="utf-8")


def remembered(app: App, job_id: str) -> Path | None:
    """Where the job's results go on this machine, as it was last said, or None."""
    note = app.settings.state_dir / "exports" / job_id
    return Path(note.read_text(encoding="utf-8")) if note.is_file() else None
