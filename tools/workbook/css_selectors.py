"""Which elements of a web page a selector means: by names, attributes, places among siblings, and what is around."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tools.workbook.css import parted, unescaped
from tools.workbook.css_asks import Ask, attribute_ask, place_ask

_IDENT = r"(?:[\w-]|[^\x00-\x7f]|\\[0-9a-f]{1,6}\s?|\\[^0-9a-f\n])+"
_PIECE = re.compile(rf"\*|[.#]?{_IDENT}|\[(?:[^\]\"'\\]|\"[^\"]*\"|'[^']*'|\\.)*\]|::?{_IDENT}\(?")
_COMBINED = re.compile(r"\s*([>+~])\s*|\s+")
_STILL = frozenset(
    {"hover", "active", "focus", "focus-within", "focus-visible", "visited", "target", "fullscreen", "autofill"}
    | {"before", "after", "first-line", "first-letter", "modal", "popover-open", "user-invalid"}
)
"""What is no element, or none before somebody does something."""
_LATER = frozenset(
    {"last-child", "last-of-type", "only-child", "only-of-type", "nth-last-child", "nth-last-of-type", "empty", "has"}
    | {"lang", "dir", "enabled", "required", "optional", "read-only", "read-write", "default", "valid", "invalid"}
)
"""What only those know who have seen the whole page, or more than it says."""
_LIKE = {"link": "a[href]", "any-link": "a[href]", "checked": "[checked]", "disabled": "[disabled]", "root": "html"}
_ANY_OF = frozenset({"is", "where", "matches", "any", "-webkit-any", "-moz-any"})
_MOST_SELECTOR_CHARS, _DEEPEST = 600, 6
_MOST_ATTRIBUTE_CHARS, _MOST_CLASSES = 4_000, 100
_RANKS = "?.#"
Weight = tuple[int, int, int]


class NeverError(Exception):
    """A selector means no element, or is none."""


class Compound:
    """What is asked of one element: the `names` it must have, and by how many steps it is `below` the one before."""

    def __init__(self, *, below: bool = False) -> None:
        self.below = below
        self.names: set[str] = set()
        self.weight: Weight = (0, 0, 0)

    def ask(self, name: str, weight: Weight) -> None:
        """Adds a name."""
        self.names.add(name)
        self.weight = _sum(self.weight, weight)


class Selector:
    """A selector: the `names` that an element must have, and from the inside out those of the elements `around` it.

    Each of these is right around the one before it, or somewhere. `needs` are their names together, `key` is the
    element's rarest name, `weight` how much the selector counts. `asks` say which elements have those of the names that
    no element has by itself; where the selector, as `text`, asks for more than can be known it `doubts`.
    """

    __slots__ = ("around", "asks", "doubts", "key", "names", "needs", "text", "weight")

    def __init__(self, compounds: list[Compound], asks: tuple[Ask, ...], text: str, *, doubts: bool) -> None:
        self.names = frozenset(compounds[-1].names)
        self.key = max(self.names, key=lambda name: (_RANKS.find(name[0]), name[0].isalpha(), name))
        beside = [each.below for each in compounds[1:]]
        around = [frozenset(each.names) for each in compounds[:-1]]
        self.around = tuple(zip(reversed(beside), reversed(around), strict=True))
        self.needs = frozenset[str]().union(*around)
        self.weight = (0, 0, 0)
        for each in compounds:
            self.weight = _sum(self.weight, each.weight)
        self.asks, self.text, self.doubts = asks, text, doubts


def selector_of(text: str) -> Selector | None:
    """`table > tr.x`; None for what is no selector, or means no element of a page that nobody has touched."""
    if len(text) > _MOST_SELECTOR_CHARS:
        return None
    try:
        return _Reader(text.strip().lower(), 0).selector()
    except NeverError:
        return None


def names_of(tag: str, attributes: Mapping[str, str]) -> set[str]:
    """What selectors call an element: `td`, `.x` for a class, `#x` for an id."""
    names = {tag}
    if said := attributes.get("class"):
        names.update(f".{name}" for name in said[:_MOST_ATTRIBUTE_CHARS].lower().split()[:_MOST_CLASSES])
    if said := attributes.get("id"):
        names.add(f"#{said[:_MOST_ATTRIBUTE_CHARS].strip().lower()}")
    return names


class _Reader:
    """Reads one selector; raises NeverError for what means no element."""

    def __init__(self, text: str, depth: int) -> None:
        if depth > _DEEPEST:
            raise NeverError
        self._text, self._at, self._depth = text, 0, depth
        self._asks: list[Ask] = []
        self._doubtful = False

    def selector(self) -> Selector:
        compounds = [self._compound(Compound())]
        while self._at < len(self._text):
            found = _COMBINED.match(self._text, self._at)
            if found is None:
                raise NeverError
            self._at = found.end()
            mark = found[1] or ""
            if mark in ("+", "~") and mark:
                left = self._made(compounds)
                following = Compound(below=compounds[-1].below)
                # Whoever stands beside another one is inside of the same elements.
                name = f"{mark}{self._text[: found.start()]}"
                following.ask(name, compounds[-1].weight)
                self._asks.append(Ask(name, left=left, adjacent=mark == "+"))
                compounds[-1] = self._compound(following)
            else:
                compounds.append(self._compound(Compound(below=mark == ">")))
        return self._made(compounds)

    def _made(self, compounds: list[Compound]) -> Selector:
        return Selector(compounds, tuple(self._asks), self._text, doubts=self._doubtful)

    def _compound(self, compound: Compound) -> Compound:
        start = self._at
        while (found := _PIECE.match(self._text, self._at)) is not None:
            piece, first = found[0], self._at == start
            self._at = found.end()
            if piece[0] == ":":
                self._take_pseudo(compound, piece)
            elif piece[0] == "[":
                ask = attribute_ask(piece)
                if ask is None:
                    raise NeverError
                self._take_ask(compound, ask)
            elif piece[0] in ".#":
                compound.ask(piece[0] + unescaped(piece[1:]), (1, 0, 0) if piece[0] == "#" else (0, 1, 0))
            elif not first:
                raise NeverError
            elif piece != "*":
                compound.ask(unescaped(piece), (0, 0, 1))
        if self._at == start:
            raise NeverError
        if not compound.names:
            self._take_ask(compound, Ask("*"), (0, 0, 0))
        return compound

    def _take_ask(self, compound: Compound, ask: Ask, weight: Weight = (0, 1, 0)) -> None:
        self._asks.append(ask)
        compound.ask(ask.name, weight)

    def _take_pseudo(self, compound: Compound, piece: str) -> None:
        inside = self._inside() if piece.endswith("(") else None
        name = piece.strip(":(")
        if piece.startswith("::") or name in _STILL:
            raise NeverError
        if name in _LIKE:
            name, inside = "is", _LIKE[name]
        if inside is not None and (name in _ANY_OF or name == "not"):
            self._take_list(compound, name, inside)
        elif name in _LATER or (inside is not None and " of " in inside):
            self._doubtful = True
        elif (ask := place_ask(name, inside)) is not None:
            self._take_ask(compound, ask)
        else:
            raise NeverError

    def _take_list(self, compound: Compound, name: str, inside: str) -> None:
        found: list[Selector] = []
        for each in parted(inside):
            try:
                found.append(_Reader(each.strip(), self._depth + 1).selector())
            except NeverError:
                continue
        self._doubtful |= any(each.doubts for each in found)
        if not found and name != "not":
            raise NeverError
        certain = tuple(each for each in found if not each.doubts)
        if len(certain) < len(found) or not found:
            return
        for each in certain:
            self._asks.extend(each.asks)
        weight = (0, 0, 0) if name == "where" else max(each.weight for each in certain)
        self._take_ask(compound, Ask(f":{name}({inside})", among=certain, negated=name == "not"), weight)

    def _inside(self) -> str:
        """What stands in the brackets that have just begun."""
        depth, start = 1, self._at
        while self._at < len(self._text) and depth:
            mark = self._text[self._at]
            depth += (mark == "(") - (mark == ")")
            self._at += 1
        if depth:
            raise NeverError
        return self._text[start : self._at - 1].strip()


def _sum(one: Weight, other: Weight) -> Weight:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]
