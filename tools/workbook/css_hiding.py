"""What declarations hide without leaving it out of the page: nothing to see through, of no size, off the screen."""

from __future__ import annotations

import re
from collections.abc import Iterable

INHERITED = frozenset({"font-size", "color", "text-indent"})
"""The ways of hiding that an element hands on to those inside of it, and that these can undo."""
NOT_IN_TABLES = frozenset({"box"})
"""Those that hide no part of a table, which takes the room that it needs."""
NOT_IN_LINES = frozenset({"box", "text-indent", "transform"})
"""Those that hide nothing that stands in a line of text."""
_LENGTH = re.compile(r"([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))(%|[a-z]{0,4})")
_PX = {
    "": 1.0, "px": 1.0, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0,
    "cm": 96 / 2.54, "mm": 9.6 / 2.54, "vw": 19.2, "vh": 10.8, "%": 19.2,
}  # fmt: skip
_OFF_SCREEN_PX, _FAR_OFF_PX, _NO_SIZE_PX = -900.0, 5_000.0, 1.0
_SIDES = ("left", "right", "top", "bottom", "margin-left", "margin-top", "text-indent")
_SIZES = ("height", "max-height", "width", "max-width")
_CLIPPED = re.compile(r"rect\(\s*([\w.]+)(?:[\s,]+\1){3}\s*\)")
_CUT = re.compile(
    r"inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%|circle\(\s*0(?:px|%)?[\s)]|polygon\((?:\s*0(?:px|%)?[\s,]?)+\)"
)
_FLAT = re.compile(r"scale(?:3d|x|y)?\(\s*(?:0*\.?0+%?|[^,()]*,\s*0*\.?0+%?\s*)\s*[,)]")
_MOVED = re.compile(r"translate(?:3d|x|y)?\(([^()]*)\)")
_CLEAR = re.compile(r"transparent|(?:rgb|hsl)a?\([^()]*[,/]\s*0*\.?0+%?\s*\)|#[\da-f]{3}0|#[\da-f]{6}00")
_NO_FONT = re.compile(r"(?:.*\s)?0+(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:/\s*\S+)?\s+\S.*")
_NOTHING = re.compile(r"[+-]?(?:0+(?:\.0*)?|\.0+)(?:%|[a-z]{1,4})?")
_RELATIVE = re.compile(r".*(?:em|%|ex|ch)|smaller|larger|inherit|unset")
_OVERFLOWS = ("overflow", "overflow-x", "overflow-y")
_HIDING = {
    "opacity": re.compile(r"^\+?(?:0+(?:\.0*)?|\.0+)%?$"),
    "clip": _CLIPPED,
    "clip-path": _CUT,
    "-webkit-clip-path": _CUT,
    "content-visibility": re.compile("^hidden$"),
    "filter": re.compile(r"opacity\(\s*(?:0+(?:\.0*)?|\.0+)%?\s*\)"),
}
_KNOWN = frozenset(
    {*_SIDES, *_SIZES, *_HIDING, "font-size", "font", "transform", "scale", "translate", "color"}
    | {"-webkit-text-fill-color"}
)
_OUT_OF_LINES = ("block", "inline-block", "flex", "inline-flex", "grid", "inline-grid", "flow-root", "list-item")
Ways = frozenset[str]
NO_WAYS: Ways = frozenset()


def ways_of_hiding(declared: Iterable[tuple[str, str]]) -> tuple[Ways, Ways]:
    """The ways in which declarations, of values in small letters, hide an element, and those that they undo.

    What nobody sees counts as hidden: what is far off the screen, of no size, cut down to nothing, or clear.
    """
    said = dict(declared)
    if _KNOWN.isdisjoint(said):
        return NO_WAYS, NO_WAYS
    found = {way: hides for name, value in said.items() if name in _KNOWN for way, hides in _of_one(name, value)}
    if found.get("box"):
        cut = " ".join(said.get(each, "") for each in _OVERFLOWS)
        found["box"] = "hidden" in cut or "clip" in cut
    if said.get("display") in _OUT_OF_LINES or said.get("position") in ("absolute", "fixed"):
        found |= {f"{way} of its own": found[way] for way in ("box", "transform") if way in found}
    return (
        frozenset(way for way, hides in found.items() if hides) or NO_WAYS,
        frozenset(way for way, hides in found.items() if not hides) or NO_WAYS,
    )


def _of_one(name: str, value: str) -> list[tuple[str, bool]]:
    """The ways that a declaration is about, and whether it hides in them; none for a value that is none."""
    if name in _SIDES:
        far = _is_off(name, value)
        return [] if far is None else [(name, far)]
    if name in _SIZES:
        return [("box", _is_small(value))]
    if name == "font-size":
        none = _NOTHING.fullmatch(value) is not None
        return [(name, none)] if none or not _RELATIVE.fullmatch(value) else []
    if name == "font":
        return [("font-size", _NO_FONT.fullmatch(value) is not None)]
    if name in ("transform", "scale", "translate"):
        return [("transform", _is_moved(name, value))]
    if name in ("color", "-webkit-text-fill-color"):
        return [("color", _CLEAR.fullmatch(value) is not None)]
    hides = _HIDING[name].search(value) is not None
    return [("clip" if name.endswith("clip-path") else name, hides)]


def _is_off(name: str, value: str) -> bool | None:
    """Whether a place at a side is far off the screen; a share of a margin is one of a column, and is not."""
    found = _LENGTH.fullmatch(value)
    if found is None or found[2] not in _PX:
        return False if value in ("auto", "initial", "unset") else None
    if found[2] == "%" and name.startswith("margin"):
        return False
    away = float(found[1]) * _PX[found[2]]
    return away <= _OFF_SCREEN_PX or away >= _FAR_OFF_PX


def _is_small(value: str) -> bool:
    found = _LENGTH.fullmatch(value)
    return found is not None and found[2] in _PX and 0 <= float(found[1]) * _PX[found[2]] <= _NO_SIZE_PX


def _is_moved(name: str, value: str) -> bool:
    """Whether an element is made flat, or moved off the screen."""
    if _FLAT.search(value) or (name == "scale" and any(_NOTHING.fullmatch(each) for each in value.split()[:2])):
        return True
    moved = [found[1] for found in _MOVED.finditer(value)] + ([value] if name == "translate" else [])
    return any(_is_off("left", part.strip()) for each in moved for part in each.replace(",", " ").split())
