"""Decks rendered from every kind of table, opened again and read."""

from __future__ import annotations

import io
import random
import warnings
import zipfile
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

import pytest
from openpyxl import load_workbook
from pptx import Presentation

from schemas.deal import Extraction, Issue
from schemas.documents import DocumentOrder, Emphasis, RenderedDocument
from tests import extractions
from tests.extractions import TYPES, Cell, Sheet, build
from tests.tools.figures import reading_back
from tools.deck.check import printed_texts
from tools.deck.render import render_deck

AS_OF = date(2026, 11, 30)
EMPHASES: tuple[Emphasis, ...] = ("income", "price")
MAKERS = (
    extractions.portfolio12, extractions.many_properties, extractions.rent_roll, extractions.loan_tape,
    extractions.pipeline, extractions.bare, extractions.hostile, extractions.currencies,
)  # fmt: skip
STATUS = "NOT APPROVED"


def render(extraction: Extraction, emphasis: Emphasis = "income", title: str = "Project Tamarack") -> RenderedDocument:
    """A deck as of the tests' day."""
    return render_deck(extraction, DocumentOrder(kind="deck", title=title, emphasis=emphasis), AS_OF)


@lru_cache(maxsize=4)
def corrected(emphasis: Emphasis = "income") -> RenderedDocument:
    """The deck of twelve properties, one occupancy corrected by a person."""
    made = extractions.pinned(extractions.portfolio12(), 0, 10, "occupancy", 0.773, was="0.873")
    return render(made, emphasis)


def opened(data: bytes) -> Any:
    """The deck as python-pptx reads it."""
    return Presentation(io.BytesIO(data))


def texts(shapes: Any) -> Iterator[str]:
    """Every text under `shapes`, tables and groups included."""
    for shape in shapes:
        if shape.shape_type == 6:
            yield from texts(shape.shapes)
        elif shape.has_text_frame:
            yield shape.text_frame.text
        elif getattr(shape, "has_table", False):
            yield from (cell.text for row in shape.table.rows for cell in row.cells)


def title_of(slide: Any) -> str:
    """A slide's title on one line."""
    return slide.shapes.title.text_frame.text.replace("\v", " ")


def tables(deck: Any) -> list[Any]:
    """The tables of the slides of deals."""
    return [s.table for slide in deck.slides if slide.slide_layout.name == "Table" for s in slide.shapes if s.has_table]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("emphasis", EMPHASES)
def test_any_table_makes_a_deck_that_opens(make: Callable[[], Extraction], emphasis: Emphasis) -> None:
    """Each slide has a title and notes, each chart, table and picture a description, each table at most twelve rows."""
    made = render(make(), emphasis)
    deck = opened(made.draft)
    assert len(deck.slides) == made.pages
    for slide in deck.slides:
        assert title_of(slide).strip()
        assert slide.notes_slide.notes_text_frame.text.strip() or slide.slide_layout.name == "Ledger"
        for shape in slide.shapes:
            if shape.has_chart or shape.has_table or shape.shape_type == 6:
                assert shape._element.xpath(".//p:cNvPr")[0].get("descr")
    assert all(len(table.rows) <= 14 for table in tables(deck))


def test_same_order_same_bytes_and_another_day_another_file() -> None:
    """No clock and no chance is in a deck."""
    first = render(extractions.portfolio12())
    again = render(extractions.portfolio12())
    assert (first.draft, first.final, first.figures) == (again.draft, again.final, again.figures)
    order = DocumentOrder(kind="deck", title="Project Tamarack")
    assert render_deck(extractions.portfolio12(), order, date(2026, 12, 1)).draft != first.draft


def test_the_final_edition_lacks_the_status_mark_and_nothing_else() -> None:
    """One plan, two editions: on each slide one shape fewer."""
    made = corrected()
    draft, final = opened(made.draft), opened(made.final)
    for one, other in zip(draft.slides, final.slides, strict=True):
        before, after = list(texts(one.shapes)), list(texts(other.shapes))
        assert sum(STATUS in text for text in before) == 1
        assert [text for text in before if STATUS not in text] == after
    names = zipfile.ZipFile(io.BytesIO(made.final)).namelist()
    assert names == zipfile.ZipFile(io.BytesIO(made.draft)).namelist()


def test_emphasis_changes_order_charts_and_title() -> None:
    """Income and price make two different decks of the same deals."""
    income, price = opened(corrected("income").draft), opened(corrected("price").draft)
    assert title_of(income.slides[1]) != title_of(price.slides[1])
    names = [[row.cells[1].text for row in tables(deck)[0].rows][1:4] for deck in (income, price)]
    assert names[0] == ["Alder Creek Logistics Park", "Bellwether Commons", "Granite Fork Distribution Center"]
    assert names[1] == ["Alder Creek Logistics Park", "Granite Fork Distribution Center", "Harbor Bluff Cold Storage"]
    heads = [[cell.text for cell in tables(deck)[0].rows[0].cells] for deck in (income, price)]
    assert heads[0].index("NOI $000") < heads[0].index("Price $M")
    assert heads[1].index("Price $M") < heads[1].index("NOI $000")
    assert [title_of(slide) for slide in income.slides][3] != [title_of(slide) for slide in price.slides][3]


def test_a_persons_correction_is_marked_where_the_value_stands() -> None:
    """The mark before the number leads to a line that says who changed what."""
    deck = opened(corrected().draft)
    said = "Deals!J17 read 87.3%; set to 77.3% by an analyst, 28 Nov 2026"
    listing = deck.slides[2]
    cells = [cell for row in tables(deck)[0].rows for cell in row.cells if cell.text.endswith("77.3")]
    mark = cells[0].text_frame.paragraphs[0].runs[0]
    assert mark.font._element.get("baseline")
    sources = next(shape for shape in listing.shapes if shape.name == "Sources").text_frame.text
    assert f"{mark.text}\u00a0{said}" in sources
    quality = next(slide for slide in deck.slides if "accounted" in title_of(slide))
    assert any(said in text for text in texts(quality.shapes))


def test_missing_is_said_in_italics_with_its_cell_and_drawn_as_a_gap() -> None:
    """A price that reads TBD is n/p in the table and no bar in a chart."""
    deck = opened(corrected("price").draft)
    row = next(row for row in tables(deck)[0].rows if row.cells[1].text == "Larkspur Trade Park")
    missing = [cell for cell in row.cells if "n/p" in cell.text]
    assert missing
    assert all(cell.text_frame.paragraphs[0].runs[-1].font.italic for cell in missing)
    assert any("Deals!F18 reads “TBD”" in text for text in texts(deck.slides[2].shapes))
    for slide in deck.slides:
        for shape in slide.shapes:
            if shape.has_chart:
                assert shape.chart._chartSpace.xpath("c:chart/c:dispBlanksAs/@val") == ["gap"]


def test_every_figure_says_where_it_stands_and_how_it_came_about() -> None:
    """Ids are unique; each has a place, a text and a derivation; those of values have cells."""
    figures = corrected().figures
    assert len({figure.id for figure in figures}) == len(figures)
    assert all(figure.where and figure.text and figure.derivation for figure in figures)
    price = next(figure for figure in figures if figure.id == "t1.total.price")
    assert price.text == "$359.7M"
    assert price.cells == ("Deals!F7:F17",)
    assert "deck:2" in price.where
    assert any(figure.pinned for figure in figures)


@pytest.mark.parametrize("make", [*MAKERS, extractions.troubled])
def test_every_number_on_a_slide_and_in_its_notes_is_a_figure(make: Callable[[], Extraction]) -> None:
    """Titles, tables, charts, footnotes, issues, notes: what is no figure only names a place or repeats the file."""
    extraction = make()
    made = render(extraction, title=reading_back.TITLE)
    known, words = reading_back.known_at(made.figures), reading_back.texts_of(extraction)
    for number, slide in enumerate(opened(made.draft).slides, 1):
        for text in printed_texts(slide):
            assert not reading_back.unexplained(text, known[f"deck:{number}"], words), (number, text)


def test_thousands_of_deals_get_eight_slides_of_table_and_a_line_that_says_so() -> None:
    """The deck stays a deck; the others are in deals.xlsx."""
    made = render(extractions.many_properties(1_100), "price")
    deck = opened(made.draft)
    listed = [slide for slide in deck.slides if "in the table" in title_of(slide) or "table shows" in title_of(slide)]
    assert len(listed) == 8
    assert title_of(listed[0]).startswith("The table shows 96 of 1,100 properties, the greatest asking price first")
    pages = [text for slide in deck.slides for text in texts(slide.shapes) if "page 1 of 12" in text.lower()]
    assert len(pages) == 1
    assert made.pages < 40


def test_hostile_text_stays_text() -> None:
    """Markup, formulas and controls from the file are characters on a slide and in a chart's workbook."""
    made = render(extractions.hostile(), title="=cmd|'/c calc'!A0")
    deck = opened(made.draft)
    everything = "\n".join(text for slide in deck.slides for text in texts(slide.shapes))
    assert "<b>&amp; {{7*7}}</b>[31m" in everything
    assert "\u202e" not in everything
    assert "\x07" not in everything
    package = zipfile.ZipFile(io.BytesIO(made.draft))
    assert all(
        b'TargetMode="External"' not in package.read(name) for name in package.namelist() if name.endswith(".rels")
    )
    cells = [
        cell for name in package.namelist() if name.endswith(".xlsx") for cell in workbook_cells(package.read(name))
    ]
    assert any(str(cell.value).startswith("6 =HYPERLINK") for cell in cells)
    assert all(cell.data_type != "f" for cell in cells)


def workbook_cells(data: bytes) -> list[Any]:
    """The cells of a chart's workbook."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl remarks that there is no named style
        sheet: Any = load_workbook(io.BytesIO(data)).active
        return [cell for row in sheet.iter_rows() for cell in row]


def test_names_too_long_for_their_place_stand_whole_in_the_notes() -> None:
    """What is cut on a slide is not lost."""
    deck = opened(render(extractions.hostile()).draft)
    whole = " ".join(("The Honourable Company of Long Names " * 6).split())
    listing = deck.slides[2]
    assert any(text.startswith("The Honourable Company") and text.endswith("…") for text in texts(listing.shapes))
    assert whole[:190] in listing.notes_slide.notes_text_frame.text


def test_text_is_never_smaller_than_a_reader_can_read() -> None:
    """Ten points on a slide; nine for sources, footer and status, which the layout sets."""
    for make in (extractions.portfolio12, extractions.hostile):
        for slide in opened(render(make()).draft).slides:
            sizes = [int(size) for size in slide.shapes._spTree.xpath(".//a:r/a:rPr/@sz")]
            assert min(sizes, default=1000) >= 1000


def any_extraction(seed: int) -> Extraction:
    """Tables with any fields, any holes, any values: huge, tiny, negative, in other currencies and scripts."""
    chance = random.Random(seed)
    words = (
        "Alpha",
        "Beta 12",
        "名前",
        "=1+1",
        "x" * 300,
        "None",
        "nan",
        "\x00\x1f",
        "<b>",
        "VACANT",
        "{{x}}",
        "100% & more",
    )
    texts_ = (
        "deal_name",
        "address",
        "city",
        "state",
        "property_type",
        "tenant",
        "stage",
        "status",
        "lender",
        "source_id",
    )
    kinds = ("sale_comps", "lease_comps", "rent_roll", "offering_list", "pipeline", "loan_tape", "other")

    def value(field: str) -> Any:
        kind = TYPES.get(field, "text")
        if kind in ("money", "number"):
            return chance.choice(
                (chance.randint(-(10**6), 10**8), chance.random() * 1e7, 0, 10**13, 0.004, float("nan"))
            )
        if kind == "fraction":
            return chance.choice((chance.random(), 0, 1, 5.5, -0.1))
        if kind in ("count", "year"):
            return chance.randint(0, 2030)
        if kind == "date":
            return AS_OF + timedelta(days=chance.randint(-4000, 9000))
        return chance.choice(("TX", "ca", "Île") if field == "state" else words)

    sheets: list[Sheet] = []
    for number in range(chance.choice((1, 1, 2, 9))):
        fields = chance.sample([*TYPES, *texts_], chance.randint(1, 14))
        holes = chance.choice((0, 0.1, 0.5, 1))
        rows = [
            {
                field: None
                if chance.random() < holes
                else Cell(None, "TBD")
                if chance.random() < 0.03
                else Cell(value(field), "?", "GBP")
                if TYPES.get(field) == "money" and chance.random() < 0.1
                else value(field)
                for field in fields
            }
            for _ in range(chance.choice((1, 2, 5, 13, 40)))
        ]
        kind: Any = chance.choice(kinds)
        turn: Any = chance.choice(("rows", "columns"))
        sheets.append(Sheet(kind, rows, f"S{number}", currency=chance.choice(("USD", None, "EUR")), orientation=turn))
    issues = tuple(Issue(f"code.{n % 15}", "warning", f"message {n}", (f"S0!A{n + 1}",)) for n in range(seed % 3 * 20))
    return build(*sheets, issues=issues)


@pytest.mark.parametrize("seed", range(16))
def test_no_table_breaks_a_deck(seed: int) -> None:
    """Any mix of fields, holes and values passes the deck's own checks."""
    made = render(any_extraction(seed), EMPHASES[seed % 2])
    assert made.pages >= 5
