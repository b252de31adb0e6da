"""The extraction document, the archive, the summary, and deals.xlsx."""

from __future__ import annotations

import datetime as dt
import io
import json
import re
import zipfile

import pytest
from openpyxl import load_workbook

from schemas.errors import InputError
from tests.tools.deals.books import DEALS, HEADER, deal, read, read_csv, xlsx
from tools.deals.document import dump, extraction_document, load, write_document
from tools.deals.extract import extract
from tools.deals.summary import summarise
from tools.deals.workbook_out import deals_xlsx

ROWS = [
    ["Offerings, $ in 000s"],
    [],
    [*HEADER, "Sale Date", "Parking"],
    ["Heron Point", "1 Dock Street", "Tampa", "FL", 10_000, 600, 0.06, 50_000, 200, dt.date(2024, 1, 2), "4/1000"],
    ["Cedar Hollow", "2 Mill Lane", "Macon", "GA", "TBD", 300, 0.075, 20_000, None, "Q3 2024", None],
    ["Union Yard", "3 Rail Court", "Mobile", "AL", 6_000, 330, 0.055, 40_000, 150, dt.date(2024, 3, 4), True],
    ["Total", None, None, None, 16_000, 1_230, None, 110_000, None, None, None],
]
EXTRACTION = read(ROWS)


def test_the_document_is_the_one_that_the_design_describes() -> None:
    """Keys, full units, raw contents, cells, and no entry for an empty cell."""
    document = extraction_document(EXTRACTION)
    assert list(document) == ["schema", "source", "tables", "deals", "census", "issues"]
    assert document["schema"] == "dealwright.extraction/1"
    table = document["tables"][0]
    assert (table["sheet"], table["header_rows"], table["first_row"], table["last_row"]) == ("Deals", [3], 4, 6)
    assert table["excluded_rows"] == [{"row": 7, "class": "total"}] or table["excluded_rows"] == []
    assert (table["scale"], table["scale_cell"]) == ({"E": 1000, "F": 1000}, "Deals!A1")
    first, second = document["deals"][0], document["deals"][1]
    price = {"value": 10_000_000, "currency": "USD", "raw": 10_000, "cell": "Deals!E4"}
    assert first["fields"]["asking_price"] == price
    assert first["fields"]["sale_date"] == {"value": "2024-01-02", "raw": "2024-01-02", "cell": "Deals!J4"}
    assert second["fields"]["asking_price"]["value"] is None
    assert second["fields"]["asking_price"]["raw"] == "TBD"
    assert "price_per_sf" not in second["fields"]
    assert "Parking" not in second["extra"]
    json.dumps(document, allow_nan=False)


def test_the_streamed_document_is_the_same() -> None:
    """Deal by deal or at once."""
    stream = io.StringIO()
    write_document(EXTRACTION, stream)
    assert json.loads(stream.getvalue()) == json.loads(json.dumps(extraction_document(EXTRACTION)))


def test_a_document_without_deals_streams_too() -> None:
    """An empty list of deals is valid JSON."""
    stream = io.StringIO()
    empty = read([["Code", "Meaning"], ["A", "apple"], ["B", "pear"]])
    write_document(empty, stream)
    assert json.loads(stream.getvalue())["deals"] == []


def test_addresses_in_a_file_without_sheets_have_no_sheet() -> None:
    """CSV cells are G6."""
    document = extraction_document(read_csv("Property,City,Units,Sale Price\nA,Reno,3,1000000\nB,Elko,4,2000000\n"))
    assert document["tables"][0]["sheet"] is None
    assert document["deals"][0]["fields"]["sale_price"]["cell"] == "D2"


def test_an_extraction_survives_its_archive() -> None:
    """Equal after the round trip, days, text and gaps included."""
    assert load(dump(EXTRACTION)) == EXTRACTION


def test_the_same_bytes_give_the_same_archive() -> None:
    """No time, no order of a hash in it."""
    data = xlsx({"Deals": ROWS})
    assert dump(extract(data, "deals.xlsx")) == dump(extract(data, "deals.xlsx"))
    assert dump(load(dump(EXTRACTION))) == dump(EXTRACTION)


@pytest.mark.parametrize("data", [b"", b"not gzip", b"\x1f\x8b\x08\x00broken"])
def test_other_bytes_are_no_archive(data: bytes) -> None:
    """One clear sentence."""
    with pytest.raises(InputError, match="archive of deals"):
        load(data)


def test_deal_ids_come_from_the_artifact_and_the_place() -> None:
    """The file's name for people does not count where an artifact is given."""
    data = xlsx({"Deals": [HEADER, *DEALS]})
    one, two = (extract(data, name, artifact="user:uploads/x/deals.xlsx") for name in ("a.xlsx", "b.xlsx"))
    assert [d.deal_id for d in one.deals()] == [d.deal_id for d in two.deals()]
    assert deal(extract(data, "a.xlsx")).deal_id != deal(one).deal_id


def test_deals_of_tables_side_by_side_have_ids_of_their_own() -> None:
    """The same rows hold sales on the left and listings on the right; the left one's ids are as if it stood alone."""
    sales = [["Property", "City", "Sale Price", "Sale Date", "Buyer"]]
    sales += [[f"Sold {i}", "Reno", 1e6 * i, dt.date(2024, 1, i), f"Buyer {i}"] for i in range(1, 5)]
    offers = [["Property", "City", "Asking Price", "Listing Broker", "Units"]]
    offers += [[f"Offer {i}", "Elko", 2e6 * i, f"Broker {i}", 10 * i] for i in range(1, 4)]
    both = read([[*row, None, None, *(offers[at] if at < len(offers) else [])] for at, row in enumerate(sales)])
    assert [len(table.records) for table in both.tables] == [4, 3]
    ids = [d.deal_id for d in both.deals()]
    assert len(set(ids)) == len(ids)
    assert ids[:4] == [d.deal_id for d in read(sales).deals()]


def test_the_summary_is_plain_and_small() -> None:
    """Counts, totals by currency, issues by code."""
    told = summarise(EXTRACTION)
    assert told["deals"] == 3
    assert told["totals"]["asking_price"] == {"USD": {"sum": 16_000_000, "count": 2}}
    assert told["issues"]["by_code"]["value.placeholder"] == 1
    assert len(json.dumps(told)) < 2000


def test_deals_xlsx_holds_values_columns_issues_and_census() -> None:
    """Numbers are numbers, days are days, and each has the address that it came from."""
    book = load_workbook(io.BytesIO(deals_xlsx(EXTRACTION)))
    assert book.sheetnames == ["Deals", "Columns", "Issues", "Census"]
    rows = list(book["Deals"].iter_rows(values_only=True))
    first = dict(zip(rows[0], rows[1], strict=True))
    assert (first["asking_price"], first["cap_rate"], first["currency"]) == (10_000_000, 0.06, "USD")
    assert first["sale_date"].date() == dt.date(2024, 1, 2)
    assert first["Source cells"] == "Deals!A4:K4"
    columns = list(book["Columns"].iter_rows(values_only=True))
    price = next(dict(zip(columns[0], row, strict=True)) for row in columns if row[2] == "asking_price")
    assert (price["Source cells"], price["Scale"], price["Currency"]) == ("Deals!E4:E6", 1000, "USD")
    assert book["Census"].max_row > 3
    assert book["Issues"].max_row > 1


def test_deals_xlsx_is_the_same_bytes_for_the_same_extraction() -> None:
    """No clock in the package: neither on its parts nor in its properties."""
    data = deals_xlsx(EXTRACTION)
    assert data == deals_xlsx(read(ROWS))
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert {info.date_time for info in package.infolist()} == {(2000, 1, 1, 0, 0, 0)}
        assert set(re.findall(rb"20\d\d-\d\d-\d\dT", package.read("docProps/core.xml"))) == {b"2000-01-01T"}


@pytest.mark.parametrize("text", ["=cmd()", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "=HYPERLINK(1)"])
def test_text_that_begins_like_a_formula_is_written_as_text(text: str) -> None:
    """In every sheet of deals.xlsx; the cell is marked so that it stays text."""
    quoted = '"' + text + '"'
    data = f"Property,City,Units,Sale Price,Notes\n{quoted},Reno,3,1000000,{quoted}\nB,Elko,4,2000000,x\n"
    book = load_workbook(io.BytesIO(deals_xlsx(read_csv(data))))
    held = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert not [cell.value for cell in held if cell.data_type == "f"]
    named = next(cell for cell in held if isinstance(cell.value, str) and cell.value.strip() == text.strip())
    assert named.quotePrefix
