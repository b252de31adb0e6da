"""Words for fields and issues: people's, never a program's."""

from __future__ import annotations

import pytest

from tools.figures.wording import in_peoples_words, issue_words


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("cap_rate.mismatch", "Cap rate does not tie"),
        ("dscr.exceeds_cover", "DSCR above its cover"),
        ("total.hidden", "Total with hidden rows"),
        ("slip.tenfold", "Slip tenfold"),
    ],
)
def test_every_code_has_words(code: str, words: str) -> None:
    """Known codes by what they mean, unknown ones without dots and underscores."""
    assert issue_words(code) == words


def test_names_of_fields_in_a_message_are_said_as_people_do() -> None:
    """Only names of fields change: a file's own words stay."""
    said = in_peoples_words("building_sf and noi differ from my_own_name, year_built too")
    assert said == "building SF and NOI differ from my_own_name, year built too"
