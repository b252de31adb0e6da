"""XML and HTML read safely: no entity is resolved, no DTD loaded, no address opened. The one place that calls lxml."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

import lxml.etree as _untyped  # pyright: ignore[reportMissingTypeStubs] lxml ships no types; Any stops here

_etree = cast("Any", _untyped)
_SAFE = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}


class NotXmlError(Exception):
    """The bytes are no well-formed XML."""


def local(element: Any) -> str:
    """The name of an XML element without its namespace; "" for a comment or instruction."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


class PlainAttributes:
    """Hands elements on to `target` with their attributes as meant: the parser tells it of every `&` as `&#38;`."""

    def __init__(self, target: Any) -> None:
        self._start = target.start
        self.end, self.close = target.end, target.close

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Takes in the start of an element."""
        plain = {key: value.replace("&#38;", "&") if "&" in value else value for key, value in attributes.items()}
        self._start(tag, plain)


class Unheard:
    """Takes in elements and keeps nothing of them."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Takes in the start of an element."""

    def close(self) -> None:
        """Takes in the end of the part."""


def feed_xml(target: Any, pieces: Iterable[bytes]) -> None:
    """Tells `target` of the elements of XML as they start and end, then closes it; no tree is built.

    Raises NotXmlError.
    """
    parser: Any = _etree.XMLParser(target=target, **_SAFE)
    try:
        for piece in pieces:
            parser.feed(piece)
        parser.close()
    except (_etree.XMLSyntaxError, ValueError) as error:
        raise NotXmlError from error


def events(pieces: Iterable[bytes], kinds: tuple[str, ...] = ("end",)) -> Iterator[tuple[str, Any]]:
    """(kind, element) as elements start or end, while `pieces` come in; raises NotXmlError."""
    parser: Any = _etree.XMLPullParser(events=kinds, **_SAFE)
    try:
        for piece in pieces:
            parser.feed(piece)
            yield from parser.read_events()
        parser.close()
    except (_etree.XMLSyntaxError, ValueError) as error:
        raise NotXmlError from error


def feed_html(target: Any, pieces: Iterable[str]) -> None:
    """Tells `target` of the elements, texts and comments of a page, then closes it; raises NotXmlError.

    No tree is built. HTML has no entities but its own, whatever its document type declares.
    """
    parser = _etree.HTMLParser(target=target, encoding="utf-8", no_network=True)
    try:
        for piece in pieces:
            parser.feed(piece.encode("utf-8", "replace"))
        parser.close()
    except _etree.LxmlError as error:
        raise NotXmlError from error
