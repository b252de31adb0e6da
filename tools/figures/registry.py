"""The register of what a document prints: each number with its figure, each text copied from the file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from schemas.figures import Figure
from tools.figures.text import NUMBER, printable

LEFTOVER = re.compile(r"\b(?:Click to add|None|nan|NaN|NaT|null|undefined|TODO)\b|\{\{|\}\}|<<|>>")
"""What a template or a program leaves behind when something went wrong; whole words, for nan stands in tenant too."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """Text copied from the file (a name, a status), cleaned for print; the numbers in it are no figures."""

    text: str


def quoted(text: object, most: int = 200) -> Quoted:
    """`text` from the file as it may be printed."""
    return Quoted(printable(text, most))


@dataclass(frozen=True, slots=True)
class Emphasised:
    """A part of a sentence in bold."""

    text: str


Part = str | Figure | Quoted | Emphasised


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words with figures and names in them. A digit stands in a Figure or in Quoted text, never in a bare word."""

    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        for part in self.parts:
            if isinstance(part, str) and NUMBER.search(part):
                raise ValueError(f"a bare number in a sentence: {part!r}")

    @property
    def text(self) -> str:
        """The sentence as read."""
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures in it, in order."""
        return tuple(part for part in self.parts if isinstance(part, Figure))

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of its figures, each once."""
        return tuple(dict.fromkeys(cell for figure in self.figures for cell in figure.cells))


def sentence(*parts: Part | Sentence | None) -> Sentence:
    """The sentence of `parts`; sentences in it are joined in, None is left out."""
    flat: list[Part] = []
    for part in parts:
        flat += part.parts if isinstance(part, Sentence) else () if part is None else (part,)
    return Sentence(tuple(flat))


def counted(value: int, label: str, derivation: str, cells: Iterable[str] = (), text: str | None = None) -> Figure:
    """The figure of a count; its id follows from its label."""
    identity = "count." + re.sub(r"[^a-z0-9]+", "_", label.lower()).strip("_")
    return Figure(
        id=identity, label=label, value=Decimal(value), unit="count", text=text if text is not None else f"{value:,}",
        derivation=derivation, cells=tuple(cells),
    )  # fmt: skip


@dataclass(slots=True)
class _Entry:
    figure: Figure
    text: str
    places: dict[str, None] = field(default_factory=dict[str, None])


class FigureRegistry:
    """What one document prints, by place (`deck:3`); the document's own check reads the numbers back against it."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, str], _Entry] = {}
        self._known: dict[str, set[str]] = {}
        self._odd: dict[str, set[str]] = {}

    def show(self, figure: Figure, place: str, text: str | None = None) -> str:
        """`text` (or the figure's own), noted as printed at `place`."""
        shown = figure.text if text is None else text
        entry = self._entries.get((figure.id, shown))
        if entry is None:
            entry = self._entries[figure.id, shown] = _Entry(figure, shown)
        if place not in entry.places:
            entry.places[place] = None
            self._known.setdefault(place, set()).update(NUMBER.findall(shown))
        return shown

    def say(self, words: Sentence, place: str) -> str:
        """The text of `words`, its figures and quotations noted as printed at `place`."""
        for part in words.parts:
            if isinstance(part, Figure):
                self.show(part, place)
            elif isinstance(part, Quoted):
                self.quote(part.text, place)
        return words.text

    def quote(self, text: str, place: str) -> str:
        """`text`, noted as copied from the file and printed at `place`: names, addresses, cells, hashes."""
        if found := NUMBER.findall(text):
            self._known.setdefault(place, set()).update(found)
        if odd := LEFTOVER.findall(text):
            self._odd.setdefault(place, set()).update(odd)
        return text

    def strangers(self, place: str, text: str) -> list[str]:
        """The numbers in `text` that nobody noted for `place`: each is a fault of the document."""
        known = self._known.get(place, set())
        return [found for found in NUMBER.findall(text) if found not in known]

    def leftovers(self, place: str, text: str) -> list[str]:
        """What looks left behind by a program in `text`, but for what the file itself says at `place`."""
        odd = LEFTOVER.findall(text)
        own: set[str] = self._odd.get(place, set()) | (self._odd_in_rules(place) if odd else set[str]())
        return [found for found in odd if found not in own]

    def _odd_in_rules(self, place: str) -> set[str]:
        """The signs in the rules of figures printed at `place`: rules name deals, and no rule of ours has any."""
        rules = [entry.figure.derivation for entry in self._entries.values() if place in entry.places]
        return {found for rule in rules for found in LEFTOVER.findall(rule) if not found.isalpha()}

    def moved(self, places: dict[str, str]) -> None:
        """Rename places, for a document that learns its page numbers only when it is laid out."""
        for entry in self._entries.values():
            entry.places = {places.get(place, place): None for place in entry.places}
        self._known = _moved(self._known, places)
        self._odd = _moved(self._odd, places)

    def figures(self) -> tuple[Figure, ...]:
        """Each figure as printed, in order of first print; a second way to print one has `.2` after its id."""
        versions: dict[str, int] = {}
        result: list[Figure] = []
        for (identity, text), entry in self._entries.items():
            versions[identity] = version = versions.get(identity, 0) + 1
            name = identity if version == 1 else f"{identity}.{version}"
            update = {"id": name, "text": text, "where": tuple(entry.places)}
            result.append(entry.figure.revised(update))
        return tuple(result)


def _moved(noted: dict[str, set[str]], places: dict[str, str]) -> dict[str, set[str]]:
    made: dict[str, set[str]] = {}
    for place, words in noted.items():
        made.setdefault(places.get(place, place), set()).update(words)
    return made
