"""What a job's model calls came to."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from agents.extraction import plan as extraction
from agents.planner import OfflinePlanner
from agents.presentation import plan as presentation
from schemas.job import StageDetail
from worker import jobs
from worker.app import App
from worker.commands.jobs import show_lines
from worker.costs import model_uses
from worker.export import job_document
from worker.settings import Price, load_settings


def stage(*stamps: dict[str, Any]) -> StageDetail:
    """A stage with these stamps."""
    counts: dict[str, Any] = {"turns": 1, "failures": 0, "lost_leases": 0, "model_calls": 1, "tokens": 1}
    moments: dict[str, Any] = {"started_at": None, "ended_at": None, "answer": None}
    return StageDetail(stage="extraction", state="done", stamps=stamps, **counts, **moments)


def stamp(model: str, calls: int, prompt_tokens: int, answer_tokens: int) -> dict[str, Any]:
    """A stamp with its counts."""
    return {"model": model, "calls": calls, "prompt_tokens": prompt_tokens, "answer_tokens": answer_tokens}


def test_a_models_calls_are_summed_over_stages_and_priced_by_the_longest_name_that_fits() -> None:
    """Exactly; a model without a price has counts alone."""
    stages = [
        stage(stamp("pro-002", 2, 1_500_000, 10)),
        stage(stamp("pro-002", 1, 500_000, 90), stamp("other", 1, 5, 5)),
    ]
    prices = {
        "pro": Price(input=Decimal(9), output=Decimal(9)),
        "pro-0": Price(input=Decimal("0.1"), output=Decimal(4)),
    }
    other, pro = model_uses(stages, prices)
    assert (other.model, other.calls, other.cost, other.currency) == ("other", 1, None, None)
    assert (pro.calls, pro.prompt_tokens, pro.answer_tokens) == (3, 2_000_000, 100)
    assert (pro.cost, pro.currency) == (Decimal("0.2004"), "USD")


def test_stamps_kept_before_they_had_counts_count_nothing() -> None:
    """Their jobs are shown all the same."""
    (use,) = model_uses([stage({"model": "offline-rules/1"})], {})
    assert (use.calls, use.prompt_tokens, use.cost) == (0, 0, None)


def test_prices_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """As JSON, without a float in between."""
    monkeypatch.setenv("DEALWRIGHT_PRICES", '{"m": {"input": 0.1, "output": 2, "currency": "EUR"}}')
    assert load_settings().prices == {"m": Price(input=Decimal("0.1"), output=Decimal(2), currency="EUR")}


async def test_a_jobs_record_and_lines_tell_tokens_and_cost(app: App, workbook: Path) -> None:
    """The sum of its stamps is what its stages count."""
    price = {
        OfflinePlanner(plans={"x": extraction, "y": presentation}).model: Price(input=Decimal(1), output=Decimal(4))
    }
    priced = replace(app, settings=app.settings.model_copy(update={"prices": price}))
    job_id = (await jobs.submit_file(priced, workbook, by="analyst")).job_id
    await jobs.run_until_quiet(priced, job_id)
    detail = await jobs.show_job(priced, job_id)
    (use,) = detail.models
    assert use.calls == sum(stage.model_calls for stage in detail.stages)
    assert use.prompt_tokens == sum(stage.tokens or 0 for stage in detail.stages) > 0
    assert use.cost == Decimal(use.prompt_tokens) / 1_000_000
    told = json.loads(json.dumps(job_document(detail, "draft")))["models"]
    assert told == [use.model_dump(mode="json")]
    assert any(f"{use.prompt_tokens:,} tokens in, 0 out, " in line and "USD" in line for line in show_lines(detail))
