"""Charts as vectors: sorted bars, a scatter, columns by year with a cumulative line, a mix strip, key figures.

Values stand on the bars, so there is no value axis; only the scatter has gridlines. Each label is a figure's text,
noted in the register as it is drawn, and so is each tick of the scatter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import NamedTuple

from schemas.figures import Figure
from tools.figures import formats
from tools.figures.citations import About, cited
from tools.figures.registry import Sentence
from tools.figures.text import clip, lines
from tools.figures.tokens import CHART, COPPER, HAIR, INK, NAVY, ON_CHART, RULE, SKY, SLATE, WHITE
from tools.memo.canvas import Align, MemoCanvas, wide
from tools.memo.glyphs import drawable
from tools.memo.styles import Type

Paint = Callable[[MemoCanvas, float, float], None]
LABEL = 8.5
KEY_HIGH = 14.0
"""Points that a row of keys takes over a chart."""
NUMBERED_DOTS = 24
"""Dots that carry their deal's number; among more, numbers would hide one another."""
AXIS = About("axis", "tick of an axis", "a round value of the axis, in its unit")


class Shown(NamedTuple):
    """A figure with the text that it is printed as."""

    figure: Figure
    text: str


class Bar(NamedTuple):
    """A bar: the deal's number and name, its length, its label, and whether it is above the average line."""

    number: Figure
    name: str
    value: float
    label: Shown
    strong: bool


class Dot(NamedTuple):
    """A deal in the scatter; `group` is its place in the chart's colours, None for one of no kind."""

    number: Figure
    x: float
    y: float
    group: int | None


class Stack(NamedTuple):
    """A column of a year: its parts by group, what stands on it, and the cumulative share up to it."""

    name: str
    parts: Sequence[float]
    label: Shown | None
    running: float
    running_label: Shown | None


def kind_colors(group: int | None) -> tuple[str, str]:
    """The colour of a kind, and that of text on it; slate for what is of no kind."""
    return (SLATE, WHITE) if group is None else (CHART[group % len(CHART)], ON_CHART[group % len(CHART)])


def show(
    canvas: MemoCanvas, x: float, y: float, shown: Shown, face: Type, color: str, align: Align, size: float = LABEL
) -> None:
    """Draws a figure's text and notes it for this page."""
    canvas.registry.show(shown.figure, canvas.place, shown.text)
    canvas.put(x, y, shown.text, size, face, color, align)


def quote(
    canvas: MemoCanvas, x: float, y: float, text: str, room: float, face: Type = "sans", color: str = INK
) -> None:
    """Draws text from the file, clipped to `room`."""
    shown = clip(drawable(text), LABEL, room, "sans", face == "bold")
    canvas.put(x, y, canvas.registry.quote(shown, canvas.place), LABEL, face, color)


def key(canvas: MemoCanvas, groups: Sequence[str], x: float, y: float) -> None:
    """A row of dots with the names of the groups."""
    for at, name in enumerate(groups):
        color = CHART[at % len(CHART)]
        canvas.block(x, y - 3.4, 7, 7, color)
        text = clip(drawable(name), LABEL, 110)
        canvas.put(x + 11, y - 3, canvas.registry.quote(text, canvas.place), LABEL)
        x += 29 + wide(text, "sans", LABEL)


def bars(rows: Sequence[Bar], average: tuple[float, Shown] | None) -> Paint:
    """Sorted bars, navy above the average and sky below it, with the average as a dashed line."""

    def paint(canvas: MemoCanvas, width: float, height: float) -> None:
        start, step = 150.0, height / len(rows)
        low, high = min(0.0, *(row.value for row in rows)), max(0.0, *(row.value for row in rows))
        beyond = max(50.0, *(wide(row.label.text, "bold", LABEL) + 6 for row in rows))
        scale = (width - start - beyond) / ((high - low) or 1)
        zero = start - low * scale
        line = None if average is None else zero + average[0] * scale
        for at, row in enumerate(rows):
            y = height - step * (at + 1)
            show(canvas, 0, y + step * 0.3, Shown(row.number, row.number.text), "bold", SLATE, "l")
            quote(canvas, 20, y + step * 0.3, row.name, start - 26)
            _bar(canvas, row, (zero, row.value * scale), (y, step), line)
        if average is not None and line is not None:
            _average_line(canvas, line, height, average[1])

    return paint


def _bar(
    canvas: MemoCanvas, row: Bar, span: tuple[float, float], band: tuple[float, float], line: float | None
) -> None:
    """One bar; its label stands inside its end, or beyond it where that is short or the average line would cross it."""
    (zero, length), (y, step) = span, band
    canvas.block(
        min(zero, zero + length), y + step * 0.14, max(abs(length), 0.6), step * 0.72, NAVY if row.strong else SKY
    )
    end, room = max(zero, zero + length), wide(row.label.text, "bold", LABEL) + 8
    crossed = line is not None and end - room < line < end
    if length > room and not crossed:
        show(canvas, end - 4, y + step * 0.3, row.label, "bold", WHITE if row.strong else INK, "r")
    else:
        show(canvas, end + 4, y + step * 0.3, row.label, "bold", INK, "l")


def _average_line(canvas: MemoCanvas, x: float, height: float, label: Shown) -> None:
    canvas.setDash(4, 3)
    canvas.rule(x, 0, x, height, COPPER, 1.2)
    canvas.setDash()
    canvas.put(x, -9.5, "Average ", LABEL, "bold", COPPER, "r")
    show(canvas, x + 1, -9.5, label, "bold", COPPER, "l")


def scatter(dots: Sequence[Dot], groups: Sequence[str], line: tuple[float, str, Shown] | None, axis: str) -> Paint:
    """Dots over two axes: y a fraction, x an amount already in the unit of `axis`; `line` is a level of y."""

    def paint(canvas: MemoCanvas, width: float, height: float) -> None:
        left, bottom, right, top = 34.0, 26.0, width - 8, height - 20
        xs, ys = ticks([dot.x for dot in dots]), ticks([dot.y for dot in dots] + ([line[0]] if line else []))
        across = _ramp(xs, left + 10, right - 10)
        up = _ramp(ys, bottom + 6, top - 6)
        key(canvas, groups, left, height - 5)
        for value in ys:
            canvas.rule(left, up(value), right, up(value), RULE if value == ys[0] else HAIR)
            _tick(canvas, left - 5, up(value) - 3, value * 100, ys[1] * 100 - ys[0] * 100, "%", "r")
        for value in xs:
            _tick(canvas, across(value), bottom - 12, value, xs[1] - xs[0], "", "c")
        canvas.put(
            (left + right) / 2, bottom - 24, canvas.registry.quote(axis, canvas.place), LABEL, "sans", SLATE, "c"
        )
        if line:
            _level(canvas, (left, right, top), up(line[0]), line, [(across(dot.x), up(dot.y)) for dot in dots])
        _draw_dots(canvas, [(dot, across(dot.x), up(dot.y)) for dot in dots])

    return paint


def _level(
    canvas: MemoCanvas,
    span: tuple[float, float, float],
    y: float,
    line: tuple[float, str, Shown],
    near: Sequence[tuple[float, float]],
) -> None:
    """The dashed level from left to right of `span`, which ends with the top, and its name where no dot stands."""
    left, right, top = span
    canvas.setDash(4, 3)
    canvas.rule(left, y, right, y, COPPER, 1)
    canvas.setDash()
    width = wide(f"{line[1]} ", "bold", LABEL) + wide(line[2].text, "bold", LABEL)
    beside = [(right - width, y + 4), (left + 4, y + 4), (right - width, y - 11), (left + 4, y - 11)]
    spots = [*beside, (right - width, top - 10), (left + 4, top - 10)]
    x, base = next((spot for spot in spots if not _hit(spot, width, near)), spots[0])
    canvas.put(x, base, line[1], LABEL, "bold", COPPER)
    show(canvas, x + width, base, line[2], "bold", COPPER, "r")


def _hit(spot: tuple[float, float], width: float, dots: Sequence[tuple[float, float]]) -> bool:
    return any(spot[0] - 9 < x < spot[0] + width + 9 and spot[1] - 8 < y < spot[1] + 15 for x, y in dots)


def _draw_dots(canvas: MemoCanvas, dots: Sequence[tuple[Dot, float, float]]) -> None:
    """Each dot in its group's colour with a thin white edge, and its deal's number where there are few."""
    numbered = len(dots) <= NUMBERED_DOTS
    radius = 7.4 if numbered else 3.4
    for dot, x, y in dots:
        color, ink = kind_colors(dot.group)
        canvas.dots(((x, y),), radius + 0.4, WHITE)
        canvas.dots(((x, y),), radius - 0.4, color)
        if numbered:
            number = Shown(dot.number, dot.number.text)
            show(canvas, x, y - 3, number, "bold", ink, "c", 8 if len(number.text) < 3 else 6.6)


def ticks(values: Sequence[float], most: int = 6) -> list[float]:
    """Round values that span `values`: at least two, at most about `most`."""
    low, high = min(values), max(values)
    span = (high - low) or abs(high)
    span = span if span > 1e-9 else 1.0
    raw = span / (most - 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * nice for nice in (1, 2, 2.5, 5, 10) if power * nice >= raw * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    last = max(last, first + 1)
    return [round(at * step, 12) for at in range(first, last + 1)]


def _ramp(marks: Sequence[float], start: float, end: float) -> Callable[[float], float]:
    low, high = marks[0], marks[-1]
    return lambda value: start + (value - low) / (high - low) * (end - start)


def _tick(canvas: MemoCanvas, x: float, y: float, value: float, step: float, unit: str, align: Align) -> None:
    text = tick_text(value, step, unit)
    canvas.put(x, y, canvas.registry.say(cited(text, AXIS), canvas.place), LABEL, align=align)


def tick_text(value: float, step: float, unit: str) -> str:
    """`1,500`, `2.5M`, `0.5B`, `1.00E+18%`: a mark of an axis whose marks are `step` apart."""
    sign = "−" if value < 0 else ""
    if abs(value) >= formats.LONGEST:
        return f"{sign}{formats.scientific(Decimal(repr(abs(value))))}{unit}"
    scales = ((1e11, 1e12, "T"), (1e8, 1e9, "B"), (1e5, 1e6, "M"))
    for least, divisor, letter in () if unit else scales:
        if step >= least:
            return f"{sign}{abs(value) / divisor:g}{letter}"
    places = max(0, -math.floor(math.log10(abs(step)) + 1e-9)) if abs(step) < 1 else 0
    places += 1 if abs(step * 10**places - round(step * 10**places)) > 1e-6 else 0
    return f"{value:,.{places}f}{unit}".replace("-", "−")


def columns(stacks: Sequence[Stack], groups: Sequence[str]) -> Paint:
    """Stacked columns in the lower half, the cumulative share as a line in the upper: labels never meet bars."""

    def paint(canvas: MemoCanvas, width: float, height: float) -> None:
        base, step = 16.0, width / len(stacks)
        high = height - (KEY_HIGH if len(groups) > 1 else 0.0)
        top = max((sum(stack.parts) for stack in stacks), default=1.0) or 1.0
        room = (high - base) * 0.52
        if len(groups) > 1:
            key(canvas, groups, 0, height - 5)
        points: list[tuple[float, float, Shown | None]] = []
        for at, stack in enumerate(stacks):
            x, y = step * (at + 0.5), base
            for group, part in enumerate(stack.parts):
                if part > 0:
                    canvas.block(x - step * 0.33, y, step * 0.66, part / top * room, CHART[group % len(CHART)])
                    y += part / top * room
            if stack.label is not None:
                show(canvas, x, y + 3.5, stack.label, "bold", INK, "c")
            canvas.put(x, 4, canvas.registry.quote(stack.name, canvas.place), LABEL, align="c")
            points.append((x, base + (high - base) * (0.68 + 0.22 * stack.running), stack.running_label))
        canvas.rule(0, base, width, base, RULE, 0.75)
        _running_line(canvas, points)

    return paint


def _running_line(canvas: MemoCanvas, points: Sequence[tuple[float, float, Shown | None]]) -> None:
    if any(label is None for _, _, label in points):
        return
    canvas.polyline([(x, y) for x, y, _ in points], COPPER, 1.5)
    for x, y, label in points:
        canvas.dots(((x, y),), 3.2, COPPER)
        canvas.dots(((x, y),), 1.6, WHITE)
        if label is not None:
            show(canvas, x, y + 6, label, "bold", COPPER, "c")


def strip(parts: Sequence[tuple[str, float, Shown]]) -> Paint:
    """One bar of the whole, in parts by size; a part too narrow for its name has it in the note below."""

    def paint(canvas: MemoCanvas, width: float, height: float) -> None:
        whole = sum(value for _, value, _ in parts) or 1.0
        x = 0.0
        for at, (name, value, label) in enumerate(parts):
            length = value / whole * width
            canvas.block(x, 0, max(length - 1.2, 0.4), height, CHART[at % len(CHART)])
            color, room = ON_CHART[at % len(CHART)], length - 12
            number = wide(label.text, "bold", 9)
            if number <= room:
                show(canvas, x + 5, height / 2 - 3.1, label, "bold", color, "l", 9)
                text = drawable(name)
                if wide(text, "sans", 9) <= room - number - 5:
                    canvas.put(
                        x + 9 + number, height / 2 - 3.1, canvas.registry.quote(text, canvas.place), 9, "sans", color
                    )
            x += length

    return paint


class KeyFigure(NamedTuple):
    """A headline number: its figure as printed, its label, a note, and its mark's number."""

    shown: Shown
    label: str
    note: Sentence
    mark: int


def key_figures(items: Sequence[KeyFigure]) -> Paint:
    """Up to five headline numbers under ink rules."""

    def paint(canvas: MemoCanvas, width: float, height: float) -> None:
        gap = 12.0
        each = (width - gap * (len(items) - 1)) / len(items)
        each = min(each, 148.0)
        for at, item in enumerate(items):
            x = at * (each + gap)
            canvas.block(x, height - 1.2, each, 1.2, INK)
            size = min(23.0, 23.0 * each / max(wide(item.shown.text, "sans", 23), 1.0))
            show(canvas, x, height - 29, item.shown, "sans", NAVY, "l", size)
            canvas.put(x, height - 44, item.label, 9.5, "bold")
            canvas.mark(item.mark, x + wide(item.label, "bold", 9.5) + 1.5, height - 41)
            said = canvas.registry.say(item.note, canvas.place)
            small = next((size for size in (8.5, 8.0, 7.5, 7.0) if len(lines(said, size, each)) <= 2), 6.5)
            for row, text in enumerate(lines(said, small, each)):
                canvas.put(x, height - 56 - 9.5 * row, text, small, "sans", SLATE)

    return paint
