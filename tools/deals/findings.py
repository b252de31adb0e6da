"""What may be said about a value: each code with its severity and its sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from schemas.deal import Issue, Severity

MOST_CELLS = 50
#: Code to severity and sentence: `{n}` is how many cells, `{what}` the field or header, `{found}` what the first holds.
SENTENCES: dict[str, tuple[Severity, str]] = {
    "value.placeholder": ("info", "{what}: {n} say there is no value yet (such as {found}); they are left empty."),
    "value.range": ("warning", "{what}: {n} hold a range (such as {found}); no single value was taken."),
    "value.unparsed": (
        "warning",
        "{what}: {n} hold text that is no value of this kind (such as {found}); the text is kept as it is.",
    ),
    "value.unit": ("warning", "{what}: {n} state another unit (such as {found}); they were not taken."),
    "value.converted": ("info", "{what}: {n} were converted from another unit ({found})."),
    "value.approximate": ("info", "{what}: {n} are marked as approximate (such as {found})."),
    "value.error": ("error", "{what}: {n} hold an error ({found})."),
    "value.zero": ("info", "{what}: {n} are zero, which stands for unknown in such a column or for a nominal amount."),
    "value.implausible": ("warning", "{what}: {n} lie outside what is plausible (such as {found}); check the unit."),
    "value.not_whole": ("warning", "{what}: {n} should be whole numbers (such as {found})."),
    "value.boolean": ("warning", "{what}: {n} hold yes or no where a number belongs."),
    "formula.no_value": ("warning", "{what}: {n} hold a formula with no stored value that could not be worked out."),
    "formula.computed": ("info", "{what}: {n} hold a formula with no stored value; it was worked out from its cells."),
    "number.ambiguous": (
        "warning",
        "{what}: {n} can be read two ways (such as {found}: thousands or decimals); they were not taken.",
    ),
    "percent.mixed": (
        "warning",
        "{what}: {n} write percentages unlike the rest (such as {found}); each was read by what is plausible.",
    ),
    "percent.ambiguous": (
        "warning",
        "{what}: {n} may be fractions or percents (such as {found}); they were not taken.",
    ),
    "slip.hundredfold": ("warning", "{what}: {n} look a hundred times too large or too small (such as {found})."),
    "slip.thousandfold": ("warning", "{what}: {n} look a thousand times too large or too small (such as {found})."),
    "scale.conflict": (
        "warning",
        "{what}: the stated scale makes {n} implausible (such as {found}); they may be in full already.",
    ),
    "date.partial": (
        "info",
        "{what}: {n} name a month, a quarter or a year but no day (such as {found}); no day was made up.",
    ),
    "date.ambiguous": (
        "warning",
        "{what}: {n} can be day first or month first (such as {found}) and none tells; month first was assumed.",
    ),
    "date.mixed": (
        "warning",
        "{what}: some dates put the day first, some the month; {n} could be either (such as {found}), not taken.",
    ),
    "date.serial": (
        "info",
        "{what}: {n} hold a serial number in place of a date (such as {found}); it was turned into its day.",
    ),
    "date.implausible": ("warning", "{what}: {n} hold a day that is not plausible (such as {found})."),
    "id.padded": (
        "info",
        "{what}: {n} lost their leading zeros to a number format (such as {found}); they were put back.",
    ),
    "currency.mixed": ("info", "{what}: {n} are in another currency than the rest of the column (such as {found})."),
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
    expected = None if first.expected is None or len(found) > 1 else str(first.expected)
    message = sentence.format(n=count, what=what, found=repr(shorten(first.found)))
    return Issue(code, severity, message, named, expected, str(shorten(first.found)) if len(found) == 1 else None)


def shorten(value: object) -> object:
    """`value` short enough for a sentence."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if not isinstance(value, str) or len(value) <= 40 else value[:39] + "…"
