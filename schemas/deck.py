"""A deck as planned: what stands on each slide and where, before anything is written. Lengths are in EMU.

Slots are the names of the template's placeholders. Colours are slots of the theme (`accent1`, `tx1`, `bg2`), its tints
`muted` and `hair`, or hex RGB.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ChartKind = Literal["columns", "stack", "share", "scatter"]
SeriesRole = Literal["bars", "average", "cumulative", "totals", "points"]
ShapeKind = Literal["rectangle", "oval", "text"]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the slide."""

    left: int
    top: int
    width: int
    height: int

    @property
    def bottom(self) -> int:
        """The lower edge."""
        return self.top + self.height


@dataclass(frozen=True, slots=True)
class Run:
    """Text in one style; `mark` is a raised footnote number; `broken` starts a new line after the text."""

    text: str
    bold: bool = False
    italic: bool = False
    mark: bool = False
    broken: bool = False
    size_pt: float | None = None
    color: str | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Runs at a level (1 to 5) of their placeholder, which sets size and colour."""

    runs: tuple[Run, ...]
    level: int = 1
    align: Literal["left", "right", "center"] | None = None


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Paragraphs in a placeholder; `box` moves it from where the layout has it."""

    slot: str
    paragraphs: tuple[Paragraph, ...]
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class TableCell:
    """One cell: paragraphs, paddings in points, a fill; `framed` draws an ink frame (True) or a white one (False)."""

    paragraphs: tuple[Paragraph, ...]
    left_pt: float = 3.5
    right_pt: float = 3.5
    fill: str | None = None
    framed: bool | None = None


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table in a placeholder, the first row its head; `total` sets the last row apart."""

    slot: str
    box: Box
    widths: tuple[int, ...]
    heights: tuple[int, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    alt: str
    total: bool = False


@dataclass(frozen=True, slots=True)
class ChartSeries:
    """One series: a value a category, None for a gap.

    `labelled` are the points that print their value, `inside` those of them that print it within the bar;
    `point_colors` are points in a colour of their own. For a scatter, `values` are the y values and `across` the x
    values; `names` are printed in the markers.
    """

    name: str
    values: tuple[float | None, ...]
    color: str
    number_format: str
    role: SeriesRole = "bars"
    label_color: str = "tx1"
    labelled: tuple[int, ...] = ()
    inside: tuple[int, ...] = ()
    across: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    point_colors: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ChartBlock:
    """A native chart in a placeholder.

    `plot` is the inner box as parts (left, top, width, height) of the frame. `low` and `high` bound the value axis;
    `across` is the x axis of a scatter: low, high, step.
    """

    slot: str
    kind: ChartKind
    categories: tuple[str, ...]
    series: tuple[ChartSeries, ...]
    alt: str
    plot: tuple[float, float, float, float]
    low: float = 0
    high: float = 1
    step: float | None = None
    across: tuple[float, float, float] | None = None
    axis_titles: tuple[str, str] | None = None
    axis_formats: tuple[str, str] = ("General", "General")
    legend: bool = False
    gap_pct: int = 45
    overlap_pct: int = 100
    text_pt: float = 11
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """A drawn shape with at most one line of text, centred in it unless it is a `text`."""

    kind: ShapeKind
    name: str
    box: Box
    fill: str | None = None
    text: tuple[Run, ...] = ()
    anchor: Literal["top", "middle", "bottom"] = "middle"
    inset_pt: float = 0


@dataclass(frozen=True, slots=True)
class GroupBlock:
    """Shapes that belong together, with one description for all."""

    name: str
    alt: str
    shapes: tuple[Shape, ...]


Block = TextBlock | TableBlock | ChartBlock | GroupBlock


@dataclass(frozen=True, slots=True)
class SlidePlan:
    """One slide: its layout, its title, its blocks, its sources and its speaker notes."""

    layout: str
    title: Paragraph
    kicker: str
    blocks: tuple[Block, ...]
    sources: tuple[Run, ...]
    notes: str


@dataclass(frozen=True, slots=True)
class DeckPlan:
    """A deck: its title for the file's properties, its footer, and its slides."""

    title: str
    footer: str
    slides: tuple[SlidePlan, ...]
