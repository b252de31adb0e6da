"""Small files that unpack to far more, entities in entities, and names that leave the package."""

from __future__ import annotations

import pytest

from schemas.errors import InputError
from tests.hostile import xml_bombs, zip_bombs
from tests.tools.deals.books import extract
from tools.isolation import extraction
from tools.isolation.child import error_of, run_child
from tools.workbook.limits import DEFAULT_LIMITS

LIMITS = (2_000_000_000, 60.0)
REFUSED_S, REFUSED_BYTES = 1.0, 200_000_000
SHEET, BOOK = "xl/worksheets/sheet1.xml", "xl/workbook.xml"
INFLATED_BYTES = 512_000_000
BOMBS = {
    "half a gigabyte that says so": lambda: zip_bombs.padded_sheet(INFLATED_BYTES),
    "half a gigabyte that says a kilobyte": lambda: zip_bombs.padded_sheet(INFLATED_BYTES, declared=1000),
    "entities in the sheet": lambda: xml_bombs.changed(SHEET, xml_bombs.declaring(xml_bombs.DOCTYPE)),
    "entities in the workbook": lambda: xml_bombs.changed(BOOK, xml_bombs.declaring(xml_bombs.DOCTYPE)),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_it_is_refused_within_a_second_and_200_megabytes(bomb: str) -> None:
    """With a reason that says what to do."""
    args = (BOMBS[bomb](), "deals.xlsx", None, None, DEFAULT_LIMITS)
    outcome = run_child(extraction.read_deals, *args, memory_bytes=LIMITS[0], timeout_s=LIMITS[1])
    refused = error_of(outcome, "deals.xlsx", *LIMITS)
    assert isinstance(refused, InputError)
    assert refused.code == "file.unsafe"
    assert outcome.processor_s < REFUSED_S
    assert outcome.peak_rss_bytes < REFUSED_BYTES


@pytest.mark.parametrize("name", ["../evil.xml", "xl/../../../../etc/evil.xml", "/etc/evil.xml", "..\\\\evil.xml"])
def test_an_entry_that_leaves_the_package_is_put_nowhere(name: str) -> None:
    """Nothing is unpacked to disk, so that its name leads nowhere: the deals are read, the entry is not."""
    assert extract(zip_bombs.named(name), "deals.xlsx").deal_count == 2
