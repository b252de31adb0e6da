"""Values of text fields: kept as written; numbers that are names come out with no decimal point and their zeros."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any, cast

from tools.deals.dictionary import FieldSpec
from tools.deals.findings import Finding
from tools.deals.formats import Formats
from tools.deals.header_text import Header
from tools.deals.said import plain
from tools.workbook.grid import CellError

#: What tidying would change among printable texts between line ends: blanks at an end, two in a row, no text.
_UNTIDY = ("  ", "\n ", " \n", "\n\n", "\n-\n", "\n--\n", "\n–\n", "\n—\n", "\n.\n")
#: Marks that stand for no text.
_NO_TEXT = re.compile(r"[-–—.…_]*")
#: Fields whose cells may say that they are like the one above, and how they say it.
_REPEATED = frozenset({"name", "place", "state", "category", "address"})
_DITTO = frozenset(
    form
    for text in ("ditto", "same", "same as above", "as above", "do", "do.", "-do-", "dto", "dto.", "idem", "dito")
    for form in (text, text.capitalize(), text.upper())
) - {"DO"} | {'"', "''", "“", "”", "″", "〃", '-"-'}
#: What no deal and no place is called: there is none yet.
NOTHING = frozenset(
    (
        "n/a",
        "n / a",
        "#n/a",
        "na",
        "n.a.",
        "n.a",
        "tbd",
        "tba",
        "tbc",
        "none",
        "null",
        "nil",
        "-",
        "--",
        "–",
        "—",
        "?",
        "??",
    )
)
_NOTHING_AS_WRITTEN = frozenset(form for text in NOTHING for form in (text, text.upper(), text.capitalize()))
_MAY_BE_UNKNOWN = frozenset({"deal_name", "address", "city", "county"})
_NAMED_BY_NUMBERS = frozenset({"postal", "code"})
_DECIMALS = re.compile(r"\s*\d{1,15}\.0\s*")
#: The mark of a text before digits, as programs write it into the cell itself.
_MARKED = re.compile(r"^'(?=\d)")
_FIRST_FEW = 400
_WORDS_ALONE = frozenset({str})
_ZEROS = re.compile(r"0+(?:-0+)?")


def text_values(
    spec: FieldSpec,
    raws: Sequence[object],
    kinds: frozenset[type],
    formats: Callable[[], Formats | None],
    header: Header,
    united_states: bool,
) -> tuple[list[Any], list[Finding]]:
    """Text for each raw value, None where missing or blank, with findings about errors, lost zeros and ditto marks.

    `kinds` are the types of the values.
    """
    raws = _without_marks(raws) if spec.shape in _NAMED_BY_NUMBERS else raws
    values, findings = _as_held(spec, raws, kinds, formats, header, united_states)
    if str in kinds and spec.name in _MAY_BE_UNKNOWN and not _NOTHING_AS_WRITTEN.isdisjoint(raws):
        absent = [at for at, value in enumerate(values) if type(value) is str and value in _NOTHING_AS_WRITTEN]
        values = list(values)
        for at in absent:
            values[at] = None
        findings = findings + [Finding("value.placeholder", at, raws[at]) for at in absent]
    if spec.shape not in _REPEATED or str not in kinds or _DITTO.isdisjoint(raws):
        return values, findings
    marked = [record for record, raw in enumerate(raws) if record and type(raw) is str and raw in _DITTO]
    values = list(values)
    for record in marked:
        values[record] = values[record - 1]
    return values, findings + [Finding("value.ditto", record, raws[record], values[record]) for record in marked]


def _as_held(
    spec: FieldSpec,
    raws: Sequence[object],
    kinds: frozenset[type],
    formats: Callable[[], Formats | None],
    header: Header,
    united_states: bool,
) -> tuple[list[Any], list[Finding]]:
    """Text for each raw value as its own cell holds it."""
    if kinds <= {str, type(None)}:
        if spec.shape in _NAMED_BY_NUMBERS and _with_decimals(raws):
            return _without_decimals(spec, raws, formats, header, united_states)
        if _tidy(_texts(raws, kinds)):
            return cast("list[Any]", raws), []
    texts = {raw for raw in raws if type(raw) is str} if str in kinds else set[str]()
    clean = {raw: None if _NO_TEXT.fullmatch(raw.strip()) else " ".join(raw.split()) for raw in texts}
    if kinds <= {str, type(None)}:
        return [clean[raw] if type(raw) is str else None for raw in raws], []
    shown = formats() if kinds & {int, float} else None
    zip_codes = spec.shape == "postal" and (united_states or "zip" in header.tokens)
    values: list[Any] = []
    findings: list[Finding] = []
    for record, raw in enumerate(raws):
        if type(raw) is str:
            values.append(clean[raw])
        elif isinstance(raw, CellError):
            values.append(None)
            findings.append(Finding("value.error", record, raw.code))
        elif isinstance(raw, (int, float)) and not isinstance(raw, bool):
            text, padded = _number_text(raw, shown[record] if shown else "", zip_codes)
            values.append(text)
            findings += [Finding("id.padded", record, raw, text)] if padded else []
        else:
            values.append(_other_text(raw))
            if isinstance(raw, dt.date) and spec.shape == "code":
                findings.append(Finding("text.date", record, values[-1]))
    return values, findings


def _without_marks(raws: Sequence[object]) -> Sequence[object]:
    """The same values; texts of digits without the mark of a text before them, where the first few show such."""
    if not any(type(raw) is str and raw.startswith("'") for raw in raws[:_FIRST_FEW]):
        return raws
    return [_MARKED.sub("", raw) if type(raw) is str else raw for raw in raws]


def _with_decimals(raws: Sequence[object]) -> bool:
    """Whether all texts are whole numbers with a .0 behind them."""
    texts = [raw for raw in raws[:_FIRST_FEW] if isinstance(raw, str)]
    return bool(texts) and all(_DECIMALS.fullmatch(raw) for raw in (*texts, *raws) if isinstance(raw, str))


def _without_decimals(
    spec: FieldSpec, raws: Sequence[object], formats: Callable[[], Formats | None], header: Header, united_states: bool
) -> tuple[list[Any], list[Finding]]:
    """The values of ids and postal codes that a program wrote as 381.0: those of the numbers that they were."""
    numbers = [float(raw) if isinstance(raw, str) else None for raw in raws]
    kinds = frozenset(map(type, numbers))
    values, findings = text_values(spec, numbers, kinds, formats, header, united_states)
    held = [record for record, raw in enumerate(raws) if raw is not None]
    return values, findings + [Finding("id.decimal", record, raws[record]) for record in held]


def _texts(raws: Sequence[object], kinds: frozenset[type]) -> Collection[str]:
    """The texts among `raws`, each once where they come again and again."""
    texts = cast("Sequence[str]", raws) if kinds <= _WORDS_ALONE else [raw for raw in raws if type(raw) is str]
    return set(texts) if 2 * len(set(texts[:_FIRST_FEW])) < len(texts[:_FIRST_FEW]) else texts


def _tidy(texts: Collection[str]) -> bool:
    """Whether all texts are as tidying would leave them."""
    joined = "\n" + "\n".join(texts) + "\n"
    return "".join(texts).isprintable() and not any(mark in joined for mark in _UNTIDY)


def _number_text(number: int | float, number_format: str, zip_codes: bool) -> tuple[str, bool]:
    """A number that is a name as its cell shows it (2134 in format 00000 is 02134), and if zeros were put back."""
    plain = str(int(number)) if number == int(number) and abs(number) < 1e17 else repr(number)
    if not plain.isdecimal():
        return plain, False
    if _ZEROS.fullmatch(number_format):
        width = number_format.replace("-", "")
        text = plain.zfill(len(width))
        return (f"{text[:5]}-{text[5:]}" if "-" in number_format and len(text) == 9 else text), False
    if zip_codes and len(plain) in (3, 4):
        return plain.zfill(5), True
    if zip_codes and len(plain) in (8, 9):
        text = plain.zfill(9)
        return f"{text[:5]}-{text[5:]}", len(plain) == 8
    return plain, False


def _other_text(raw: object) -> str | None:
    if raw is None:
        return None
    if isinstance(raw, bool):
        return "TRUE" if raw else "FALSE"
    if isinstance(raw, dt.datetime) and raw.time() == dt.time():
        raw = raw.date()
    if isinstance(raw, dt.timedelta):
        return plain(raw)
    return raw.isoformat() if isinstance(raw, (dt.date, dt.time)) else str(raw)
