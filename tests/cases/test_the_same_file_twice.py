"""A file that comes twice is the same deals twice: nothing of the moment or of the run is in what it gives."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from openpyxl import load_workbook

from tests.tools.deals.books import DEALS, HEADER, extract, xlsx
from tools.deals.archive import dump
from tools.deals.document import extraction_document

TEXT = "\n".join(",".join(str(value) for value in row) for row in (HEADER, *DEALS)).encode()
SAMPLES = Path(__file__).parent.parent / "samples"
NAMES = ("portfolio.xlsx", "rent_roll.xlsx", "loan_tape.xlsx", "pipeline.csv")


def ids(data: bytes, artifact: str) -> list[str]:
    """The ids of a file's deals as of an artifact."""
    return [deal.deal_id for deal in extract(data, "deals.xlsx", artifact=artifact).deals()]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (xlsx({"Deals": [HEADER, *DEALS]}), "deals.xlsx"),
        (TEXT, "deals.csv"),
        *(((SAMPLES / name).read_bytes(), name) for name in NAMES),
    ],
)
def test_its_archive_and_its_document_are_the_same_bytes(data: bytes, name: str) -> None:
    """So the second event finds what the first one made."""
    first, second = (extract(data, name, artifact="upload-1") for _ in range(2))
    assert dump(first) == dump(second)
    assert extraction_document(first) == extraction_document(second)


def test_another_name_of_the_file_changes_no_id() -> None:
    """The artifact and the place make the id, not what the person called it."""
    data = xlsx({"Deals": [HEADER, *DEALS]})
    one = [deal.deal_id for deal in extract(data, "a.xlsx", artifact="upload-1").deals()]
    assert one == [deal.deal_id for deal in extract(data, "b (2).xlsx", artifact="upload-1").deals()]
    assert not set(one) & set(ids(data, "upload-2"))


def test_a_file_saved_again_differs_but_its_deals_do_not() -> None:
    """Other bytes, the same cells: another hash of the source, the same deals."""
    data = xlsx({"Deals": [HEADER, *DEALS]})
    book = load_workbook(io.BytesIO(data))
    book.properties.title = "Saved again"
    packed = io.BytesIO()
    book.save(packed)
    before, after = (extraction_document(extract(one, "deals.xlsx")) for one in (data, packed.getvalue()))
    assert before["source"]["sha256"] != after["source"]["sha256"]
    assert before["deals"] == after["deals"]


def test_one_changed_cell_changes_one_deal() -> None:
    """The others keep their ids and values."""
    changed = [list(row) for row in DEALS]
    changed[2][4] = 6_500_000
    before = extraction_document(extract(xlsx({"Deals": [HEADER, *DEALS]}), "deals.xlsx"))["deals"]
    after = extraction_document(extract(xlsx({"Deals": [HEADER, *changed]}), "deals.xlsx"))["deals"]
    assert [a["deal_id"] for a in before] == [b["deal_id"] for b in after]
    assert [a["fields"] == b["fields"] for a, b in zip(before, after, strict=True)] == [True, True, False, True]
