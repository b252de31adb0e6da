"""What notes say of scales: of all amounts or of those that they name, with exceptions and the marks of footnotes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from schemas.deal import Issue
from tools.deals.dictionary import dictionary
from tools.deals.header_match import header_scores
from tools.deals.header_text import read_header, tokenize
from tools.deals.mapping import MappedColumn
from tools.deals.said import as_held
from tools.deals.scale import EXCEPTION, Scale, spoken_scales
from tools.deals.words import WORDS
from tools.workbook.words import as_seen

LONGEST_NOTE = 300
_UNLESS = re.compile(r"[,;(]?\s*\b(?:unless|where|except as|except where)\b[^;,)\]]*", re.IGNORECASE)
_PIECES = re.compile(r"\s*(?:[,;:&]|\band\b|\bor\b)\s*", re.IGNORECASE)
_CLAUSE = re.compile(r"[;:(\[]|\.\s")
_RELATIVE = re.compile(r"\b(?:which|that|these|those|is|are|being|shown|stated|expressed|given|in)\b", re.IGNORECASE)
#: The mark of a footnote: at the beginning of a note, and at the end of a header or title that it belongs to.
_MARK = re.compile(r"(?:\(?(\d{1,2}|[a-z])\)|(\d{1,2})\.(?=\s)|([*†‡§]{1,3}|[¹²³⁴⁵⁶⁷⁸⁹]))")
_MARKED = re.compile(r"(?:\((\d{1,2}|[a-z])\)|([*†‡§]{1,3}|[¹²³⁴⁵⁶⁷⁸⁹]))\s*$")
_LIKELY, _PLAINLY = 0.45, 0.9


@dataclass(frozen=True, slots=True)
class NoteScale:
    """What a note says: the scale of all amounts, those of amounts that it names, and what it excepts, as written.

    `mark` is the footnote's; `doubtful` says that it states several scales, and not of what.
    """

    common: Scale | None = None
    named: tuple[tuple[str, Scale], ...] = ()
    excepted: tuple[str, ...] = ()
    mark: str | None = None
    doubtful: bool = False


def read_note(text: str) -> NoteScale | None:
    """What a note of a title, a footnote or a sheet's name says of scales; None where it states none of amounts."""
    plain = " ".join(as_seen(text).split())
    if len(plain) > LONGEST_NOTE or not spoken_scales(plain):
        return None
    mark = _MARK.match(plain)
    body, excepted, named = _without_exceptions(_UNLESS.sub(" ", plain[mark.end() :] if mark else plain))
    parts = list(_parts(body))
    named += [(words, scale) for words, scale in parts if _fields(words, _LIKELY)] if len(parts) > 1 else []
    rest = [(words, scale) for words, scale in parts if (words, scale) not in named]
    if len(rest) == 1 and not named and _fields(rest[0][0], _PLAINLY):
        named, rest = rest, []
    if not rest and not named:
        return None
    doubtful = len({scale.factor for _, scale in rest}) > 1
    common = None if doubtful or not rest else rest[0][1]
    return NoteScale(common, tuple(named), tuple(excepted), _sign(mark), doubtful)


def is_bare(text: str) -> bool:
    """Whether a text is a note on scales and names nothing else."""
    note = read_note(text)
    if note is None or note.mark:
        return False
    body, _, _ = _without_exceptions(_UNLESS.sub(" ", " ".join(as_seen(text).split())))
    for scale in spoken_scales(body):
        body = body.replace(scale.text, " ")
    return set(re.findall("[^\\W\\d_]+", body.casefold())) <= WORDS.in_notes


def _without_exceptions(text: str) -> tuple[str, list[str], list[tuple[str, Scale]]]:
    """A note without its exceptions, the amounts that these name, and those that they give another scale."""
    excepted, named = list[str](), list[tuple[str, Scale]]()
    for match in EXCEPTION.finditer(text):
        for piece in _PIECES.split(match["what"]):
            scales = spoken_scales(piece)
            words = _RELATIVE.sub(" ", piece.replace(scales[0].text, " ") if scales else piece).strip(" .,")
            if scales and (words or excepted):
                named.append((words or excepted.pop(), scales[0]))
            elif words:
                excepted.append(words)
    return EXCEPTION.sub(" ", text), excepted, named


def _parts(text: str) -> Iterator[tuple[str, Scale]]:
    """The scales that a note states of amounts, each with the words before it."""
    start = 0
    for scale in spoken_scales(text):
        at = text.index(scale.text, start)
        words = _CLAUSE.split(text[start:at])[-1].strip(" ,.-–")
        start = at + len(scale.text)
        if not _of_sizes(words):
            yield words, scale


def _of_sizes(words: str) -> bool:
    """Whether words before a scale name sizes and nothing else."""
    pieces = [piece for piece in _PIECES.split(words) if piece]
    best = [max(scores, key=lambda name: scores[name]) if (scores := _scores(piece)) else "" for piece in pieces]
    return bool(best) and all(name and dictionary().fields[name].unit in ("sf", "acres", "units") for name in best)


def _scores(words: str) -> dict[str, float]:
    return {name: score for name, score in header_scores(read_header(words), frozenset()).items() if score >= _LIKELY}


def _fields(words: str, least: float) -> set[str]:
    """The fields of money that words name."""
    scores = [
        pair
        for piece in _PIECES.split(words)
        if set(tokenize(piece)) - WORDS.in_notes
        for pair in _scores(piece).items()
    ]
    return {name for name, score in scores if score >= least and dictionary().fields[name].type == "money"}


def _sign(mark: re.Match[str] | None) -> str | None:
    return None if mark is None else unicodedata.normalize("NFKC", next(filter(None, mark.groups())))


def _names(words: str, mapped: MappedColumn) -> bool:
    """Whether words of a note mean a column: its field, or its header."""
    tokens = set(tokenize(words)) - WORDS.in_notes
    return bool(tokens) and (mapped.field in _fields(words, _LIKELY) or tokens <= set(mapped.header.tokens))


class TableScales:
    """The scales that the notes about a table give its columns; what cannot be understood becomes an issue."""

    def __init__(
        self, lines: Sequence[tuple[str, str]], sheet: str | None, mapped: Sequence[MappedColumn], by_row: bool
    ) -> None:
        """From the notes' (text, cell), the nearest one last; `by_row` where each is about what stands below it."""
        self.issues: list[Issue] = []
        self._mapped, self._by_row = mapped, by_row
        found = [(note, cell) for text, cell in reversed(lines) if (note := read_note(text))]
        if not found and sheet and (note := read_note(sheet)):
            found = [(note, None)]
        self._texts = {cell: text for text, cell in lines}
        self._marked = [(note, cell) for note, cell in found if note.mark and self._is_marked(note.mark)]
        self._plain = [pair for pair in found if pair not in self._marked]
        for note, cell in self._plain if by_row else [*self._marked, *self._plain[:1]]:
            self._check(note, cell)

    @property
    def cell(self) -> str | None:
        """The cell of the note that gives most columns their scale; None where there is none."""
        return next((cell for _, cell in [*self._plain[:1], *self._marked]), None)

    def of(self, mapped: MappedColumn, cells: Sequence[tuple[int, int]] | None) -> Scale | None:
        """The scale that a column, or a block's value in one of `cells`, has by a note."""
        for note, _ in self._marked:
            if _marks(mapped.header.text) == note.mark:
                return _scale_by(note, mapped)
        plain = self._plain
        if self._by_row:
            row = cells[0][0] if cells else 0
            over = [pair for pair in plain if pair[1] is None or _row(pair[1]) <= row]
            plain = sorted(over, key=lambda pair: -_row(pair[1])) or plain
        return _scale_by(plain[0][0], mapped) if plain else None

    def _is_marked(self, mark: str) -> bool:
        """Whether the footnote of a mark is about some columns alone."""
        return any(_marks(m.header.text) == mark for m in self._mapped)

    def _check(self, note: NoteScale, cell: str | None) -> None:
        text = as_held(self._texts.get(cell or "", ""))
        titled = any(_marks(text) == note.mark for text in self._texts.values())
        if note.doubtful:
            self._say(f"{text} states several scales, and not of what; none was applied", cell)
        if note.mark and not titled and (note, cell) not in self._marked:
            self._say(f"nothing carries the mark of {text}; it was taken to be about all amounts", cell)
        for words in note.excepted:
            tokens = set(tokenize(words)) - WORDS.in_notes
            told = "per" in tokens or tokens <= WORDS.no_amounts or _scores(words)
            if not told and not any(_names(words, m) for m in self._mapped):
                self._say(f"{text} excepts {as_held(words)}, which no column is called; nothing was excepted", cell)

    def _say(self, what: str, cell: str | None) -> None:
        message = f"Scale: {what}. Check the amounts."
        self.issues.append(Issue("scale.note", "warning", message, (cell,) if cell else ()))


def _marks(text: str) -> str | None:
    return _sign(_MARKED.search(text))


def _row(cell: str | None) -> int:
    return int(re.sub(r".*?(\d+)$", r"\1", cell)) if cell else 0


def _scale_by(note: NoteScale, mapped: MappedColumn) -> Scale | None:
    own = next((scale for words, scale in note.named if _names(words, mapped)), None)
    if own is not None:
        return own
    return None if any(_names(words, mapped) for words in note.excepted) else note.common
