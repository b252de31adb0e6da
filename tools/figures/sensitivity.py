"""What the deals that have both NOI and price would be worth at a changed NOI and a changed cap rate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from schemas.figures import Figure
from tools.figures import formats
from tools.figures.measures import Portfolio
from tools.figures.registry import Sentence, sentence
from tools.figures.series import Spec, figure

NOI_STEPS = tuple(Decimal(step) / 100 for step in (-10, -5, 0, 5, 10))
CAP_STEPS = tuple(Decimal(step) / 10_000 for step in (-50, -25, 0, 25, 50))
_LEAST_CAP = Decimal("0.015")
"""Below this blended rate a step of 50 bp says nothing sensible."""


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The grid by (NOI step, cap step): values, and their changes from the base in the middle.

    `incomes` are the NOI at each NOI step, `rates` the cap rate at each cap step, `steps` each step as printed.
    """

    number: Figure
    incomes: Mapping[Decimal, Figure]
    rates: Mapping[Decimal, Figure]
    steps: Mapping[Decimal, Figure]
    values: Mapping[tuple[Decimal, Decimal], Figure]
    changes: Mapping[tuple[Decimal, Decimal], Figure]
    title: Sentence

    @property
    def base(self) -> Figure:
        """The value as stated: no change."""
        return self.values[Decimal(0), Decimal(0)]

    @property
    def greatest(self) -> Decimal:
        """The largest change, up or down, for shading."""
        return max(abs(exact(one)) for one in self.changes.values())


def exact(shown: Figure) -> Decimal:
    """The number that a figure rounds."""
    assert isinstance(shown.value, Decimal)  # computed figures hold numbers
    return shown.value


def sensitivity(portfolio: Portfolio) -> Sensitivity | None:
    """The grid; None unless the blended cap rate of properties stands on Σ NOI ÷ Σ price and makes sense."""
    blended, price = portfolio.totals.get("cap_rate"), portfolio.measures.get("price")
    noi = portfolio.measures.get("noi")
    if portfolio.kind != "property" or blended is None or price is None or noi is None:
        return None
    if not blended.derivation.startswith("Σ") or exact(blended) < _LEAST_CAP:
        return None
    both = [i for i in noi.records if price.values[i] is not None and i not in price.foreign]
    income = sum((noi.values[i] or Decimal(0) for i in both), Decimal(0))
    values = {(n, c): _value(portfolio, blended, income, n, c) for n in NOI_STEPS for c in CAP_STEPS}
    base = values[Decimal(0), Decimal(0)]
    changes = {place: _change(value, base) for place, value in values.items()}
    steps = {step: _step("noi", step) for step in NOI_STEPS} | {
        step: _step("cap_rate", step) for step in CAP_STEPS if step
    }
    return Sensitivity(
        portfolio.deals(len(both), f"{portfolio.profile.nouns} with NOI and {price.label}"),
        {step: _income(portfolio, base, income, step) for step in NOI_STEPS},
        {step: _rate(portfolio, blended, step) for step in CAP_STEPS},
        steps,
        values,
        changes,
        _title(values, changes, _asked(portfolio, base, len(both), price.label)),
    )


def _value(portfolio: Portfolio, blended: Figure, income: Decimal, noi_step: Decimal, cap_step: Decimal) -> Figure:
    rate = exact(blended) + cap_step
    rule = f"NOI × {1 + noi_step} ÷ {formats.percent(rate, 2)}"
    spec = Spec("value", "money", 0, portfolio.measures["price"].spec.currency)
    identity = portfolio.figure_id(f"value.noi{noi_step:+}.cap{cap_step:+}")
    return figure(identity, spec, income * (1 + noi_step) / rate, rule, blended.cells)


def _change(to: Figure, base: Figure) -> Figure:
    value = exact(to) / exact(base) - 1
    spec = Spec("change in value", "fraction", 1)
    made = figure(f"{to.id}.change", spec, value, f"{to.text} ÷ {base.text} less one", to.cells)
    return made.model_copy(update={"text": formats.change(value)})


def _income(portfolio: Portfolio, base: Figure, income: Decimal, step: Decimal) -> Figure:
    spec = Spec("NOI", "money", 0, base.currency)
    rule = f"Σ NOI × {1 + step}"
    return figure(portfolio.figure_id(f"value.income{step:+}"), spec, income * (1 + step), rule, base.cells)


def _rate(portfolio: Portfolio, blended: Figure, step: Decimal) -> Figure:
    rule = f"blended cap rate {formats.basis_points(step)}"
    identity = portfolio.figure_id(f"value.rate{step:+}")
    return figure(identity, Spec("cap rate", "fraction", 2), exact(blended) + step, rule, blended.cells)


def _step(what: str, step: Decimal) -> Figure:
    label = {"noi": "change in NOI", "cap_rate": "change in cap rate"}[what]
    made = figure(f"step.{what}{step:+}", Spec(label, "fraction", 2), step, "a step of the grid", ())
    text = formats.change(step, 0) if what == "noi" else formats.basis_points(step)
    return made.model_copy(update={"text": text})


def _asked(portfolio: Portfolio, base: Figure, number: int, price: str) -> Sentence:
    """`the asking price`; where some deals have no NOI or price, that of which deals, and how much."""
    if number == portfolio.held:
        return sentence(f"the {price}")
    both = portfolio.deals(number, f"{portfolio.profile.nouns} with NOI and {price}")
    return sentence("the ", base, f" {price} of the ", both, " with both")


def _title(
    values: Mapping[tuple[Decimal, Decimal], Figure], changes: Mapping[tuple[Decimal, Decimal], Figure], asked: Sentence
) -> Sentence:
    """`With NOI off 5% and caps 50 bp wider, value falls to $316.8M, 12% under the asking price`."""
    place = (Decimal("-0.05"), Decimal("0.005"))
    off = _step("noi", place[0])
    wider = _step("cap_rate", place[1])
    under = changes[place]
    down = under.model_copy(update={"text": formats.percent(-exact(under), 0), "id": f"{under.id}.down"})
    return sentence(
        "With NOI off ", off.model_copy(update={"text": off.text.lstrip("−")}), " and caps ",
        wider.model_copy(update={"text": wider.text.lstrip("+")}), " wider, value falls to ", values[place], ", ", down,
        " under ", asked,
    )  # fmt: skip
