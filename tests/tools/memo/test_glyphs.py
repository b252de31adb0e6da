"""Text that the embedded fonts can draw: nothing else gets through, and what is replaced is seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.figures.text import lacking
from tools.memo.glyphs import drawable, in_serif, unprinted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Plain & (simple)", "Plain & (simple)"),
        ("Łódź, Ñandú, Ελλάδα, Москва", "Łódź, Ñandú, Ελλάδα, Москва"),
        ("東京 Tower", "[two Chinese characters] Tower"),
        ("مركز الأعمال", "[eleven Arabic characters]"),
        ("한국 HQ", "[two Korean characters] HQ"),
        ("🏢 one", "[one symbol] one"),
        ("Ａ１ ①", "A1 ①"),
        ("₺500", "TL 500"),
        ("a\u202eb\u200b\x07c", "abc"),
        ("two\nlines\tand a tab", "two lines and a tab"),
        (" kept’s edges ", " kept’s edges "),
        ("4.2\u00a0years – now", "4.2\u00a0years – now"),
        ("lone \ud800 half", "lone  half"),
    ],
)
def test_text_is_drawn_as_near_as_the_fonts_allow(text: str, shown: str) -> None:
    """Known letters stay, near ones are used, others are named by number and script."""
    assert drawable(text) == shown


@given(st.text(max_size=60))
def test_nothing_undrawable_gets_through(text: str) -> None:
    """Whatever the text, what comes out is in the regular and the bold font, and a second pass changes nothing."""
    shown = drawable(text)
    assert not lacking(shown.replace("\u00a0", " "), "sans")
    assert not lacking(shown.replace("\u00a0", " "), "sans", True)
    assert drawable(shown) == shown


def test_replaced_letters_are_named_for_the_chapter_on_quality() -> None:
    """Only what the fonts lack is reported."""
    assert unprinted("Москва") == ""
    assert unprinted("A 東京 B") == "東京"
    assert unprinted("plain\u200b") == ""


def test_headings_leave_the_serif_where_it_lacks_letters() -> None:
    """The serif has the Latin letters alone."""
    assert in_serif("Bürohaus – 24.5%")
    assert not in_serif("Москва")
