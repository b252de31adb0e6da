"""The memorandum's measures, typefaces and paragraph styles: Letter, 504 points wide."""

# pyright: reportUnknownMemberType=false
# The types known of reportlab's fonts lack those of parameters.
from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from tools.figures.text import Face, font_path
from tools.figures.tokens import COPPER, DEEP, INK, SLATE

PAGE_WIDTH, PAGE_HEIGHT = 612.0, 792.0
MARGIN, WIDE = 54.0, 504.0
HEAD_Y, FOOT_Y = 748.0, 40.0
FRAME_BOTTOM, FRAME_TOP = 64.0, 720.0
BODY_HEIGHT = FRAME_TOP - FRAME_BOTTOM

Type = Literal["sans", "bold", "italic", "serif", "serif-bold"]
FACES: dict[Type, tuple[Face, bool, bool]] = {
    "sans": ("sans", False, False),
    "bold": ("sans", True, False),
    "italic": ("sans", False, True),
    "serif": ("serif", False, False),
    "serif-bold": ("serif", True, False),
}


def font_name(face: Type) -> str:
    """The name under which reportlab knows `face`; ours alone, so that no other document's fonts are touched."""
    return f"dealwright-{face}"


@lru_cache(maxsize=1)
def register_fonts() -> None:
    """Makes the five typefaces known to reportlab, each embedded where it is used."""
    for face, (family, bold, italic) in FACES.items():
        pdfmetrics.registerFont(TTFont(font_name(face), str(font_path(family, bold, italic)), asciiReadable=True))
    sans, bold, italic = font_name("sans"), font_name("bold"), font_name("italic")
    pdfmetrics.registerFontFamily(sans, normal=sans, bold=bold, italic=italic, boldItalic=bold)
    serif, heavy = font_name("serif"), font_name("serif-bold")
    pdfmetrics.registerFontFamily(serif, normal=serif, bold=heavy, italic=serif, boldItalic=heavy)


def _style(name: str, face: Type, size: float, leading: float, color: str, **more: Any) -> ParagraphStyle:
    return ParagraphStyle(
        name,
        fontName=font_name(face),
        fontSize=size,
        leading=leading,
        textColor=HexColor("#" + color),
        splitLongWords=1,
        **more,
    )


@lru_cache(maxsize=1)
def styles() -> dict[str, ParagraphStyle]:
    """The paragraph styles by name; the fonts are registered with the first call."""
    register_fonts()
    return {
        style.name: style
        for style in (
            _style("body", "sans", 10.5, 14.5, INK, spaceAfter=7, allowWidows=0, allowOrphans=0),
            _style("h1", "serif", 22, 27, DEEP, spaceAfter=10),
            _style("h2", "serif-bold", 12.5, 16, INK, spaceBefore=13, spaceAfter=5),
            _style("kicker", "bold", 8.5, 11, COPPER, spaceAfter=3),
            _style("kicker-gap", "bold", 8.5, 11, COPPER, spaceBefore=24, spaceAfter=3),
            _style("caption", "bold", 10, 13, INK, spaceBefore=6, spaceAfter=3),
            _style("note", "sans", 8, 10.5, SLATE, spaceBefore=5, spaceAfter=6),
            _style("risk", "sans", 10.5, 14.5, INK),
        )
    }
