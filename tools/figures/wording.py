"""What fields and kinds of issue are called in print: people's words, never a program's."""

from __future__ import annotations

import re

from tools.deals.dictionary import dictionary

UPPER = {"noi": "NOI", "ltv": "LTV", "dscr": "DSCR", "sf": "SF", "psf": "per SF", "ebitda": "EBITDA", "id": "ID"}
_LABELS = {"loan_amount": "Loan balance", "source_id": "ID", "deal_name": "Name"}
_ISSUES = {
    "mismatch": "{} does not tie", "systematic": "{} differs throughout", "exceeds_cover": "{} above its cover",
    "exceeds_income": "{} above income",
}  # fmt: skip
_WHOLE = {
    "beside.unread": "Cell beside amounts not understood",
    "column.split": "Column of two things",
    "column.others": "Several columns for one field", "column.years": "Column of a year's figures",
    "currency.ambiguous": "Currency not told",
    "currency.assumed": "Currency assumed", "currency.mixed": "Several currencies",
    "currency.beside": "Currency in a cell of its own", "currency.partial": "Currency shown for some only",
    "currency.conflict": "Currencies contradict", "currency.note": "Note on another currency",
    "currency.unread": "Cell of a currency without one",
    "date.ambiguous": "Day or month first", "date.day_first": "Day taken as first",
    "date.implausible": "Not a likely day",
    "date.mixed": "Dates written in two orders", "date.partial": "Date without a day",
    "date.year": "Year kept as a date",
    "date.serial": "Date kept as a number", "date.swapped": "Day and month may be swapped",
    "dates.order": "Dates out of order", "years.order": "Years out of order",
    "years.ahead": "Year far ahead",
    "letters.guessed": "Letters read by a guess",
    "label.again": "Label with a second value",
    "name.title": "Name taken from the title", "name.top": "Names taken from over the columns",
    "double.id": "ID used twice", "double.record": "Listed twice",
    "double.table": "Same deals in several tables",
    "formula.computed": "Formula worked out here", "formula.no_value": "Formula without a value",
    "formula.stale": "Formula not calculated anew",
    "header.words": "Row of words under the header",
    "hidden.cells": "Cells under merged ones left out", "hidden.rules": "Hiding rule not followed",
    "hidden.columns": "Hidden columns left out", "hidden.rows": "Hidden rows left out",
    "hidden.sheet": "Hidden sheet left out",
    "id.decimal": "Decimals added to an ID", "id.padded": "Zeros put back before an ID",
    "number.ambiguous": "Thousands or decimals", "percent.ambiguous": "Fraction or percentage",
    "percent.mixed": "Mixed percentages", "pin.applied": "Set by a person",
    "record.after_total": "Row below the total",
    "area.unit": "Area without a unit", "rent.period": "A month's rent or a year's",
    "term.unit": "A term's years or months", "column.year": "Years of what",
    "record.rows": "Deals over two rows",
    "record.parts": "Parts of the record above", "record.summary": "Statistics among the rows",
    "record.name_only": "Deal with a name only", "section.empty": "Section without a deal",
    "record.unfielded": "Deal without a field",
    "record.fields": "More fields than the header",
    "record.continued": "Lines under a record", "scale.conflict": "Stated scale does not fit",
    "scale.elsewhere": "Scale on another sheet", "scale.parts": "Scale stated for some parts only",
    "scale.shown": "Shown in its scale",
    "scale.full": "In full where others are not", "scale.note": "Note on scale not understood",
    "slip.hundredfold": "Off a hundredfold", "slip.thousandfold": "Off a thousandfold",
    "slip.twelvefold": "Off twelvefold",
    "table.beside": "Two tables side by side, perhaps",
    "table.no_deals": "No deals in a table", "table.periods": "Table of periods, no deals",
    "table.summary": "Summary, no deals", "text.date": "Text turned into a date",
    "tenant.blank": "Rent without a tenant",
    "total.column": "Column of totals", "total.hidden": "Total with hidden rows",
    "total.mismatch": "Total does not tie", "total.stale": "Total not calculated anew",
    "total.unmarked": "Unmarked total",
    "value.approximate": "Approximate values", "value.boolean": "Yes or no for a number",
    "value.converted": "Converted from another unit", "value.ditto": "Repeated by a mark",
    "value.error": "Error in a cell", "value.implausible": "Implausible", "value.magnitude": "Amount in words",
    "value.group": "Name of the group",
    "value.merged": "Merged over several deals",
    "unit.mixed": "Some units not stated",
    "unit.taken": "Unit taken from beside",
    "value.mil": "Thousand or million",
    "value.not_whole": "Not a whole number", "value.placeholder": "No value yet",
    "value.qualified": "Words beside a number", "value.range": "Range, no single value", "value.unit": "Another unit",
    "value.unparsed": "Not a value", "value.zero": "Zeros",
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
