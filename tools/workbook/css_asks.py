"""What selectors ask of an element beyond its names: attributes, its place among its siblings, other selectors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.workbook.css import unescaped

if TYPE_CHECKING:
    from tools.workbook.css_selectors import Selector

_ATTRIBUTE = re.compile(
    r"\[\s*((?:[\w-]|\\.)+)\s*(?:([~|^$*]?)=\s*(?:\"([^\"]*)\"|'([^']*)'|((?:[^\s\]\"'\\]|\\.)+))\s*(?:[is]\s*)?)?\]"
)
_STEPS = re.compile(r"([+-]?\d{0,6})n\s*(?:([+-])\s*(\d{1,6}))?|([+-]?\d{1,6})")
_FIRST = {"first-child": ("nth-child", "1"), "first-of-type": ("nth-of-type", "1")}
_WORDS = {"even": "2n", "odd": "2n+1"}
_COMPARED: dict[str, Callable[[str, str], bool]] = {
    "": lambda own, asked: own == asked,
    "~": lambda own, asked: asked in own.split(),
    "|": lambda own, asked: own == asked or own.startswith(f"{asked}-"),
    "^": lambda own, asked: bool(asked) and own.startswith(asked),
    "$": lambda own, asked: bool(asked) and own.endswith(asked),
    "*": lambda own, asked: bool(asked) and asked in own,
}
_MOST_ATTRIBUTE_CHARS = 4_000


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """What an element is asked, and the `name` that it has if it is so.

    Whether it has an `attribute`, that compares as `compared` with `value` where there is one; whether its place is
    `step` times something and `offset`, among all siblings or those of its tag; whether one of the selectors `among`
    means it, or none where `negated`; whether a sibling before it is what `left` means, the last one if `adjacent`. One
    that asks nothing is so for all.
    """

    name: str
    attribute: str = ""
    compared: str | None = None
    value: str = ""
    step: tuple[int, int] | None = None
    of_type: bool = False
    among: tuple[Selector, ...] = ()
    negated: bool = False
    left: Selector | None = None
    adjacent: bool = False

    def holds_for(self, attributes: Mapping[str, str]) -> bool:
        """Whether the attribute is as asked."""
        own = attributes.get(self.attribute)
        if own is None or self.compared is None:
            return own is not None
        return _COMPARED[self.compared](own[:_MOST_ATTRIBUTE_CHARS].lower(), self.value)

    def holds_at(self, place: int) -> bool:
        """Whether the place, which counts from one, is as asked."""
        assert self.step is not None
        times, offset = self.step
        away = place - offset
        return away == 0 if not times else away % times == 0 and away // times >= 0


def attribute_ask(text: str) -> Ask | None:
    """What `[name="value"]` asks; None for what is no such thing."""
    found = _ATTRIBUTE.fullmatch(text)
    if found is None:
        return None
    said = next((part for part in (found[3], found[4], found[5]) if part is not None), "")
    return Ask(text, unescaped(found[1]), found[2], unescaped(said))


def place_ask(name: str, inside: str | None) -> Ask | None:
    """What `:nth-child(2n+1)` or `:first-of-type` asks; None for what is none of these."""
    kind, steps = _FIRST.get(name, (name, inside or ""))
    if kind not in ("nth-child", "nth-of-type"):
        return None
    found = _STEPS.fullmatch(_WORDS.get(steps, steps))
    if found is None:
        return None
    if found[4]:
        step = 0, int(found[4])
    else:
        times = int(found[1] + "1") if found[1] in ("", "+", "-") else int(found[1])
        step = times, int(f"{found[2] or ''}{found[3] or 0}")
    return Ask(f":{kind}({steps})", step=step, of_type=kind == "nth-of-type")
