"""The figures that infra/decisions/0001 reckons with are what a job costs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.infra import load
from tests.infra.provider import ROOT
from tests.servers import postgres

PAGE = next((ROOT / "infra" / "decisions").glob("0001-*.md")).read_text(encoding="utf-8")


def said(row: str) -> float:
    """The first number of a row of the page's first table."""
    match = re.search(rf"^\| {row} \| ([\d,.]+)", PAGE, re.MULTILINE)
    assert match, row
    return float(match[1].replace(",", ""))


@pytest.mark.long
async def test_the_page_counts_what_a_job_really_sends(
    postgres_server: postgres.Server, postgres_url: str, tmp_path: Path
) -> None:
    """Statements and rows within a tenth, bytes within a third, for they vary with pages; the rest exactly."""
    costs = await load.measure(postgres_server, postgres_url, tmp_path, jobs=10)
    counted = costs["database"]
    found = {
        "SQL statements": (costs["statements_in_all"], 0.1),
        "rows": (counted["adk rows"] + counted["dealwright rows"], 0.1),
        "messages": (sum(costs["messages"].values()), 0),
        "artifacts": (costs["artifacts"]["objects"], 0),
        "model": (costs["model_calls"], 0),
        "bytes of rows and indices": ((counted["adk bytes"] + counted["dealwright bytes"]) / 1000, 0.33),
    }
    wrong = {
        row: (said(row), now) for row, (now, within) in found.items() if now != pytest.approx(said(row), rel=within)
    }
    assert not wrong, "said and counted; count again with python -m tests.infra.load 20, and correct the page"
