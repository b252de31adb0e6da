"""What kind of file some bytes are, whatever its name says."""

from __future__ import annotations

import re
from typing import Literal

from tools.workbook import refusal

Kind = Literal["zip", "biff", "text", "html", "mht", "xml"]

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_FILEPASS = 0x2F
_BOF = frozenset({0x0009, 0x0209, 0x0409, 0x0809})
_OTHERS = (
    (b"%PDF", "is a PDF"),
    (b"{\\rtf", "is a rich text document"),
    (b"\x89PNG", "is a picture"),
    (b"\xff\xd8\xff", "is a picture"),
    (b"GIF8", "is a picture"),
    (b"Rar!", "is an archive"),
    (b"7z\xbc\xaf", "is an archive"),
    (b"\x1f\x8b", "is an archive"),
    (b"SQLite format 3", "is a database"),
    (b"PAR1", "is a Parquet file"),
    (b"ID;P", "is a SYLK file"),
)
_HTML = re.compile(
    rb"\s*+(?>(?:<!--.*?-->\s*+)*)<(?:!doctype\s+html|html|head|body|table|meta|style)\b", re.IGNORECASE | re.DOTALL
)
_PIECE = re.compile(rb"\s*+(?>(?:<!--.*?-->\s*+)*)<(?:!doctype|[a-z][a-z0-9]*)\b[^<]*<", re.IGNORECASE | re.DOTALL)
_TABLE = re.compile(rb"<t(?:able|r)\b", re.IGNORECASE)
_LATER_TABLE = re.compile(rb"<table\b[^<>]{0,400}>\s{0,40}<(?:t[rhb]|caption|col)", re.IGNORECASE)
_MAIL = re.compile(rb"(?:[a-z-]{1,40}:[^\n]*\n(?:[ \t][^\n]*\n)*){0,12}?mime-version:", re.IGNORECASE)
_XML_2003 = b"urn:schemas-microsoft-com:office:spreadsheet"
_HEAD_BYTES, _PIECE_BYTES = 4096, 1 << 16
_BYTE_ORDER = re.compile(rb"\xef\xbb\xbf|\xff\xfe|\xfe\xff")


def kind_of(data: bytes, filename: str) -> Kind:
    """Which kind of file `data` is; raises InputError for one that can be told to hold no table."""
    if not data.strip(b"\0 \t\r\n"):
        what = "is empty (0 bytes)" if not data else "holds nothing"
        raise refusal.refusal("file.empty", filename, what, "export it again and send that")
    if data.startswith(b"PK"):
        return "zip"
    if data.startswith(_OLE):
        return _check_ole(data, filename)
    if len(data) > 8 and int.from_bytes(data[:2], "little") in _BOF and data[2] in (4, 6, 8, 16) and data[3] == 0:
        return "biff"
    for mark, what in _OTHERS:
        if data.startswith(mark):
            raise refusal.not_workbook(filename, what)
    return _markup_kind(data, filename) or "text"


def _markup_kind(data: bytes, filename: str) -> Kind | None:
    """Which kind of markup `data` is, None for none; raises InputError for one that can hold no table."""
    mark = _BYTE_ORDER.match(data)
    start = mark.end() if mark else 0
    head = data[start : start + _HEAD_BYTES].replace(b"\0", b"").lstrip()
    if _MAIL.match(head):
        return "mht"
    is_xml = head.startswith(b"<?xml")
    if _XML_2003 in head and (is_xml or head.startswith(b"<Workbook")):
        return "xml"
    if _HTML.match(head) or (is_xml and b"<html" in head.lower()):
        return "html"
    if is_xml:
        raise refusal.not_workbook(filename, "is an XML file")
    if _PIECE.match(head) and _TABLE.search(data[start : start + _PIECE_BYTES].replace(b"\0", b"")):
        return "html"
    if filename.lower().endswith((".xls", ".htm", ".html")) and _LATER_TABLE.search(head):
        return "html"
    return None


def _check_ole(data: bytes, filename: str) -> Kind:
    """BIFF, unless the container's streams say that it is encrypted, or another program's document."""
    if _stream_entry(data, "EncryptedPackage") is not None:
        raise refusal.encrypted(filename)
    entry = _stream_entry(data, "Workbook") or _stream_entry(data, "Book")
    if entry is None:
        for stream, what in (("WordDocument", "is a Word document"), ("PowerPoint Document", "is a presentation")):
            if _stream_entry(data, stream) is not None:
                raise refusal.not_workbook(filename, what)
        if _position(data, 48) + 128 > len(data):
            raise refusal.truncated(filename)
        raise refusal.not_workbook(filename, "holds no workbook")
    if _is_encrypted_biff(data, entry):
        raise refusal.encrypted(filename)
    return "biff"


def _stream_entry(data: bytes, name: str) -> int | None:
    """Where the directory entry of stream `name` starts: entries are 128 bytes, on 128-byte borders, name first."""
    wanted = name.encode("utf-16-le") + b"\0\0"
    at = data.find(wanted)
    while at >= 0:
        if at % 128 == 0 and data[at + 64 : at + 66] == len(wanted).to_bytes(2, "little"):
            return at
        at = data.find(wanted, at + 1)
    return None


def _position(data: bytes, at: int) -> int:
    """Where the sector begins whose number stands at `at`: the header's first of the directory, a stream's first."""
    sector = int.from_bytes(data[at : at + 4], "little")
    return (sector + 1) << int.from_bytes(data[30:32], "little")


def _is_encrypted_biff(data: bytes, entry: int) -> bool:
    """Whether a FILEPASS record stands among the first records of the workbook stream, before what it encrypts."""
    at = _position(data, entry + 116)
    if int.from_bytes(data[at : at + 2], "little") not in _BOF:
        return False
    for _ in range(16):
        record, size = int.from_bytes(data[at : at + 2], "little"), int.from_bytes(data[at + 2 : at + 4], "little")
        if record == _FILEPASS:
            return True
        at += 4 + size
    return False
