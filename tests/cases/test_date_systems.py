"""The same days in workbooks of either date system, and in columns where days stand as serial numbers."""

from __future__ import annotations

import datetime as dt
import io
import zipfile

import pytest
from openpyxl import load_workbook
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from tests.tools.deals.books import extract, issues, listed, values, xlsx

DAYS = [dt.date(2025, 6, 30), dt.date(2028, 2, 29), dt.date(1999, 12, 31), dt.date(2031, 1, 1)]
ROWS: list[list[object]] = [["Tenant", "Suite", "Lease Start", "Lease End", "Annual Rent"]]
ROWS += [[f"Tenant {i} LLC", str(100 + i), dt.date(1998, 1, 1), day, 100_000] for i, day in enumerate(DAYS)]


def written(mac: bool) -> bytes:
    """The rows in a workbook of the 1900 or of the 1904 system."""
    book = load_workbook(io.BytesIO(xlsx({"Deals": ROWS})))
    if mac:
        book.epoch = CALENDAR_MAC_1904
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


def with_flag(data: bytes, flag: str) -> bytes:
    """The workbook with its 1904 flag written as `flag`."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name == "xl/workbook.xml":
                for said in (b'date1904="1"', b'date1904="true"'):
                    text = text.replace(said, f'date1904="{flag}"'.encode())
                assert flag.encode() in text
            new.writestr(name, text)
    return packed.getvalue()


@pytest.mark.parametrize("flag", ["1", "true"])
def test_the_same_days_come_out_of_both_systems(flag: str) -> None:
    """1,462 days apart in the file, the same in the records."""
    old = extract(written(mac=False), "deals.xlsx")
    new = extract(with_flag(written(mac=True), flag), "deals.xlsx")
    assert values(old, "lease_expiry") == values(new, "lease_expiry") == DAYS


@pytest.mark.parametrize("flag", ["0", "false"])
def test_a_flag_that_says_no_changes_nothing(flag: str) -> None:
    """The 1900 system named outright."""
    data = written(mac=False)
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name == "xl/workbook.xml":
                text = text.replace(b"<workbookPr", f'<workbookPr date1904="{flag}"'.encode(), 1)
            new.writestr(name, text)
    assert values(extract(packed.getvalue(), "deals.xlsx"), "lease_expiry") == DAYS


@pytest.mark.parametrize("held", [45838, 45838.0, "45838", "45838.0", " 45838 ", 45838.75])
def test_a_serial_number_among_texts_is_its_day(held: object) -> None:
    """A number that lost its format, or that was pasted as text."""
    extraction = listed([held, "2028-02-29", "June 1, 2027"], "Lease Expiry")
    assert values(extraction, "lease_expiry") == [dt.date(2025, 6, 30), dt.date(2028, 2, 29), dt.date(2027, 6, 1)]
    assert issues(extraction, "date.serial")[0].cells == ("Deals!E2",)


@pytest.mark.parametrize("held", [0, "0", "00/00/0000", "1/0/1900", -1, 99_999_999, "TBD", "Vacant", "MTM"])
def test_what_is_no_day_is_missing_and_said(held: object) -> None:
    """Zero, days that no calendar has, placeholders, and words."""
    extraction = listed([dt.date(2025, 6, 30), held, dt.date(2027, 6, 1)], "Lease Expiry")
    assert values(extraction, "lease_expiry") == [dt.date(2025, 6, 30), None, dt.date(2027, 6, 1)]
    assert [issue for issue in extraction.issues if issue.cells == ("Deals!E3",)]


def test_a_time_of_day_changes_no_date() -> None:
    """Minutes before midnight are still that day."""
    late = dt.datetime.combine(dt.date(2025, 6, 30), dt.time(23, 59))
    extraction = listed([late, dt.datetime.combine(dt.date(2025, 7, 1), dt.time())], "Lease Expiry")
    assert values(extraction, "lease_expiry") == [dt.date(2025, 6, 30), dt.date(2025, 7, 1)]
