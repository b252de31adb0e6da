"""A slide in the making: what it says is registered, what it cites is numbered, what it cuts goes to the notes."""

from __future__ import annotations

from datetime import date

from schemas.deck import Block, Box, Paragraph, Run, SlidePlan, TextBlock
from schemas.documents import Emphasis
from schemas.figures import Figure
from tools.deck import fitting, grid
from tools.deck.grid import points
from tools.deck.markup import Level
from tools.figures import text
from tools.figures.breakdowns import Breakdown
from tools.figures.citations import About, cited, labelled, remark, rule_of
from tools.figures.findings import kinds
from tools.figures.formats import NBSP
from tools.figures.measures import Portfolio
from tools.figures.registry import Emphasised, FigureRegistry, Sentence
from tools.figures.text import printable

SOURCE_PT, SOURCE_LINES = 9.0, 3
KIND_COLORS = (("accent1", "bg1"), ("accent2", "bg1"), ("accent3", "bg1"), ("accent4", "tx1"))
MOST_NOTES, MOST_LINE = 6_000, 2_000
"""Characters of speaker notes and of a line of them; more than a presenter reads, and it keeps files small."""


class DeckDraft:
    """What all slides of one deck share, and the slides made so far."""

    def __init__(self, portfolio: Portfolio, emphasis: Emphasis, title: str, as_of: date) -> None:
        self.portfolio = portfolio
        self.emphasis: Emphasis = emphasis
        self.title = title
        self.as_of = as_of
        self.registry = FigureRegistry()
        self.slides: list[SlidePlan] = []
        self.kinds: Breakdown | None = kinds(portfolio, emphasis)

    def tile(self, record: int) -> tuple[str, str]:
        """The colour of a deal's kind, and the colour that reads on it: the same object on every slide."""
        at = self.kinds.places.get(record) if self.kinds else None
        return KIND_COLORS[at] if at is not None else ("hair", "tx1")

    def page(self, layout: str, kicker: str) -> Page:
        """The next slide."""
        return Page(self, layout, kicker)


class Page:
    """One slide; `done` adds it to the deck."""

    def __init__(self, deck: DeckDraft, layout: str, kicker: str) -> None:
        self.deck = deck
        self.layout = layout
        self.kicker = text.clip(kicker, 10.5, points(grid.span(8)) * 0.75, bold=True)
        self.place = f"deck:{len(deck.slides) + 1}"
        self._title = Paragraph(())
        self._blocks: list[Block] = []
        self._cites: list[str] = []
        self._notes: list[str] = []
        self._cut: dict[str, None] = {}
        self.tell(kicker)

    # What it says ----------------------------------------------------------------------------------------------------

    def show(self, figure: Figure, shown: str | None = None) -> str:
        """A figure's text, registered as printed here."""
        return self.deck.registry.show(figure, self.place, shown)

    def quote(self, words: str) -> str:
        """Text from the file, registered as printed here."""
        return self.deck.registry.quote(words, self.place)

    def tell(self, words: str, about: About | None = None) -> str:
        """Words of our own that hold numbers: each number is registered as a figure, by default as a remark's."""
        return self.deck.registry.say(cited(words, about) if about else remark(words), self.place)

    def number(self, record: int) -> str:
        """A deal's number in the list, registered as printed here."""
        return self.show(self.deck.portfolio.number(record))

    def runs(self, words: Sentence, *after: Run) -> tuple[Run, ...]:
        """A sentence as runs, its figures and quotations registered, and what follows it."""
        self.deck.registry.say(words, self.place)
        made: list[Run] = []
        for part in words.parts:
            bold = isinstance(part, Emphasised)
            made.append(Run(part if isinstance(part, str) else part.text, bold=bold))
        return (*_joined(made), *after)

    def title(self, words: Sentence, room: Box = grid.TITLE) -> None:
        """The slide's title, its figures derived in the notes; one that must be cut stands whole there."""
        self.deck.registry.say(words, self.place)
        for figure in words.figures:
            self.derive(figure)
        runs, whole = fitting.title(words.text, points(room.width))
        self._title = Paragraph(runs)
        if not whole:
            self.cut(words.text, "".join(run.text for run in runs))

    def plain_title(self, runs: tuple[Run, ...]) -> None:
        """A title that is no finding."""
        self._title = Paragraph(runs)

    # What it cites ---------------------------------------------------------------------------------------------------

    def cite(self, source: str) -> Run:
        """The raised number of a source; the same source has the same number."""
        return self._numbered(self.tell(source))

    def _numbered(self, source: str) -> Run:
        if source not in self._cites:
            self._cites.append(source)
        return Run(str(self._cites.index(source) + 1), mark=True)

    def mark(self, *figures: Figure | None) -> Run:
        """The raised number of what the figures come from; their derivations go into the notes."""
        given = [figure for figure in figures if figure is not None]
        for figure in given:
            self.derive(figure)
        told = dict.fromkeys(self.tell(source_of(figure), rule_of(figure)) for figure in given)
        return self._numbered("; ".join(told))

    def derive(self, figure: Figure) -> None:
        """A figure's derivation in full, for the notes."""
        self.show(figure)
        places = f" [{self.quote(_listed(figure.cells))}]" if figure.cells else ""
        label = printable(self.deck.registry.say(labelled(figure), self.place), 120)
        self.note(f"{label}: {figure.text} = {self.tell(figure.derivation, rule_of(figure))}{places}")

    def note(self, line: str) -> None:
        """A line of speaker notes."""
        if line not in self._notes:
            self._notes.append(line)

    def cut(self, full: str, shown: str) -> None:
        """Text that the slide shows cut; the notes have it whole. What is shown is noted: a number may be cut too."""
        self._cut[full] = None
        self.quote(shown)

    # What stands on it -----------------------------------------------------------------------------------------------

    def add(self, block: Block) -> None:
        """A block in its slot."""
        self._blocks.append(block)

    def say(self, slot: str, *paragraphs: Paragraph, box: Box | None = None) -> None:
        """Paragraphs in a placeholder."""
        self.add(TextBlock(slot, paragraphs, box))

    def say_fitted(
        self, slot: str, paragraphs: tuple[Paragraph, ...], levels: tuple[Level, ...], box: Box, inset_pt: float = 0
    ) -> None:
        """Paragraphs in a placeholder, cut to fit it; what is cut stands whole in the notes."""
        kept, cut = fitting.shorten(paragraphs, levels, box, inset_pt)
        shown = " ".join(run.text for one in kept for run in one.runs)
        for full in cut:
            self.cut(full, shown)
        self.add(TextBlock(slot, kept))

    def clipped(self, words: str, size_pt: float, room_pt: float, *, bold: bool = False) -> str:
        """`words` on one line no wider than `room_pt`, cut if it must be, with a little air for other renderers."""
        if text.width(words, size_pt, bold=bold) <= room_pt:
            return words
        shown = text.clip(words, size_pt, room_pt * 0.985 - 1.5, bold=bold)
        if shown != words:
            self.cut(words, shown)
        return shown

    def done(self) -> None:
        """The slide is complete: it joins the deck."""
        notes = list(self._notes)
        if self._cut:
            notes.append("Cut on the slide, whole here: " + "; ".join(self._cut))
        sources = _sources(self._cites)
        printed = self.quote(" ".join(run.text for run in sources))
        whole = enumerate(self._cites, 1)
        notes += [f"Source {number}, whole: {cite}" for number, cite in whole if cite not in printed]
        plan = SlidePlan(self.layout, self._title, self.kicker, tuple(self._blocks), sources, _whole_lines(notes))
        self.deck.slides.append(plan)


def _whole_lines(lines: list[str]) -> str:
    """As many whole lines as the notes may hold."""
    kept: list[str] = []
    room = MOST_NOTES
    for line in lines:
        plain = printable(line, MOST_LINE)
        room -= len(plain) + 1
        kept += [plain] if room >= 0 else []
    return "\n".join(kept)


def _listed(cells: tuple[str, ...]) -> str:
    """As many of `cells` as a line of notes has room for."""
    shown = ""
    for cell in cells:
        if len(shown) > MOST_LINE // 2:
            return f"{shown} and others"
        shown += (", " if shown else "") + printable(cell, 120)
    return shown


def _joined(runs: list[Run]) -> list[Run]:
    """Neighbouring plain runs as one."""
    made: list[Run] = []
    for one in runs:
        if made and made[-1].bold == one.bold:
            made[-1] = Run(made[-1].text + one.text, bold=one.bold)
        else:
            made.append(one)
    return made


def source_of(figure: Figure, most: int = 2) -> str:
    """`Deals!F7:F17, G7:G17; Σ NOI ÷ Σ price over 11 with both`: cells first, then the derivation."""
    places = short_cells(figure.cells, most)
    return f"{places}, {figure.derivation}" if places else figure.derivation


def short_cells(cells: tuple[str, ...], most: int = 2) -> str:
    """The first `most` of `cells`, a sheet named once; `and others` for the rest."""
    shown: list[str] = []
    sheet = None
    for cell in cells[:most]:
        own, mark, place = cell.rpartition("!")
        shown.append(place if mark and own == sheet else cell)
        sheet = own if mark else None
    return printable(", ".join(shown), 160) + (" and others" if len(cells) > most else "")


def _shorter_cite(cite: str, most: int) -> str:
    """A source in at most `most` characters, ended where a part of it ends, if one does in the latter half."""
    if len(cite) <= most:
        return printable(cite, most)
    start = cite[:most]
    joint = max(start.rfind(mark) for mark in ("; ", ", "))
    return printable(start[:joint], most) if joint > most // 3 else printable(cite, most)


def _sources(cites: list[str]) -> tuple[Run, ...]:
    """The sources at the foot, numbered, in at most three lines: long ones lose parts until they fit."""
    room = points(grid.SOURCES.width) - 4
    most = 240
    while True:
        shown = [_shorter_cite(cite, most) for cite in cites]
        plain = f"{NBSP}{NBSP} ".join(f"{number}{NBSP}{cite}" for number, cite in enumerate(shown, 1))
        if len(text.lines(plain, SOURCE_PT, room)) <= SOURCE_LINES or most <= 12:
            break
        most -= 12
    runs: list[Run] = []
    for number, cite in enumerate(shown, 1):
        tail = f"{NBSP}{NBSP} " if number < len(shown) else ""
        runs += [Run(f"{number}{NBSP}", bold=True, color="accent2"), Run(cite + tail)]
    return tuple(runs)
