"""Text that is too long for its place loses clauses, never half a sentence."""

from __future__ import annotations

from schemas.deck import Box, Paragraph, Run
from tools.deck.fitting import fewer_clauses, shorten
from tools.deck.grid import inches
from tools.deck.markup import Level
from tools.deck.plots import _key_rows  # pyright: ignore[reportPrivateUsage]  # the arithmetic of keys by itself

SAID = "Canal Walk leads with $24.5M, 6.4% of the total; the smallest, Reed St. Annex, is 0.5%. Two have no price."


def test_clauses_go_from_the_end_and_initials_end_no_sentence() -> None:
    """Each shorter text is whole and ends with a full stop."""
    assert list(fewer_clauses(SAID)) == [
        "Canal Walk leads with $24.5M, 6.4% of the total; the smallest, Reed St. Annex, is 0.5%.",
        "Canal Walk leads with $24.5M, 6.4% of the total.",
    ]


def test_a_paragraph_is_set_smaller_then_loses_clauses() -> None:
    """A box a little too small shrinks the text; one far too small drops clauses, and the whole is given back."""
    level = (Level(13),)
    whole, cut = shorten((Paragraph((Run(SAID),)),), level, Box(0, 0, inches(7), inches(0.4)))
    assert cut == ()
    assert whole[0].runs[0].text == SAID
    kept, cut = shorten((Paragraph((Run(SAID),)),), level, Box(0, 0, inches(4.2), inches(0.25)))
    assert kept[0].runs[0].text == "Canal Walk leads with $24.5M, 6.4% of the total."
    assert cut == (SAID,)


def test_a_key_takes_a_second_row_before_it_cuts_a_name() -> None:
    """Names that need 300 points stand whole in two rows of 201, and are cut in one."""
    assert _key_rows([68.0] * 3, 201, 2) == (68.0, [0, 0, 1])
    cap, rows = _key_rows([68.0] * 3, 201, 1)
    assert cap < 68
    assert rows == [0, 0, 0]
