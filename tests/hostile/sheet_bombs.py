"""Sheets whose few bytes mean millions of cells, formulas, merges or sheets."""

from __future__ import annotations

from collections.abc import Iterable

from schemas.workbook import column_letters
from tests.hostile import ooxml
from tests.hostile.bomb import Bomb
from tests.hostile.raw_zip import Part, part, repeated

_HEAD, _TAIL = ooxml.SHEET_HEAD.encode(), ooxml.SHEET_TAIL.encode()
_SHEET1 = "xl/worksheets/sheet1.xml"
LAST = "XFD1048576"


def strings(*items: str, head: str = "") -> str:
    """A shared strings part."""
    listed = "".join(f"<si><t>{item}</t></si>" for item in items)
    return f'{ooxml.HEAD}<sst xmlns="{ooxml.MAIN}"{head}>{listed}</sst>'


def sheet_of(body: Iterable[str]) -> bytes:
    """A workbook whose one sheet has the rows of `body`."""
    return ooxml.book({"Comps": ooxml.SHEET_HEAD + "".join(body) + ooxml.SHEET_TAIL})


def one_string_everywhere(size: int, cells: int) -> bytes:
    """A string of `size` characters to which `cells` cells refer."""
    unit = b'<row><c t="s"><v>0</v></c></row>'
    return ooxml.book(
        {"Comps": repeated(_SHEET1, _HEAD, unit, cells, _TAIL)}, {"xl/sharedStrings.xml": strings("x" * size)}
    )


def placed_string_everywhere(size: int, cells: int) -> bytes:
    """As above, with references as common writers put them."""
    body = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(1, cells + 1))
    return ooxml.book({"Comps": ooxml.sheet(body)}, {"xl/sharedStrings.xml": strings("x" * size)})


def many_strings(count: int) -> bytes:
    """`count` shared strings of no use."""
    head = f'{ooxml.HEAD}<sst xmlns="{ooxml.MAIN}">'.encode()
    part_ = repeated("xl/sharedStrings.xml", head, b"<si><t/></si>", count, b"</sst>")
    return ooxml.book({"Comps": ooxml.deals_sheet()}, {"xl/sharedStrings.xml": part_})


def rich_string(runs: int) -> bytes:
    """A shared string in `runs` runs."""
    text = f'{ooxml.HEAD}<sst xmlns="{ooxml.MAIN}"><si>{"<r><rPr><b/></rPr><t>x</t></r>" * runs}</si></sst>'
    body = ooxml.deals_sheet().replace('t="inlineStr"><is><t xml:space="preserve">Elm Court</t></is>', 't="s"><v>0</v>')
    return ooxml.book({"Comps": body}, {"xl/sharedStrings.xml": text})


def false_counts() -> bytes:
    """Shared strings that say there are four billion of them, and cells that refer to strings that are not there."""
    body = ooxml.deals_sheet().replace("<v>1200000</v>", "<v>1200000</v></c>" + '<c r="E2" t="s"><v>4294967295</v>')
    body = body.replace("<v>2400000</v>", "<v>2400000</v></c>" + '<c r="E3" t="s"><v>-1</v>')
    return ooxml.book(
        {"Comps": body}, {"xl/sharedStrings.xml": strings("x", head=' count="4294967295" uniqueCount="4294967295"')}
    )


def inline_strings(size: int, cells: int) -> bytes:
    """`cells` cells with `size` characters each."""
    unit = b'<row><c t="inlineStr"><is><t>' + b"y" * size + b"</t></is></c></row>"
    return ooxml.book({"Comps": repeated(_SHEET1, _HEAD, unit, cells, _TAIL)})


def merges(count: int, span: str) -> bytes:
    """`count` merged ranges below an honest table: apart from one another, or all alike."""
    listed = "".join(f'<mergeCell ref="{f"A{n}:B{n}" if span == "apart" else span}"/>' for n in range(10, 10 + count))
    return ooxml.book({"Comps": ooxml.deals_sheet(after=f"<mergeCells>{listed}</mergeCells>")})


def merges_over_block(count: int, height: int, width: int) -> bytes:
    """`count` merges, each of one label over a block of empty cells whose last one is filled."""
    corner = f"{'AZ' if width == 52 else 'CV'}{height}"
    body = '<row r="1">' + ooxml.cell("A1", "Region") + "</row>" + f'<row r="{height}">{ooxml.cell(corner, 1)}</row>'
    listed = f'<mergeCell ref="A1:{corner}"/>' * count
    return ooxml.book({"Comps": ooxml.sheet(body, after=f"<mergeCells>{listed}</mergeCells>")})


def hidden_columns(count: int, more: str = "") -> bytes:
    """Honest deals in a sheet whose columns behind them are said to be hidden `count` times."""
    said = "".join(f'<col min="{9 + n % 9}" max="16384" hidden="1"/>' for n in range(count))
    return ooxml.book({"Comps": ooxml.deals_sheet(before=f"{more}<cols>{said}</cols>")})


def many_sheets(count: int) -> bytes:
    """`count` sheets, each in a part of its own."""
    body = ooxml.deals_sheet()
    return ooxml.book({f"S{n}": body for n in range(count)})


def one_part_many_sheets(count: int) -> bytes:
    """`count` sheets that are all the same part."""
    names = "".join(f'<sheet name="S{n}" sheetId="{n}" r:id="rId1"/>' for n in range(count))
    book = f'{ooxml.HEAD}<workbook xmlns="{ooxml.MAIN}" xmlns:r="{ooxml.RELATIONS}"><sheets>{names}</sheets></workbook>'
    return ooxml.book({"S": ooxml.deals_sheet()}, {"xl/workbook.xml": book})


def shared_formulas(count: int, formula: str, *, cached: bool) -> bytes:
    """A column of `count` formulas that share one text."""
    value = "<v>1</v>" if cached else ""
    body = [f'<row r="1"><c r="A1"><f t="shared" ref="A1:A{count}" si="0">{formula}</f>{value}</c></row>']
    body += [f'<row r="{n}"><c r="A{n}"><f t="shared" si="0"/>{value}</c></row>' for n in range(2, count + 1)]
    return sheet_of(body)


def own_formulas(count: int, formula: str) -> bytes:
    """A column of `count` formulas, each with its own text, `{n}` its row, `{p}` the row before."""
    return sheet_of(
        f'<row r="{n}"><c r="A{n}"><f>{formula.format(n=n, p=n - 1)}</f></c></row>' for n in range(2, count + 2)
    )


def array_formula() -> bytes:
    """One array formula over a whole sheet."""
    body = ooxml.row(1, ooxml.HEADERS) + ooxml.row(2, ooxml.DEALS[0]) + ooxml.row(3, ooxml.DEALS[1])
    return sheet_of(
        [body + f'<row r="9"><c r="A9"><f t="array" ref="A9:{LAST}">SUM(A1:{LAST}*B1:{LAST})</f><v>1</v></c></row>']
    )


def doubling_text(rows: int) -> bytes:
    """Each cell joins the one above with itself."""
    first = '<row r="1"><c r="A1" t="inlineStr"><is><t>xxxxxxxx</t></is></c></row>'
    return sheet_of(
        [first, *(f'<row r="{n}"><c r="A{n}"><f>A{n - 1}&amp;A{n - 1}</f></c></row>' for n in range(2, rows + 2))]
    )


def whole_sheet_sums(count: int) -> bytes:
    """`count` sums over a whole sheet with a cell at each end."""
    body = '<row r="1"><c r="A1"><v>1</v></c>' + "".join(
        f'<c r="{col}1"><f>SUM($A$1:$XFD$1048576)</f></c>' for col in _letters(count)
    )
    return sheet_of([body + "</row>", f'<row r="1048576"><c r="{LAST}"><v>1</v></c></row>'])


def _letters(count: int) -> list[str]:
    return [column_letters(n) for n in range(1, count + 1)]


def deep_formula(depth: int) -> bytes:
    """A formula of `depth` brackets, and one of as many signs."""
    return sheet_of(
        [
            f'<row r="1"><c r="A1"><f>{"(" * depth}1{")" * depth}</f></c></row>',
            f'<row r="2"><c r="A2"><f>{"-" * depth}1</f></c></row>',
            f'<row r="3"><c r="A3"><f>{"IF(1," * depth}1{")" * depth}</f></c></row>',
            f'<row r="4"><c r="A4"><f>{"1+" * depth}1</f></c></row>',
            f'<row r="5"><c r="A5"><f>{"2^" * depth}2</f></c></row>',
        ]
    )


def far_cell() -> bytes:
    """An honest table, and one cell at the end of the sheet."""
    return ooxml.book({"Comps": ooxml.deals_sheet(more=f'<row r="1048576">{ooxml.cell(LAST, 7)}</row>')})


def column_down() -> bytes:
    """A cell in each of the 1,048,576 rows."""
    return sheet_of(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c></row>' for n in range(1, 1_048_577))


def diagonal(count: int) -> bytes:
    """A cell in each row and no two in a column next to one another."""
    letters = _letters(16_000)
    return sheet_of(
        f'<row r="{n}"><c r="{letters[(n * 37) % 16_000]}{n}"><v>{n}</v></c></row>' for n in range(1, count + 1)
    )


def placeless(cells: int) -> bytes:
    """Cells that do not say where they are."""
    return ooxml.book({"Comps": repeated(_SHEET1, _HEAD, b"<row><c><v>1</v></c></row>", cells, _TAIL)})


def wide_row() -> bytes:
    """A row with a cell in every column, under headers."""
    letters = ["A", *_letters(16_383)]
    body = [
        f'<row r="{n}">'
        + "".join(ooxml.cell(f"{col}{n}", f"Price {at}" if n == 1 else at) for at, col in enumerate(letters))
        + "</row>"
        for n in (1, 2, 3)
    ]
    return sheet_of(body)


def impossible_places() -> bytes:
    """Cells and rows where no sheet has any."""
    refs = ("A0", "ZZZ1", "A1048577", "XFE1", "A99999999999", "1A", "", "a1", "$A$1", "A1:B2", "A-1")
    return ooxml.book(
        {
            "Comps": ooxml.deals_sheet(
                more="".join(f'<row r="{n}"><c r="{ref}"><v>1</v></c></row>' for n, ref in enumerate(refs, 9))
            )
        }
    )


def impossible_rows(number: str) -> bytes:
    """A hidden row, a hidden column and a merge whose numbers no sheet has."""
    before = f'<cols><col min="1" max="{number}" hidden="1"/><col min="-5" max="x" hidden="1"/></cols>'
    after = f'<mergeCells><mergeCell ref="A1:ZZZZ{number}"/><mergeCell ref="B9:A1"/><mergeCell ref=""/></mergeCells>'
    more = f'<row r="{number}" hidden="1"><c r="A9"><v>1</v></c></row>'
    return ooxml.book({"Comps": ooxml.deals_sheet(before=before, after=after, more=more)})


def long_text(text: str, *, header: bool = False) -> bytes:
    """A deal one of whose cells, or one of whose headers, holds `text`."""
    heads = (*ooxml.HEADERS, text if header else "Notes")
    return ooxml.book(
        {"Comps": ooxml.sheet(ooxml.rows(heads, *((*deal, "none" if header else text) for deal in ooxml.DEALS)))}
    )


def strange_values() -> bytes:
    """Numbers, dates and booleans that are none, or larger than any."""
    values = ("1e999", "-1e999", "nan", "inf", "1e-999", "9" * 400, "0x10", "", " ", "1_000", "٣", "--1")
    kinds = ("n", "b", "d", "e", "zz")
    lines = [
        "".join(
            f'<c r="{column}{n}" t="{kind}"><v>{value}</v></c>' for column, kind in zip("ABCDE", kinds, strict=True)
        )
        for n, value in enumerate(values, 9)
    ]
    more = "".join(f'<row r="{n}">{cells}</row>' for n, cells in enumerate(lines, 9))
    return ooxml.book({"Comps": ooxml.deals_sheet(more=more)})


def tall_styles() -> Part:
    """A style sheet whose second format shows dates."""
    return part(
        "xl/styles.xml",
        f'{ooxml.HEAD}<styleSheet xmlns="{ooxml.MAIN}"><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>',
    )


def strange_dates() -> bytes:
    """Dates before and after all time."""
    values = ("-1", "0", "60", "0.5", "2958465", "2958466", "99999999", "1e15", "1e300", "-1e300")
    cells = "".join(
        f'<row r="{n}"><c r="F{n}" s="1"><v>{v}</v></c><c r="G{n}" s="1"><f>F{n}+0</f></c></row>'
        for n, v in enumerate(values, 9)
    )
    return ooxml.book({"Comps": ooxml.deals_sheet(more=cells)}, {"xl/styles.xml": tall_styles()})


TEXTS = {
    "20 million letters": "lorem ipsum " * 1_700_000,
    "digits": "1" * 32_000,
    "digits and spaces": "1" + " " * 30_000 + "x",
    "dollars and spaces": "$" + " 1" * 15_000 + "x",
    "commas": "1" + ",1" * 15_000 + "x",
    "dashes": "-" * 32_000,
    "brackets": "(" * 32_000,
    "slashes": "1/" * 16_000,
    "percents": "1%" * 16_000,
    "letters and dots": "a." * 16_000,
    "blanks": " " * 32_000 + "x",
    "quotes": '"' * 32_000,
    "words": "asking price " * 2500,
    "colons": "1:" * 16_000,
    "months": "jan " * 8000,
    "dollars": "$" * 32_000,
    "dots": "." * 32_000 + "x",
    "zeros": "0" * 32_000 + "x",
    "e": "1e" * 16_000,
    "line feeds": "\n" * 32_000 + "x",
    "combining marks": "e" + "\u0301" * 32_000,
}

BOMBS = (
    Bomb("one string in a million cells", lambda: one_string_everywhere(32_000, 1_000_000)),
    Bomb("one string in 200,000 placed cells", lambda: placed_string_everywhere(32_000, 200_000), long=True),
    Bomb("five million strings", lambda: many_strings(5_000_000), codes=("file.unsafe",)),
    Bomb("three million strings", lambda: many_strings(3_000_000), deals=2, long=True),
    Bomb("a string in 300,000 runs", lambda: rich_string(300_000), deals=2, long=True),
    Bomb("false string counts", false_counts),
    Bomb("inline strings up to the limit", lambda: inline_strings(10_000, 4900), deals=0, long=True),
    Bomb("50,000 merges", lambda: merges(50_000, "apart"), deals=2),
    Bomb("50,000 merges over all", lambda: merges(50_000, f"A1:{LAST}"), deals=0),
    Bomb("50,000 merges of one block", lambda: merges_over_block(50_000, 70_000, 52), deals=0, long=True),
    Bomb("columns hidden 90,000 times", lambda: hidden_columns(90_000), deals=2),
    Bomb("columns hidden a million times", lambda: hidden_columns(1_000_000)),
    Bomb("columns hidden a million times beside a comment", lambda: hidden_columns(1_000_000, "<!-- -->")),
    Bomb("10,000 sheets", lambda: many_sheets(10_000)),
    Bomb("501 sheets", lambda: many_sheets(501)),
    Bomb("one part as 10,000 sheets", lambda: one_part_many_sheets(10_000)),
    Bomb("one part as 500 sheets", lambda: one_part_many_sheets(500)),
    Bomb("a million shared formulas", lambda: shared_formulas(1_000_000, "B1*2", cached=True), deals=0, long=True),
    Bomb(
        "a million shared formulas without values",
        lambda: shared_formulas(1_000_000, "B1*2", cached=False),
        deals=0,
        long=True,
    ),
    Bomb(
        "a million sums that share one text",
        lambda: shared_formulas(1_000_000, "SUM(B$1:B3)", cached=True),
        deals=0,
        long=True,
    ),
    Bomb("300,000 formulas of their own", lambda: own_formulas(300_000, "B{n}*{n}"), deals=0, long=True),
    Bomb("a chain of 200,000 formulas", lambda: own_formulas(200_000, "A{p}+1"), deals=0, long=True),
    Bomb("100,000 growing sums", lambda: own_formulas(100_000, "SUM(B$1:B{n})"), deals=0, long=True),
    Bomb("30,000 look-ups", lambda: own_formulas(30_000, "XLOOKUP(B{n},B$1:B{n},B$1:B{n})"), deals=0, long=True),
    Bomb(
        "30,000 look-ups in one range",
        lambda: own_formulas(30_000, "XLOOKUP({n},B$1:B$30000,B$1:B$30000)"),
        deals=0,
        long=True,
    ),
    Bomb("30,000 conditional sums", lambda: own_formulas(30_000, 'SUMIFS(B:B,B:B,">=*?*{n}")'), deals=0, long=True),
    Bomb(
        "30,000 sums of products",
        lambda: own_formulas(30_000, "SUMPRODUCT((B:B&gt;0)*(B:B&lt;{n})*B:B)"),
        deals=0,
        long=True,
    ),
    Bomb("30,000 subtotals", lambda: own_formulas(30_000, "SUBTOTAL(109,A$1:B{p})"), deals=0, long=True),
    Bomb("a million sums of their own", lambda: own_formulas(1_000_000, "SUM($B$1:$B$9)"), deals=0, long=True),
    Bomb("a circle of formulas", lambda: own_formulas(50_000, "SUM(A1:A60000)"), deals=0, long=True),
    Bomb("an array formula over all", array_formula, deals=2),
    Bomb("text that doubles", lambda: doubling_text(60), deals=0),
    Bomb("sums over whole sheets", lambda: whole_sheet_sums(2000), deals=0),
    Bomb("deep formulas", lambda: deep_formula(20_000), deals=0),
    Bomb("a cell far away", far_cell, deals=2),
    Bomb("a cell in every row", column_down, deals=0, long=True),
    Bomb("a diagonal of 100,000 cells", lambda: diagonal(100_000), deals=0, long=True),
    Bomb("a diagonal of a million cells", lambda: diagonal(1_000_001), long=True),
    Bomb("a million cells without places", lambda: placeless(1_000_000), deals=0, long=True),
    Bomb("a cell in every column", wide_row, deals=0, long=True),
    Bomb("impossible places", impossible_places, codes=("file.truncated",)),
    Bomb("impossible rows", lambda: impossible_rows("99999999999"), codes=("file.truncated",)),
    Bomb("rows beyond the last", lambda: impossible_rows("99999999"), codes=("file.truncated",)),
    Bomb("a text of 20 MB", lambda: long_text("word " * 4_000_000), deals=2, long=True),
    Bomb("a header of 5 MB", lambda: long_text("word " * 1_000_000, header=True), deals=2, long=True),
    Bomb("strange values", strange_values, codes=("file.truncated",)),
    Bomb("strange dates", strange_dates, deals=2),
    *(Bomb(f"a cell of {label}", lambda text=text: long_text(text), deals=2) for label, text in TEXTS.items()),
    *(
        Bomb(f"a header of {label}", lambda text=text: long_text(text, header=True), deals=2)
        for label, text in TEXTS.items()
    ),
)
