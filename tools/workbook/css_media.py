"""Whether the conditions of a style sheet hold on an ordinary screen: wide, lying, light, with a mouse, in colours."""

from __future__ import annotations

import re
from functools import lru_cache

_TYPES = {"all": True, "screen": True}
_KEYWORDS = {
    "orientation": "landscape", "prefers-color-scheme": "light", "prefers-reduced-motion": "no-preference",
    "prefers-contrast": "no-preference", "prefers-reduced-transparency": "no-preference", "hover": "hover",
    "any-hover": "hover", "pointer": "fine", "any-pointer": "fine", "scripting": "none", "forced-colors": "none",
    "inverted-colors": "none", "display-mode": "browser", "update": "fast", "scan": "progressive",
    "overflow-block": "scroll", "overflow-inline": "scroll", "color-gamut": "srgb", "dynamic-range": "standard",
}  # fmt: skip
_NUMBERS = {
    "width": 1_920.0, "height": 1_080.0, "inline-size": 1_920.0, "block-size": 1_080.0, "device-width": 1_920.0,
    "device-height": 1_080.0, "aspect-ratio": 16 / 9, "device-aspect-ratio": 16 / 9, "resolution": 1.0,
    "-webkit-device-pixel-ratio": 1.0, "color": 8.0, "color-index": 0.0, "monochrome": 0.0, "grid": 0.0,
}  # fmt: skip
_UNITS = {
    "": 1.0, "px": 1.0, "em": 16.0, "rem": 16.0, "pt": 4 / 3, "pc": 16.0, "cm": 96 / 2.54, "mm": 9.6 / 2.54,
    "in": 96.0, "vw": 19.2, "vh": 10.8, "x": 1.0, "dppx": 1.0, "dpi": 1 / 96, "dpcm": 2.54 / 96,
}  # fmt: skip
_NUMBER = re.compile(r"([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))(?:\s*/\s*(\d{1,9}))?([a-z]{0,4})")
_WORD = re.compile(r"\s*(\(|\)|[\w-]+\(|(?:[^\s()\"']|\"[^\"]*\"|'[^']*')+|[\"'])")
_COMPARED = re.compile(r"\s*(<=|>=|<|>|=)\s*")
_MOST_CHARS, _DEEPEST = 1_000, 20
_VENDORS = ("-ms-", "-moz-", "-o-", "-khtml-")
Truth = bool | None
"""None is what nobody can tell; as in browsers, it holds no more than its opposite."""


@lru_cache(maxsize=512)
def media_hold(queries: str) -> bool:
    """Whether one of the media `queries` holds; none at all do.

    A query with a feature, a type or a form that is not known does not hold, nor does its opposite, as browsers say: a
    rule under it neither hides anything nor shows it.
    """
    queries = queries.strip().lower()
    if not queries:
        return True
    if len(queries) > _MOST_CHARS:
        return False
    return any(_query_holds(query) for query in queries.split(","))


@lru_cache(maxsize=512)
def supports_hold(condition: str) -> bool:
    """Whether a browser of today has what `condition` asks for: it knows all declarations but other vendors' own."""
    condition = condition.strip().lower()
    return len(condition) <= _MOST_CHARS and _Condition(condition, supports=True).holds() is True


def _query_holds(query: str) -> bool:
    words = query.split(None, 2)
    negated = words[:1] == ["not"] and len(words) > 1 and not words[1].startswith("(")
    if negated or words[:1] == ["only"]:
        words = query.split(None, 1)[1].split(None, 2)
    if not words:
        return False
    found: Truth = None
    if words[0].startswith("(") or words[0] == "not" or words[0].startswith("not("):
        found = _Condition(query).holds()
    elif len(words) == 1 or words[1] == "and" or words[1].startswith("and("):
        rest = " ".join(words)[len(words[0]) :].strip().removeprefix("and")
        found = _TYPES.get(words[0], False)
        also = _Condition(rest).holds() if rest else True
        found = False if not found or also is False else also
    if negated:
        return found is False
    return found is True


class _Condition:
    """Conditions in brackets with `and`, `or` and `not` between them."""

    def __init__(self, text: str, *, supports: bool = False) -> None:
        self._words = _WORD.findall(text) if not _WORD.sub("", text).strip() else [""]
        self._supports = supports
        self._at = 0

    def holds(self) -> Truth:
        """Whether all of it holds; None for what is broken too."""
        found = self._all(0)
        return found if self._at == len(self._words) else None

    def _next(self) -> str:
        self._at += 1
        return self._words[self._at - 1] if self._at <= len(self._words) else ""

    def _peek(self) -> str:
        return self._words[self._at] if self._at < len(self._words) else ""

    def _all(self, depth: int) -> Truth:
        if self._peek() in ("not", "not("):
            if self._next() == "not(":
                self._at -= 1
                self._words[self._at] = "("
            found = self._one(depth)
            return None if found is None else not found
        found = self._one(depth)
        while (word := self._peek()) in ("and", "or", "and(", "or("):
            self._at += 1
            if word.endswith("("):
                self._at -= 1
                self._words[self._at] = "("
            other = self._one(depth)
            decides = word.startswith("or")
            known = None if None in (found, other) else not decides
            found = decides if decides in (found, other) else known
        return found

    def _one(self, depth: int) -> Truth:
        word = self._next()
        if depth > _DEEPEST or not word.endswith("("):
            return None
        if word == "(" and self._peek() in ("(", "not", "not("):
            found = self._all(depth + 1)
            return found if self._next() == ")" else None
        inside = self._inside()
        if word != "(":
            return word == "selector(" if self._supports else None
        return _supported(inside) if self._supports else _feature(inside)

    def _inside(self) -> str:
        """What stands up to the bracket that ends this one, which it passes by."""
        depth, words = 1, list[str]()
        while depth and (word := self._next()):
            depth += word.endswith("(") - (word == ")")
            words.append(word)
        return " ".join(words[:-1])


def _supported(declaration: str) -> Truth:
    name, colon, value = declaration.partition(":")
    if not colon or not value.strip():
        return None
    return not name.strip().startswith(_VENDORS) and not value.strip().startswith(_VENDORS)


def _feature(said: str) -> Truth:
    """Whether a feature of the screen is as `said`: `min-width: 600px`, `400px <= width`, `color`."""
    name, colon, value = (part.strip() for part in said.partition(":"))
    if colon:
        value = " ".join(value.split())
        least, most = name.startswith("min-"), name.startswith("max-")
        name = (
            name[4:] if least or most else name.replace("-webkit-min-", "-webkit-").replace("-webkit-max-", "-webkit-")
        )
        if name in _KEYWORDS:
            return _KEYWORDS[name] == value
        return _compared(name, ">=" if least else "<=" if most else "=", value)
    if name in _KEYWORDS:
        return _KEYWORDS[name] not in ("none", "no-preference")
    if name in _NUMBERS:
        return _NUMBERS[name] > 0
    parts = _COMPARED.split(said.strip())
    if len(parts) == 3:
        first, sign, last = parts
        turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}[sign]
        return _compared(first, sign, last) if first in _NUMBERS else _compared(last, turned, first)
    if len(parts) == 5:
        both = _feature("".join(parts[:3])), _feature("".join(parts[2:]))
        return None if None in both else all(both)
    return None


def _compared(name: str, sign: str, value: str) -> Truth:
    found = _NUMBER.fullmatch(value)
    if name not in _NUMBERS or found is None or found[3] not in _UNITS or (found[2] and not int(found[2])):
        return None
    own, asked = _NUMBERS[name], float(found[1]) / int(found[2] or 1) * _UNITS[found[3]]
    if sign == "=":
        return abs(own - asked) < 1e-3
    less = own < asked or ("=" in sign and own == asked)
    return less if sign[0] == "<" else own > asked or ("=" in sign and own == asked)
