"""The rules and declarations of the style sheets of web pages, taken apart in one pass however broken they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MOST_BODY_CHARS = 4_000
_MARK = re.compile(r"\\.|[\"';]", re.DOTALL)
_BRACE = re.compile(r"[{}]")
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_SHOWN_MEDIA = re.compile(r"@media\b(?!\s+(?:print|speech)\s*$)|@(?:supports|layer)\b", re.IGNORECASE)
_LAST_CODE = 0x10FFFF
IMPORTANT = re.compile(r"\s*(?<!\\)!\s{0,20}important\s*$", re.IGNORECASE)
"""The end of a value that counts before all that is not important."""


def rules(text: str) -> Iterator[tuple[str, str]]:
    """(selectors, declarations) of each rule; those for print alone and those in other at-rules are left out."""
    text = without_comments(text.replace("<!--", " ").replace("-->", " "))
    at = 0
    while (brace := text.find("{", at)) >= 0:
        # Statements such as @import end in a semicolon, blocks around rules in a brace of which nothing more is said.
        selectors = text[at:brace].rpartition(";")[2].rpartition("}")[2].strip()
        if selectors.startswith("@"):
            at = brace + 1 if _SHOWN_MEDIA.match(selectors) else _block_end(text, brace)
            continue
        end = text.find("}", brace)
        end = len(text) if end < 0 else end
        yield selectors, text[brace + 1 : min(end, brace + 1 + _MOST_BODY_CHARS)]
        at = end + 1


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


def _block_end(text: str, brace: int) -> int:
    """Where the block that `brace` begins has ended."""
    depth = 0
    for found in _BRACE.finditer(text, brace):
        depth += 1 if found[0] == "{" else -1
        if not depth:
            return found.end()
    return len(text)
