"""Numbers as printed: half-up, in the house's style. Every function gives `n/p` for a value that is not provided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Context, Decimal

from schemas.figures import FigureUnit

NOT_PROVIDED = "n/p"
"""What stands where a value is missing: never 0, never a blank, never a dash."""
NBSP = "\u00a0"

SYMBOLS = {
    "USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CNY": "CN¥", "INR": "₹", "CAD": "C$", "AUD": "A$", "NZD": "NZ$",
    "HKD": "HK$", "SGD": "S$", "MXN": "MX$", "BRL": "R$", "KRW": "₩", "ILS": "₪", "TRY": "₺",
}  # fmt: skip
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

_WIDE = Context(prec=350)
"""Digits enough for any number that a cell can hold."""
LONGEST = 10**15
"""From here on numbers are printed as `1.23E+17`: a cell holds no more digits than those before it."""
_SIZES = ((Decimal("999.5e9"), 10**12, 2, "T"), (Decimal("999.5e6"), 10**9, 2, "B"))
"""From how much on short amounts are told in what: the divisor, the decimals and the letter."""
PLACES = {"cap_rate": 2, "interest_rate": 2, "dscr": 2, "probability": 0}
"""Decimals of fields that do not take their unit's usual number."""
UNIT_PLACES: dict[FigureUnit, int] = {"fraction": 1, "years": 1, "ratio": 2, "acres": 1, "money_per_sf": 2}


@dataclass(frozen=True, slots=True)
class Scale:
    """The unit that the head of a money column names: `$000` divides by 1,000 and prints no decimals."""

    head: str
    divisor: int
    places: int


def half_up(value: Decimal, places: int = 0) -> Decimal:
    """`value` rounded as a spreadsheet rounds it; Python's own formats give 302 for 302.5."""
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _WIDE)


def number(value: Decimal | None, places: int = 0) -> str:
    """`24,513`; a negative stands in brackets."""
    return _signed(value, places, "{}")


def _signed(value: Decimal | None, places: int, pattern: str) -> str:
    if value is None:
        return NOT_PROVIDED
    rounded = half_up(value, places)
    size = rounded.copy_abs()
    text = pattern.format(f"{size:,f}" if size < LONGEST else scientific(size))
    return f"({text})" if rounded < 0 else text


def scientific(value: Decimal) -> str:
    """`1.23E+17`: what a spreadsheet prints under the format `0.00E+00`."""
    power = value.adjusted()
    digits = half_up(value.scaleb(-power, _WIDE), 2)
    if abs(digits) >= 10:
        digits, power = half_up(digits / 10, 2), power + 1
    return f"{digits}E{'-' if power < 0 else '+'}{abs(power):02}"


def symbol(currency: str | None) -> str:
    """`$`, `€`, or the code and a no-break space; nothing where the file names no currency."""
    return "" if currency is None else SYMBOLS.get(currency, currency + NBSP)


def money(value: Decimal | None, currency: str | None, places: int = 0) -> str:
    """`$24,513,450`: the amount in full, as it stands in the record."""
    return _signed(value, places, symbol(currency) + "{}")


def short_money(value: Decimal | None, currency: str | None) -> str:
    """`$359.7M`, `$2.61M`, `$1.24B`, `$412,300`, `$1.23E+17`: the amount as a sentence wants it."""
    if value is None:
        return NOT_PROVIDED
    size = abs(value)
    for least, divisor, places, letter in (
        *_SIZES, (Decimal("9.995e6"), 10**6, 1, "M"), (Decimal(10**6), 10**6, 2, "M"),
    ):  # fmt: skip
        if least <= size < LONGEST:
            return _signed(value / divisor, places, symbol(currency) + "{}" + letter)
    return money(value, currency)


def as_held(value: float | Decimal) -> str:
    """A number of no known meaning as its cell shows it: `5` and not 5.0, at most four decimals that say something.

    Nothing is grouped, for it may be a year or a code. From a thousand up two decimals are left, below 1 four digits;
    what would be longer than people read is `1.23E+17` or `1.23E-07`.
    """
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    if not exact.is_finite():
        return str(value)
    size = abs(exact)
    if size >= LONGEST or 0 < size < Decimal("1e-6"):
        return scientific(exact)
    places = 2 if size >= 1000 else 4 if size >= 1 or not size else 3 - size.adjusted()
    rounded = half_up(exact, places)
    return f"{rounded:f}".rstrip("0").rstrip(".") if rounded.as_tuple().exponent else f"{rounded:f}"


def percent(value: Decimal | None, places: int = 1) -> str:
    """`92.8%` of a fraction."""
    return _signed(None if value is None else value * 100, places, "{}%")


def change(value: Decimal, places: int = 1) -> str:
    """`+5.0%`, `−11.9%`: a change, with a true minus."""
    rounded = half_up(value * 100, places)
    size = rounded.copy_abs()
    shown = f"{size:f}" if size < LONGEST else scientific(size)
    return f"{'+' if rounded > 0 else '−' if rounded < 0 else '±'}{shown}%"


def basis_points(value: Decimal) -> str:
    """`+25 bp`, `−50 bp`, `±0 bp`: a change of a rate."""
    points = half_up(value * 10_000)
    return f"{'+' if points > 0 else '−' if points < 0 else '±'}{number(points.copy_abs())}{NBSP}bp"


def day(value: date | None) -> str:
    """`30 Sep 2026`."""
    return NOT_PROVIDED if value is None else f"{value.day} {MONTHS[value.month - 1]} {value.year}"


def month(value: date | None) -> str:
    """`Sep 2026`: a date in a table."""
    return NOT_PROVIDED if value is None else f"{MONTHS[value.month - 1]} {value.year}"


def count(value: int) -> str:
    """`12`, `5,000`."""
    return f"{value:,}"


def count_word(value: int, capital: bool = False) -> str:
    """`twelve` up to twelve, digits above: a count in a sentence."""
    text = WORDS[value] if 0 <= value < len(WORDS) else count(value)
    return text.capitalize() if capital else text


def places_of(field: str, unit: FigureUnit) -> int:
    """Decimals that `field` is printed with."""
    return PLACES.get(field, UNIT_PLACES.get(unit, 0))


def plain(value: Decimal | None, unit: FigureUnit, places: int) -> str:
    """The number alone, for a column whose head names the unit."""
    return number(value * 100 if value is not None and unit == "fraction" else value, places)


def spoken(value: Decimal | None, unit: FigureUnit, currency: str | None, places: int) -> str:
    """The number with its unit, for a sentence or a list of facts: `$359.7M`, `6.36%`, `2.25M SF`, `4.2 years`."""
    if value is None:
        return NOT_PROVIDED
    if unit == "money":
        return short_money(value, currency)
    if unit == "sf" and 10**6 <= abs(value) < LONGEST:
        sizes = (*_SIZES, (Decimal(0), 10**6, 2, "M"))
        _, divisor, places, letter = next(size for size in sizes if abs(value) >= size[0])
        return _signed(value / divisor, places, "{}" + letter + NBSP + "SF")
    return full(value, unit, currency, places)


def full(value: Decimal | None, unit: FigureUnit, currency: str | None, places: int) -> str:
    """The number with its unit and nothing left out, for the record."""
    if value is None:
        return NOT_PROVIDED
    tails = {"sf": " SF", "acres": " acres", "units": " units", "years": " years", "ratio": "x"}
    if unit == "fraction":
        return percent(value, places)
    if unit == "money":
        return money(value, currency)
    if unit == "money_per_sf":
        return money(value, currency, places) + "/SF"
    if unit == "money_per_unit":
        return money(value, currency, places) + "/unit"
    return _signed(value, places, "{}" + tails.get(unit, "").replace(" ", NBSP))


def money_scale(values: Iterable[Decimal | None], currency: str | None) -> Scale:
    """The scale at which a money column reads best and its smallest amount keeps two digits."""
    sizes = [abs(value) for value in values if value]
    sign, most, least = symbol(currency), max(sizes, default=Decimal(0)), min(sizes, default=Decimal(0))
    if most >= 10**7 and least >= 10**5:
        return Scale(f"{sign}M", 10**6, 2)
    if most >= 10**6 and least >= 10**4:
        return Scale(f"{sign}000", 1000, 0)
    return Scale(sign.strip(NBSP), 1, 0)


def scaled(value: Decimal | None, scale: Scale) -> str:
    """`value` in the unit of `scale`, which the column's head names."""
    return number(None if value is None else value / scale.divisor, scale.places)
