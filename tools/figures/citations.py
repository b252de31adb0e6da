"""Numbers in texts that were written elsewhere (rules of figures, notes at the foot, issues): each becomes a figure.

What only names a place or repeats the file is none: cells and ranges, rows, sheets and files by their names, what
stands in quotation marks, years.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from schemas.figures import Figure, FigureUnit
from tools.figures import formats
from tools.figures.registry import NUMBER, Part, Quoted, Sentence, sentence

_CURRENCIES = {sign: code for code, sign in formats.SYMBOLS.items()}
_SIGN = "|".join(re.escape(sign) for sign in sorted(_CURRENCIES, key=len, reverse=True))
_CELL = r"[A-Z]{1,3}\d{1,7}"
_REFERENCE = rf"(?:(?:'[^']+'|[\w.&-]+)!)?{_CELL}(?::{_CELL})?(?!\w)|\b[A-Z]{{1,3}}:[A-Z]{{1,3}}\b"
_ROW = r"\d+(?:,\d{3})*"
_ROWS = rf"\b[Rr]ows? {_ROW}(?:(?:, | and | to |–|-|:){_ROW})*"
_MARKED = r"“[^”]*”|(?<!\w)'(?:[^'\\]|\\.)*'(?!\w)|(?<!\w)\"(?:[^\"\\]|\\.)*\"(?!\w)"
_DAY = rf"\b(?:\d{{1,2}} )?(?:{'|'.join(formats.MONTHS)}) \d{{4}}\b"
_YEAR = r"(?<![\d.,$€£¥])\b(?:19|20)\d\d\b(?![.,]?\d|%|\w)"
_AMOUNT = rf"(?P<sign>{_SIGN})?(?:(?<!\w)[-−])?(?<!\w)(?P<digits>\d+(?:[.,]\d+)*(?:E[+-]\d+)?)(?P<tail>[%MBTx]?)"
_TIMES: Mapping[str, Decimal] = {
    "M": Decimal(10**6), "B": Decimal(10**9), "T": Decimal(10**12), "%": Decimal("0.01"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class About:
    """What a text is about: the id, label and derivation that its numbers get, their cells, names in it from the file.

    `units` has the unit of numbers that the text does not tell it of, by their text.
    """

    identity: str
    label: str
    derivation: str
    cells: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    units: Mapping[str, FigureUnit] = field(default_factory=dict[str, FigureUnit])


def cited(text: str, about: About) -> Sentence:
    """`text` with its numbers as figures, and with what names a place or repeats the file as quotations."""
    if not NUMBER.search(text):
        return Sentence((text,))
    parts: list[Part] = []
    start = 0
    number = 0
    for found in _pattern(_named(about)).finditer(text):
        if found.start() > start:
            parts.append(text[start : found.start()])
        start = found.end()
        if found["kept"] is not None:
            parts.append(Quoted(found.group()))
        else:
            number += 1
            parts.append(_figure(found, number, about))
    parts += [text[start:]] if start < len(text) else []
    bare = (isinstance(part, str) and NUMBER.search(part) is not None for part in parts)
    return Sentence(tuple(Quoted(str(part)) if is_bare else part for part, is_bare in zip(parts, bare, strict=True)))


def rule_of(shown: Figure) -> About:
    """What the rule of a figure is about."""
    rule = f"in the rule of {shown.id}: {shown.derivation}"
    return About(f"{shown.id}.rule", f"in the rule of {shown.label}", rule, shown.cells)


def _named(about: About) -> tuple[str, ...]:
    """The names in which a number may stand: those given, and the sheets of the cells."""
    sheets = {cell.rpartition("!")[0] for cell in about.cells}
    return tuple(sorted({name for name in (*about.names, *sheets) if NUMBER.search(name)}, key=lambda n: (-len(n), n)))


@lru_cache(maxsize=256)
def _pattern(names: Sequence[str]) -> re.Pattern[str]:
    kept = [rf"(?<!\w){re.escape(name)}(?!\w)(?:!{_CELL}(?::{_CELL})?)?" for name in names]
    return re.compile(rf"(?P<kept>{'|'.join([_MARKED, *kept, _REFERENCE, _ROWS, _YEAR])})|(?P<day>{_DAY})|{_AMOUNT}")


def _figure(found: re.Match[str], number: int, about: About) -> Figure:
    text = found.group()
    value, unit, currency = _meaning(found, about)
    return Figure(
        id=f"{about.identity}.{number}", label=about.label, value=value, unit=unit, currency=currency, text=text,
        derivation=about.derivation, cells=about.cells,
    )  # fmt: skip


def _meaning(found: re.Match[str], about: About) -> tuple[Decimal | str, FigureUnit, str | None]:
    """Value, unit and currency of a number as its text has them."""
    text = found.group()
    if found["day"] is not None:
        return text, "date", None
    try:
        value = Decimal(found["digits"].replace(",", "")) * _TIMES.get(found["tail"], Decimal(1))
    except InvalidOperation:  # 1.250.000,00 and the like
        return text, "count", None
    before = text.partition(found["digits"])[0]
    value = -value if "-" in before or "−" in before else value
    if found["sign"]:
        return value, "money", _CURRENCIES[found["sign"]]
    unit: FigureUnit = "fraction" if found["tail"] == "%" else "ratio" if found["tail"] == "x" else "count"
    return value, about.units.get(text, unit), None


def remark(text: str, cells: Sequence[str] = ()) -> Sentence:
    """A remark of ours with its numbers as figures; each has the remark for its derivation."""
    name = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:60]
    return cited(text, About(f"remark.{name}", "number in a remark", text, tuple(cells)))


def labelled(shown: Figure) -> Sentence:
    """The label of a figure: a name from the file, where it begins with one, is a quotation."""
    name, joint, rest = shown.label.rpartition(", ")
    about = About(f"{shown.id}.label", f"in the label of {shown.id}", "stands in the label", shown.cells)
    return sentence(Quoted(name + joint), cited(rest, about)) if joint else cited(rest, about)


def dated(day: date) -> Figure:
    """The figure of the day that documents are of."""
    return Figure(
        id="as_of", label="as of", value=day.isoformat(), unit="date", text=formats.day(day),
        derivation="the day on which the file was received", cells=(),
    )  # fmt: skip
