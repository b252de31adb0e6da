"""Cells of ods files in several styles of text: raised marks and struck-out text are no part of a value."""

from __future__ import annotations

import pytest

from tests.tools.workbook.test_ods import book, cell, row
from tools.workbook.ods_rich_text import plain_cells
from tools.workbook.open import open_workbook

STYLES = "".join(
    f'<style:style style:name="{name}" style:family="text"><style:text-properties {said}/></style:style>'
    for name, said in (
        ("T1", 'style:text-position="super 58%"'),
        ("T2", 'style:text-line-through-style="solid" style:text-line-through-type="single"'),
        ("T5", 'style:text-position="33% 58%" style:text-line-through-type="none"'),
        ("T6", 'style:text-position="0% 100%" style:text-line-through-type="single"'),
        ("T7", 'style:text-position="-33% 58%"'),
        ("T3", 'style:text-position="sub 58%"'),
        ("T4", 'style:text-line-through-style="none" fo:font-weight="bold"'),
    )
)
NOTE = "<office:annotation><text:p>Sold in May</text:p></office:annotation>"


def span(style: str, text: str) -> str:
    """A piece of a cell's text."""
    return f'<text:span text:style-name="{style}">{text}</text:span>'


def shown(text: str) -> object:
    """The value of a cell that holds `text`, in a file with another one before it."""
    return (
        open_workbook(book(row(cell("x"), "<table:table-cell/>", cell(text)), more=STYLES), "x.ods")
        .sheets[0]
        .rows[0][2]
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,200,000" + span("T1", "1"), "1,200,000"),
        (span("T4", "Elm &amp; Oak") + span("T1", "(1)") + span("T4", " Court"), "Elm & Oak Court"),
        (span("T2", "4,500,000") + " 4,000,000", " 4,000,000"),
        (f"{span('T2', '4,500,000')}</text:p><text:p>4,000,000", "\n4,000,000"),
        ("Area (m" + span("T1", "2") + ")", "Area (m²)"),
        ("Elm" + span("T1", "TM") + " Court", "ElmTM Court"),
        ("H" + span("T3", "2") + "O", "H2O"),
        ("H" + span("T7", "2") + "O" + span("T5", "1"), "H2O"),
        (span("T6", "4,500,000") + "4,000,000", "4,000,000"),
        (span("T2", "Withdrawn"), "Withdrawn"),
        (span("T2", "Withdrawn") + f"</text:p>{NOTE}<text:p>", "Withdrawn"),
        ("Unit 40" + span("T4", "2"), "Unit 402"),
        (f'12<text:line-break/>Main St{span("T1", "a")}<text:s text:c="2"/>West', "12 Main St  West"),
    ],
)
def test_raised_marks_and_struck_out_text_are_left_out(text: str, value: str) -> None:
    """Where something else is left; a raised 2 behind a unit is a power, other raised letters stay."""
    assert str(shown(text)).strip() == value.strip()


def test_cells_without_text_and_comments_of_the_file_are_no_part_of_one() -> None:
    """What a comment holds is none of the cells' text."""
    text = f"<!-- <table:table-cell><text:p>{span('T2', 'x')} -->Elm{span('T1', '2')}<!-- </text:p> -->"
    assert shown(text) == "Elm"


@pytest.mark.parametrize("quote", ['"', "'"])
def test_a_style_is_known_by_its_name_however_that_is_written(quote: str) -> None:
    """Prefixes and quotes are the writer's choice."""
    xml = f"<t:table-cell><p>40<s:span s:style-name={quote}a&amp;b{quote}>2</s:span></p></t:table-cell>".encode()
    assert b">2<" not in plain_cells(xml, {"a&b": (True, False)})
    assert plain_cells(xml, {"a": (True, False)}) == xml
