"""What number formats show: letters that should be quoted make no date of a number."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from tests.hostile.binary_books import xlsb, xlsb_number, xlsb_row, xlsb_styles
from tests.tools.workbook.books import opened, xlsx

NUMBERS = ("0 h", "#,##0 sf", "0.0 m", "$#,##0.0,,M", "0\\ h", "0 days", '0 "h"', "?/? d")
DATES = ("yyyy-mm-dd", "d/m/yy h:mm", "ss.00", "[$-409]mmm 0")


@pytest.mark.parametrize("code", NUMBERS)
def test_a_format_with_digits_before_its_letters_shows_a_number(code: str) -> None:
    """Some programs write units without quotes; no date has digits there."""

    def change(book: Any) -> None:
        book.active["B1"].number_format = code

    assert opened(xlsx(("Deals", [["Elm", 45_351]]), change=change), "x.xlsx").rows == [["Elm", 45_351]]
    rows = xlsb_row(0, [xlsb_number(0, 7.0), xlsb_number(1, 45_351.0, 1)])
    assert opened(xlsb(rows, more=[xlsb_styles(code)]), "x.xlsb").rows == [[7.0, 45_351.0]]


@pytest.mark.parametrize("code", [*DATES, "[h]:mm"])
def test_dates_and_times_stay_what_they_are(code: str) -> None:
    """Digits behind letters are parts of seconds."""

    def change(book: Any) -> None:
        book.active["B1"].number_format = code

    noon = dt.datetime(2024, 2, 29, 12)  # noqa: DTZ001 - cells have no zone
    (shown,) = opened(xlsx(("Deals", [["Elm", 45_351.5]]), change=change), "x.xlsx").rows
    assert shown[1] == (noon if code in DATES else dt.timedelta(days=45_351.5))
