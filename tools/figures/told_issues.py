"""Issues as documents tell them: in people's words, each number a figure that the issue's code stands behind."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal, InvalidOperation

from schemas.deal import Issue
from schemas.figures import FigureUnit
from tools.deals.dictionary import dictionary
from tools.deals.said import said
from tools.figures import formats
from tools.figures.citations import About, cited
from tools.figures.registry import LEFTOVER, NUMBER, Quoted, Sentence, quoted, sentence
from tools.figures.text import printable
from tools.figures.wording import in_peoples_words

_ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_FIELD = re.compile(r"\b[a-z]+(?:_[a-z]+)*\b")
_UNITS: dict[str, FigureUnit] = {"money": "money", "fraction": "fraction", "sf": "sf", "acres": "acres"}


def told(issue: Issue, most: int) -> Sentence:
    """The issue's sentence, in at most `most` characters: its numbers are figures, what it quotes stays as it is."""
    words = cited(printable(_with_days(in_peoples_words(issue.message)), most), _about(issue))
    # A sentence that reads "None tells" was not left behind by a program.
    return Sentence(tuple(Quoted(one) if isinstance(one, str) and LEFTOVER.search(one) else one for one in words.parts))


def told_value(issue: Issue, value: str | None) -> Sentence:
    """What an issue found or expected, as its sentence has it: a number is a figure, text from the file is quoted."""
    plain = (value or "").replace(",", "")
    if _ISO.fullmatch(plain):
        return cited(_with_days(plain), _about(issue))
    try:
        number = Decimal(plain.removesuffix("%"))
    except InvalidOperation:
        return sentence(quoted(value or "", 80))
    shown = said(plain, field_of(issue)) if number.is_finite() else plain
    as_told = shown.lstrip("-") in NUMBER.findall(issue.message)
    return cited(shown if as_told else printable(value, 80), _about(issue))


def field_of(issue: Issue) -> str | None:
    """The canonical field that an issue is about: the first that its sentence names, if it names one."""
    known = dictionary().fields
    return next((word for word in _FIELD.findall(issue.message) if word in known), None)


def _about(issue: Issue) -> About:
    values = [f"{name} {text}" for name, text in (("found", issue.found), ("expected", issue.expected)) if text]
    where = issue.cells[0] if issue.cells else issue.message
    place = re.sub(r"[^a-z0-9]+", "_", where.lower()).strip("_")[:60]
    field = field_of(issue)
    return About(
        f"issue.{issue.code}.{place}", f"in the issue {issue.code}", "; ".join([issue.code, *values]), issue.cells,
        units=_units(issue, field),
    )  # fmt: skip


def _units(issue: Issue, field: str | None) -> dict[str, FigureUnit]:
    """The unit of the values found and expected, as the field has it."""
    spec = dictionary().fields.get(field or "")
    unit = _UNITS.get(spec.unit or "") or _UNITS.get(spec.type) if spec else None
    if unit is None:
        return {}
    values = [value for value in (issue.found, issue.expected) if value]
    return dict.fromkeys((text for value in values for text in (value, said(value.replace(",", ""), field))), unit)


def _with_days(message: str) -> str:
    """`message` with its days as documents write them."""

    def day(found: re.Match[str]) -> str:
        try:
            return formats.day(date(*map(int, found.groups())))
        except ValueError:
            return found.group()

    return _ISO.sub(day, message)
