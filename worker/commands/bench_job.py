"""A whole job's time in a warm worker beside the sum of its bare functions, and the command's own time."""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from statistics import median

from schemas.documents import DocumentOrder
from schemas.errors import OutputError
from schemas.job import JobDetail
from worker.app import App
from worker.bootstrap import open_app
from worker.commands.bench import Measured, beside, source
from worker.decisions import Said, decide
from worker.jobs import run_until_quiet, show_job, submit_file
from worker.settings import Settings, load_settings

ROWS = 50
MOST_STARTS = 3
"""Processes of its own that the command's time is the median of."""


def measure_job(arguments: argparse.Namespace) -> Measured:
    """A job from submission to delivery, approved at once, beside extraction and both documents by themselves."""
    name, data = source(arguments, ROWS)
    with tempfile.TemporaryDirectory(prefix="dealwright-bench-") as home:
        path = Path(home) / name
        path.write_bytes(data)
        with asyncio.Runner() as runner:
            opened = open_app(settings_in(home))
            app = runner.run(opened.__aenter__())
            try:
                ours_s, bare_s = beside(
                    lambda: runner.run(one_job(app, path)), lambda: bare_functions(data, name), arguments.runs
                )
            finally:
                runner.run(opened.__aexit__(None, None, None))
        process_s = median(_process_s(path, home, number) for number in range(min(arguments.runs, MOST_STARTS)))
    return {
        "what": "job",
        "file": name,
        "runs": arguments.runs,
        "ours_s": round(ours_s, 4),
        "bare_s": round(bare_s, 4),
        "ratio_to_bare": round(ours_s / bare_s, 3),
        "process_s": round(process_s, 3),
    }


async def one_job(app: App, path: Path) -> JobDetail:
    """A fresh job of the file, approved and delivered; raises OutputError if it ends otherwise."""
    job_id = (await submit_file(app, path, fresh=True, by="bench")).job_id
    state = await run_until_quiet(app, job_id)
    if state == "waiting":
        await decide(app, job_id, Said("approved", "bench"))
        state = await run_until_quiet(app, job_id)
    detail = await show_job(app, job_id)
    if state != "completed":
        raise OutputError(
            "bench.job", detail.reason.message if detail.reason else f"The measured job ended as {state}."
        )
    return detail


def bare_functions(data: bytes, name: str) -> None:
    """Extraction and both documents, called one after another with nothing around them."""
    from tools.deals.extract import extract
    from tools.deck.render import render_deck
    from tools.memo.render import render_memo

    extraction, as_of = extract(data, name), date(2026, 9, 30)
    render_deck(extraction, DocumentOrder(kind="deck", title="Measured"), as_of)
    render_memo(extraction, DocumentOrder(kind="memo", title="Measured"), as_of)


def _process_s(path: Path, home: str, number: int) -> float:
    """Seconds of one `dealwright process` in a new process and a new state folder."""
    folder = Path(home) / f"start-{number}"
    folder.mkdir()
    began = time.perf_counter()
    command = [sys.executable, "-m", "worker.cli", "process", str(path), "--approve", "yes", "--json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OutputError("bench.process", f"The measured command failed: {done.stderr.strip().splitlines()[-1]}")
    return time.perf_counter() - began


def settings_in(home: str) -> Settings:
    """The settings of this process, with all state in `home`."""
    return load_settings(state_dir=Path(home) / "state", database_url="", artifacts="")
