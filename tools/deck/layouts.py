"""The template's eight layouts.

The names of layouts and placeholders are the contract: a customer's template needs them and nothing else.
"""

from __future__ import annotations

from schemas.deck import Box
from tools.deck import grid
from tools.deck.grid import BOTTOM, FULL, GUTTER, MARGIN, PT, TOP, inches, left_of, span
from tools.deck.markup import Level, Placeholder, levels, outline, rule, shape_tree, solid

ASIDE_LEVELS = (
    Level(14, bold=True, lead_pct=105),
    Level(13, before_pt=4, lead_pct=108),
    Level(11, "muted", before_pt=8, lead_pct=105),
)
KPI_LEVELS = (Level(34, "accent1", lead_pct=90), Level(12, bold=True, before_pt=2), Level(11, "muted", before_pt=1))
HIGHLIGHT_LEVELS = (Level(16, serif=True, bold=True), Level(13, before_pt=5, lead_pct=110))
HEADING = levels(Level(13, bold=True))


def layouts() -> list[tuple[str, str]]:
    """Name and contents (`p:cSld`) of each layout."""
    made = {
        "Cover": _cover(),
        "Summary": _summary(),
        **_tables(),
        **_charts(),
        "Property": _property(),
        "Ledger": _ledger(),
    }
    ground = {"Cover": "tx2"}
    return [(name, shape_tree(*parts, name=name, background=ground.get(name))) for name, parts in made.items()]


def body(name: str, index: int, box: Box, style: str, prompt: str) -> str:
    """A text placeholder anchored at its top."""
    return Placeholder(name, "body", index, box, style, prompt=prompt).markup


def _shared() -> list[str]:
    """What each content layout has: title, section word, status, sources, footer, number."""
    status = Box(MARGIN + FULL - inches(2.1), inches(0.31), inches(2.1), inches(0.25))
    kicker = levels(Level(10.5, "accent2", bold=True, caps=True, track=80))
    draft = levels(Level(9, "accent2", bold=True, align="ctr", track=40))
    number = Box(left_of(10), grid.FOOTER.top, span(2), grid.FOOTER.height)
    section = Box(MARGIN, inches(0.32), span(8), inches(0.24))
    made = (
        Placeholder("Title", "title", None, grid.TITLE),
        Placeholder("Kicker", "body", 12, section, kicker, "ctr", "Section"),
        Placeholder("Status", "body", 20, status, draft, "ctr", "Status", outline("accent2", 9525)),
        Placeholder("Sources", "body", 15, grid.SOURCES, levels(Level(9, "muted", lead_pct=98)), "b", "Sources"),
        Placeholder("Footer", "ftr", 10, grid.FOOTER, prompt="Footer"),
        Placeholder("Slide number", "sldNum", 11, number),
    )
    return [one.markup for one in made]


def _cover() -> list[str]:
    wide = span(9)
    status = Box(MARGIN, inches(0.52), inches(2.35), inches(0.3))
    title = levels(Level(54, "bg1", serif=True, lead_pct=95))
    draft = levels(Level(10, "accent4", bold=True, align="ctr", track=60))
    facts = levels(Level(13, "bg2", lead_pct=115))
    place = Box(MARGIN, inches(7.06), FULL, inches(0.26))
    made = (
        Placeholder("Title", "ctrTitle", None, grid.COVER_TITLE, title, "b", "Portfolio name"),
        Placeholder(
            "Subtitle", "subTitle", 13, Box(MARGIN, inches(2.45), wide, inches(0.5)),
            levels(Level(20, "accent5", lead_pct=105)), prompt="What it is",
        ),
        Placeholder("Facts", "body", 14, Box(MARGIN, inches(3.02), wide, inches(0.62)), facts, prompt="Date and file"),
        Placeholder("Status", "body", 20, status, draft, "ctr", "Status", outline("accent4", 12_700)),
        Placeholder("Sources", "body", 15, place, levels(Level(10, "accent5")), "ctr", "How to read the picture"),
    )  # fmt: skip
    return [one.markup for one in made]


def _summary() -> list[str]:
    parts = _shared()
    for i in range(grid.KPI_COUNT):
        left = MARGIN + i * (grid.KPI_WIDTH + GUTTER)
        box = Box(left, TOP + inches(0.12), grid.KPI_WIDTH, grid.KPI_HEIGHT)
        parts.append(body(f"KPI {i + 1}", 31 + i, box, levels(*KPI_LEVELS), "Value"))
        parts.append(rule(51 + i, Box(left, TOP, grid.KPI_WIDTH, 15_875), "tx1"))
    for i in range(3):
        box = Box(left_of(4 * i), TOP + inches(1.72), grid.HIGHLIGHT_WIDTH, inches(1.25))
        parts.append(body(f"Highlight {i + 1}", 41 + i, box, levels(*HIGHLIGHT_LEVELS), "Finding"))
        parts.append(rule(61 + i, Box(box.left, TOP + inches(1.55), box.width, 6350), "hair"))
    heading = Box(MARGIN, TOP + inches(3.04), FULL, inches(0.26))
    risk, inset = grid.RISK, (14 * PT, 4 * PT)
    ground, said = solid("bg2"), levels(Level(14, lead_pct=105))
    made = (
        Placeholder("Mix title", "body", 45, heading, levels(Level(12, bold=True)), "b", "Parts"),
        Placeholder("Mix", "chart", 46, grid.MIX),
        Placeholder("Risk", "body", 44, risk, said, "ctr", "Biggest risk", ground, inset),
    )
    mark = rule(71, Box(MARGIN, risk.top, 57_150, risk.height), "accent2", "Risk mark")
    return [*parts, *(one.markup for one in made), mark]


def _tables() -> dict[str, list[str]]:
    table = Placeholder("Table", "tbl", 16, Box(MARGIN, TOP, FULL, grid.BODY))
    right = Placeholder("Table", "tbl", 16, grid.CANVAS_TABLE)
    under = Box(MARGIN, BOTTOM - inches(0.3), span(7), inches(0.3))
    read = Placeholder("Takeaway", "body", 18, under, levels(Level(11, "muted")), "b", "How to read it")
    return {"Table": [*_shared(), table.markup], "Canvas": [*_shared(), right.markup, read.markup]}


def _charts() -> dict[str, list[str]]:
    words = "What it means"
    beside = Placeholder("Chart", "chart", 17, grid.CHART)
    aside = Placeholder("Takeaway", "body", 18, grid.ASIDE, levels(*ASIDE_LEVELS), prompt=words)
    wide = Placeholder("Chart", "chart", 17, grid.WIDE_CHART)
    line = Box(MARGIN, TOP, FULL, inches(0.36))
    above = Placeholder("Takeaway", "body", 18, line, levels(Level(13)), prompt=words)
    return {
        "Chart": [*_shared(), beside.markup, aside.markup],
        "Chart wide": [*_shared(), wide.markup, above.markup],
    }


def _property() -> list[str]:
    beside = grid.BESIDE
    heading = Box(beside.left, TOP + inches(2.02), beside.width, inches(0.28))
    chart = Box(beside.left, TOP + inches(2.30), beside.width, grid.BODY - inches(2.30))
    made = (
        Placeholder("Facts", "tbl", 16, grid.FACTS),
        Placeholder("Second table", "tbl", 19, beside),
        Placeholder("Chart", "chart", 17, chart),
        Placeholder("Chart title", "body", 18, heading, HEADING, "b", "Finding"),
    )
    return [*_shared(), *(one.markup for one in made)]


def _ledger() -> list[str]:
    made = (
        Placeholder("Table", "tbl", 16, Box(MARGIN, TOP + inches(0.27), FULL, inches(2))),
        Placeholder("Second table", "tbl", 19, Box(MARGIN, TOP + inches(2.92), FULL, inches(2))),
    )
    first = body("First heading", 18, Box(MARGIN, TOP - inches(0.03), FULL, inches(0.28)), HEADING, "Heading")
    second = body("Second heading", 21, Box(MARGIN, TOP + inches(2.62), FULL, inches(0.28)), HEADING, "Heading")
    return [*_shared(), *(one.markup for one in made), first, second]
