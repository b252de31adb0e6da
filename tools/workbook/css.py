"""The rules and declarations of the style sheets of web pages, taken apart in one pass however broken they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tools.workbook.css_media import media_hold, supports_hold

_MOST_BODY_CHARS = 4_000
_MARK = re.compile(r"\\.|[\"';]", re.DOTALL)
_STOP = re.compile(r"""[{};]|\\.|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""", re.DOTALL)
_PART = re.compile(r"""[()\[\],]|\\.|"[^"]*"|'[^']*'""", re.DOTALL)
_AT = re.compile(r"@[\w-]+")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_SIZED = re.compile(r"\bcontainer\s*:")
_MOST_NESTED_CHARS, _DEEPEST = 1_000, 12
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_LAST_CODE = 0x10FFFF
IMPORTANT = re.compile(r"\s*(?<!\\)!\s{0,20}important\s*$", re.IGNORECASE)
"""The end of a value that counts before all that is not important."""


def rules(text: str) -> Iterator[tuple[str, str]]:
    """(selectors, declarations) of each rule that counts on an ordinary screen, as `css_media` says.

    The selectors of a rule inside of another are written out with those around it. What stands in other at-rules, which
    say nothing of elements, is left out.
    """
    text = without_comments(text.replace("<!--", " ").replace("-->", " "))
    sized = "container-type" in text or _SIZED.search(text) is not None
    blocks, start = [_Block("", counts=True)], 0
    for found in _STOP.finditer(text):
        mark = found[0]
        if mark not in "{};":
            continue
        said, start = text[start : found.start()], found.end()
        block = blocks[-1]
        if mark != "{":
            block.add(said)
        elif block.selectors and "{" not in said and _is_custom(said):
            blocks.append(_Block("", counts=False))
        else:
            yield from block.close()
            blocks.append(_begun(block, said.strip(), sized, len(blocks)))
        if mark == "}" and len(blocks) > 1:
            yield from blocks.pop().close()
    blocks[-1].add(text[start:])
    for block in reversed(blocks):
        yield from block.close()


class _Block:
    """A block that is open: the `selectors` whose declarations stand in it, none outside of rules; if it `counts`."""

    __slots__ = ("_chars", "_said", "counts", "selectors")

    def __init__(self, selectors: str, *, counts: bool) -> None:
        self.selectors, self.counts = selectors, counts
        self._said, self._chars = list[str](), 0

    def add(self, said: str) -> None:
        """Adds a declaration."""
        if self.counts and self.selectors and self._chars < _MOST_BODY_CHARS and said.strip():
            self._said.append(said)
            self._chars += len(said) + 1

    def close(self) -> Iterator[tuple[str, str]]:
        """The rule that has been said so far, if there is one."""
        if self._said:
            yield self.selectors, ";".join(self._said)[:_MOST_BODY_CHARS]
            self._said.clear()


def _is_custom(said: str) -> bool:
    """Whether a block in a rule is the value of a property: `--name: {`."""
    return said.lstrip().startswith("--")


def _begun(outer: _Block, said: str, sized: bool, depth: int) -> _Block:
    """The block that `said` begins inside of `outer`."""
    if not outer.counts or depth > _DEEPEST:
        return _Block("", counts=False)
    if not said.startswith("@"):
        selectors = _inside(outer.selectors, said) if outer.selectors else said
        return _Block(selectors, counts=bool(selectors))
    found = _AT.match(said)
    name, condition = (found[0].lower(), said[found.end() :]) if found else ("", "")
    if name == "@scope":
        roots = condition.strip().partition(")")[0].removeprefix("(")
        return _Block("", counts=False) if not roots else _Block(_inside(outer.selectors, roots), counts=True)
    holds = name == "@layer" or (
        (name == "@media" and media_hold(condition))
        or (name == "@supports" and supports_hold(condition))
        or (name == "@container" and sized and media_hold(condition[condition.find("(") :]))
    )
    return _Block(outer.selectors, counts=holds)


def _inside(outer: str, selectors: str) -> str:
    """`selectors` of a rule inside of a rule for `outer`, as they stand outside of it; "" for too long ones."""
    if not outer or len(outer) + len(selectors) > _MOST_NESTED_CHARS:
        return selectors if not outer else ""
    around = f":is({outer})"
    parts = (part.strip() for part in parted(selectors))
    return ",".join(part.replace("&", around) if "&" in part else f"{around} {part}" for part in parts if part)


def parted(selectors: str) -> list[str]:
    """The selectors of a list of some, which commas part where they stand in no bracket or quotes."""
    if "(" not in selectors and "[" not in selectors and "\\" not in selectors:
        return selectors.split(",")
    parts, depth, start = list[str](), 0, 0
    for found in _PART.finditer(selectors):
        mark = found[0]
        if mark in "([":
            depth += 1
        elif mark in ")]":
            depth -= 1
        elif mark == "," and depth <= 0:
            parts.append(selectors[start : found.start()])
            start = found.end()
    return [*parts, selectors[start:]]


def without_comments(text: str) -> str:
    """`text` with a blank for each comment; one without an end reaches to the end of the text."""
    if "/*" not in text:
        return text
    pieces, at = list[str](), 0
    while (start := text.find("/*", at)) >= 0:
        pieces.append(text[at:start])
        end = text.find("*/", start + 2)
        at = len(text) if end < 0 else end + 2
    return " ".join([*pieces, text[at:]])


def declarations(text: str) -> Iterator[tuple[str, str]]:
    """(property, value) one after the other; properties in small letters, values as they stand."""
    for each in _split(without_comments(text)):
        name, colon, value = each.partition(":")
        if colon:
            yield (unescaped(name) if "\\" in name else name).strip().lower(), value.strip()


def keyword(value: str) -> str:
    """A value as the word that it is, without `!important`."""
    return (unescaped(value) if "\\" in value else value).partition("!")[0].strip().lower()


def resolved(word: str, declared: Iterable[tuple[str, str]]) -> str:
    """`word` with the values that `declared` has for the names in it, as `var(--name, otherwise)`."""
    if "var(" not in word:
        return word
    own = {name: keyword(value) for name, value in declared if name.startswith("--")}
    return _VARIABLE.sub(lambda found: own.get(found[1]) or (found[2] or "").strip() or found[0], word)


def unescaped(text: str) -> str:
    r"""`none` for `\6e one`."""
    return _ESCAPE.sub(lambda found: chr(min(int(found[1], 16), _LAST_CODE)) if found[1] else found[2], text)


def _split(text: str) -> Iterator[str]:
    """The declarations: what stands between semicolons outside of quotes."""
    if '"' not in text and "'" not in text and "\\" not in text:
        yield from text.split(";")
        return
    start, quote = 0, ""
    for found in _MARK.finditer(text):
        mark = found[0]
        if quote:
            quote = "" if mark == quote else quote
        elif mark == ";":
            yield text[start : found.start()]
            start = found.end()
        elif len(mark) == 1:
            quote = mark
    yield text[start:]
