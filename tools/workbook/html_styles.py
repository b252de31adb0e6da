"""What the styles of a web page say of its cells: number formats, bold, what is hidden."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from tools.workbook.named_formats import code_of

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_COMMENT = re.compile(r"<!--|-->|/\*.*?\*/", re.DOTALL)
_CLASS = re.compile(r"\s*(?:[a-z]+)?\.([\w-]+)\s*", re.IGNORECASE)
_FORMAT = re.compile(r"""mso-number-format\s*:\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^;]+))""", re.IGNORECASE)
_HIDES = re.compile(r"\bdisplay\s*:\s*none|\bvisibility\s*:\s*(?:hidden|collapse)|\bmso-hide\s*:\s*all", re.IGNORECASE)
_WEIGHT = re.compile(r"\bfont-weight\s*:\s*(bold|normal|\d{3})", re.IGNORECASE)
_FONT = re.compile(r"\bfont\s*:[^;]*\bbold\b", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{4})|(.))", re.DOTALL)
_MOST_STYLE_CHARS = 4_000_000
_MOST_ATTRIBUTE_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class Look:
    """What a style says: a number format and whether text is bold, None where it says nothing; whether it hides."""

    number_format: str | None = None
    bold: bool | None = None
    hides: bool = False


NOTHING = Look()


class Rules:
    """The rules of a page's style sheets, by class; other selectors say nothing that reading needs."""

    def __init__(self) -> None:
        self._looks: dict[str, Look] = {}

    def add(self, text: str) -> None:
        """Takes in a style sheet."""
        for selectors, body in _RULE.findall(_COMMENT.sub(" ", text[:_MOST_STYLE_CHARS])):
            look = look_of(body)
            if look != NOTHING:
                found = (_CLASS.fullmatch(selector) for selector in selectors.split(","))
                self._looks.update({match[1].lower(): look for match in found if match})

    def look(self, attributes: Mapping[str, str]) -> Look:
        """What an element's classes and its own style say together."""
        own, classes = attributes.get("style"), attributes.get("class")
        looks = [self._looks[name] for name in classes.lower().split()[:9] if name in self._looks] if classes else []
        if own:
            looks.append(look_of(own[:_MOST_ATTRIBUTE_CHARS]))
        found = NOTHING if not looks else looks[0] if len(looks) == 1 else _joined(looks)
        return found if "hidden" not in attributes else Look(found.number_format, found.bold, True)


def _joined(looks: list[Look]) -> Look:
    codes = [look.number_format for look in looks if look.number_format is not None]
    bolds = [look.bold for look in looks if look.bold is not None]
    hides = any(look.hides for look in looks)
    return Look(codes[-1] if codes else None, bolds[-1] if bolds else None, hides)


@lru_cache(maxsize=512)
def look_of(declarations: str) -> Look:
    """What the declarations of a rule or of a `style` attribute say."""
    match = _FORMAT.search(declarations)
    code = code_of(_unescaped(next(filter(None, match.groups()), ""))) if match else None
    weight = _WEIGHT.search(declarations)
    bold = None if weight is None else weight[1].lower() == "bold" or (weight[1].isdigit() and int(weight[1]) >= 600)
    if bold is None and _FONT.search(declarations):
        bold = True
    return Look(code, bold, _HIDES.search(declarations) is not None)


def _unescaped(text: str) -> str:
    r"""`#,##0` for `\#\,\#\#0`, and `"$"` for `\0022$\0022`."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2], text).strip()
