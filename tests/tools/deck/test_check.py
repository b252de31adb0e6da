"""The deck's own checks find what they are for: each fault is planted and caught."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import lru_cache

import pytest

from schemas.errors import OutputError
from tests import extractions
from tools.deck.check import as_printed, check_deck
from tools.deck.plan import plan_deck
from tools.deck.write import write_deck
from tools.figures.measures import portfolio
from tools.figures.registry import FigureRegistry

AS_OF = date(2026, 11, 30)


@lru_cache(maxsize=1)
def sound() -> tuple[bytes, FigureRegistry, int]:
    """A deck without faults, its register, and its number of slides."""
    plan, registry = plan_deck(portfolio(extractions.portfolio12(), AS_OF), "Project Tamarack", "income", AS_OF)
    return write_deck(plan, AS_OF)[0], registry, len(plan.slides)


def with_fault(part: str, change: Callable[[str], str]) -> bytes:
    """The sound deck with one part changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(sound()[0])) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name == part:
                changed = change(data.decode())
                assert changed != data.decode(), "the fault was not planted"
                data = changed.encode()
            target.writestr(name, data)
    return out.getvalue()


def fault_in(part: str, change: Callable[[str], str]) -> str:
    """The code of the fault that the check finds in the changed deck."""
    _, registry, slides = sound()
    with pytest.raises(OutputError) as caught:
        check_deck(with_fault(part, change), registry, slides)
    return caught.value.code


def test_a_sound_deck_passes() -> None:
    """The control for all that follows."""
    data, registry, slides = sound()
    check_deck(data, registry, slides)


@pytest.mark.parametrize(
    ("part", "old", "new", "code"),
    [
        ("ppt/slides/slide2.xml", "$359.7M", "$359.8M", "deck.unregistered"),
        ("ppt/slides/slide3.xml", ">3,282<", ">3,283<", "deck.unregistered"),
        ("ppt/slides/slide3.xml", ">Office<", ">None<", "deck.leftover"),
        ("ppt/notesSlides/notesSlide2.xml", "sum of 11 of 12", "sum of 97 of 12", "deck.unregistered"),
        ("ppt/charts/chart2.xml", "3282.3", "3290.3", "deck.unregistered"),
        ("ppt/slides/slide2.xml", "Executive summary", "Click to add", "deck.leftover"),
    ],
)
def test_what_no_figure_stands_behind_is_found_anywhere(part: str, old: str, new: str, code: str) -> None:
    """In a title, a table, the notes, a chart's label; and words that a program left behind."""
    assert fault_in(part, lambda xml: xml.replace(old, new)) == code


def test_an_empty_placeholder_is_found() -> None:
    """It would say "Click to add" in the editor."""
    title = "Five properties earn"
    assert fault_in("ppt/slides/slide4.xml", lambda xml: _without_text(xml, title)) == "deck.placeholder"


def _without_text(xml: str, words: str) -> str:
    start = xml.index("<a:t>", xml.index(words) - 5)
    end = xml.index("</a:t>", start)
    return xml[:start] + "<a:t>" + xml[end:]


def _tables_moved(xml: str, left: int, top: int) -> str:
    start = xml.index('<a:off x="', xml.index("<p:graphicFrame>"))
    end = xml.index("/>", start)
    return f'{xml[:start]}<a:off x="{left}" y="{top}"{xml[end:]}'


def test_what_runs_over_an_edge_into_the_sources_or_onto_another_is_found() -> None:
    """A table moved right, down, or onto the table beside it."""
    deal = "ppt/slides/slide10.xml"
    assert fault_in(deal, lambda xml: _tables_moved(xml, 11_000_000, 1_371_600)) == "deck.beyond"
    assert fault_in(deal, lambda xml: _tables_moved(xml, 548_640, 3_000_000)) == "deck.overflow"
    assert fault_in(deal, lambda xml: _tables_moved(xml, 3_000_000, 1_371_600)) == "deck.overlap"


def test_a_slide_too_few_is_found() -> None:
    """The file has what was planned."""
    data, registry, slides = sound()
    with pytest.raises(OutputError, match="slides where"):
        check_deck(data, registry, slides + 1)


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        ("302.5", "#,##0;(#,##0)", "303"),
        ("-0.125", "0.0%;(0.0%)", "(12.5%)"),
        ("56.1", "#,##0.00;(#,##0.00)", "56.10"),
        ("2042.6", '"Average "#,##0;(#,##0)', "Average 2,043"),
    ],
)
def test_labels_are_read_as_a_spreadsheet_prints_them(value: str, code: str, text: str) -> None:
    """The formats that our charts use, and no others."""
    assert as_printed(Decimal(value), code) == text


def test_an_unknown_format_is_a_fault() -> None:
    """A label that the check can't read is not let through."""
    with pytest.raises(OutputError, match="cannot read"):
        as_printed(Decimal(1), "yyyy-mm-dd")
