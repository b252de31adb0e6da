"""What charts have in common: their numbers as printed, their scales, their categories, their keys."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from schemas.deck import Box, ChartSeries, GroupBlock, Run, Shape
from schemas.figures import Figure
from tools.deck.grid import PT, inches, points
from tools.deck.page import Page
from tools.figures import formats, text
from tools.figures.breakdowns import Group
from tools.figures.formats import Scale
from tools.figures.series import Series

CATEGORY_LINES = 2
LABEL_PT, LABEL_PART = 12.0, 0.15
"""The size of labels on bars, and the part of its width that a chart gives one before it breaks it into lines."""
_DIGITS = re.compile(r"#,##0(\.0+)?")


def plain_value(value: Decimal | None, divisor: int = 1, places: int = 2) -> float | None:
    """A value in the chart's unit, with more decimals than are printed; None is a gap."""
    return None if value is None else float(formats.half_up(value / divisor, places + 6))


def number_format(places: int) -> str:
    """The spreadsheet format that prints as `formats.number` does."""
    digits = "#,##0" + ("." + "0" * places if places else "")
    return f"{digits};({digits})"


def one_label(page: Page, figure: Figure, scale: Scale, room_pt: float) -> tuple[float | None, str]:
    """The one labelled value of a chart `room_pt` wide and its format: scientific where renderers would break it."""
    drawn = label(page, figure, scale)
    printed = "" if drawn is None else formats.number(Decimal(repr(drawn)), scale.places)
    if drawn is None or text.width(printed, LABEL_PT, bold=True) <= room_pt * LABEL_PART:
        return drawn, number_format(scale.places)
    page.show(figure, formats.scientific(Decimal(repr(abs(drawn)))))
    return drawn, _DIGITS.sub("0.00E+00", number_format(scale.places))


def code_for(code: str, value: float | None) -> str:
    """Format `code`, or for a value that is too long to be printed in full its scientific form."""
    digits = _DIGITS.search(code)
    if value is None or digits is None or "%" in code:
        return code
    printed = formats.number(Decimal(repr(value)), len(digits[1] or ".") - 1)
    return _DIGITS.sub("0.00E+00", code) if "E" in printed else code


def percent_format(places: int) -> str:
    """The spreadsheet format that prints as `formats.percent` does."""
    digits = "0" + ("." + "0" * places if places else "")
    return f"{digits}%;({digits}%)"


def label(page: Page, figure: Figure, scale: Scale) -> float | None:
    """The figure's value in the unit of `scale`, its label registered as printed."""
    value = figure.value
    assert not isinstance(value, str)  # charts draw numbers
    drawn = plain_value(value, scale.divisor, scale.places)
    if drawn is not None:
        page.show(figure, formats.number(Decimal(repr(drawn)), scale.places))
    return drawn


def unit_of(scale: Scale) -> str:
    """The unit of `scale` in words, for a line above a chart: `, $000`."""
    return f", {scale.head}" if scale.head else ""


def ceiling(value: float) -> float:
    """The round number at or above `value` that an axis ends at."""
    if value <= 0:
        return 1.0
    power = 10.0 ** (len(str(int(value))) - 1) if value >= 1 else 10.0 ** -_zeros(value)
    steps = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
    return next((step * power for step in steps if step * power >= value * 0.999999), 10 * power)


def floor_under(least: float, high: float) -> float:
    """The low end of an axis up to `high`: 0, or far enough under a negative `least` for its label."""
    return 0.0 if least >= 0 else -max(ceiling(-least * 1.1), high * 0.1)


def _zeros(value: float) -> int:
    count = 0
    while value < 1:
        value *= 10
        count += 1
    return count


def category(page: Page, words: str, room_pt: float, size_pt: float, most_lines: int = CATEGORY_LINES) -> str:
    """A category's name in a few lines of its slot; cut ones stand whole in the notes."""
    shown = text.clip_lines(words, size_pt, room_pt, most_lines)
    page.quote(words)
    if shown != words:
        page.cut(words, shown)
    return shown


def key(
    page: Page,
    entries: Sequence[tuple[str, str]],
    left: int,
    top: int,
    room: int,
    tint: str | None = None,
    most_rows: int = 1,
) -> GroupBlock:
    """Dots with their names, (colour, name) each, in at most `most_rows` rows; what is too long for them is cut."""
    size, dot, height = 11.0, inches(0.14), inches(0.21)
    cap, rows = _key_rows([text.width(name, size) for _, name in entries], points(room), most_rows)
    shapes: list[Shape] = []
    at, row = left, 0
    for number, (color, name) in enumerate(entries):
        if rows[number] > row:
            at, row = left, rows[number]
        shown = page.clipped(name, size, cap)
        width, line = round((text.width(shown, size) + 4) * PT), top + row * inches(0.23)
        shapes.append(Shape("oval", f"Key {name[:40]}", Box(at, line + inches(0.035), dot, dot), color))
        words = Run(shown, size_pt=size, color=tint)
        shapes.append(
            Shape("text", f"Key text {name[:40]}", Box(at + inches(0.19), line, width, height), None, (words,))
        )
        at += inches(0.19) + width + inches(0.2)
    return GroupBlock("Key", "Colours: " + ", ".join(name for _, name in entries) + ".", tuple(shapes))


_KEY_BESIDE_PT = 32.1
"""What a name in a key takes besides its own width: the dot, and the air around it."""


def _key_rows(widths: Sequence[float], room_pt: float, most_rows: int) -> tuple[float, list[int]]:
    """The width that names are cut to, and the row of each, so that all stand in `most_rows` rows."""
    cap = max(widths, default=0.0)
    while True:
        rows, row, taken = list[int](), 0, 0.0
        for width in widths:
            need = min(width, cap) + _KEY_BESIDE_PT
            if taken and taken + need > room_pt:
                row, taken = row + 1, 0.0
            taken += need
            rows.append(row)
        if (row < most_rows and taken <= room_pt) or cap <= 24:
            return cap, rows
        cap -= 1


def scale_of(groups: Sequence[Group], measure: Series | None) -> formats.Scale:
    """The scale of a chart of groups."""
    if measure is None or measure.spec.unit != "money":
        return formats.Scale("", 1, measure.spec.places if measure else 0)
    values = [one.amount.value for one in groups if one.amount and isinstance(one.amount.value, Decimal)]
    return formats.money_scale(values, measure.spec.currency)


def amount_of(group: Group) -> Figure:
    """What a group is drawn by: its amount, else its count."""
    return group.amount or group.count


def group_bars(page: Page, name: str, groups: Sequence[Group], scale: Scale, color: str) -> ChartSeries:
    """Bars of groups by amount, or by count where they have none, each with its value."""
    figures = [one.amount or (one.count if scale.places == 0 and not scale.head else None) for one in groups]
    values = tuple(label(page, one, scale) if one else None for one in figures)
    for one in figures:
        if one:
            page.derive(one)
    shown = tuple(i for i, value in enumerate(values) if value is not None)
    return ChartSeries(name, values, color, number_format(scale.places), labelled=shown)
