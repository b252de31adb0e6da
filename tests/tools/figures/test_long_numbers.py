"""Numbers of many digits: told shortly, printed whole, never broken or cut in deck and memorandum."""

from __future__ import annotations

import io
import re
from datetime import date
from decimal import Decimal

import pytest
from pptx import Presentation

from schemas.deal import Extraction
from schemas.documents import DocumentOrder
from schemas.errors import OutputError
from tests.extractions import Sheet, build
from tests.tools.memo import reading
from tools.deck.check import as_printed, printed_texts
from tools.deck.plots import code_for, number_format
from tools.deck.render import render_deck
from tools.figures import formats
from tools.figures.registry import NUMBER
from tools.figures.text import is_number, lines, whole_size, width
from tools.memo.charts import tick_text

LONG = (1e13, 123_456_789_012_345, 1e15, 1e18, -1e15, -123_456_789_012_345, 1e25, 1e300)


def with_value(field: str, value: float) -> Extraction:
    """Five properties, one with a value of many digits."""
    rows = [
        {"deal_name": f"Plaza {n}", "asking_price": 1_000_000 * (n + 1), "noi": 60_000 * (n + 1),
         "building_sf": 10_000, "property_type": "Office" if n % 2 else "Retail", "+Ref": n}
        for n in range(5)
    ]  # fmt: skip
    rows[2][field] = value
    return build(Sheet("offering_list", rows))


@pytest.mark.parametrize(
    ("field", "value"),
    [*(("noi", value) for value in LONG), ("building_sf", 1e18), ("asking_price", 123_456_789_012_345.0),
     ("cap_rate", 12_345_678_901.25), ("cap_rate", 1e20), ("+Ref", 1e18), ("+Ref", 1e-300)],
)  # fmt: skip
def test_no_document_breaks_or_cuts_a_long_number(field: str, value: float) -> None:
    """Both are made, pass their checks, and neither ends a number in `…` nor prints more digits than a cell holds."""
    extraction = with_value(field, value)
    deck = Presentation(
        io.BytesIO(render_deck(extraction, DocumentOrder(kind="deck", title="Tamarack"), date(2026, 11, 30)).draft)
    )
    said = [words for slide in deck.slides for words in printed_texts(slide)]
    pages = reading.page_texts(reading.rendered(extraction).draft)
    said += [line for page in pages for line in page.splitlines()]
    said = [words.replace(extraction.source.sha256, "") for words in said]
    assert not [words for words in said if re.search(r"\d[\d.,]*…|\d{21}|(?:,\d{3}){6}", words)]
    grouped = [found for words in said for found in re.findall(r"\d[\d,]*,\d+", words)]
    assert not [found for found in grouped if not re.fullmatch(r"\d{1,3}(?:,\d{3})+", found)]


@pytest.mark.parametrize(
    ("value", "short", "full"),
    [
        ("123456789012345", "$123.46T", "$123,456,789,012,345"),
        ("-999999999999999", "($1,000.00T)", "($999,999,999,999,999)"),
        ("1e15", "$1.00E+15", "$1.00E+15"),
        ("-123456789012345678", "($1.23E+17)", "($1.23E+17)"),
        ("9.999e24", "$1.00E+25", "$1.00E+25"),
    ],
)
def test_amounts_are_shortened_by_unit_and_then_by_powers_of_ten(value: str, short: str, full: str) -> None:
    """Up to fifteen digits, which is what a cell holds, are printed in full where the record is."""
    assert formats.short_money(Decimal(value), "USD") == short
    assert formats.full(Decimal(value), "money", "USD", 0) == full
    assert NUMBER.findall(short)[0] == short.strip("($)")


def test_other_units_are_shortened_alike() -> None:
    """Areas, percentages, changes, spans, cells of no known meaning and axes."""
    assert formats.spoken(Decimal("5e12"), "sf", None, 0) == "5.00T\u00a0SF"
    assert formats.spoken(Decimal("1e18"), "sf", None, 0) == "1.00E+18\u00a0SF"
    assert formats.percent(Decimal("1e20"), 1) == "1.00E+22%"
    assert formats.change(Decimal("1e20")) == "+1.00E+22%"
    assert formats.basis_points(Decimal("1e20")) == "+1.00E+24\u00a0bp"
    assert (formats.as_held(1e18), formats.as_held(1.5e-300)) == ("1.00E+18", "1.50E-300")
    assert (tick_text(2e15, 5e14, ""), tick_text(5e8, 5e8, ""), tick_text(0.0, 5e14, "")) == ("2.00E+15", "0.5B", "0T")


def test_a_word_is_broken_beside_its_numbers() -> None:
    """A number that fits a line is never parted; one that fits none is set smaller."""
    room = width("123,456,789", 9.0) + 1
    assert lines("abcdefgh123,456,789ij", 9.0, room)[1:] == ["123,456,789", "ij"]
    assert whole_size("$123,456,789", 9.0, room) < 9.0
    assert whole_size("a text of words", 9.0, 5.0) == 9.0


@pytest.mark.parametrize(
    "text", ["$5", "($1.23E+17)", "NOK\u00a0123,456", "+5.0%", "6.5x", "$150/SF", "12\u00a0acres", "€1"]
)
def test_a_number_with_its_unit_is_known_for_one(text: str) -> None:
    """Currency before it, unit behind it, brackets around it."""
    assert is_number(text)


@pytest.mark.parametrize("text", ["Deals!F7:F17", "5 of 6", "12-B Plaza", "n/p", "Building77annex"])
def test_a_text_with_a_number_in_it_is_not(text: str) -> None:
    """It may be shortened as any other."""
    assert not is_number(text)


def test_a_label_of_a_chart_has_the_format_that_prints_what_was_registered() -> None:
    """PowerPoint prints what the code says: a long value under the code of short ones is a fault."""
    code = code_for(number_format(0), 1e18)
    assert (code, code_for(number_format(1), 5.0)) == ("0.00E+00;(0.00E+00)", number_format(1))
    assert as_printed(Decimal("1e18"), code) == "1.00E+18"
    with pytest.raises(OutputError, match="not how it is told"):
        as_printed(Decimal("1e18"), number_format(0))


def test_a_label_that_a_chart_would_break_is_told_by_a_power_of_ten() -> None:
    """The deal's own bar on its page: renderers break a label that is wider than a part of the chart."""
    data = render_deck(
        with_value("noi", 123_456_789_012_345), DocumentOrder(kind="deck", title="T"), date(2026, 11, 30)
    )
    deck = Presentation(io.BytesIO(data.draft))
    page = next(
        s for s in deck.slides if s.shapes.title is not None and s.shapes.title.text.startswith("Plaza 2 earns")
    )
    assert "1.23E+11" in list(printed_texts(page))
