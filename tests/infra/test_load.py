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
    assert costs["statements_in_all"] == pytest.approx(said("SQL statements"), rel=0.1)
    assert counted["adk rows"] + counted["dealwright rows"] == pytest.approx(said("rows"), rel=0.1)
    assert sum(costs["messages"].values()) == said("messages")
    assert costs["artifacts"]["objects"] == said("artifacts")
    assert costs["model_calls"] == said("model")
    kilobytes = (counted["adk bytes"] + counted["dealwright bytes"]) / 1000
    assert kilobytes == pytest.approx(said("bytes of rows and indices"), rel=0.33)
