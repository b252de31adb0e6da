"""Text files that do not tell how their letters are written: which code page was taken is said."""

from __future__ import annotations

import pytest

from tests.tools.deals.books import issues
from tools.deals.extract import extract

LINES = "Property,City,Asking Price,NOI\nHof am Weiher,{city},1000000,60000\nSeeblick,Bonn,2000000,130000\n"


def test_the_first_text_read_in_a_guessed_code_page_is_shown() -> None:
    """Whoever looks at it sees whether the guess is right."""
    (said,) = issues(extract(LINES.format(city="Köln").encode("cp1252"), "deals.csv"), "letters.guessed")
    assert said.severity == "info"
    assert said.cells == ("B2",)
    assert "'Köln'" in said.message


@pytest.mark.parametrize(
    "data",
    [
        LINES.format(city="Köln").encode(),
        LINES.format(city="Köln").encode("utf-16"),
        LINES.format(city="Reno – “North”").encode("cp1252"),
    ],
)
def test_nothing_is_said_where_nothing_was_guessed(data: bytes) -> None:
    """UTF-8 and marks tell, and signs have one reading."""
    assert not issues(extract(data, "deals.csv"), "letters.guessed")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_cells_with_bytes_of_another_encoding_are_told(mark: bytes) -> None:
    """One note pasted from elsewhere turns no other text of a UTF-8 file, and is read as what it mostly is."""
    data = mark + LINES.format(city="Köln").encode().replace(b"Seeblick", b"Caf\xe9 \x93See\x94")
    made = extract(data, "deals.csv")
    assert [deal.fields["deal_name"].value for deal in made.deals()] == ["Hof am Weiher", "Café “See”"]
    assert next(iter(made.deals())).fields["city"].value == "Köln"
    (said,) = issues(made, "letters.guessed")
    assert (said.severity, said.cells) == ("warning", ("A3",))
    assert "1 cell holds bytes" in said.message
    assert "'Café “See”'" in said.message
