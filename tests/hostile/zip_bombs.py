"""Packages that unpack to far more than they weigh, lie about it, or name their parts to mislead."""

from __future__ import annotations

import dataclasses
import zlib

from tests.hostile import ooxml
from tests.hostile.bomb import Bomb
from tests.hostile.raw_zip import Part, part, repeated, write_zip

GIGABYTE = 1_000_000_000
_HEAD, _TAIL = ooxml.SHEET_HEAD.encode(), ooxml.SHEET_TAIL.encode()


def padded_sheet(size: int, *, declared: int | None = None) -> bytes:
    """A workbook whose sheet is `size` bytes of nothing."""
    return ooxml.book(
        {"Comps": repeated("xl/worksheets/sheet1.xml", _HEAD, b" " * 1000, size // 1000, _TAIL, declared=declared)}
    )


def lying_beside(size: int) -> bytes:
    """An honest workbook beside a part that unpacks to `size` bytes and declares ten."""
    media = repeated("xl/media/image1.png", b"", b"\0" * 1000, size // 1000, b"", declared=10)
    return write_zip([*ooxml.parts({"Comps": ooxml.deals_sheet()}), media])


def lying_strings() -> bytes:
    """Shared strings that unpack to a gigabyte and declare a thousand bytes."""
    head = f'{ooxml.HEAD}<sst xmlns="{ooxml.MAIN}">'.encode()
    strings = repeated("xl/sharedStrings.xml", head, b"<si><t>x</t></si>", 50_000_000, b"</sst>", declared=1000)
    return ooxml.book({"Comps": ooxml.deals_sheet()}, {"xl/sharedStrings.xml": strings})


def overlapping() -> bytes:
    """Two thousand names for one part of a megabyte: few bytes, declared honestly."""
    body = write_zip([repeated("a", b"", b"\0" * 1000, 1000, b"")])
    local_size = body.index(b"PK\x01\x02")
    central = body[local_size : body.index(b"PK\x05\x06")]
    count = 2000
    directory = b"".join(central[:-1] + bytes([97 + n % 26]) for n in range(count))
    end = bytearray(body[body.index(b"PK\x05\x06") :])
    end[8:12] = count.to_bytes(2, "little") * 2
    end[12:16] = len(directory).to_bytes(4, "little")
    return body[:local_size] + directory + bytes(end)


def nested(depth: int) -> bytes:
    """A zip in a zip in a zip."""
    data = padded_sheet(10_000_000)
    for level in range(depth):
        data = write_zip([part(f"level{level}.xlsx", data), part(f"copy{level}.xlsx", data)])
    return data


def zip_as_sheet() -> bytes:
    """A workbook whose sheet part is a zip of its own."""
    return ooxml.book({"Comps": part("xl/worksheets/sheet1.xml", padded_sheet(1_000_000))})


def many_entries(count: int) -> bytes:
    """An honest workbook among `count` empty parts."""
    empty = part("x", b"")
    return write_zip(
        [
            *ooxml.parts({"Comps": ooxml.deals_sheet()}),
            *(dataclasses.replace(empty, name=f"x/{n}") for n in range(count)),
        ]
    )


def named(*names: str) -> bytes:
    """An honest workbook beside parts with `names` that no part should have."""
    return write_zip([*ooxml.parts({"Comps": ooxml.deals_sheet()}), *(part(name, b"<x/>") for name in names)])


def doubled(name: str, body: str) -> bytes:
    """A workbook that holds part `name` twice, the second time with `body`."""
    return write_zip([*ooxml.parts({"Comps": ooxml.deals_sheet()}), part(name, body)])


def zip64_end(**lies: int) -> bytes:
    """An honest workbook with a zip64 end record, some of whose numbers are `lies`: count, size or offset."""
    data = bytearray(write_zip(ooxml.parts({"Comps": ooxml.deals_sheet()}), zip64=True))
    at = data.index(b"PK\x06\x06")
    for key, place in (("count", 32), ("size", 40), ("offset", 48)):
        if key in lies:
            data[at + place : at + place + 8] = lies[key].to_bytes(8, "little")
    return bytes(data)


def far_parts() -> bytes:
    """A directory whose offsets lie beyond the file."""
    data = bytearray(write_zip(ooxml.parts({"Comps": ooxml.deals_sheet()})))
    at = data.find(b"PK\x01\x02")
    while at >= 0:
        data[at + 42 : at + 46] = b"\xff\xff\xff\x7f"
        at = data.find(b"PK\x01\x02", at + 4)
    return bytes(data)


def squeezed(method: int) -> bytes:
    """A workbook whose sheet is packed in a way that workbooks are not."""
    sheet = dataclasses.replace(part("xl/worksheets/sheet1.xml", ooxml.deals_sheet()), method=method)
    return ooxml.book({"Comps": sheet})


def stored(comment: bytes) -> bytes:
    """A workbook whose parts are not packed at all, with a comment behind it."""
    plain = [
        Part(each.name, zlib.decompress(each.packed, -15), each.size, each.crc, zlib.DEFLATED - 8)
        for each in ooxml.parts({"Comps": ooxml.deals_sheet()})
    ]
    return write_zip(plain, comment=comment)


_OTHER_SHEET = ooxml.sheet(ooxml.rows(ooxml.HEADERS, *ooxml.DEALS, ("Hidden Hall", "Nowhere", 1, 0.5)))
_DAMAGED = ("file.not_workbook", "file.truncated", "file.unsafe")

BOMBS = (
    Bomb("ratio", lambda: padded_sheet(GIGABYTE)),
    Bomb("blanks just under the limit of all parts", lambda: padded_sheet(45_000_000)),
    Bomb("over two gigabytes", lambda: padded_sheet(3 * GIGABYTE)),
    Bomb("lying about its size", lambda: padded_sheet(GIGABYTE, declared=5000)),
    Bomb("lying about a picture", lambda: lying_beside(GIGABYTE), deals=2),
    Bomb("lying about its strings", lying_strings),
    Bomb("declaring more than it holds", lambda: padded_sheet(1_000_000, declared=40_000_000), codes=_DAMAGED),
    Bomb("overlapping entries", overlapping),
    Bomb("nested zips", lambda: nested(6), codes=("file.not_workbook",)),
    Bomb("a zip as a sheet", zip_as_sheet, codes=_DAMAGED),
    Bomb("6,000 entries", lambda: many_entries(6000)),
    Bomb("70,000 entries", lambda: many_entries(70_000), long=True),
    Bomb(
        "parts above the folder",
        lambda: named("../../etc/passwd", "/etc/shadow", "..\\..\\boot.ini", "C:\\x", "a\0b"),
        deals=2,
    ),
    Bomb("two workbooks", lambda: doubled("xl/workbook.xml", ooxml.workbook_xml(["Other"]))),
    Bomb("two sheets of one name", lambda: doubled("xl/worksheets/sheet1.xml", _OTHER_SHEET)),
    Bomb("two sheets but for case", lambda: doubled("XL/Worksheets/Sheet1.XML", _OTHER_SHEET)),
    Bomb("zip64, honest", zip64_end, deals=2),
    Bomb("zip64, countless", lambda: zip64_end(count=1 << 60), codes=_DAMAGED),
    Bomb("zip64, endless directory", lambda: zip64_end(size=1 << 60), codes=_DAMAGED),
    Bomb("zip64, directory far away", lambda: zip64_end(offset=1 << 60), codes=_DAMAGED),
    Bomb("parts far away", far_parts, codes=_DAMAGED),
    Bomb("packed by bzip2", lambda: squeezed(12), codes=_DAMAGED),
    Bomb("packed by nothing known", lambda: squeezed(99), codes=_DAMAGED),
    Bomb("not packed, with a comment", lambda: stored(b"made by hand"), deals=2),
    Bomb("a comment that looks like an end", lambda: stored(b"PK\x05\x06" + bytes(30)), codes=_DAMAGED),
)
