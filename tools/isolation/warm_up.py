"""What the fork server does once so that no child has to: readers are imported, and have read a file of each kind."""

from __future__ import annotations

import io
import zipfile

from tools.isolation import extraction
from tools.workbook.limits import DEFAULT_LIMITS

_HEADS = ("Property", "City", "Asking Price ($000s)", "Cap Rate", "NOI", "Sale Date", "Remarks")
_LINES = (
    ("Elm Court", "Springfield", "1200", "5.5%", "66", "2024-03-01", "fine"),
    ("Oak House", "Riverton", "2400", "6.1%", "146.4", "3/15/2024", "12-15"),
    ("Total", "", "3600", "", "212.4", "", ""),
)
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def warm_up() -> None:
    """Reads a small text and a small workbook in each way."""
    for name, data in (("sample.csv", _text()), ("sample.xlsx", _workbook())):
        extraction.read_deals(data, name, None, None, DEFAULT_LIMITS)
        extraction.read_survey(data, name, None, DEFAULT_LIMITS)
        extraction.read_structure(data, name, DEFAULT_LIMITS)


def _text() -> bytes:
    return "\n".join(",".join(line) for line in (_HEADS, *_LINES)).encode()


def _workbook() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as package:
        for name, body in _parts().items():
            package.writestr(name, body)
    return stream.getvalue()


def _parts() -> dict[str, str]:
    lines = (("Portfolio",), (), _HEADS, *_LINES)
    rows = "".join(f'<row r="{n}">{_cells(n, line)}</row>' for n, line in enumerate(lines, 1))
    link = '<Relationships xmlns="{}"><Relationship Id="rId1" Type="{}/{}" Target="{}"/></Relationships>'
    sheets = '<sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets>'
    return {
        "_rels/.rels": link.format(_PACKAGE, _RELATIONS, "officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}">{sheets}</workbook>',
        "xl/_rels/workbook.xml.rels": link.format(_PACKAGE, _RELATIONS, "worksheet", "worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData></worksheet>',
    }


def _cells(row: int, line: tuple[str, ...]) -> str:
    return "".join(
        f'<c r="{chr(65 + at)}{row}"><v>{text}</v></c>'
        if text.replace(".", "").isdigit()
        else f'<c r="{chr(65 + at)}{row}" t="inlineStr"><is><t>{text}</t></is></c>'
        for at, text in enumerate(line)
    )
