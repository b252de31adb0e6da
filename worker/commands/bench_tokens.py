"""What a job costs in tokens (request bytes / 4), for few rows and for many: it must not grow with them."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path
from typing import Any

from worker.bootstrap import open_app
from worker.commands.bench import Measured
from worker.commands.bench_job import one_job, settings_in
from worker.commands.bench_workbook import make_workbook

FEW, MANY = 50, 50_000


def measure_tokens(arguments: argparse.Namespace) -> Measured:
    """Tokens by stage of a job without a change round: of the file given, or of few rows and of many."""
    if arguments.file:
        return {"what": "tokens", "file": arguments.file} | asyncio.run(_tokens(Path(arguments.file)))
    with tempfile.TemporaryDirectory(prefix="dealwright-bench-") as home:
        found: dict[int, dict[str, int]] = {}
        for rows in (FEW, arguments.rows or MANY):
            path = Path(home) / f"deals-{rows}.xlsx"
            make_workbook(path, rows, arguments.columns)
            found[rows] = asyncio.run(_tokens(path))
    few, many = found.values()
    growth = {f"growth_{name}": round(many[name] / few[name], 4) for name in few}
    return {"what": "tokens", **{f"rows_{rows}": tokens for rows, tokens in found.items()}, **growth}


async def _tokens(path: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="dealwright-bench-") as home:
        async with open_app(settings_in(home)) as app:
            detail = await one_job(app, path)
    stages = {f"{stage.stage}_tokens": stage.tokens for stage in detail.stages if stage.tokens is not None}
    return stages | {"job_tokens": sum(stages.values())}
