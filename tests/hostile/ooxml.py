"""Small OOXML workbooks out of raw XML, part by part, so that any part can be hostile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.sax.saxutils import escape, quoteattr

from tests.hostile.raw_zip import Part, part, write_zip

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
SHEET_HEAD = f'{HEAD}<worksheet xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheetData>'
SHEET_TAIL = "</sheetData></worksheet>"
HEADERS = ("Property", "City", "Asking Price", "Cap Rate")
DEALS = (("Elm Court", "Springfield", 1_200_000, 0.055), ("Oak House", "Riverton", 2_400_000, 0.061))


def cell(ref: str, value: object, style: int = 0) -> str:
    """A cell with a number, or with text inline; `value` None is no cell."""
    mark = f' s="{style}"' if style else ""
    if value is None:
        return ""
    if isinstance(value, int | float):
        return f'<c r="{ref}"{mark}><v>{value}</v></c>'
    return f'<c r="{ref}"{mark} t="inlineStr"><is><t xml:space="preserve">{escape(str(value))}</t></is></c>'


def row(number: int, values: Iterable[object], attributes: str = "") -> str:
    """A row of cells from column A on."""
    cells = "".join(cell(f"{chr(65 + at)}{number}", value) for at, value in enumerate(values))
    return f'<row r="{number}"{attributes}>{cells}</row>'


def rows(*lines: Iterable[object], first: int = 1) -> str:
    """Rows from number `first` on."""
    return "".join(row(number, line) for number, line in enumerate(lines, first))


def sheet(body: str, *, before: str = "", after: str = "") -> str:
    """A sheet's XML around its rows; `before` and `after` stand beside the sheet data."""
    root = f'<worksheet xmlns="{MAIN}" xmlns:r="{RELATIONS}">'
    return f"{HEAD}{root}{before}<sheetData>{body}</sheetData>{after}</worksheet>"


def deals_sheet(*, before: str = "", after: str = "", more: str = "") -> str:
    """A sheet with two honest deals, and `more` rows below."""
    return sheet(rows(HEADERS, *DEALS) + more, before=before, after=after)


def workbook_xml(names: Iterable[str], more: str = "") -> str:
    """The workbook part that lists sheets `names`."""
    listed = "".join(f'<sheet name={quoteattr(name)} sheetId="{n}" r:id="rId{n}"/>' for n, name in enumerate(names, 1))
    return f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets>{listed}</sheets>{more}</workbook>'


def relations_xml(targets: Iterable[tuple[str, str]], more: str = "") -> str:
    """A relations part: (kind, target) numbered from rId1."""
    listed = "".join(
        f'<Relationship Id="rId{n}" Type="{RELATIONS}/{kind}" Target={quoteattr(target)}/>'
        for n, (kind, target) in enumerate(targets, 1)
    )
    return f'{HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{listed}{more}</Relationships>'


def content_types_xml() -> str:
    """The part that says what the others are."""
    sheet_ml = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    return (
        f'{HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="{sheet_ml}.worksheet+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{sheet_ml}.sheet.main+xml"/></Types>'
    )


def parts(sheets: Mapping[str, str | Part], over: Mapping[str, str | bytes | Part] | None = None) -> list[Part]:
    """The parts of a workbook with `sheets` (name to XML); `over` adds parts, or replaces those of the same name."""
    names = list(sheets)
    targets = [("worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(names) + 1)]
    targets += [("styles", "styles.xml"), ("sharedStrings", "sharedStrings.xml")]
    made: dict[str, str | bytes | Part] = {
        "[Content_Types].xml": content_types_xml(),
        "_rels/.rels": relations_xml([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": workbook_xml(names),
        "xl/_rels/workbook.xml.rels": relations_xml(targets),
        **{f"xl/worksheets/sheet{n}.xml": body for n, body in enumerate(sheets.values(), 1)},
    }
    made.update(over or {})
    return [body if isinstance(body, Part) else part(name, body) for name, body in made.items()]


def book(sheets: Mapping[str, str | Part], over: Mapping[str, str | bytes | Part] | None = None) -> bytes:
    """The workbook's bytes."""
    return write_zip(parts(sheets, over))
