"""DrawingML as text: colours, levels of text, placeholders and rules, with everything from outside escaped."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from schemas.deck import Box, Paragraph, Run

NAMESPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
DECORATIVE = (
    '<a:extLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
    '<a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}"><adec:decorative '
    'xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/></a:ext></a:extLst>'
)
_TINTS = {
    "muted": '<a:schemeClr val="tx1"><a:lumMod val="75000"/><a:lumOff val="25000"/></a:schemeClr>',
    "hair": '<a:schemeClr val="bg2"><a:lumMod val="90000"/></a:schemeClr>',
}
_ILLEGAL = re.compile("[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]")
_HEX = re.compile(r"[0-9A-F]{6}")
_ALIGN = {"left": "l", "right": "r", "center": "ctr"}


def text(value: str) -> str:
    """`value` for an element: markup escaped, what XML forbids left out."""
    return escape(_ILLEGAL.sub("", value))


def attribute(value: str) -> str:
    """`value` for an attribute, in its quotes."""
    return quoteattr(_ILLEGAL.sub("", value))


def color(name: str) -> str:
    """A colour: a slot of the theme, one of its tints (which follow a customer's theme), or hex RGB."""
    if _HEX.fullmatch(name):
        return f'<a:srgbClr val="{name}"/>'
    return _TINTS.get(name) or f'<a:schemeClr val="{name}"/>'


def solid(name: str) -> str:
    """A solid fill."""
    return f"<a:solidFill>{color(name)}</a:solidFill>"


@dataclass(frozen=True, slots=True)
class Level:
    """The look of paragraphs at one level of a placeholder."""

    size_pt: float
    tint: str = "tx1"
    bold: bool = False
    serif: bool = False
    align: Literal["l", "r", "ctr"] = "l"
    before_pt: float = 0
    caps: bool = False
    track: int = 0
    lead_pct: int = 100


def levels(*made: Level) -> str:
    """The levels of a list style, the first for level 1."""
    return "".join(_level(number, one) for number, one in enumerate(made, 1))


def _level(number: int, one: Level) -> str:
    face = "mj" if one.serif else "mn"
    style = f'lang="en-US" sz="{round(one.size_pt * 100)}" b="{int(one.bold)}" spc="{one.track}"'
    style += ' cap="all"' if one.caps else ""
    return (
        f'<a:lvl{number}pPr marL="0" indent="0" algn="{one.align}"><a:lnSpc><a:spcPct val="{one.lead_pct * 1000}"/>'
        f'</a:lnSpc><a:spcBef><a:spcPts val="{round(one.before_pt * 100)}"/></a:spcBef><a:buNone/>'
        f'<a:defRPr {style}>{solid(one.tint)}<a:latin typeface="+{face}-lt"/><a:ea typeface="+{face}-ea"/>'
        f'<a:cs typeface="+{face}-cs"/></a:defRPr></a:lvl{number}pPr>'
    )


def frame(box: Box) -> str:
    """A shape's place."""
    return f'<a:xfrm><a:off x="{box.left}" y="{box.top}"/><a:ext cx="{box.width}" cy="{box.height}"/></a:xfrm>'


def outline(name: str, width: int) -> str:
    """A line of one colour, `width` in EMU."""
    return f'<a:ln w="{width}">{solid(name)}</a:ln>'


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A placeholder of a layout or master; `look` is its fill and line, `inset` its side and top insets in EMU."""

    name: str
    kind: str
    index: int | None
    box: Box
    style: str = ""
    anchor: Literal["t", "ctr", "b"] = "t"
    prompt: str = ""
    look: str = ""
    inset: tuple[int, int] = (0, 0)

    @property
    def markup(self) -> str:
        """The placeholder as a shape."""
        kinds = f' type="{self.kind}"' + (f' idx="{self.index}"' if self.index is not None else "")
        identity = 2 if self.index is None else 100 + self.index
        side, top = self.inset
        body = f'<a:r><a:rPr lang="en-US"/><a:t>{text(self.prompt)}</a:t></a:r>'
        if self.kind == "sldNum":
            guid = "{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}"
            body = f'<a:fld id="{guid}" type="slidenum"><a:rPr lang="en-US"/><a:t>‹#›</a:t></a:fld>'
        return (
            f'<p:sp {NAMESPACES}><p:nvSpPr><p:cNvPr id="{identity}" name="{self.name}"/><p:cNvSpPr>'
            f'<a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph{kinds}/></p:nvPr></p:nvSpPr><p:spPr>{frame(self.box)}'
            f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>{self.look}</p:spPr><p:txBody>'
            f'<a:bodyPr vert="horz" lIns="{side}" tIns="{top}" rIns="{side}" bIns="{top}" anchor="{self.anchor}">'
            f"<a:normAutofit/></a:bodyPr><a:lstStyle>{self.style}</a:lstStyle><a:p>{body}</a:p></p:txBody></p:sp>"
        )


def rule(identity: int, box: Box, tint: str, name: str = "Rule") -> str:
    """A filled bar that says nothing: a rule of the layout."""
    return (
        f'<p:sp {NAMESPACES}><p:nvSpPr><p:cNvPr id="{identity}" name="{name}" descr="">{DECORATIVE}</p:cNvPr>'
        f'<p:cNvSpPr/><p:nvPr userDrawn="1"/></p:nvSpPr><p:spPr>{frame(box)}<a:prstGeom prst="rect"><a:avLst/>'
        f"</a:prstGeom>{solid(tint)}<a:ln><a:noFill/></a:ln></p:spPr></p:sp>"
    )


def shape_tree(*shapes: str, name: str = "", background: str | None = None) -> str:
    """The contents of a master or layout."""
    ground = ""
    if background:
        ground = f"<p:bg><p:bgPr>{solid(background)}<a:effectLst/></p:bgPr></p:bg>"
    called = f" name={attribute(name)}" if name else ""
    return (
        f'<p:cSld {NAMESPACES}{called}>{ground}<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/>'
        '</p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/>'
        f'<a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>{"".join(shapes)}</p:spTree></p:cSld>'
    )


def run(one: Run) -> str:
    """A run of text, and the line break after it if it has one."""
    style = 'lang="en-US"' + (f' sz="{round(one.size_pt * 100)}"' if one.size_pt else "")
    style += ' b="1"' if one.bold or one.mark else ""
    style += ' i="1"' if one.italic else ""
    style += ' baseline="30000"' if one.mark else ""
    tint = "accent2" if one.mark else one.color
    body = f"<a:r><a:rPr {style}>{solid(tint) if tint else ''}</a:rPr><a:t>{text(one.text)}</a:t></a:r>"
    return body + ('<a:br><a:rPr lang="en-US"/></a:br>' if one.broken else "")


def paragraph(one: Paragraph) -> str:
    """A paragraph at its level; an empty one keeps its size, or the row that it stands in would grow."""
    style = f' lvl="{one.level - 1}"' if one.level > 1 else ""
    style += f' algn="{_ALIGN[one.align]}"' if one.align else ""
    if not any(each.text for each in one.runs):
        size = next((each.size_pt for each in one.runs if each.size_pt), None)
        sized = f' sz="{round(size * 100)}"' if size else ""
        return f'<a:p><a:pPr{style}/><a:endParaRPr lang="en-US"{sized}/></a:p>'
    return f"<a:p><a:pPr{style}/>{''.join(run(each) for each in one.runs)}</a:p>"
