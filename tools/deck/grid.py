"""The slide's grid in whole EMU: twelve columns, the bands of a content slide, and the places that layouts share."""

from __future__ import annotations

from schemas.deck import Box

PT, INCH = 12_700, 914_400
WIDTH, HEIGHT = 12_192_000, 6_858_000
MARGIN, COLUMN, GUTTER = 548_640, 756_920, 182_880


def inches(value: float) -> int:
    """EMU of `value` inches."""
    return round(value * INCH)


def left_of(column: int) -> int:
    """The left edge of column `column` (0 to 11)."""
    return MARGIN + column * (COLUMN + GUTTER)


def span(columns: int) -> int:
    """The width of `columns` columns and the gutters between them."""
    return columns * COLUMN + (columns - 1) * GUTTER


TOP, BOTTOM = inches(1.50), inches(6.38)
"""Where content may stand."""
BODY = BOTTOM - TOP
FULL = span(12)

TITLE = Box(MARGIN, inches(0.645), FULL, inches(0.82))
SOURCES = Box(MARGIN, inches(6.46), FULL, inches(0.50))
FOOTER = Box(MARGIN, inches(7.085), span(9), inches(0.22))

KPI_COUNT = 5
KPI_WIDTH = (FULL - (KPI_COUNT - 1) * GUTTER) // KPI_COUNT
KPI_HEIGHT = inches(1.22)
HIGHLIGHT_WIDTH = span(4)
RISK = Box(MARGIN + 57_150, TOP + inches(4.22), FULL - 57_150, inches(0.62))
MIX = Box(MARGIN, TOP + inches(3.35), FULL, inches(0.30))

ASIDE = Box(left_of(9), TOP + inches(0.1), span(3), BODY - inches(0.1))
CHART = Box(MARGIN, TOP, span(9), BODY)
WIDE_CHART = Box(MARGIN, TOP + inches(0.42), FULL, BODY - inches(0.42))
CANVAS_TABLE = Box(left_of(7) - inches(0.42), TOP, span(5) + inches(0.42), BODY)
COVER_TITLE = Box(MARGIN, inches(1.05), span(9), inches(1.3))
FACTS = Box(MARGIN, TOP, span(5), inches(3.6))
BESIDE = Box(left_of(5) + GUTTER, TOP, span(7) - GUTTER, inches(1.9))

HEAD_ROW, TABLE_ROW = inches(0.34), inches(0.338)
"""Row heights of a full table: twelve rows, their head and their total fill the content band."""
ROWS_A_SLIDE = 12


def points(emu: int) -> float:
    """Points of `emu`."""
    return emu / PT
