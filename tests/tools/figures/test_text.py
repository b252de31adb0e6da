"""Text measured with the fonts that ship."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import OutputError
from tools.figures import text


def test_what_cannot_be_printed_is_dropped_and_what_a_script_needs_stays() -> None:
    """Controls, direction overrides and lone surrogates go; Persian's joiner stays."""
    assert text.printable("a\x00b\u202ec\nd\ud800\ufeff") == "abc d"
    assert text.printable("می\u200cروم") == "می\u200cروم"
    assert text.printable("x" * 500, 10) == "x" * 9 + "…"


def test_every_face_that_is_measured_ships_with_its_licence() -> None:
    """The same files are measured and embedded."""
    for face in ("sans", "serif"):
        for bold, italic in ((False, False), (True, False), (False, True)):
            assert text.font_path(face, bold, italic).is_file()
    assert len(list(text.FONT_FOLDER.glob("OFL-*.txt"))) == 2


def test_the_fonts_have_the_signs_that_documents_print() -> None:
    """A sign that vanished would change what a figure says."""
    for face in ("sans", "serif"):
        for bold in (False, True):
            assert text.lacking("−±Σ÷×≥…·“”’€£¥₹–äßéñ\u00a0", face, bold) == ""
    assert text.lacking("a東b東", "sans") == "東"


def test_bold_is_wider_and_size_scales() -> None:
    """Widths come from the fonts, not from a count of letters."""
    assert text.width("Alder Creek", 11, bold=True) > text.width("Alder Creek", 11)
    assert text.width("Alder Creek", 22) == pytest.approx(2 * text.width("Alder Creek", 11))
    assert text.width("WWWW", 10) > 2 * text.width("iiii", 10)


@given(st.text(max_size=200), st.floats(20, 400))
def test_no_line_is_wider_than_its_room(words: str, room: float) -> None:
    """Whatever the text, broken lines fit, and nothing but spaces is lost."""
    made = text.lines(words, 11, room)
    assert all(text.width(line, 11) <= room or len(line) == 1 for line in made)
    assert "".join(made).replace(" ", "") == words.replace(" ", "")


@given(st.text(max_size=120), st.floats(12, 300))
def test_clipped_text_fits_and_says_that_it_was_cut(words: str, room: float) -> None:
    """Text that fits is untouched; other text ends in an ellipsis."""
    shown = text.clip(words, 11, room)
    assert text.width(shown, 11) <= room or shown == "…"
    assert shown == words or shown.endswith("…")
    assert len(text.lines(text.clip_lines(words, 11, room, 2), 11, room)) <= 2 or room < 20


def test_text_that_fits_at_no_size_is_an_error() -> None:
    """Nothing is ever squeezed below its least size."""
    assert text.fit("short", 200, 1, 24, 20) == 24
    with pytest.raises(OutputError, match="does not fit") as caught:
        text.fit("much too long " * 20, 100, 2, 24, 20)
    assert caught.value.code == "document.text_overflow"
