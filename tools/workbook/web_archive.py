"""Reading a web archive, one file that holds a page for each sheet: what Excel saves as "single file web page"."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message

from tools.workbook import refusal
from tools.workbook.gathered import GatheredBook
from tools.workbook.grid import Sheet
from tools.workbook.html_styles import Rules
from tools.workbook.limits import Limits
from tools.workbook.page_reader import PageReader
from tools.workbook.web_page import page_text, read_into, sheets_of

_HEADER_BYTES = 16_384
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_HIDDEN_SHEET = re.compile(r"<x:Visible>\s*Sheet(?:Very)?Hidden", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the archive: its kind, the last piece of its address, its bytes as they were before mailing."""

    kind: str
    name: str
    data: bytes


def read_archive(data: bytes, filename: str, limits: Limits) -> list[Sheet]:
    """The sheets of all pages; raises InputError `file.html` where there is no table, `file.unsafe` beyond `limits`."""
    book, rules, names = GatheredBook(filename, limits), Rules(), dict[str, str]()
    pages = list[_Part]()
    for part in _parts(data, filename, limits):
        if part.kind == "text/css":
            rules.add(part.data.decode("latin-1"))
        elif part.kind == "text/html":
            pages.append(part)
    for page in pages:
        text = page_text(page.data, filename)
        before = len(book.sheets)
        reader = PageReader(book, rules, names.get(page.name))
        read_into(reader, text)
        names |= {_last_piece(address): name for name, address in reader.worksheets if address}
        if _HIDDEN_SHEET.search(text):
            for sheet in book.sheets[before:]:
                sheet.visible = False
    return sheets_of(book)


def _parts(data: bytes, filename: str, limits: Limits) -> Iterator[_Part]:
    """The parts of an archive; the whole of it where it is not of several. Parts within parts are not looked into."""
    headers, body = _headers(data)
    mark = headers.get_boundary()
    if not mark:
        yield _part(headers, body)
        return
    pieces = body.split(b"--" + mark.encode("utf-8", "surrogateescape"), limits.entries + 2)
    if len(pieces) > limits.entries + 1:
        raise refusal.unsafe(filename, f"holds more than {limits.entries:,} parts")
    for piece in pieces[1:]:
        if piece.startswith(b"--"):
            return
        yield _part(*_headers(piece.lstrip(b"\r\n")))


def _headers(data: bytes) -> tuple[Message, bytes]:
    """The headers in front of `data`, and the rest of it."""
    end = _BLANK_LINE.search(data, 0, _HEADER_BYTES)
    head, body = (data[: end.start()], data[end.end() :]) if end else (data[:_HEADER_BYTES], b"")
    return message_from_bytes(head), body


def _part(headers: Message, body: bytes) -> _Part:
    coding = str(headers.get("Content-Transfer-Encoding", "")).strip().lower()
    if coding == "quoted-printable":
        body = binascii.a2b_qp(body)
    elif coding == "base64":
        try:
            body = binascii.a2b_base64(body)
        except binascii.Error:
            body = b""
    return _Part(headers.get_content_type(), _last_piece(str(headers.get("Content-Location", ""))), body)


def _last_piece(address: str) -> str:
    return re.split(r"[/\\]", address)[-1].casefold()
