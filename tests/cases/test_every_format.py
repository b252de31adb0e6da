"""The same small table of deals gives the same records in every format that it can be sent in."""

from __future__ import annotations

import io
from decimal import Decimal

import openpyxl
import pytest

from tests.hostile import binary_books, markup_books
from tools.deals.extract import extract

HEADS = ("Property", "City", "Asking Price", "Cap Rate", "Units")
DEALS = (
    ("Elm Court", "Springfield", 1_200_000, 0.055, 12),
    ("Oak House", "Riverton", 2_450_000, 0.061, 40),
    ("Ash Plaza", "Laketown", 875_500, 0.0725, 8),
)
LOOKS = ("", "", "price", "rate", "")


def shown(value: object, look: str) -> str:
    """A value as it is shown."""
    if look == "price":
        return f"${value:,}"
    return f"{float(value) * 100:g}%" if look == "rate" and isinstance(value, float) else str(value)


def as_csv() -> bytes:
    """Text alone."""
    lines = (";".join(shown(value, look) for value, look in zip(deal, LOOKS, strict=True)) for deal in DEALS)
    return "\n".join([";".join(HEADS), *lines]).encode()


def as_xlsx() -> bytes:
    """Numbers and formats."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.append(HEADS)
    for row, deal in enumerate(DEALS, 2):
        sheet.append(deal)
        sheet.cell(row, 3).number_format, sheet.cell(row, 4).number_format = '"$"#,##0', "0.0%"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def as_binary(form: str) -> bytes:
    """The binary forms, with formats."""
    styles = {"": 0, "price": 1, "rate": 2}
    lines = [
        [(head, 0) for head in HEADS],
        *([(v, styles[k]) for v, k in zip(deal, LOOKS, strict=True)] for deal in DEALS),
    ]
    text, number = (
        (binary_books.xls_text, binary_books.xls_number)
        if form == "xls"
        else (lambda _, *more: binary_books.xlsb_text(*more), lambda _, *more: binary_books.xlsb_number(*more))
    )
    rows = [
        [
            text(row, at, value, style) if isinstance(value, str) else number(row, at, float(value), style)
            for at, (value, style) in enumerate(line)
        ]
        for row, line in enumerate(lines)
    ]
    formats = ('"$"#,##0', "0.0%")
    if form == "xls":
        return binary_books.xls([cell for row in rows for cell in row], binary_books.xls_styles(*formats))
    body = b"".join(binary_books.xlsb_row(at, row) for at, row in enumerate(rows))
    return binary_books.xlsb(body, more=[binary_books.xlsb_styles(*formats)])


def as_ods() -> bytes:
    """Values with their types."""

    def cell(value: object, look: str) -> str:
        if isinstance(value, str):
            return binary_books.ods_cell(value)
        kind = {"price": 'currency" office:currency="USD', "rate": "percentage"}.get(look, "float")
        return f'<table:table-cell office:value-type="{kind}" office:value="{value}"/>'

    lines = (HEADS, *DEALS)
    return binary_books.ods(
        "".join(binary_books.ods_row("".join(cell(v, k) for v, k in zip(line, LOOKS, strict=True))) for line in lines)
    )


def as_page() -> str:
    """The table as Excel writes it into a page."""
    rows = [
        [markup_books.cell(shown(v, k), k, None if isinstance(v, str) else v) for v, k in zip(deal, LOOKS, strict=True)]
        for deal in DEALS
    ]
    return markup_books.table([[markup_books.cell(head) for head in HEADS], *rows])


def as_plain_page() -> bytes:
    """The table as any other program writes it: what it shows."""
    rows = [[shown(value, look) for value, look in zip(deal, LOOKS, strict=True)] for deal in DEALS]
    return markup_books.page(markup_books.plain_table([HEADS, *rows]))


def as_xml() -> bytes:
    """Excel's XML of 2003."""
    rows = [[markup_books.data(v, style=k) for v, k in zip(deal, LOOKS, strict=True)] for deal in DEALS]
    return markup_books.xml_2003([[markup_books.data(head) for head in HEADS], *rows])


FORMATS = {
    "csv": as_csv,
    "xlsx": as_xlsx,
    "xls": lambda: as_binary("xls"),
    "xlsb": lambda: as_binary("xlsb"),
    "ods": as_ods,
    "html": lambda: markup_books.page(as_page()),
    "html of texts": as_plain_page,
    "mht": lambda: markup_books.saved_archive([("Deals", as_page())]),
    "xml": as_xml,
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", ["deals.xls", "deals"])
def test_the_same_table_gives_the_same_records_in_every_format(form: str, name: str) -> None:
    """Names, prices with their currency, rates as fractions, counts, each from its cell; whatever the file's name."""
    found = extract(FORMATS[form](), name)
    assert found.source.format == form.partition(" ")[0]
    records = list(found.deals())
    fields = ("deal_name", "city", "asking_price", "cap_rate", "units")
    values = [tuple(deal.fields[field].value for field in fields) for deal in records]
    assert values == [(name, city, Decimal(price), rate, units) for name, city, price, rate, units in DEALS]
    assert {deal.fields["asking_price"].currency for deal in records} == {"USD"}
    cells = [[(deal.fields[field].cell or "").rpartition("!")[2] for field in fields] for deal in records]
    assert cells == [[f"{letter}{row}" for letter in "ABCDE"] for row in (2, 3, 4)]
