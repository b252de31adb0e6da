"""Parts that are hostile by their bulk: endless tags, countless tags, formats, names, comments and links."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.hostile import ooxml
from tests.hostile.bomb import Bomb
from tests.hostile.raw_zip import Part, repeated
from tests.hostile.xml_bombs import DAMAGED, PARTS, honest, styles

_SHEET1 = "xl/worksheets/sheet1.xml"
_SHEET_RELATIONS = "xl/worksheets/_rels/sheet1.xml.rels"
_BIG = 45_000_000
#: Nothing is read from these parts but what stands at their beginning.
_SKIMMED = frozenset({"content types"})
_SCANNED = _SKIMMED | {"sheet", "strings"}


def stuffed(name: str, mark: str, filling: str, size: int = _BIG, more: Mapping[str, str | Part] = {}) -> bytes:
    """An honest workbook in whose part `name` `size` bytes of `filling` stand for "~" in `mark`, an attribute or tag.

    An attribute is put into the root element, a tag at its end.
    """
    text = honest(name)
    head, tail = mark.split("~")
    at = text.index(' xmlns="') if mark.startswith(" ") else text.rindex("</")
    body = repeated(
        name, (text[:at] + head).encode(), filling.encode(), size // len(filling), (tail + text[at:]).encode()
    )
    over: dict[str, str | bytes | Part] = {"xl/styles.xml": styles(""), **more, name: body}
    return ooxml.book({"Comps": ooxml.deals_sheet()}, over)


def beside(name: str, filling: str, more: Mapping[str, str | Part] = {}, *, far: bool = False) -> bytes:
    """An honest workbook beside a part `name` of countless elements, and a cell far away where `far` says so."""
    bulk = repeated(name, b"<x>", filling.encode(), _BIG // len(filling), b"</x>")
    body = ooxml.deals_sheet(more=f'<row r="1048576">{ooxml.cell("XFD1048576", 7)}</row>' if far else "")
    return ooxml.book({"Comps": body}, {**more, name: bulk})


def linked(*targets: tuple[str, str]) -> dict[str, str]:
    """The relations of the sheet: (kind, target)."""
    return {_SHEET_RELATIONS: ooxml.relations_xml(targets)}


def looping() -> bytes:
    """A sheet, its drawing and its chart that are one another's relations, and a cell far away."""
    loop = ooxml.relations_xml([("drawing", "../drawings/drawing1.xml"), ("worksheet", "../worksheets/sheet1.xml")])
    more = {
        _SHEET_RELATIONS: loop,
        "xl/drawings/drawing1.xml": '<wsDr xmlns="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"/>',
        "xl/drawings/_rels/drawing1.xml.rels": loop,
    }
    far = f'<row r="1048576">{ooxml.cell("XFD1048576", 7)}</row>'
    return ooxml.book({"Comps": ooxml.deals_sheet(more=far, after='<drawing r:id="rId1"/>')}, more)


def repeated_relations(count: int) -> bytes:
    """A workbook in an unusual place that relates `count` times to its one sheet, which has a megabyte."""
    body = ooxml.deals_sheet(before="<dimension ref='none'/>", after=" " * 1_000_000)
    targets = [("worksheet", "worksheets/sheet1.xml")] * count
    return ooxml.book({"Comps": body}, {"xl/_rels/workbook.xml.rels": ooxml.relations_xml(targets)})


def formats_in_sheets(formats: int, sheets: int) -> bytes:
    """`sheets` sheets, and `formats` cell formats that each of them may use."""
    listed = "".join(f'<numFmt numFmtId="{200 + n}" formatCode="{"0" * 240}&quot;{n}&quot;"/>' for n in range(formats))
    cells = "".join(f'<xf numFmtId="{200 + n}"/>' for n in range(formats))
    style = styles(f"<numFmts>{listed}</numFmts><cellXfs>{cells}</cellXfs>")
    body = ooxml.deals_sheet().replace('<c r="C2">', '<c r="C2" s="1">')
    return ooxml.book({f"S{n}": body for n in range(sheets)}, {"xl/styles.xml": style})


def sheet_after(filling: str, count: int, before: str = "", after: str = "") -> bytes:
    """An honest sheet with `count` times `filling` behind its rows."""
    head, tail = ooxml.deals_sheet(after="~").split("~")
    return ooxml.book(
        {"Comps": repeated(_SHEET1, (head + before).encode(), filling.encode(), count, (after + tail).encode())}
    )


def sheet_rows(filling: str, size: int = _BIG) -> bytes:
    """A sheet with `size` bytes of `filling` among its rows."""
    head, tail = ooxml.SHEET_HEAD.encode(), ooxml.SHEET_TAIL.encode()
    return ooxml.book({"Comps": repeated(_SHEET1, head, filling.encode(), size // len(filling), tail)})


def errors(count: int) -> bytes:
    """A column of `count` errors."""
    body = "".join(f'<row r="{n}"><c r="A{n}" t="e"><v>#N/A</v></c></row>' for n in range(1, count + 1))
    return ooxml.book({"Comps": ooxml.sheet(body)})


def dimensions() -> bytes:
    """A sheet in an unusual place that speaks of its size without end."""
    body = "<worksheet>" + "<dimension " * 90_000 + "</worksheet>"
    over = {"xl/_rels/workbook.xml.rels": ooxml.relations_xml([("worksheet", "sheet.xml"), ("styles", "s.xml")])}
    return ooxml.book({"Comps": ooxml.deals_sheet()}, {**over, "xl/sheet.xml": body, "xl/s.xml": styles("")})


def shared_part(cells: int, sheets: int) -> bytes:
    """One part of `cells` cells as `sheets` sheets."""
    names = "".join(f'<sheet name="S{n}" sheetId="{n + 1}" r:id="rId1"/>' for n in range(sheets))
    book = f'{ooxml.HEAD}<workbook xmlns="{ooxml.MAIN}" xmlns:r="{ooxml.RELATIONS}"><sheets>{names}</sheets></workbook>'
    body = "".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c></row>' for n in range(1, cells + 1))
    return ooxml.book({"S": ooxml.sheet(body)}, {"xl/workbook.xml": book})


def _each(
    label: str,
    make: Callable[[str], bytes],
    read: frozenset[str] = frozenset(),
    long: frozenset[str] = frozenset(),
) -> list[Bomb]:
    return [
        Bomb(
            f"{label} in the {where}",
            lambda name=name: make(name),
            deals=2 if where in read else None,
            codes=DAMAGED,
            long=where in long,
        )
        for where, name in PARTS.items()
    ]


BOMBS = (
    *_each("an attribute of 45 MB", lambda name: stuffed(name, ' x="~"', "y" * 1000), _SKIMMED),
    *_each("an attribute of 45 MB of brackets", lambda name: stuffed(name, ' x="~"', "<" * 1000), _SKIMMED, _SCANNED),
    *_each("an attribute of 45 MB of ends", lambda name: stuffed(name, ' x="~"', ">" * 1000), _SKIMMED),
    *_each("8 million attributes", lambda name: stuffed(name, " ~", ' a=""'), _SKIMMED),
    *_each(
        "11 million elements",
        lambda name: stuffed(name, "~", "<x/>"),
        _SCANNED,
        frozenset(PARTS),
    ),
    Bomb("65,000 formats of 250 letters in 100 sheets", lambda: formats_in_sheets(65_000, 100), deals=200, long=True),
    Bomb(
        "a million defined names",
        lambda: stuffed(
            "xl/workbook.xml", "<definedNames>~</definedNames>", '<definedName name="a">A!$A$1</definedName>'
        ),
        long=True,
    ),
    Bomb(
        "a million conditional formats",
        lambda: sheet_after('<conditionalFormatting sqref="A1:B9"/>', 1_000_000),
        deals=2,
        long=True,
    ),
    Bomb(
        "1.6 million merges",
        lambda: sheet_after('<mergeCell ref="A9:B9"/>', 1_600_000, "<mergeCells>", "</mergeCells>"),
        long=True,
    ),
    Bomb(
        "1.4 million hidden columns",
        lambda: sheet_after('<col min="1" max="9" hidden="1"/>', 1_400_000),
        long=True,
    ),
    Bomb("1.3 million hidden rows", lambda: sheet_rows('<row r="123456789" hidden="1"/>'), deals=0, long=True),
    Bomb(
        "a million comments",
        lambda: beside("xl/comments1.xml", '<comment ref="A1"/>', linked(("comments", "../comments1.xml")), far=True),
        deals=2,
    ),
    Bomb("links in a ring", looping, deals=2),
    Bomb(
        "500 links out",
        lambda: beside(
            "xl/externalLinks/externalLink1.xml",
            "<x/>",
            {
                "xl/_rels/workbook.xml.rels": ooxml.relations_xml(
                    [
                        ("worksheet", "worksheets/sheet1.xml"),
                        *[("externalLink", "externalLinks/externalLink1.xml")] * 500,
                    ]
                )
            },
            far=True,
        ),
        deals=2,
    ),
    Bomb("a theme of 45 MB", lambda: beside("xl/theme/theme1.xml", "<x/>"), deals=2),
    Bomb("a chain of 45 MB", lambda: beside("xl/calcChain.xml", '<c r="A1"/>'), deals=2),
    Bomb("custom XML of 45 MB", lambda: beside("customXml/item1.xml", "<x/>", far=True), deals=2),
    Bomb("5,000 relations to one sheet", lambda: repeated_relations(5000), deals=2),
    Bomb("a part of 50,000 cells as 400 sheets", lambda: shared_part(50_000, 400)),
    Bomb("a million errors", lambda: errors(1_000_000), deals=0, long=True),
    Bomb("cells that open and never end", lambda: sheet_rows('<c r="A1"'), codes=DAMAGED),
    Bomb("cells of text in one tag", lambda: sheet_rows(' t="s"'), codes=DAMAGED, long=True),
    Bomb("11 million empty cells", lambda: sheet_rows("<c/>"), codes=DAMAGED),
    Bomb("a sheet of brackets", lambda: sheet_rows("<"), codes=DAMAGED, long=True),
    Bomb("dimensions that never end", dimensions, deals=0),
    Bomb("comments before a text", lambda: b"<!---->" * 580 + b"x", "deals.xls", deals=0),
)
