"""A person's corrected values."""

from __future__ import annotations

from decimal import Decimal

import pytest

from schemas.deal import Pin
from schemas.errors import InputError
from tests.tools.deals.books import DEALS, HEADER, deal, issues, read
from tools.deals.document import dump, extraction_document, load
from tools.deals.pins import apply_pins, read_pin

EXTRACTION = read([HEADER, *DEALS, DEALS[0]])


def pin(text: str) -> Pin:
    """The pin that `text` asks for."""
    return read_pin(EXTRACTION, text, "per the seller", "analyst@example.com", "2026-03-01")


@pytest.mark.parametrize("said", ["3", "Deals!3", "deals!3", "Cedar Hollow", "cedar  hollow", "2 Mill Lane"])
def test_a_deal_is_named_by_its_row_or_its_name(said: str) -> None:
    """The same pin whichever way."""
    made = pin(f"{said}.noi=450000")
    assert (made.deal_id, made.field, made.value) == (deal(EXTRACTION, 1).deal_id, "noi", "450000")
    assert (made.was, made.cell) == ("300000", "Deals!F3")


def test_a_deal_is_named_by_its_id() -> None:
    """As show prints it."""
    assert pin(f"{deal(EXTRACTION, 1).deal_id}.noi=450000").cell == "Deals!F3"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3.cap_rate=6.5%", "0.065"),
        ("3.cap_rate=0.065", "0.065"),
        ("3.asking_price=$4.2M", "4200000"),
        ("3.asking_price=4,200,000.50", "4200000.5"),
        ("3.lease_expiry=2030-06-30", "2030-06-30"),
        ("3.lease_expiry=Jun 30, 2030", "2030-06-30"),
        ("3.units=54", "54"),
        ("3.tenant=NA", "NA"),
        ("3.noi=", ""),
    ],
)
def test_a_value_is_read_by_its_fields_type(text: str, value: str) -> None:
    """Full units, kept in one form."""
    assert pin(text).value == value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Heron Point.noi=1", "pin.ambiguous"),
        ("Nowhere.noi=1", "pin.deal"),
        ("99.noi=1", "pin.deal"),
        ("3.no_such=1", "pin.field"),
        ("3.noi=lots", "pin.value"),
        ("3.noi=5%", "pin.value"),
        ("3.cap_rate=6.5", "pin.value"),
        ("3.lease_expiry=3/4/2030", "pin.value"),
        ("3.units=5.5", "pin.value"),
        ("noi=5", "pin.form"),
        ("3.noi", "pin.form"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_a_sentence(text: str, code: str) -> None:
    """Each refusal has its code and says what to write."""
    with pytest.raises(InputError) as refused:
        pin(text)
    assert refused.value.code == code
    assert refused.value.message.endswith(".")


def test_a_pin_replaces_the_value_and_keeps_what_the_cell_holds() -> None:
    """The original extraction is not touched."""
    pinned = apply_pins(EXTRACTION, (pin("3.noi=450000"),))
    value = deal(pinned, 1).fields["noi"]
    assert (value.value, value.raw, value.cell) == (Decimal(450000), 300_000, "Deals!F3")
    assert value.pin is not None
    assert (value.pin.by, value.pin.reason, value.pin.was) == ("analyst@example.com", "per the seller", "300000")
    assert deal(EXTRACTION, 1).fields["noi"].value == Decimal(300_000)
    assert issues(pinned, "pin.applied")[0].cells == ("Deals!F3",)


def test_a_pin_on_a_field_that_no_column_holds_makes_one() -> None:
    """Only that deal has a value there."""
    pinned = apply_pins(EXTRACTION, (pin("3.year_built=1999"),))
    assert [d.fields["year_built"].value for d in pinned.deals()] == [None, 1999, None, None, None]


def test_the_newest_pin_on_a_value_counts() -> None:
    """A second correction replaces the first, in the record of pins too."""
    once = apply_pins(EXTRACTION, (pin("3.noi=450000"),))
    twice = apply_pins(once, (pin("3.noi=460000"),))
    assert deal(twice, 1).fields["noi"].value == Decimal(460_000)
    assert len(twice.pins) == 1
    assert len(issues(twice, "pin.applied")) == 1


def test_pins_survive_the_archive_and_show_in_the_document() -> None:
    """Who, when, why and what it was."""
    pinned = apply_pins(EXTRACTION, (pin("3.noi=450000"), pin("3.year_built=1999")))
    assert load(dump(pinned)) == pinned
    plain = extraction_document(pinned)["deals"][1]["fields"]["noi"]
    assert plain["pin"] == {
        "by": "analyst@example.com",
        "on": "2026-03-01",
        "reason": "per the seller",
        "was": "300000",
    }


def test_a_pin_of_a_deal_that_is_gone_is_refused() -> None:
    """After a re-upload the row may not be there."""
    other = read([HEADER, *DEALS[:1], *DEALS[:1]])
    with pytest.raises(InputError, match="not in this workbook"):
        apply_pins(other, (pin("4.noi=450000"),))
