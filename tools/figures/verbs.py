"""What deals do with their amounts, in words: they earn, owe, pay, are priced at; and shares are of what."""

from __future__ import annotations

from tools.figures.series import Series

_VERBS = {
    "noi": ("earns", "earn"),
    "interest": ("pays", "pay"),
    "gross_income": ("earns", "earn"),
    "rent": ("pays", "pay"),
    "rent_psf": ("pays", "pay"),
    "ebitda": ("earns", "earn"),
    "revenue": ("takes in", "take in"),
}
_OF = {
    "noi": "of NOI",
    "price": "of the price",
    "balance": "of the balance",
    "interest": "of interest",
    "rent": "of rent",
    "value": "of the value",
    "weighted": "of the weighted value",
    "basis": "of the basis",
    "weighted_basis": "of the weighted basis",
    "area": "of the area",
    "units": "of the units",
}


def worded(measure: Series) -> str:
    """The key of the words for a measure: a pipeline's value that is a price, a loan or a basis is called so."""
    if measure.label in ("basis", "weighted basis"):
        return measure.label.replace(" ", "_")
    if measure.key != "value" or measure.label in ("value", "appraised value"):
        return measure.key
    return "balance" if measure.label == "loan amount" else "price"


def verb(measure: Series | None, plural: bool) -> str:
    """`earns`, `pay`, `holds`: what a part does with its share."""
    pair = _VERBS.get(worded(measure) if measure else "", ("holds", "hold"))
    return pair[plural]


_DEAL_VERBS = {
    "price": "is priced at",
    "balance": "owes",
    "value": "is worth",
    "weighted": "is worth, weighted by probability,",
    "basis": "stands at a basis of",
    "weighted_basis": "stands at a weighted basis of",
    "area": "has",
    "units": "has",
    "interest": "pays",
}


def deal_verb(measure: Series) -> str:
    """`earns`, `is priced at`, `owes`: what one deal does with its amount."""
    return _DEAL_VERBS.get(worded(measure)) or verb(measure, False)


_MORE_THAN = {
    "price": ("is priced above", "are priced above"),
    "balance": ("owes more than", "owe more than"),
    "value": ("is worth more than", "are worth more than"),
    "weighted": ("is worth more than", "are worth more than"),
    "basis": ("stands above", "stand above"),
    "weighted_basis": ("stands above", "stand above"),
    "area": ("has more than", "have more than"),
    "units": ("has more than", "have more than"),
}


def more_than(measure: Series, plural: bool) -> str:
    """`earn more than`, `are priced above`: how deals stand to an average."""
    pair = _MORE_THAN.get(worded(measure))
    return pair[plural] if pair else f"{verb(measure, plural)} more than"


def of_measure(measure: Series | None) -> str:
    """`of NOI`, `of the price`; where a total leaves other currencies out, `of NOI in USD`."""
    return _OF.get(worded(measure), f"of {measure.label}") + in_currency(measure) if measure else "of all"


def in_currency(measure: Series) -> str:
    """` in USD` where some amounts are in other currencies, which nothing is then compared with; else nothing."""
    return f" in {measure.spec.currency}" if measure.foreign and measure.spec.currency else ""
