"""What the styles of a web page say of its cells: number formats, bold, what is hidden."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from tools.workbook import css
from tools.workbook.css_asks import Ask
from tools.workbook.css_hiding import NO_WAYS, Ways, ways_of_hiding
from tools.workbook.css_selectors import Selector, selector_of
from tools.workbook.css_trail import Trail
from tools.workbook.named_formats import code_of

_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{4})|(.))", re.DOTALL)
_MOST_SHEET_CHARS, _MOST_CHARS = 1_000_000, 4_000_000
_MOST_ATTRIBUTE_CHARS = 4_000
_MOST_RULES_PER_NAME = 50
_MOST_ASKS, _MOST_TOLD = 40, 5
_DISPLAYED = re.compile(
    r"none|contents|(?:(?:block|inline|run-in|flow|flow-root|flex|grid|ruby|math|list-item|table)\s*){1,3}|inherit|initial"
    r"|unset|revert(?:-layer)?|inline-(?:block|flex|grid|table)|table-[a-z-]+|ruby-[a-z-]+|-(?:webkit|ms|moz)-[a-z-]+"
)
"""The values of `display`; browsers pass over any other and keep what was said before."""
_VISIBILITIES = frozenset({"visible", "hidden", "collapse", "inherit", "initial", "unset", "revert", "revert-layer"})


@dataclass(frozen=True, slots=True)
class Look:
    """What a style says, None where it says nothing: a number format, whether text is bold.

    `removed` is whether an element is left out of the page, `unseen` whether it keeps its place but is not shown.
    `veils` are other ways in which nobody sees it, `bares` those that are undone: `css_hiding` says which.
    """

    number_format: str | None = None
    bold: bool | None = None
    removed: bool | None = None
    unseen: bool | None = None
    veils: Ways = NO_WAYS
    bares: Ways = NO_WAYS

    @property
    def hides(self) -> bool:
        """Whether it says anything of what is hidden."""
        return self.removed is not None or self.unseen is not None or bool(self.veils)

    @property
    def conceals(self) -> bool:
        """Whether it hides something."""
        return bool(self.removed or self.unseen or self.veils)

    @property
    def tells(self) -> bool:
        """Whether it says anything of what a cell's text means."""
        return self.number_format is not None or self.bold is not None


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
    """The rules of a page's style sheets, as far as they hide; those for classes and ids, as far as they tell too.

    `tags` are those of which there are rules for their name alone; `looks_around` is whether there are any for elements
    inside of others or beside them, `asks` what is asked of all elements, `unveils` whether rules that show letters
    again are asked, as some rule or style hides them. `undecided` are selectors that ask for what only those know who
    have seen the whole page, and may mean an element that was read: what they hide was read as shown, which is to be
    told. What has been added to `shared` counts too.
    """

    def __init__(self, shared: Rules | None = None) -> None:
        self._own: dict[str, list[_Rule]] = {}
        self.stores: tuple[Mapping[str, list[_Rule]], ...] = (*(shared.stores if shared else ()), self._own)
        self.taken = shared.taken if shared else _Taken()
        self.tags: set[str] = set(shared.tags) if shared else set()
        self.looks_around = shared.looks_around if shared else False
        self._shared, self.unveils = shared, shared is not None and shared.unveils
        self._waiting: list[_Rule] = []
        self.doubts = shared is not None and shared.doubts
        self.asks: dict[str, Ask] = shared.asks if shared else {}
        self.undecided: dict[str, None] = shared.undecided if shared else {}

    def add(self, text: str) -> None:
        """Takes in a style sheet."""
        text = text[: min(_MOST_SHEET_CHARS, max(0, _MOST_CHARS - self.taken.chars))]
        self.taken.chars += len(text)
        for selectors, body in css.rules(text):
            look, urgent = looks_of(body) if body else (NOTHING, NOTHING)
            if look != NOTHING or urgent != NOTHING:
                for each in css.parted(selectors):
                    if selector := selector_of(each):
                        self._add_rule(selector, look, urgent)

    def _add_rule(self, selector: Selector, look: Look, urgent: Look) -> None:
        if selector.doubts and not (look.conceals or urgent.conceals):
            return
        self.taken.rules += 1
        rule = _Rule(selector, self.taken.rules, look, urgent)
        if look.veils or urgent.veils:
            self.unveil()
        if look.hides or urgent.hides or (selector.key[0] in ".#" and (look.tells or urgent.tells)):
            self._keep(rule)
        elif look.bares or urgent.bares:
            if self.unveils:
                self._keep(rule)
            else:
                self._waiting.append(rule)

    @property
    def waits(self) -> bool:
        """Whether there are rules that count only once letters are hidden."""
        return bool(self._waiting)

    def unveil(self) -> None:
        """Takes note that letters may be hidden, and be shown again inside; until then no rule for that is asked."""
        if self.unveils:
            return
        self.unveils = True
        if self._shared is not None:
            self._shared.unveil()
            self.tags |= self._shared.tags
            self.looks_around |= self._shared.looks_around
        for rule in self._waiting:
            self._keep(rule)
        self._waiting.clear()

    def _keep(self, rule: _Rule) -> None:
        selector, key = rule.selector, rule.selector.key
        new = {ask.name: ask for ask in selector.asks if ask.name not in self.asks}
        if len(self.asks) + len(new) > _MOST_ASKS:
            if rule.look.conceals or rule.urgent.conceals:
                self._doubt(selector)
            return
        self.asks.update(new)
        if key[0] not in ".#":
            self.tags.add(key)
        self.looks_around |= bool(selector.around or selector.asks)
        found = self._own.setdefault(key, [])
        if len(found) >= _MOST_RULES_PER_NAME:
            del found[0]
        found.append(rule)
        self.doubts |= selector.doubts

    def _doubt(self, selector: Selector) -> bool:
        """Notes that nobody can tell what a selector means."""
        if len(self.undecided) < _MOST_TOLD:
            self.undecided[selector.text] = None
        return True

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
        if found and self.doubts:
            found = [rule for rule in found if not (rule.selector.doubts and self._doubt(rule.selector))]
        if len(found) > 1:
            found.sort(key=lambda rule: (rule.selector.weight, rule.order))
        return found


def _joined(looks: list[Look]) -> Look:
    code = bold = removed = unseen = None
    veils = bares = NO_WAYS
    for look in looks:
        code = code if look.number_format is None else look.number_format
        bold = bold if look.bold is None else look.bold
        removed = removed if look.removed is None else look.removed
        unseen = unseen if look.unseen is None else look.unseen
        if look.veils or look.bares:
            veils, bares = (veils - look.bares) | look.veils, (bares - look.veils) | look.bares
    return Look(code, bold, removed, unseen, veils, bares)


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
    said = [(name, css.resolved(css.keyword(value), declarations)) for name, value in declarations]
    for (name, value), (_, word) in zip(declarations, said, strict=True):
        if name == "mso-number-format":
            code = code_of(_format(value))
        elif name == "display":
            removed = word == "none" if _DISPLAYED.fullmatch(word) else removed
        elif name == "mso-hide" and word == "all":
            removed = True
        elif name == "visibility":
            unseen = word in ("hidden", "collapse") if word in _VISIBILITIES else unseen
        elif name == "font-weight":
            bold = _is_bold(word, bold)
        elif name == "font" and "bold" in word.split():
            bold = True
    found = Look(code, bold, removed, unseen, *ways_of_hiding(said))
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
