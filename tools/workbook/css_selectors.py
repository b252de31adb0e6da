"""Which elements of a web page a selector means: those of some names, inside of or right below those of others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tools.workbook import refusal

_COMPOUND = re.compile(r"(\*|[a-z][\w-]*)?((?:[.#][\w-]+)*)")
_NAME = re.compile(r"[.#][\w-]+")
_CHILD = re.compile(r"\s*>\s*")
_MOST_SELECTOR_CHARS = 300
_MOST_ATTRIBUTE_CHARS, _MOST_CLASSES = 4_000, 100
_MOST_STEPS, _STEPS_PER_ELEMENT = 5_000_000, 100


class Selector:
    """A selector: the `names` that an element must have, and from the inside out those of the elements `around` it.

    Each of these is right around the one before it, or somewhere. `needs` are their names together, `key` is the
    element's rarest name, `weight` how much the selector counts.
    """

    __slots__ = ("around", "key", "names", "needs", "weight")

    def __init__(self, compounds: list[tuple[bool, list[str]]]) -> None:
        own = compounds[-1][1]
        self.names = frozenset(own)
        self.key = max(own, key=lambda name: ("#" in name, "." in name, name))
        beside = [below for below, _ in compounds[1:]]
        around = [frozenset(names) for _, names in compounds[:-1]]
        self.around = tuple(zip(reversed(beside), reversed(around), strict=True))
        self.needs = frozenset[str]().union(*around)
        every = [name for _, names in compounds for name in names]
        ids, classes = (sum(name.startswith(mark) for name in every) for mark in "#.")
        self.weight = (ids, classes, len(every) - ids - classes)


def selector_of(text: str) -> Selector | None:
    """`table > tr.x`; None for what selects by more than names, for every element, or for none."""
    if len(text) > _MOST_SELECTOR_CHARS:
        return None
    compounds: list[tuple[bool, list[str]]] = []
    below = False
    for word in _CHILD.sub(" > ", text.lower()).split():
        if word == ">":
            if below or not compounds:
                return None
            below = True
            continue
        names = _names(word)
        if not names:
            return None
        compounds.append((below, names))
        below = False
    return Selector(compounds) if compounds and not below else None


def names_of(tag: str, attributes: Mapping[str, str]) -> set[str]:
    """What selectors call an element: `td`, `.x` for a class, `#x` for an id."""
    names = {tag}
    if said := attributes.get("class"):
        names.update(f".{name}" for name in said[:_MOST_ATTRIBUTE_CHARS].lower().split()[:_MOST_CLASSES])
    if said := attributes.get("id"):
        names.add(f"#{said[:_MOST_ATTRIBUTE_CHARS].strip().lower()}")
    return names


def _names(compound: str) -> list[str]:
    """The names in `tr.x#y`; none for what is no such selector, and for one that means every element."""
    found = _COMPOUND.fullmatch(compound)
    if found is None:
        return []
    return [*([found[1]] if found[1] and found[1] != "*" else []), *_NAME.findall(found[2])]


class _Open:
    """An open element: its names, which selectors have been found to mean its children, if the page left it out."""

    __slots__ = ("implied", "means", "names")

    def __init__(self, names: set[str], *, implied: bool = False) -> None:
        self.names, self.implied = names, implied
        self.means: dict[Selector, bool] | None = None


class Trail:
    """The elements that are open in a page, the outermost first."""

    def __init__(self, filename: str) -> None:
        self._filename = filename
        self._open: list[_Open] = []
        self._counts: dict[str, int] = {}
        self._elements = self._steps = 0

    def begin_row(self) -> None:
        """Takes in that a row begins: right inside of a table, it is in a body that the page left out."""
        if self._open and "table" in self._open[-1].names:
            self.push({"tbody"}, implied=True)

    def push(self, names: set[str], *, implied: bool = False) -> None:
        """Takes in an element, of `names`, that is open now."""
        self._elements += 1
        self._open.append(_Open(names, implied=implied))
        counts = self._counts
        for name in names:
            counts[name] = counts.get(name, 0) + 1

    def pop(self) -> None:
        """Takes in the end of the innermost element."""
        self._leave()
        if self._open and self._open[-1].implied:
            self._leave()

    def _leave(self) -> None:
        counts = self._counts
        for name in self._open.pop().names:
            if counts[name] == 1:
                del counts[name]
            else:
                counts[name] -= 1

    def meets(self, selector: Selector) -> bool:
        """Whether the elements around one that begins now are those that `selector` has around it.

        Raises InputError `file.unsafe` for rules that take far more looking around than pages need.
        """
        if not selector.around:
            return True
        if not self._open:
            return False
        parent = self._open[-1]
        if parent.means is None:
            parent.means = {}
        if selector not in parent.means:
            parent.means[selector] = self._counts.keys() >= selector.needs and self._finds(selector.around)
        return parent.means[selector]

    def _finds(self, around: Iterable[tuple[bool, frozenset[str]]]) -> bool:
        places = [len(self._open)]
        for right_below, names in around:
            before = [at - 1 for at in places if at] if right_below else range(max(places))
            self._steps += len(before)
            if self._steps > _MOST_STEPS and self._steps > _MOST_STEPS + _STEPS_PER_ELEMENT * self._elements:
                raise refusal.unsafe(self._filename, "has rules of style that take too long to apply")
            places = [at for at in before if names <= self._open[at].names]
            if not places:
                return False
        return True
