"""What the styles of a web page say of its cells: number formats, bold, what is hidden."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from tools.workbook import css
from tools.workbook.named_formats import code_of

_COMPOUND = re.compile(r"(\*|[a-z][\w-]*)?((?:[.#][\w-]+)*)")
_NAME = re.compile(r"[.#][\w-]+")
_IMPLIED = frozenset({"html", "body", "tbody"})
"""Elements that surround rows whether a page writes them or not."""
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{4})|(.))", re.DOTALL)
_MOST_SHEET_CHARS, _MOST_CHARS = 1_000_000, 4_000_000
_MOST_ATTRIBUTE_CHARS, _MOST_CLASSES = 4_000, 100
_MOST_SELECTOR_CHARS, _MOST_RULES_PER_NAME = 300, 50


@dataclass(frozen=True, slots=True)
class Look:
    """What a style says, None where it says nothing: a number format, whether text is bold.

    `removed` is whether an element is left out of the page, `unseen` whether it keeps its place but is not shown.
    """

    number_format: str | None = None
    bold: bool | None = None
    removed: bool | None = None
    unseen: bool | None = None


NOTHING = Look()
REMOVED = Look(removed=True)


@dataclass(frozen=True, slots=True)
class _Rule:
    """A rule for elements that have all of `names`, inside of elements that have those of `around`."""

    weight: tuple[int, int, int]
    order: int
    names: frozenset[str]
    around: frozenset[str]
    look: Look


class Rules:
    """The rules of a page's style sheets: for tags, classes and ids, alone or together, inside of others or not.

    What other selectors say is left out, and for tags alone all but what they hide.
    """

    def __init__(self) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._count = self._chars = 0
        self.tags: set[str] = set()

    def add(self, text: str) -> None:
        """Takes in a style sheet."""
        text = text[: min(_MOST_SHEET_CHARS, max(0, _MOST_CHARS - self._chars))]
        self._chars += len(text)
        for selectors, body in css.rules(text):
            look = look_of(body) if body else NOTHING
            if look != NOTHING:
                for selector in selectors.split(","):
                    self._add_rule(selector[: _MOST_SELECTOR_CHARS + 1], look)

    def _add_rule(self, selector: str, look: Look) -> None:
        compounds = [_names(each) for each in selector.lower().replace(">", " ").split()]
        if len(selector) > _MOST_SELECTOR_CHARS or not compounds or not all(compounds):
            return
        names = compounds[-1]
        key = max(names, key=lambda name: ("#" in name, "." in name, name))
        if key[0] not in ".#":
            if look.removed is None and look.unseen is None:
                return
            self.tags.add(key)
        every = [name for compound in compounds for name in compound]
        ids, classes = (sum(name.startswith(mark) for name in every) for mark in "#.")
        self._count += 1
        around = frozenset(every[: len(every) - len(names)]) - _IMPLIED
        rule = _Rule((ids, classes, len(every) - ids - classes), self._count, frozenset(names), around, look)
        found = self._rules.setdefault(key, [])
        if len(found) >= _MOST_RULES_PER_NAME:
            del found[0]
        found.append(rule)

    def look(self, tag: str, attributes: Mapping[str, str], around: Counter[str]) -> Look:
        """What an element's tag, classes, id and own style say together; `around` counts names of open elements."""
        looks = self._ruled(names_of(tag, attributes), around) if self._rules else []
        if own := attributes.get("style"):
            looks.append(look_of(own[:_MOST_ATTRIBUTE_CHARS]))
        if "hidden" in attributes:
            looks.append(REMOVED)
        return NOTHING if not looks else looks[0] if len(looks) == 1 else _joined(looks)

    def _ruled(self, names: set[str], around: Counter[str]) -> list[Look]:
        """What the rules say for an element of `names`, the weightiest last."""
        found = [
            rule
            for name in names
            for rule in self._rules.get(name, ())
            if (len(rule.names) == 1 or rule.names <= names) and all(around.get(each) for each in rule.around)
        ]
        if len(found) > 1:
            found.sort(key=lambda rule: (rule.weight, rule.order))
        return [rule.look for rule in found]


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


def _joined(looks: list[Look]) -> Look:
    code = bold = removed = unseen = None
    for look in looks:
        code = code if look.number_format is None else look.number_format
        bold = bold if look.bold is None else look.bold
        removed = removed if look.removed is None else look.removed
        unseen = unseen if look.unseen is None else look.unseen
    return Look(code, bold, removed, unseen)


@lru_cache(maxsize=512)
def look_of(declarations: str) -> Look:
    """What the declarations of a rule or of a `style` attribute say, the last of a kind before those above it."""
    code = bold = removed = unseen = None
    for name, value in css.declarations(declarations):
        if name == "mso-number-format":
            code = code_of(_format(value))
        elif name == "display":
            removed = css.keyword(value) == "none"
        elif name == "mso-hide" and css.keyword(value) == "all":
            removed = True
        elif name == "visibility":
            unseen = css.keyword(value) in ("hidden", "collapse")
        elif name == "font-weight":
            bold = _is_bold(css.keyword(value), bold)
        elif name == "font" and "bold" in css.keyword(value).split():
            bold = True
    return Look(code, bold, removed, unseen)


def _is_bold(weight: str, before: bool | None) -> bool | None:
    if weight.isascii() and weight.isdigit() and len(weight) <= 4:
        return int(weight) >= 600
    return weight in ("bold", "bolder") if weight in ("bold", "bolder", "normal", "lighter") else before


def _format(value: str) -> str:
    r"""`#,##0` for `\#\,\#\#0` and for `"\#\,\#\#0"`; `"$"` for `\0022$\0022`."""
    if value[:1] in ('"', "'"):
        value = value[1:-1] if len(value) > 1 and value[-1] == value[0] else value[1:]
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2], value).strip()
