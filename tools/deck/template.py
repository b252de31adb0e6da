# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportAttributeAccessIssue=false
# The relaxations above are for lxml and the parts of python-pptx that have no types.
"""The default template: theme, master, layouts and one table style, made once a process."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lxml import etree
from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE as REL
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn

from schemas.deck import Box
from tools.deck import grid
from tools.deck.grid import FULL, MARGIN, inches, left_of, span
from tools.deck.layouts import layouts
from tools.deck.markup import NAMESPACES, Level, Placeholder, color, levels, rule, shape_tree, solid
from tools.figures import tokens

TABLE_STYLE = "{6F1D2C4A-8B3E-4C57-9E21-0D3A5B7C9E11}"
_THUMBNAIL = "docProps/thumbnail.jpeg"
"""A picture of an empty deck, which python-pptx's own template brings."""
_DML = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SLOTS = {
    "dk1": tokens.INK, "lt1": tokens.WHITE, "dk2": tokens.DEEP, "lt2": tokens.PAPER, "accent1": tokens.NAVY,
    "accent2": tokens.COPPER, "accent3": tokens.TEAL, "accent4": tokens.GOLD, "accent5": tokens.SKY,
    "accent6": tokens.SLATE, "hlink": tokens.LINK, "folHlink": tokens.SLATE,
}  # fmt: skip
_SCRIPT_FONTS = {
    "Arab": "Arial", "Hebr": "Arial", "Jpan": "Yu Gothic", "Hans": "Microsoft YaHei", "Hang": "Malgun Gothic",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Slot:
    """A placeholder of a layout: what a slide's own must say to inherit from it, and where it stands."""

    kind: str
    index: int | None
    box: Box


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout's part name, and its placeholders by name."""

    part: str
    slots: dict[str, Slot]


@dataclass(frozen=True, slots=True)
class Template:
    """The template's parts by name, its layouts by name, and the parts of its notes master."""

    parts: dict[str, bytes]
    layouts: dict[str, Layout]
    notes_master: str


@lru_cache(maxsize=1)
def template() -> Template:
    """The default template, taken apart."""
    data = template_file()
    deck: Any = Presentation(io.BytesIO(data))
    layouts_by_name = {
        one.name: Layout(str(one.part.partname), {ph.name: _slot(ph) for ph in one.placeholders})
        for one in deck.slide_layouts
    }
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {name: package.read(name) for name in package.namelist() if name != _THUMBNAIL}
    parts["_rels/.rels"] = re.sub(rb"<Relationship [^>]*thumbnail[^>]*/>", b"", parts["_rels/.rels"])
    return Template(parts, layouts_by_name, str(deck.notes_master.part.partname))


def _slot(shape: Any) -> Slot:
    node = shape._element.ph  # noqa: SLF001 - whether type and idx are written at all matters here
    index = node.get("idx")
    box = Box(shape.left, shape.top, shape.width, shape.height)
    return Slot(node.get("type") or "", None if index is None else int(index), box)


def template_file() -> bytes:
    """The default template as a file, with a notes master."""
    deck: Any = Presentation()
    deck.slide_width, deck.slide_height = grid.WIDTH, grid.HEIGHT
    master = deck.slide_master
    theme = master.part.part_related_by(REL.THEME)
    theme._blob = _theme(theme.blob)  # noqa: SLF001 - a part that python-pptx does not model has no other setter
    deck.part.part_related_by(REL.TABLE_STYLES)._blob = _table_style()  # noqa: SLF001 - as the theme
    made = layouts()
    for spare in list(deck.slide_layouts)[len(made) :]:
        deck.slide_layouts.remove(spare)
    for layout, (name, tree) in zip(deck.slide_layouts, made, strict=True):
        _set_layout(layout.part._element, name, tree)  # noqa: SLF001 - layouts are rewritten as XML
    _set_master(master.part._element)  # noqa: SLF001 - as the layouts
    assert deck.notes_master is not None  # asking for it makes it
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


def _set_layout(root: Any, name: str, tree: str) -> None:
    root.replace(root.find(qn("p:cSld")), parse_xml(tree))
    root.set("userDrawn", "1")
    root.attrib.pop("type", None)
    if name == "Cover":
        root.set("type", "title")
        root.set("showMasterSp", "0")


def _set_master(root: Any) -> None:
    foot = grid.FOOTER
    number = Box(left_of(10), foot.top, span(2), foot.height)
    made = (
        Placeholder("Title", "title", None, grid.TITLE, prompt="The finding, in one or two lines"),
        Placeholder("Body", "body", 1, Box(MARGIN, grid.TOP, FULL, grid.BODY), prompt="Text"),
        Placeholder("Footer", "ftr", 3, foot, levels(Level(9, "muted")), "ctr", "Footer"),
        Placeholder("Slide number", "sldNum", 4, number, levels(Level(9, "muted", bold=True, align="r")), "ctr"),
    )
    foot_rule = rule(6, Box(MARGIN, inches(7.04), FULL, 6350), "hair", "Foot rule")
    tree = shape_tree(*(one.markup for one in made), foot_rule, background="bg1")
    root.replace(root.find(qn("p:cSld")), parse_xml(tree))
    title = levels(Level(24, "tx2", serif=True, lead_pct=96))
    body = levels(*(Level(size, before_pt=4, lead_pct=106) for size in (16, 14, 13, 12, 12)))
    other = levels(*([Level(12)] * 5))
    styles = (
        f"<p:txStyles {NAMESPACES}><p:titleStyle>{title}</p:titleStyle><p:bodyStyle>{body}</p:bodyStyle>"
        f"<p:otherStyle>{other}</p:otherStyle></p:txStyles>"
    )
    root.replace(root.find(qn("p:txStyles")), parse_xml(styles))


def _theme(old: bytes) -> bytes:
    """The theme with our colours and typefaces."""
    root: Any = etree.fromstring(old)
    root.set("name", "Ledger")
    scheme = root.find(f".//{_DML}clrScheme")
    scheme.set("name", "Ledger")
    for slot, value in _SLOTS.items():
        node = scheme.find(_DML + slot)
        node.clear()
        etree.SubElement(node, _DML + "srgbClr", val=value)
    fonts = root.find(f".//{_DML}fontScheme")
    fonts.set("name", "Ledger")
    for tag, face in (("majorFont", tokens.DECK_SERIF), ("minorFont", tokens.DECK_SANS)):
        node = fonts.find(_DML + tag)
        latin = node.find(_DML + "latin")
        latin.attrib.clear()
        latin.set("typeface", face)
        for script, other in _SCRIPT_FONTS.items():
            found = node.find(f'{_DML}font[@script="{script}"]')
            if found is not None:
                found.set("typeface", other)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _table_style() -> bytes:
    """Rules, not boxes: ink under the head and over the total, hairlines between rows, no fills."""

    def line(side: str, width: int, tint: str) -> str:
        return f'<a:{side}><a:ln w="{width}" cmpd="sng">{solid(tint)}</a:ln></a:{side}>'

    def none(*sides: str) -> str:
        return "".join(f"<a:{side}><a:ln><a:noFill/></a:ln></a:{side}>" for side in sides)

    def words(bold: str, tint: str) -> str:
        face = '<a:fontRef idx="minor"><a:prstClr val="black"/></a:fontRef>'
        return f"<a:tcTxStyle{bold}>{face}{color(tint)}</a:tcTxStyle>"

    def part(name: str, style: str, borders: str, fill: str = "") -> str:
        return f"<a:{name}>{style}<a:tcStyle><a:tcBdr>{borders}</a:tcBdr>{fill}</a:tcStyle></a:{name}>"

    strong = ' b="on"'
    hairs = (
        none("left", "right", "top") + line("bottom", 6350, "hair") + line("insideH", 6350, "hair") + none("insideV")
    )
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        f'<a:tblStyleLst xmlns:a="{_DML[1:-1]}" def="{TABLE_STYLE}">'
        f'<a:tblStyle styleId="{TABLE_STYLE}" styleName="Ledger">'
        + part("wholeTbl", words("", "tx1"), hairs, "<a:fill><a:noFill/></a:fill>")
        + part("lastRow", words(strong, "tx1"), line("top", 12_700, "tx1") + none("bottom"))
        + part("firstRow", words(strong, "muted"), none("top") + line("bottom", 12_700, "tx1"))
        + "</a:tblStyle></a:tblStyleLst>"
    ).encode()
