"""Small xls, xlsb and ods files written record by record, so that any record can lie."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence

from tests.hostile import ooxml
from tests.hostile.raw_zip import Part, part, write_zip

_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_SECTOR = 512


def ole(name: str, stream: bytes) -> bytes:
    """A compound file with one stream, of at least 4,096 bytes so that it needs no small sectors."""
    stream = stream.ljust(max(4096, -(-len(stream) // _SECTOR) * _SECTOR), b"\0")
    sectors = len(stream) // _SECTOR
    fats = 1
    while fats * 128 < fats + 1 + sectors:
        fats += 1
    chain = [_FAT] * fats + [_END] + [fats + 2 + n for n in range(sectors - 1)] + [_END]
    fat = struct.pack(f"<{len(chain)}I", *chain).ljust(fats * _SECTOR, b"\xff")
    listed = struct.pack(f"<{fats}I", *range(fats)).ljust(436, b"\xff")
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH6xIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, fats, fats, 0, 4096, _END, 0, _END, 0)
    directory = _entry("Root Entry", 5, _END, 0, child=1) + _entry(name, 2, fats + 1, len(stream))
    return (head + listed)[:_SECTOR] + fat + directory.ljust(_SECTOR, b"\0") + stream


def _entry(name: str, kind: int, start: int, size: int, child: int = _FREE) -> bytes:
    words = name.encode("utf-16-le")
    return struct.pack("<64sHBBIII16x4x8x8xIQ", words, len(words) + 2, kind, 1, _FREE, _FREE, child, start, size)


def biff(kind: int, data: bytes = b"") -> bytes:
    """A record of an xls file."""
    return struct.pack("<HH", kind, len(data)) + data


def xls(sheet: Iterable[bytes], over: Sequence[bytes] = (), sheets: int = 1) -> bytes:
    """An xls file whose sheets have the records `sheet`; `over` are records of the workbook itself."""
    bof, end = biff(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 6)), biff(0x0A)
    body = biff(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 6)) + b"".join(sheet) + end
    names = [f"S{n}".encode() for n in range(sheets)]
    globals_size = len(bof) + sum(map(len, over)) + sum(12 + len(name) for name in names) + len(end)
    listed = b"".join(biff(0x85, struct.pack("<IHBB", globals_size, 0, len(name), 0) + name) for name in names)
    return ole("Workbook", bof + b"".join(over) + listed + end + body)


def xls_number(row: int, column: int, value: float, style: int = 0) -> bytes:
    """A cell with a number, shown in a style of `xls_styles`."""
    return biff(0x203, struct.pack("<HHHd", row, column, style, value))


def xls_text(row: int, column: int, text: str, style: int = 0) -> bytes:
    """A cell with text of its own."""
    return biff(0x204, struct.pack("<HHHHB", row, column, style, len(text), 0) + text.encode("latin-1"))


def xls_styles(*formats: str) -> list[bytes]:
    """The records of two fonts, of which the second is bold, and of a style a number format; the first is General.

    A format that ends in `, bold` is shown in the second font.
    """
    fonts = [
        biff(0x31, struct.pack("<HHHHHBBBBBB", 200, 0, 8, weight, 0, 0, 0, 0, 0, 1, 0) + b"A") for weight in (400, 700)
    ]
    codes = [code.removesuffix(", bold") for code in formats]
    listed = [biff(0x41E, struct.pack("<HHB", 164 + at, len(code), 0) + code.encode()) for at, code in enumerate(codes)]
    bold = [int(code.endswith(", bold")) for code in formats]
    styles = [struct.pack("<HH16x", 0, 0), *(struct.pack("<HH16x", on, 164 + at) for at, on in enumerate(bold))]
    return [*fonts, *listed, *(biff(0xE0, style) for style in styles)]


def xls_deals() -> list[bytes]:
    """The records of an honest table."""
    records = [xls_text(0, at, text) for at, text in enumerate(ooxml.HEADERS)]
    for row, deal in enumerate(ooxml.DEALS, 1):
        records += [
            xls_text(row, at, value) if isinstance(value, str) else xls_number(row, at, value)
            for at, value in enumerate(deal)
        ]
    return records


def record12(kind: int, data: bytes = b"") -> bytes:
    """A record of an xlsb file: kind and size in groups of seven bits."""
    head = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    size, length = b"", len(data)
    while True:
        size += bytes([length & 0x7F | (0x80 if length > 127 else 0)])
        length >>= 7
        if not length:
            return head + size + data


def wide(text: str) -> bytes:
    """Text as xlsb keeps it."""
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def xlsb_row(number: int, cells: Iterable[bytes]) -> bytes:
    """A row of cells; `number` counts from 0."""
    return record12(0, struct.pack("<IIHHB", number, 0, 300, 0, 0) + bytes(4)) + b"".join(cells)


def xlsb_number(column: int, value: float, style: int = 0) -> bytes:
    """A cell with a number, shown in a style of `xlsb_styles`."""
    return record12(5, struct.pack("<IId", column, style, value))


def xlsb_text(column: int, text: str, style: int = 0) -> bytes:
    """A cell with text of its own."""
    return record12(6, struct.pack("<II", column, style) + wide(text))


def xlsb_styles(*formats: str) -> Part:
    """The part of two fonts, of which the second is bold, and of a style a number format; the first is General.

    A format that ends in `, bold` is shown in the second font.
    """
    codes = [code.removesuffix(", bold") for code in formats]
    listed = [record12(44, struct.pack("<H", 164 + at) + wide(code)) for at, code in enumerate(codes)]
    fonts = [record12(43, struct.pack("<HHH", 200, 0, weight) + bytes(15) + wide("A")) for weight in (400, 700)]
    bold = [int(code.endswith(", bold")) for code in formats]
    numbers = [(0, 0), *((164 + at, on) for at, on in enumerate(bold))]
    styles = [record12(47, struct.pack("<HHH10x", 0, number, font)) for number, font in numbers]
    body = [
        record12(278),
        record12(615, struct.pack("<I", len(listed))),
        *listed,
        record12(616),
        *fonts,
        record12(617, struct.pack("<I", len(styles))),
        *styles,
        record12(618),
        record12(279),
    ]
    return part("xl/styles.bin", b"".join(body))


def xlsb_deals() -> bytes:
    """The rows of an honest table."""
    lines = [ooxml.HEADERS, *ooxml.DEALS]
    return b"".join(
        xlsb_row(row, [xlsb_text(at, v) if isinstance(v, str) else xlsb_number(at, v) for at, v in enumerate(line)])
        for row, line in enumerate(lines)
    )


def xlsb(
    rows: bytes,
    *,
    place: str = "xl/worksheets/sheet1.bin",
    more: Iterable[Part] = (),
    size: tuple[int, int] = (9, 9),
    around: tuple[bytes, bytes] = (b"", b""),
    epoch_1904: bool = False,
    over: bytes = b"",
) -> bytes:
    """An xlsb file whose sheet, kept at `place`, has `rows` and says that it reaches to `size`.

    `around` are the records before and after the rows, `over` more records of the workbook itself.
    """
    reach = record12(148, struct.pack("<IIII", 0, size[0], 0, size[1]))
    sheet = record12(129) + reach + around[0] + record12(145) + rows + record12(146) + around[1] + record12(130)
    book = (
        record12(131)
        + record12(153, struct.pack("<II", epoch_1904, 0) + wide(""))
        + record12(143)
        + record12(156, struct.pack("<II", 0, 1) + wide("rId1") + wide("S"))
        + record12(144)
        + over
        + record12(132)
    )
    target = place.removeprefix("xl/")
    types = (
        ooxml.content_types_xml()
        .replace("workbook.xml", "workbook.bin")
        .replace("sheet.main+xml", "sheet.binary.macroEnabled.main")
    )
    return write_zip(
        [
            part("[Content_Types].xml", types),
            part("_rels/.rels", ooxml.relations_xml([("officeDocument", "xl/workbook.bin")])),
            part("xl/workbook.bin", book),
            part("xl/_rels/workbook.bin.rels", ooxml.relations_xml([("worksheet", target)])),
            part(place, sheet),
            *more,
        ]
    )


_ODS = b"application/vnd.oasis.opendocument.spreadsheet"
_ODS_MANIFEST = (
    '<manifest xmlns="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    f'<file-entry full-path="/" media-type="{_ODS.decode()}"/></manifest>'
)
ODS_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>{doctype}<office:document-content '
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2"><office:body><office:spreadsheet>'
)
ODS_TAIL = "</office:spreadsheet></office:body></office:document-content>"


def ods_cell(value: object, repeat: int = 1) -> str:
    """A cell, `repeat` times over."""
    times = f' table:number-columns-repeated="{repeat}"' if repeat != 1 else ""
    if value is None:
        return f"<table:table-cell{times}/>"
    if isinstance(value, str):
        return f'<table:table-cell{times} office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
    return f'<table:table-cell{times} office:value-type="float" office:value="{value}"/>'


def ods_row(cells: str, repeat: object = 1) -> str:
    """A row, `repeat` times over."""
    times = f' table:number-rows-repeated="{repeat}"' if repeat != 1 else ""
    return f"<table:table-row{times}>{cells}</table:table-row>"


def ods_deals() -> str:
    """The rows of an honest table."""
    return "".join(ods_row("".join(map(ods_cell, line))) for line in (ooxml.HEADERS, *ooxml.DEALS))


def ods(rows: str | Part, doctype: str = "", tables: int = 1, more: Sequence[Part] = ()) -> bytes:
    """An ods file with `tables` tables of `rows`, and `more` parts; a Part is the content as it is."""
    body = "".join(f'<table:table table:name="S{n}">{rows}</table:table>' for n in range(tables))
    content = (
        rows if isinstance(rows, Part) else part("content.xml", ODS_HEAD.format(doctype=doctype) + body + ODS_TAIL)
    )
    kind = Part("mimetype", _ODS, len(_ODS), zlib.crc32(_ODS), 0)
    return write_zip([kind, part("META-INF/manifest.xml", _ODS_MANIFEST), content, *more])
