"""The parts of a web archive, taken apart as the standards of mail have it: parts within parts, codings, addresses."""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message

from tools.workbook import refusal
from tools.workbook.limits import Limits
from tools.workbook.page_worksheets import Places, places_of

PAGES = frozenset({"text/html", "application/xhtml+xml"})
_HEADER_BYTES = 16_384
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_BLANKS = re.compile(rb"\s*")
_MOST_DEEP = 8


@dataclass(frozen=True, slots=True)
class Part:
    """A part: its kind, where it says that it lies, its charset or "", its bytes as they were before mailing.

    `is_open` is whether the archive ends before it does.
    """

    kind: str
    places: tuple[Places, ...]
    charset: str
    data: bytes
    is_open: bool


class MailParts:
    """Takes an archive apart; `has_ended` is whether it ends as it should, which says that nothing is lost."""

    def __init__(self, data: bytes, filename: str, limits: Limits) -> None:
        self.has_ended = True
        self._data, self._filename, self._limits = data, filename, limits
        self._count = 0

    def parts(self) -> list[Part]:
        """All parts that are not of parts themselves; of those that say the same in several forms, the last page's.

        Raises InputError `file.unsafe` for more or deeper ones than the limits allow, `file.truncated` for a page whose
        coding is damaged.
        """
        start = len(codecs.BOM_UTF8) if self._data.startswith(codecs.BOM_UTF8) else 0
        return self._within(start, len(self._data), 0)

    def _within(self, start: int, end: int, depth: int) -> list[Part]:
        """The parts between `start` and `end`, where headers begin."""
        headers, body = self._headers(start, end)
        mark = headers.get_boundary() if headers.get_content_maintype() == "multipart" else None
        if not mark:
            return [self._part(headers, body, end, is_open=bool(depth) and end == len(self._data))]
        if depth >= _MOST_DEEP:
            raise refusal.unsafe(self._filename, f"nests parts more than {_MOST_DEEP} deep")
        pieces = self._pieces(mark.encode("utf-8", "surrogateescape"), body, end)
        groups = [self._within(first, last, depth + 1) for first, last in pieces]
        if headers.get_content_subtype() == "alternative":
            groups = [group for group in groups if any(part.kind in PAGES for part in group)][-1:]
        return [part for group in groups for part in group]

    def _headers(self, start: int, end: int) -> tuple[Message, int]:
        """The headers at `start`, blank lines in front of them or not, and where what they are of begins."""
        blanks = _BLANKS.match(self._data, start, end)
        start = blanks.end() if blanks else start
        last = min(end, start + _HEADER_BYTES)
        found = _BLANK_LINE.search(self._data, start, last)
        return message_from_bytes(self._data[start : found.start() if found else last]), found.end() if found else end

    def _pieces(self, mark: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Where the parts lie that lines of `mark` part from each other."""
        line = re.compile(rb"\n--" + re.escape(mark) + rb"(--)?[ \t]{0,200}(?=\r?\n|\Z)")
        at = None
        for found in line.finditer(self._data, max(0, start - 1), end):
            if at is not None:
                yield at, found.start()
            if found[1]:
                return
            at = found.end()
            self._count += 1
            if self._count > self._limits.entries:
                raise refusal.unsafe(self._filename, f"holds more than {self._limits.entries:,} parts")
        if end == len(self._data):
            self.has_ended = False
        if at is not None:
            yield at, end

    def _part(self, headers: Message, start: int, end: int, *, is_open: bool) -> Part:
        kind, body = headers.get_content_type(), self._data[start:end]
        if is_open:
            # The line that ends the archive may be there in part.
            line = body.rfind(b"\n") + 1
            body = body[:line] if body.startswith(b"--", line) or body[line:] == b"-" else body
        coding = str(headers.get("Content-Transfer-Encoding", "")).strip().lower()
        if coding == "quoted-printable":
            body = binascii.a2b_qp(body)
        elif coding == "base64":
            try:
                body = binascii.a2b_base64(body)
            except binascii.Error as error:
                if kind in PAGES:
                    raise refusal.truncated(self._filename) from error
                body = b""
        places = [places_of(str(headers.get("Content-Location", "")))]
        if number := str(headers.get("Content-ID", "")).strip(" \t\r\n<>"):
            places.append(places_of(f"cid:{number}"))
        charset = (headers.get_content_charset() or "").strip("'\" ")
        return Part(kind, tuple(filter(None, places)), charset, body, is_open)
