"""What may be said about a value: each code with its severity and its sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from schemas.deal import Issue, Severity
from tools.deals.said import as_held, plain

MOST_CELLS = 50
#: Code to severity and sentence: `{n}` is how many cells, `{what}` the field or header, `{found}` what the first holds.
SENTENCES: dict[str, tuple[Severity, str]] = {
    "value.placeholder": ("info", "{what}: no value yet in {n} (such as {found}); left empty."),
    "value.ditto": (
        "warning",
        "{what}: {n} repeat the one above by a mark or a word (such as {found}); its value was taken.",
    ),
    "value.range": ("warning", "{what}: a range in {n} (such as {found}); no single value was taken."),
    "value.unparsed": ("warning", "{what}: text that is no such value in {n} (such as {found}); kept as it is."),
    "value.unit": ("warning", "{what}: another unit in {n} (such as {found}); not taken."),
    "value.converted": ("info", "{what}: converted from another unit ({found})."),
    "value.approximate": ("info", "{what}: marked as approximate in {n} (such as {found})."),
    "value.qualified": ("info", "{what}: words beside the number in {n} (such as {found}); the number was taken."),
    "value.magnitude": ("info", "{what}: an amount in words in {n} (such as {found}); read in full units."),
    "value.mil": ("warning", "{what}: mil is a thousand or a million in {n} (such as {found}); not taken."),
    "unit.mixed": (
        "warning",
        "{what}: no unit in {n} (such as {found}), where others state {expected}; square feet or acres were taken.",
    ),
    "unit.taken": (
        "warning",
        "{what}: no unit in {n} (such as {found}); {expected}, as other cells or columns say, was taken.",
    ),
    "value.error": ("error", "{what}: an error ({found}) in {n}."),
    "value.zero": ("info", "{what}: zero in {n}, which may stand for unknown or for a nominal amount."),
    "value.implausible": ("warning", "{what}: not plausible in {n} (such as {found}); check the unit."),
    "value.not_whole": ("warning", "{what}: not a whole number in {n} (such as {found})."),
    "value.boolean": ("warning", "{what}: yes or no in {n}, where a number belongs."),
    "formula.no_value": ("warning", "{what}: a formula with no stored value in {n}; it could not be worked out."),
    "formula.computed": ("info", "{what}: a formula with no stored value in {n}; worked out from its cells."),
    "number.ambiguous": ("warning", "{what}: thousands or decimals in {n} (such as {found})? Not taken."),
    "percent.mixed": (
        "warning",
        "{what}: percentages unlike the rest in {n} (such as {found}); read by what is plausible.",
    ),
    "percent.ambiguous": ("warning", "{what}: a fraction or a percentage in {n} (such as {found})? Not taken."),
    "slip.hundredfold": ("warning", "{what}: a hundred times too large or too small in {n} (such as {found})."),
    "scale.conflict": (
        "warning",
        "{what}: the stated scale makes {n} implausible (such as {found}); full amounts already?",
    ),
    "scale.full": (
        "warning",
        "{what}: in full in {n} (such as {found}), as the other amounts show; the column's scale was not applied.",
    ),
    "scale.shown": (
        "info",
        "{what}: shown in that scale by the number format in {n} (such as {found}); the scale was not applied again.",
    ),
    "date.partial": ("info", "{what}: no day in {n} (such as {found}); none was made up."),
    "date.year": ("info", "{what}: a year in {n} that the format of a date shows as {found}; read as the year."),
    "date.ambiguous": (
        "warning",
        "{what}: day first or month first in {n} (such as {found})? None tells; month first was assumed.",
    ),
    "date.day_first": (
        "warning",
        "{what}: day first or month first in {n} (such as {found})? None tells; day first was assumed.",
    ),
    "date.swapped": (
        "warning",
        "{what}: day and month may be swapped in {n} (such as {found}); dates with a day above 12 stayed text.",
    ),
    "text.date": ("warning", "{what}: a date in {n} (such as {found}), made of what was typed, it seems."),
    "id.decimal": ("info", "{what}: decimals that a program added to {n} (such as {found}); left out."),
    "date.mixed": (
        "warning",
        "{what}: some dates put the day first, some the month; {n} could be either (such as {found}), not taken.",
    ),
    "date.serial": ("info", "{what}: a serial number for a date in {n} (such as {found}); turned into its day."),
    "date.implausible": ("warning", "{what}: not a plausible day in {n} (such as {found})."),
    "id.padded": ("info", "{what}: leading zeros lost to a number format in {n} (such as {found}); put back."),
    "currency.ambiguous": (
        "warning",
        "{what}: a sign that several currencies share in {n} (such as {found}); nothing tells which, none was taken.",
    ),
    "currency.unread": (
        "warning",
        "{what}: the cell of the currency says none for {n} (such as {found}); none was taken.",
    ),
    "currency.mixed": ("info", "{what}: another currency than the rest of the column in {n} (such as {found})."),
}
#: Findings about a value that was not taken or should not be trusted: its deal carries a warning.
WARNS = frozenset(code for code, (severity, _) in SENTENCES.items() if severity != "info")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about the value of record `record`: `found` is what the cell holds, `expected` what would fit."""

    code: str
    record: int
    found: object = None
    expected: object = None


def issue_of(code: str, what: str, found: Sequence[Finding], cells: Iterable[str | None]) -> Issue:
    """One issue for all findings of a kind in a column; it names MOST_CELLS cells and says how many there are."""
    severity, sentence = SENTENCES[code]
    count = f"{len(found):,} cell" + ("s" if len(found) != 1 else "")
    named = tuple(islice((cell for cell in cells if cell is not None), MOST_CELLS))
    first = found[0]
    expected = None if first.expected is None or len(found) > 1 else plain(first.expected)
    wanted = "" if first.expected is None else plain(first.expected)
    message = sentence.format(n=count, what=what, found=as_held(first.found), expected=wanted)
    return Issue(code, severity, message, named, expected, plain(first.found) if len(found) == 1 else None)
