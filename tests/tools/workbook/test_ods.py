"""ods files: what is read beside their values."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.hostile.binary_books import ods
from tests.hostile.raw_zip import part
from tools.deals.extract import extract
from tools.workbook.grid import CellError, Sheet
from tools.workbook.ods import formula_text
from tools.workbook.open import open_workbook

SPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        ("office", "office"),
        ("table", "table"),
        ("text", "text"),
        ("style", "style"),
        ("number", "datastyle"),
        ("fo", "xsl-fo-compatible"),
    )
)
CALC = 'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
DATA_STYLES = (
    '<number:percentage-style style:name="N1"><number:number number:decimal-places="1"/><number:text>%</number:text>'
    "</number:percentage-style>"
    '<number:currency-style style:name="N2"><number:currency-symbol>$</number:currency-symbol>'
    '<number:number number:decimal-places="2" number:grouping="true"/></number:currency-style>'
    '<number:date-style style:name="N3"><number:day number:style="long"/><number:text>.</number:text>'
    '<number:month number:textual="true"/><number:text> of </number:text><number:year number:style="long"/>'
    "</number:date-style>"
    '<number:time-style style:name="N4" number:truncate-on-overflow="false"><number:hours/><number:text>:</number:text>'
    '<number:minutes number:style="long"/></number:time-style>'
)
STYLES = (
    f"{DATA_STYLES}"
    '<style:style style:name="Rate" style:family="table-cell" style:data-style-name="N1"/>'
    '<style:style style:name="ce1" style:family="table-cell" style:parent-style-name="Rate">'
    '<style:text-properties fo:font-weight="bold"/></style:style>'
    '<style:style style:name="ce2" style:family="table-cell" style:data-style-name="N2"/>'
    '<style:style style:name="ce3" style:family="table-cell" style:data-style-name="N3"/>'
    '<style:style style:name="ce4" style:family="table-cell" style:data-style-name="N4"/>'
    '<style:style style:name="loop" style:family="table-cell" style:parent-style-name="loop"/>'
    '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="false"/></style:style>'
)


def cell(value: object, style: str = "", more: str = "") -> str:
    """A cell of a style."""
    said = more + (f' table:style-name="{style}"' if style else "")
    if isinstance(value, str):
        return f'<table:table-cell{said} office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
    if isinstance(value, dt.date):
        return f'<table:table-cell{said} office:value-type="date" office:date-value="{value.isoformat()}"/>'
    if value is None:
        return f"<table:table-cell{said}/>"
    return f'<table:table-cell{said} office:value-type="float" office:value="{value}"/>'


def row(*cells: str, more: str = "") -> str:
    """A row of cells."""
    return f"<table:table-row{more}>{''.join(cells)}</table:table-row>"


def book(*rows: str, columns: str = "", table: str = "", more: str = "", before: str = "") -> bytes:
    """A file of one table, with `more` styles, and with what stands `before` the table."""
    body = f'<table:table table:name="Deals"{table}>{columns}{"".join(rows)}</table:table>'
    return ods(
        part(
            "content.xml",
            f"<office:document-content {SPACES} {CALC}>"
            f"<office:automatic-styles>{STYLES}{more}</office:automatic-styles>"
            f"<office:body><office:spreadsheet>{before}{body}</office:spreadsheet></office:body></office:document-content>",
        )
    )


def opened(*rows: str, columns: str = "") -> Sheet:
    """The table of such a file."""
    return open_workbook(book(*rows, columns=columns), "deals.ods").sheets[0]


def test_number_formats_and_bold_are_those_that_other_workbooks_write() -> None:
    """Percentages, currencies, dates and spans; a style takes from its parent what it leaves out."""
    day = dt.date(2024, 2, 29)
    sheet = opened(
        row(cell("a"), cell(0.055, "ce1"), cell(5, "ce2"), cell(day, "ce3"), cell(1.5, "ce4"), cell(1, "loop"))
    )
    assert [sheet.number_format(1, at) for at in range(6)] == [
        "",
        "0.0%",
        "[$$]#,##0.00",
        'dd.mmm" of "yyyy',
        "[h]:mm",
        "",
    ]
    assert (sheet.rows[0][:4], sheet.bold(1, 1), sheet.bold(1, 2)) == (["a", 0.055, 5.0, day], True, False)


def test_a_percentage_without_a_style_is_known_by_its_type() -> None:
    """Some writers say of the value alone that it is one."""
    said = '<table:table-cell office:value-type="percentage" office:value="0.07"/>'
    assert opened(row(cell("a"), said)).number_format(1, 1) == "0%"


def test_styles_of_columns_and_rows_hold_for_cells_without_one() -> None:
    """The cell's own comes first, then the row's, then the column's; repeated cells each have theirs."""
    said = 'table:number-columns-repeated="3" table:default-cell-style-name="ce1"'
    columns = f"<table:table-column/><table:table-column {said}/>"
    sheet = opened(
        row(cell("a"), cell(1), cell(2, "ce2"), cell(3)),
        row(cell("b"), cell(1, more=' table:number-columns-repeated="3"'), more=' table:number-rows-repeated="2"'),
        row(cell("c"), cell(1), more=' table:default-cell-style-name="ce2"'),
        columns=columns,
    )
    assert [sheet.number_format(1, at) for at in range(4)] == ["", "0.0%", "[$$]#,##0.00", "0.0%"]
    assert {sheet.number_format(r, at) for r in (2, 3) for at in (1, 2, 3)} == {"0.0%"}
    assert sheet.number_format(4, 1) == "[$$]#,##0.00"
    assert sheet.rows[1] == sheet.rows[2] == ["b", 1.0, 1.0, 1.0]


def test_styles_of_the_styles_part_are_known() -> None:
    """Named styles and their formats lie apart from the content."""
    from tests.tools.workbook.books import packed, parts

    content = parts(book(row(cell("a"), cell(0.5, "Named"))))
    styles = DATA_STYLES + '<style:style style:name="Named" style:family="table-cell" style:data-style-name="N1"/>'
    content["styles.xml"] = (
        f"<office:document-styles {SPACES}><office:styles>{styles}</office:styles></office:document-styles>".encode()
    )
    assert open_workbook(packed(content), "x.ods").sheets[0].number_format(1, 1) == "0.0%"


def test_hidden_rows_columns_and_tables_are_known() -> None:
    """Collapsed or filtered, in runs too; what runs on to the end of the sheet is hidden no farther than its cells."""
    hidden = ' table:visibility="collapse"'
    columns = (
        f'<table:table-column/><table:table-column{hidden} table:number-columns-repeated="2"/><table:table-column/>'
    )
    sheet = opened(
        row(*(cell(c) for c in "abcd")),
        row(cell("e"), more=hidden),
        row(cell("f"), more=' table:visibility="filter" table:number-rows-repeated="2"'),
        row(cell("g")),
        row(cell(None), more=f'{hidden} table:number-rows-repeated="1048571"'),
        columns=columns,
    )
    assert (sheet.hidden_rows, sheet.hidden_columns) == ({2, 3, 4}, {1, 2})
    data = book(row(cell("a")), table=' table:style-name="ta1"')
    assert [sheet.visible for sheet in open_workbook(data, "x.ods").sheets] == [False]


def test_merges_formulas_and_errors_are_known() -> None:
    """A formula reads as other workbooks write it; an error value is one, and no text."""
    failing = (
        '<table:table-cell table:formula="of:=1/0" office:value-type="string" office:string-value="" '
        'calcext:value-type="error"><text:p>#DIV/0!</text:p></table:table-cell>'
    )
    typed = failing.replace(' table:formula="of:=1/0"', "").replace("#DIV/0!", "#N/A")
    sheet = opened(
        row(
            cell("a", more=' table:number-columns-spanned="2" table:number-rows-spanned="1"'),
            cell(None),
            failing,
            typed,
        ),
        row(cell(1), cell(3, more=' table:formula="of:=SUM([.A2:.A2];[$Other.B$1])*2"'), cell("#N/A")),
    )
    assert sheet.merges == ((1, 0, 1, 1),)
    assert sheet.rows[0][2:] == [CellError("#DIV/0!"), CellError("#N/A")]
    assert (sheet.formula(2, 1), sheet.value(2, 1), sheet.value(2, 2)) == ("SUM(A2:A2,Other!B$1)*2", 3.0, "#N/A")


def test_formulas_without_a_value_are_computed() -> None:
    """As in any other workbook."""
    bare = '<table:table-cell table:formula="of:=SUM([.A1:.A2])"/>'
    assert opened(row(cell(1)), row(cell(3)), row(bare)).value(3, 0) == 4.0


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ("of:=[.B2]*[.$C$3]", "B2*$C$3"),
        ("oooc:=SUM([.A1:.B2])", "SUM(A1:B2)"),
        ("of:=IF([.A1]>0;\"a;[b]\";[$'My Deals'.C1:.D2])", "IF(A1>0,\"a;[b]\",'My Deals'!C1:D2)"),
        ("=A1+1", "A1+1"),
        ("msoxl:=SUM(A1:B2)", "SUM(A1:B2)"),
    ],
)
def test_formulas_read_as_other_workbooks_write_them(stored: str, text: str) -> None:
    """Brackets, dots and semicolons go, save inside quotes."""
    assert formula_text(stored) == text


def test_percentages_and_hidden_rows_come_through_to_the_deals() -> None:
    """A rate is a fraction whatever its header says, and a hidden row is no deal."""
    hidden = ' table:visibility="collapse"'
    rows = [
        row(cell(f"{name} Court"), cell(1_200_000 + 70_001 * at, "ce2"), cell(1, "ce1"), more=hidden * (at == 2))
        for at, name in enumerate(("Elm", "Oak", "Ash", "Fir"))
    ]
    made = extract(book(row(cell("Property"), cell("Asking Price"), cell("Occupancy")), *rows), "deals.ods")
    assert [float(deal.fields["occupancy"].value) for deal in made.deals()] == [1.0] * 3
    assert made.census[0].hidden == 3


@pytest.mark.parametrize("style", ["", "ce1", "ce2"])
def test_the_currency_of_a_cell_is_known_where_its_format_shows_none(style: str) -> None:
    """It stands beside the value; a format that shows a sign keeps it."""
    price = cell(1200, style).replace('"float"', '"currency" office:currency="GBP"')
    code = opened(row(cell("Elm"), price)).number_format(1, 1)
    assert code == {"": "[$GBP] #,##0.00", "ce1": "[$GBP] 0.0%", "ce2": "[$$]#,##0.00"}[style]


def currency_style(sign: str, language: str, country: str) -> str:
    """A currency style and the cell style of it, `money`."""
    said = f' number:language="{language}"' * bool(language) + f' number:country="{country}"' * bool(country)
    return (
        f'<number:currency-style style:name="N9"><number:currency-symbol{said}>{sign}</number:currency-symbol>'
        '<number:number number:decimal-places="2" number:grouping="true"/></number:currency-style>'
        '<style:style style:name="money" style:family="table-cell" style:data-style-name="N9"/>'
    )


@pytest.mark.parametrize(
    ("sign", "language", "country", "code", "currency"),
    [
        ("$", "en", "CA", "[$$-en-CA]#,##0.00", "CAD"),
        ("$", "fr", "CA", "[$$-fr-CA]#,##0.00", "CAD"),
        ("$", "en", "AU", "[$$-en-AU]#,##0.00", "AUD"),
        ("$", "en", "US", "[$$-en-US]#,##0.00", "USD"),
        ("£", "en", "GB", "[$£-en-GB]#,##0.00", "GBP"),
        ("€", "de", "DE", "[$€-de-DE]#,##0.00", "EUR"),
        ("CHF", "de", "CH", "[$CHF-de-CH]#,##0.00", "CHF"),
        ("kr", "sv", "SE", "[$kr-sv-SE]#,##0.00", "SEK"),
        ("kr", "nb", "NO", "[$kr-nb-NO]#,##0.00", "NOK"),
        ("$", "en", "", "[$$-en]#,##0.00", "USD"),
        ("$", "", "", "[$$]#,##0.00", "USD"),
    ],
)
def test_the_language_of_a_currencys_sign_says_which_currency_it_is(
    sign: str, language: str, country: str, code: str, currency: str
) -> None:
    """A dollar is of the country that the style names; one without a country is of the United States."""
    rows = [row(cell(f"{name} Court"), cell("Riverton"), cell(1_200_000, "money")) for name in ("Elm", "Oak", "Ash")]
    data = book(
        row(cell("Property"), cell("City"), cell("Asking Price")), *rows, more=currency_style(sign, language, country)
    )
    assert open_workbook(data, "deals.ods").sheets[0].number_format(2, 2) == code
    read = [value for deal in extract(data, "deals.ods").deals() for value in deal.fields.values() if value.currency]
    assert [(value.value, value.currency) for value in read] == [(1_200_000, currency)] * 3


DASH = '<number:embedded-text number:position="4">-</number:embedded-text>'


def sectioned(*conditions: str, sign: str = "<number:currency-symbol/>", kind: str = "currency") -> str:
    """The cell style `money`, whose format says for values of some `conditions` to show another one."""
    number = '<number:number number:grouping="true"/>'
    others = "".join(
        f'<number:currency-style style:name="N9P{at}">{sign}{number}</number:currency-style>'
        for at in range(len(conditions))
    )
    maps = "".join(
        f'<style:map style:condition="value(){condition}" style:apply-style-name="N9P{at}"/>'
        for at, condition in enumerate(conditions)
    )
    own = f"<number:text>(</number:text>{sign}{number}<number:text>)</number:text>" if kind == "currency" else ""
    return (
        f'{others}<number:{kind}-style style:name="N9">{own}{maps}</number:{kind}-style>'
        '<style:style style:name="money" style:family="table-cell" style:data-style-name="N9"/>'
    )


def amount(value: int, shown: str, style: str = "", currency: str = "") -> str:
    """A cell of an amount of money, as LibreOffice writes it: the currency is often not told."""
    said = f' office:currency="{currency}"' * bool(currency) + f' table:style-name="{style}"' * bool(style)
    return (
        f'<table:table-cell office:value-type="currency" office:value="{value}"{said}><text:p>{shown}</text:p>'
        "</table:table-cell>"
    )


@pytest.mark.parametrize(
    ("styles", "style", "shown", "currency"),
    [
        (sectioned("&gt;=0"), "money", "$1,200,000", "USD"),
        (sectioned("&gt;=0"), "money", "£1,200,000", "GBP"),
        (
            sectioned("&gt;=0", sign='<number:currency-symbol number:language="en" number:country="CA"/>'),
            "money",
            "$1,200,000",
            "CAD",
        ),
        (
            sectioned("&gt;0", "&lt;0", "=0", sign="<number:currency-symbol>£</number:currency-symbol>", kind="text"),
            "money",
            "1,200,000",
            "GBP",
        ),
        ("", "", "$1,200,000", "USD"),
        ("", "", "1.200.000 CHF", "CHF"),
        ("", "", "C$1,200,000", "CAD"),
    ],
)
def test_a_currency_that_no_attribute_tells_is_that_of_the_format_or_of_the_shown_text(
    styles: str, style: str, shown: str, currency: str
) -> None:
    """The rent in euros in the column beside it says nothing of the price."""
    rows = [
        row(cell(f"{name} Court"), amount(1_200_000, shown, style), amount(60_000, "60.000 €", currency="EUR"))
        for name in ("Elm", "Oak", "Ash")
    ]
    data = book(row(cell("Property"), cell("Asking Price"), cell("NOI")), *rows, more=styles)
    deals = list(extract(data, "deals.ods").deals())
    assert [deal.fields["asking_price"].currency for deal in deals] == [currency] * 3
    assert [deal.fields["noi"].currency for deal in deals] == ["EUR"] * 3


@pytest.mark.parametrize(
    ("number", "code", "shown"),
    [
        ('<number:number number:min-integer-digits="5"/>', "00000", "02134"),
        (f'<number:number number:min-integer-digits="9">{DASH}</number:number>', "00000-0000", "00000-2134"),
    ],
)
def test_zeros_that_a_format_puts_before_a_number_are_part_of_a_name(number: str, code: str, shown: str) -> None:
    """A postal code keeps them."""
    styles = (
        f'<number:number-style style:name="N8">{number}</number:number-style>'
        '<style:style style:name="code" style:family="table-cell" style:data-style-name="N8"/>'
    )
    rows = [row(cell(f"{name} Court"), cell(2134, "code"), cell(1_200_000)) for name in ("Elm", "Oak", "Ash")]
    data = book(row(cell("Property"), cell("Zip"), cell("Asking Price")), *rows, more=styles)
    assert open_workbook(data, "deals.ods").sheets[0].number_format(2, 1) == code
    assert [deal.fields["postal_code"].value for deal in extract(data, "deals.ods").deals()] == [shown] * 3


def test_days_count_from_the_one_that_the_file_names() -> None:
    """A bare number under the header of a date is one of the days since."""
    since = '<table:calculation-settings><table:null-date table:date-value="1904-01-01"/></table:calculation-settings>'
    rows = [row(cell(f"{name} Court"), cell(1_200_000), cell(44_562)) for name in ("Elm", "Oak", "Ash")]
    data = book(row(cell("Property"), cell("Asking Price"), cell("Sale Date")), *rows, before=since)
    assert open_workbook(data, "deals.ods").epoch_1904
    assert [str(deal.fields["sale_date"].value) for deal in extract(data, "deals.ods").deals()] == ["2026-01-02"] * 3


def test_rows_and_columns_of_a_folded_group_are_hidden() -> None:
    """Those of groups within it too, and none behind it."""
    fold = 'table-row-group table:display="false"'
    rows = [row(cell(name), cell(1), cell(2)) for name in "abcdef"]
    inner = f"<table:table-row-group>{rows[2]}</table:table-row-group>"
    folded = f"<table:{fold}>{rows[1]}{inner}</table:table-row-group>"
    body = (rows[0], f"<table:table-row-group>{folded}{rows[3]}</table:table-row-group>", rows[4])
    columns = (
        '<table:table-column/><table:table-column-group table:display="false"><table:table-column/>'
        "</table:table-column-group><table:table-column/>"
    )
    sheet = opened(*body, columns=columns)
    assert (sheet.hidden_rows, sheet.hidden_columns) == ({2, 3}, {1})


def test_line_breaks_and_tabs_part_words() -> None:
    """Runs of blanks do so too; formats and hidden rows stay what they are."""
    texts = ("12<text:line-break/>Main St", "12<text:tab/>Main St", '12<text:s text:c="2"/>Main', "12<text:s/>Main")
    sheet = opened(
        row(cell("x"), more=' table:visibility="collapse"'), *(row(cell(text), cell(0.055, "ce1")) for text in texts)
    )
    assert [line[0] for line in sheet.rows[1:]] == ["12 Main St", "12 Main St", "12  Main", "12 Main"]
    assert (sheet.number_format(2, 1), sheet.hidden_rows) == ("0.0%", {1})
