"""The register of what a document prints."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tools.figures.registry import FigureRegistry, Quoted, counted, sentence
from tools.figures.series import Spec, figure

PRICE = figure(
    "t1.total.price", Spec("price", "money", 0, "USD"), Decimal(359_700_000), "sum of 11 of 12", ("Deals!F7:F17",)
)


def test_a_number_that_nobody_noted_is_a_stranger() -> None:
    """The letter that scales a number counts: 24.5M is not 24.5%."""
    registry = FigureRegistry()
    registry.show(PRICE, "deck:2")
    assert registry.strangers("deck:2", "priced at $359.7M") == []
    assert registry.strangers("deck:2", "priced at $359.7M, sum of 11") == ["11"]
    assert registry.strangers("deck:2", "359.7%") == ["359.7%"]
    assert registry.strangers("deck:3", "$359.7M") == ["359.7M"]


def test_one_figure_printed_in_two_ways_has_two_entries_with_ids_of_their_own() -> None:
    """Each printed text can be looked up."""
    registry = FigureRegistry()
    registry.show(PRICE, "deck:2")
    registry.show(PRICE, "deck:3", "359.70")
    registry.show(PRICE, "deck:4", "359.70")
    first, second = registry.figures()
    assert (first.id, first.text, first.where) == ("t1.total.price", "$359.7M", ("deck:2",))
    assert (second.id, second.text, second.where) == ("t1.total.price.2", "359.70", ("deck:3", "deck:4"))


def test_a_sentence_takes_no_bare_number() -> None:
    """A digit in a sentence comes from a figure or from the file."""
    with pytest.raises(ValueError, match="bare number"):
        sentence("priced at 359.7M")
    said = sentence("priced at ", PRICE, " in ", Quoted("Building 5"))
    assert said.text == "priced at $359.7M in Building 5"
    assert said.cells == ("Deals!F7:F17",)


def test_saying_a_sentence_notes_its_figures_and_quotations() -> None:
    """What a sentence says is known where it is said."""
    registry = FigureRegistry()
    words = registry.say(sentence(counted(3, "loans", "count"), " at ", Quoted("Suite 210")), "memo:1")
    assert registry.strangers("memo:1", words) == []
    assert [one.text for one in registry.figures()] == ["3"]


def test_what_a_program_left_behind_is_found_unless_the_file_says_it() -> None:
    """Whole words only: a tenant is not a NaN, but a tenant may be called None."""
    registry = FigureRegistry()
    assert registry.leftovers("deck:1", "the tenant, a lieutenant of finance") == []
    assert registry.leftovers("deck:1", "Click to add text, nan") == ["Click to add", "nan"]
    registry.quote("None Bakery", "deck:1")
    assert registry.leftovers("deck:1", "None Bakery") == []


def test_places_can_be_renamed_when_pages_are_known() -> None:
    """A document that is laid out last tells its pages last."""
    registry = FigureRegistry()
    registry.show(PRICE, "memo:summary")
    registry.quote("Suite 9", "memo:summary")
    registry.moved({"memo:summary": "memo:3"})
    assert registry.figures()[0].where == ("memo:3",)
    assert registry.strangers("memo:3", "$359.7M, Suite 9") == []


def test_a_revised_figure_is_what_a_copy_would_be() -> None:
    """Equal to pydantic's own copy, in its JSON too; the first stays as it was."""
    changes = {"id": "t1.other", "text": "359.70", "where": ("deck:3",)}
    revised = PRICE.revised(changes)
    assert revised == PRICE.model_copy(update=changes)
    assert revised.model_dump_json() == PRICE.model_copy(update=changes).model_dump_json()
    assert PRICE.id == "t1.total.price"
    assert hash(revised) == hash(PRICE.model_copy(update=changes))
