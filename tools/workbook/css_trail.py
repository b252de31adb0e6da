"""The elements that are open while a web page is read, and what selectors ask of those that begin inside of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tools.workbook import refusal
from tools.workbook.css_asks import Ask
from tools.workbook.css_selectors import Selector

_MOST_STEPS, _STEPS_PER_ELEMENT = 5_000_000, 100


class _Open:
    """An open element: its names, which selectors have been found to mean its children, if the page left it out.

    `children` counts those that have begun, by tag too; `last` are the names that the last one gives its next sibling,
    `seen` those that any gives all after it. `body` is the body that a table has though the page left it out.
    """

    __slots__ = ("body", "children", "implied", "last", "means", "names", "seen")

    def __init__(self, names: set[str], *, implied: bool = False) -> None:
        self.names, self.implied = names, implied
        self.means: dict[Selector, bool] | None = None
        self.children: dict[str, int] = {}
        self.last: set[str] = set()
        self.seen: set[str] = set()
        self.body: _Open | None = None


class Trail:
    """The elements that are open in a page, the outermost first."""

    def __init__(self, filename: str) -> None:
        self._filename = filename
        self._open: list[_Open] = []
        self._page = _Open(set())
        self._counts: dict[str, int] = {}
        self._elements = self._steps = 0

    def begin_row(self) -> None:
        """Takes in that a row begins: right inside of a table, it is in a body that the page left out."""
        if self._open and "table" in self._open[-1].names:
            table = self._open[-1]
            table.body = table.body or _Open({"tbody"}, implied=True)
            self._enter(table.body)

    def push(self, names: set[str]) -> None:
        """Takes in an element, of `names`, that is open now."""
        self._elements += 1
        self._enter(_Open(names))

    def _enter(self, element: _Open) -> None:
        self._open.append(element)
        counts = self._counts
        for name in element.names:
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

    def answer(self, asks: Iterable[Ask], tag: str, names: set[str], attributes: Mapping[str, str]) -> None:
        """Adds to `names` of an element that begins now those that it has by what is asked of it."""
        parent = self._open[-1] if self._open else self._page
        children = parent.children
        children[""] = place = children.get("", 0) + 1
        children[tag] = among_tag = children.get(tag, 0) + 1
        given: set[str] = set()
        for ask in asks:
            if ask.left is not None:
                holds = ask.name in (parent.last if ask.adjacent else parent.seen)
            elif ask.among:
                holds = any(each.names <= names and self.meets(each) for each in ask.among) is not ask.negated
            elif ask.step is not None:
                holds = ask.holds_at(among_tag if ask.of_type else place)
            else:
                holds = not ask.attribute or ask.holds_for(attributes)
            if holds:
                names.add(ask.name)
        for ask in asks:
            if ask.left is not None and ask.left.names <= names and self.meets(ask.left):
                given.add(ask.name)
        parent.last = given
        parent.seen |= given

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
