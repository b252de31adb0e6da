"""What fields and kinds of issue are called in print: people's words, never a program's."""

from __future__ import annotations

import re

from tools.deals.dictionary import dictionary

UPPER = {"noi": "NOI", "ltv": "LTV", "dscr": "DSCR", "sf": "SF", "psf": "per SF", "ebitda": "EBITDA", "id": "ID"}
_LABELS = {"loan_amount": "Loan balance", "source_id": "ID", "deal_name": "Name"}
_ISSUES = {
    "mismatch": "{} does not tie", "systematic": "{} differs throughout", "exceeds_cover": "{} above its cover",
    "exceeds_income": "{} above income", "order": "{} out of order", "assumed": "{} assumed",
    "hidden": "{} with hidden rows",
}  # fmt: skip
_WHOLE = {
    "table.no_deals": "No deals in a table", "pin.applied": "Set by a person", "total.unmarked": "Unmarked total",
    "slip.hundredfold": "Off a hundredfold", "slip.thousandfold": "Off a thousandfold", "double.id": "ID used twice",
    "slip.twelvefold": "Off twelvefold", "double.record": "Listed twice", "value.unparsed": "Not a value",
    "value.placeholder": "No value yet", "value.zero": "Zeros", "percent.mixed": "Mixed percentages",
    "date.partial": "Date without a day", "value.implausible": "Implausible",
}  # fmt: skip
_WORD = re.compile(r"\b(?:[a-z]+(?:_[a-z]+)+|noi|ltv|dscr|ebitda)\b")


def label_of(field: str) -> str:
    """`Year built`, `NOI`, `Price per SF`: a canonical field as people call it."""
    if field in _LABELS:
        return _LABELS[field]
    words = " ".join(UPPER.get(word, word) for word in field.split("_"))
    return words[:1].upper() + words[1:]


def issue_words(code: str) -> str:
    """`Cap rate does not tie`: what an issue's code says, in a few words."""
    if code in _WHOLE:
        return _WHOLE[code]
    subject, _, what = code.rpartition(".")
    pattern = _ISSUES.get(what, "")
    if pattern and subject:
        return pattern.format(label_of(subject))
    return label_of(code.replace(".", "_"))


def in_peoples_words(message: str) -> str:
    """`message` with the names of fields as people call them: `building SF` for `building_sf`."""
    known = dictionary().fields

    def said(found: re.Match[str]) -> str:
        name = found.group()
        label = label_of(name) if name in known else name
        return label if label[:2].isupper() else label[:1].lower() + label[1:]

    return _WORD.sub(said, message)
