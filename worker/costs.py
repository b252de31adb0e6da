"""What a job's model calls came to: counts a model, and money where the settings give a price."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from schemas.job import ModelUse, StageDetail
from worker.settings import Price

PER = 1_000_000
"""The number of tokens that a price is for."""


def model_uses(stages: Iterable[StageDetail], prices: Mapping[str, Price]) -> tuple[ModelUse, ...]:
    """The calls and tokens of each model that was asked, by name; the cost only of a model that has a price."""
    found: dict[str, ModelUse] = {}
    for stamp in (stamp for stage in stages for stamp in stage.stamps):
        model = str(stamp["model"])
        known = found.get(model, ModelUse(model=model))
        found[model] = known.model_copy(
            update={
                name: getattr(known, name) + stamp.get(name, 0) for name in ("calls", "prompt_tokens", "answer_tokens")
            }
        )
    return tuple(_priced(found[model], prices) for model in sorted(found))


def _priced(use: ModelUse, prices: Mapping[str, Price]) -> ModelUse:
    """With its cost, by the longest name that its own begins with: services answer with a release's name."""
    name = max((name for name in prices if use.model.startswith(name)), key=len, default=None)
    if name is None:
        return use
    price = prices[name]
    cost = (price.input * use.prompt_tokens + price.output * use.answer_tokens) / Decimal(PER)
    return use.model_copy(update={"cost": cost, "currency": price.currency})
