"""What the styles of a web page say of its cells: number formats, bold, what is hidden."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from tools.workbook import css
from tools.workbook.css_selectors import Selector, Trail, selector_of
from tools.workbook.named_formats import code_of

_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{4})|(.))", re.DOTALL)
_MOST_SHEET_CHARS, _MOST_CHARS = 1_000_000, 4_000_000
_MOST_ATTRIBUTE_CHARS = 4_000
_MOST_RULES_PER_NAME = 50


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
    """A rule: for which elements, what it says of them, and what of that is important."""

    selector: Selector
    order: int
    look: Look
    urgent: Look


@dataclass(slots=True)
class _Taken:
    """How many characters of style sheets and how many rules have been taken in."""

    chars: int = 0
    rules: int = 0


class Rules:
    """The rules of a page's style sheets: for tags, classes and ids, alone or together, inside of others or not.

    What other selectors say is left out, and for tags alone all but what they hide. `tags` are those of which there are
    rules for their name alone; `looks_around` is whether there are any for elements inside of others. What has been
    added to `shared` counts too.
    """

    def __init__(self, shared: Rules | None = None) -> None:
        self._own: dict[str, list[_Rule]] = {}
        self.stores: tuple[Mapping[str, list[_Rule]], ...] = (*(shared.stores if shared else ()), self._own)
        self.taken = shared.taken if shared else _Taken()
        self.tags: set[str] = set(shared.tags) if shared else set()
        self.looks_around = shared.looks_around if shared else False

    def add(self, text: str) -> None:
        """Takes in a style sheet."""
        text = text[: min(_MOST_SHEET_CHARS, max(0, _MOST_CHARS - self.taken.chars))]
        self.taken.chars += len(text)
        for selectors, body in css.rules(text):
            look, urgent = looks_of(body) if body else (NOTHING, NOTHING)
            if look != NOTHING or urgent != NOTHING:
                for each in selectors.split(","):
                    if selector := selector_of(each):
                        self._add_rule(selector, look, urgent)

    def _add_rule(self, selector: Selector, look: Look, urgent: Look) -> None:
        key = selector.key
        if key[0] not in ".#":
            if all(each.removed is None and each.unseen is None for each in (look, urgent)):
                return
            self.tags.add(key)
        self.looks_around |= bool(selector.around)
        self.taken.rules += 1
        found = self._own.setdefault(key, [])
        if len(found) >= _MOST_RULES_PER_NAME:
            del found[0]
        found.append(_Rule(selector, self.taken.rules, look, urgent))

    def look(self, names: set[str], attributes: Mapping[str, str], trail: Trail) -> Look:
        """What an element's tag, classes, id and own style say together, inside of the elements of `trail`."""
        ruled = self._ruled(names, trail)
        own = attributes.get("style")
        look, urgent = looks_of(own[:_MOST_ATTRIBUTE_CHARS]) if own else (NOTHING, NOTHING)
        if not ruled and urgent is NOTHING and "hidden" not in attributes:
            return look
        looks = [each for each in (*(rule.look for rule in ruled), look) if each is not NOTHING]
        looks += [each for each in (*(rule.urgent for rule in ruled), urgent) if each is not NOTHING]
        if "hidden" in attributes:
            looks.append(REMOVED)
        return looks[0] if len(looks) == 1 else _joined(looks)

    def _ruled(self, names: set[str], trail: Trail) -> list[_Rule]:
        """The rules for an element of `names`, the weightiest last."""
        found = [
            rule
            for rules in self.stores
            for name in names
            for rule in rules.get(name, ())
            if rule.selector.names <= names and trail.meets(rule.selector)
        ]
        if len(found) > 1:
            found.sort(key=lambda rule: (rule.selector.weight, rule.order))
        return found


def _joined(looks: list[Look]) -> Look:
    code = bold = removed = unseen = None
    for look in looks:
        code = code if look.number_format is None else look.number_format
        bold = bold if look.bold is None else look.bold
        removed = removed if look.removed is None else look.removed
        unseen = unseen if look.unseen is None else look.unseen
    return Look(code, bold, removed, unseen)


@lru_cache(maxsize=512)
def looks_of(declarations: str) -> tuple[Look, Look]:
    """What the declarations of a rule or of a `style` attribute say, and what they say to be important.

    The last of a kind counts.
    """
    said = list(css.declarations(declarations))
    urgent = [(name, css.IMPORTANT.sub("", value)) for name, value in said if css.IMPORTANT.search(value)]
    return _look_of(said), _look_of(urgent) if urgent else NOTHING


def _look_of(declarations: list[tuple[str, str]]) -> Look:
    code = bold = removed = unseen = None
    for name, value in declarations:
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
    found = Look(code, bold, removed, unseen)
    return NOTHING if found == NOTHING else found


def _is_bold(weight: str, before: bool | None) -> bool | None:
    if weight.isascii() and weight.isdigit() and len(weight) <= 4:
        return int(weight) >= 600
    return weight in ("bold", "bolder") if weight in ("bold", "bolder", "normal", "lighter") else before


def _format(value: str) -> str:
    r"""`#,##0` for `\#\,\#\#0` and for `"\#\,\#\#0"`; `"$"` for `\0022$\0022`."""
    if value[:1] in ('"', "'"):
        value = value[1:-1] if len(value) > 1 and value[-1] == value[0] else value[1:]
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2], value).strip()
