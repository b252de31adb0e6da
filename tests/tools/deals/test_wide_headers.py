"""How much of each header is read: all of an honest one, less where thousands stand side by side."""

from __future__ import annotations

from tools.deals.header_text import letters_read


def test_headers_are_read_as_far_as_ever_in_any_table_of_deals() -> None:
    """Up to 500 columns; in wider tables all headers together are held to what those have."""
    assert letters_read(0) == letters_read(1) == letters_read(500) == 200
    assert letters_read(2000) == 50
    assert letters_read(16_384) >= 16
