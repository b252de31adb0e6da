"""Text made to fit its place before it is written: titles balanced, values sized, long sentences left a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from schemas.deck import Box, Paragraph, Run
from tools.deck.grid import points
from tools.deck.markup import Level
from tools.figures import text

LINE = 1.22
"""Line height of one size, single-spaced."""
TITLE_SIZES = (24, 23.5, 23, 22.5)
SMALL_TITLE_PT = 20.0
LEAST_PT = 11.0
"""The least size that sentences are set in to save a line."""
_JOINT = re.compile(r"; |(?:(?<=[A-Za-z0-9]{3})|(?<=[\d%)]))\. (?=[A-Z])")


def title(words: str, room_pt: float) -> tuple[tuple[Run, ...], bool]:
    """Runs of a title, and whether it is whole: one line at 24 to 22.5 pt, else two of like length, at worst cut."""
    for size in TITLE_SIZES:
        if text.width(words, size, "serif") <= room_pt:
            return (Run(words, size_pt=None if size == TITLE_SIZES[0] else size),), True
    for size in (TITLE_SIZES[0], 22.0, SMALL_TITLE_PT):
        halves = _halves(words, size, room_pt)
        if halves:
            shown = None if size == TITLE_SIZES[0] else size
            return (Run(halves[0], broken=True, size_pt=shown), Run(halves[1], size_pt=shown)), True
    for fewer in fewer_clauses(words):
        if halves := _halves(fewer, SMALL_TITLE_PT, room_pt):
            shown = (Run(halves[0], broken=True, size_pt=SMALL_TITLE_PT), Run(halves[1], size_pt=SMALL_TITLE_PT))
            return shown, False
    cut = text.clip_lines(words, SMALL_TITLE_PT, room_pt, 2, "serif")
    return (Run(cut, size_pt=SMALL_TITLE_PT),), cut == words


def _halves(words: str, size_pt: float, room_pt: float) -> tuple[str, str] | None:
    """`words` as two lines of like length, the first the longer; None if no break fits."""
    parts = words.split(" ")
    cuts = [(" ".join(parts[:i]), " ".join(parts[i:])) for i in range(1, len(parts))]
    measured = [(text.width(a, size_pt, "serif"), text.width(b, size_pt, "serif"), (a, b)) for a, b in cuts]
    fitting = [one for one in measured if max(one[:2]) <= room_pt]
    return min(fitting, key=lambda one: abs(one[0] - one[1] * 1.12))[2] if fitting else None


def height_pt(paragraphs: Sequence[Paragraph], levels: Sequence[Level], room_pt: float) -> float:
    """Points that `paragraphs` take in a placeholder of `levels`, `room_pt` wide."""
    total = 0.0
    for number, one in enumerate(paragraphs):
        style = levels[one.level - 1]
        total += _lines(one, style, room_pt) * style.size_pt * LINE * style.lead_pct / 100
        total += style.before_pt if number else 0
    return total


def _lines(one: Paragraph, style: Level, room_pt: float) -> int:
    size = max((each.size_pt or style.size_pt for each in one.runs), default=style.size_pt)
    words = "".join(each.text for each in one.runs if not each.mark)
    marks = sum(text.width(each.text, size * 0.7, "sans", bold=True) for each in one.runs if each.mark)
    return len(
        text.lines(words, size, room_pt - min(marks, room_pt / 4), "serif" if style.serif else "sans", style.bold)
    )


def shorten(
    paragraphs: tuple[Paragraph, ...], levels: Sequence[Level], box: Box, inset_pt: float = 0
) -> tuple[tuple[Paragraph, ...], tuple[str, ...]]:
    """`paragraphs` made to fit `box`, and the full text of each that was shortened or left out.

    First all are set a little smaller; then the last ones lose clauses. Only one clause too long for its place is cut.
    """
    room, most = points(box.width) - 2 * inset_pt, points(box.height) - inset_pt / 2
    for less in (0.0, 0.5, 1.0, 1.5):
        smaller = [_smaller(one, levels, less) for one in paragraphs]
        if height_pt(smaller, levels, room) <= most:
            return tuple(smaller), ()
    kept, cut = [_smaller(one, levels, 1.0) for one in paragraphs], dict[int, str]()
    while height_pt(kept, levels, room) > most:
        last = len(kept) - 1
        cut.setdefault(last, "".join(each.text for each in kept[last].runs if not each.mark))
        shorter = _one_line_less(kept[last], levels[kept[last].level - 1], room)
        if shorter is None and last == 0:
            break
        kept[last:] = [shorter] if shorter else []
    return tuple(kept), tuple(cut.values())


def _smaller(one: Paragraph, levels: Sequence[Level], less_pt: float) -> Paragraph:
    """A paragraph set `less_pt` smaller, but not under what a reader can read."""
    style = levels[one.level - 1]
    if not less_pt:
        return one
    sizes = ((run, run.size_pt or style.size_pt) for run in one.runs)
    runs = (replace(run, size_pt=max(size - less_pt, min(size, LEAST_PT))) for run, size in sizes)
    return replace(one, runs=tuple(runs))


def _one_line_less(one: Paragraph, style: Level, room_pt: float) -> Paragraph | None:
    """A paragraph a line or more shorter, its marks kept; None when only one line is left."""
    number = _lines(one, style, room_pt)
    if number < 2:
        return None
    words = "".join(each.text for each in one.runs if not each.mark)
    plain = [each for each in one.runs if not each.mark]
    marks = tuple(each for each in one.runs if each.mark)
    size = plain[0].size_pt or style.size_pt if plain else style.size_pt
    face = "serif" if style.serif else "sans"
    fits = (
        part for part in fewer_clauses(words) if len(text.lines(part, size, room_pt * 0.97, face, style.bold)) < number
    )
    shorter = next(fits, None) or text.clip_lines(words, size, room_pt * 0.97, number - 1, face, style.bold)
    return Paragraph((Run(shorter, size_pt=plain[0].size_pt if plain else None), *marks), one.level, one.align)


def fewer_clauses(words: str) -> Iterator[str]:
    """`words` without their last sentence or clause, then without the last two, and so on; each ends as `words` do."""
    end = "." if words.endswith(".") else ""
    for joint in reversed([found.start() for found in _JOINT.finditer(words)]):
        yield words[:joint] + end


def value_size(words: str, room_pt: float, biggest_pt: float, least_pt: float) -> float:
    """The size at which a headline number fits on one line; `least_pt` when even that is too wide."""
    size = biggest_pt
    while size > least_pt and text.width(words, size) > room_pt:
        size -= 1
    return size
