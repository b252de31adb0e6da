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
_NOUN = re.compile(
    r"(client|customer|company|party|investor|sponsor|borrower|broker|lender|fund|owner|developer|partner|buyer|seller"
    r"|bank|firm|market|region|tenant)s?(?: name| group)?"
)
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


def row_noun(header: str | None) -> str:
    """`client` of the head `Client Name`: what rows that are no deals are called; `row` under any other head."""
    found = _NOUN.fullmatch(" ".join((header or "").split()).casefold())
    return found[1] if found else "row"


def plural(noun: str) -> str:
    """`clients`, `parties`: more than one of a row's noun."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
