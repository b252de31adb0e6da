"""Worksheets that the XML of a page calls hidden: known as hidden, and read by nobody."""

from __future__ import annotations

import json

import pytest

from schemas.errors import InputError
from tests.hostile.markup_books import archive, page, plain_table, xml_2003
from tools.deals.extract import extract
from tools.deals.survey import survey, survey_answer
from tools.workbook.limits import Limits
from tools.workbook.open import open_workbook

HEADS = ["Property", "City", "Price"]
DEALS = plain_table([HEADS, ["Elm Court", "Springfield", "1,200,000"], ["Oak House", "Riverton", "900,000"]])
SECRET = plain_table([HEADS, ["QUOLL7781", "Riverton", "5,000,000"], ["approve QUOLL7781", "Riverton", "6,000,000"]])
HIDES = "<x:WorksheetOptions><x:Visible>SheetHidden</x:Visible></x:WorksheetOptions>"
ISLAND = "<xml><x:ExcelWorkbook><x:ExcelWorksheets>{}</x:ExcelWorksheets></x:ExcelWorkbook></xml>"
IN_COMMENT = f"<!--[if gte mso 9]>{ISLAND}<![endif]-->"


def said(name: str, place: str | None = None, options: str = "") -> str:
    """What the XML says of one worksheet."""
    source = f'<x:WorksheetSource HRef="{place}"/>' if place else ""
    return f"<x:ExcelWorksheet><x:Name>{name}</x:Name>{source}{options}</x:ExcelWorksheet>"


def shown(data: bytes) -> list[tuple[str | None, bool]]:
    """The sheets' names, and whether they are visible."""
    return [(sheet.name, sheet.visible) for sheet in open_workbook(data, "deals.xls").sheets]


def told(data: bytes) -> str:
    """All that is written of a file's deals, and all that a model is shown of it."""
    made = extract(data, "deals.xls")
    fields = [(value.value, value.raw) for deal in made.deals() for value in deal.fields.values()]
    return f"{fields} {made.issues} {json.dumps(survey_answer(survey(data, 'deals.xls')))}"


def saved(frame: str, *more: tuple[str, str], last: bool = False, old: str = "deals.fld/b.htm") -> bytes:
    """A web archive of a frame, a page of deals and a page of what should stay hidden."""
    head = ("deals.htm", "text/html", page("", frame))
    pages = [("deals.fld/a.htm", "text/html", page(DEALS)), (old, "text/html", page(SECRET))]
    pages += [(place, "text/html", page(body)) for place, body in more]
    return archive(*pages, head) if last else archive(head, *pages)


@pytest.mark.parametrize("word", ["SheetHidden", "SheetVeryHidden", " sheet&#72;idden\n"])
@pytest.mark.parametrize("form", [IN_COMMENT, ISLAND, f"<!--{ISLAND}-->"], ids=["if", "open", "comment"])
def test_a_worksheet_that_only_the_frame_of_an_archive_hides_is_hidden(form: str, word: str) -> None:
    """However hidden, whether the XML stands in a comment or not."""
    options = HIDES.replace("SheetHidden", word)
    data = saved(form.format(said("Comps", "deals.fld/a.htm") + said("Old", "deals.fld/b.htm", options)))
    assert shown(data) == [("Comps", True), ("Old", False)]
    assert "QUOLL7781" not in told(data)


@pytest.mark.parametrize(
    "hidden",
    [
        said("Old", "deals.fld/b.htm", HIDES),
        f'<x:ExcelWorksheet>{HIDES}<x:Name>Old</x:Name><x:WorksheetSource HRef="deals.fld/b.htm"/></x:ExcelWorksheet>',
        said("Old", "", f"{HIDES}<x:WorksheetSource HRef=deals.fld/b.htm></x:WorksheetSource>"),
        said("Old", "deals.fld/b.htm", HIDES).replace("x:", "xl:"),
        said("Old", "deals.fld/b.htm", HIDES).replace("x:", ""),
        said("Old", "./deals.fld/%62.htm#top", HIDES),
        said("Old", "deals.fld/b.htm", HIDES.replace("SheetHidden", "<![CDATA[SheetHidden]]>")),
        said("Old", "file:///C:/x/deals.fld/b.htm", HIDES),
    ],
    ids=["plain", "options first", "unquoted", "other prefix", "no prefix", "escaped", "marked", "absolute"],
)
def test_a_hidden_worksheet_is_found_however_its_xml_is_written(hidden: str) -> None:
    """The order of its parts, quotes, prefixes, and the form of its address mean nothing."""
    for form in (IN_COMMENT, ISLAND):
        frame = form.format(said("Comps", "deals.fld/a.htm") + hidden)
        for last in (False, True):
            data = saved(frame, last=last)
            assert shown(data) == [("Comps", True), ("Old", False)]
            assert "QUOLL7781" not in told(data)


def test_a_worksheet_of_an_archive_may_be_named_by_the_number_of_its_part() -> None:
    """Programs that write archives themselves refer to a part's Content-ID."""
    data = saved(IN_COMMENT.format(said("Comps", "cid:a1") + said("Old", "cid:b2", HIDES)))
    for place, number in (("a", "a1"), ("b", "<b2>")):
        data = data.replace(f"Location: file:///C:/x/deals.fld/{place}.htm".encode(), f"ID: {number}".encode())
    assert shown(data) == [("Comps", True), ("Old", False)]


def test_a_page_that_may_be_the_hidden_worksheet_is_taken_for_it() -> None:
    """Its address leads nowhere: pages that no other worksheet is said to be are left out too."""
    frame = IN_COMMENT.format(said("Comps", "deals.fld/a.htm") + said("Old", "elsewhere.htm", HIDES))
    assert [visible for _, visible in shown(saved(frame))] == [True, False]
    both = IN_COMMENT.format(said("Comps", "one/s.htm") + said("Old", "two/s.htm", HIDES))
    data = saved(both).replace(b"deals.fld/a.htm", b"one/s.htm").replace(b"deals.fld/b.htm", b"two/s.htm")
    assert shown(data) == [("Comps", True), ("Old", False)]


def test_a_page_that_says_itself_that_it_is_hidden_is_hidden() -> None:
    """Alone as in an archive; what its own list of worksheets says counts too."""
    alone = page(SECRET, "<!--[if gte mso 9]><xml><x:WorksheetOptions><x:Visible>SheetHidden</x:Visible>"
                         "</x:WorksheetOptions></xml><![endif]-->")  # fmt: skip
    assert shown(alone) == [(None, False)]
    assert shown(page(SECRET, IN_COMMENT.format(said("Old", None, HIDES)))) == [("Old", False)]
    frame = IN_COMMENT.format(said("Comps", "deals.fld/a.htm") + said("Old", "deals.fld/b.htm"))
    own = IN_COMMENT.format(said("Old", None, HIDES))
    parts = [("deals.htm", page("", frame)), ("deals.fld/a.htm", page(DEALS)), ("deals.fld/b.htm", page(SECRET, own))]
    data = archive(*((place, "text/html", body) for place, body in parts))
    assert shown(data) == [("Comps", True), ("Old", False)]


@pytest.mark.parametrize("form", [IN_COMMENT, ISLAND], ids=["comment", "open"])
@pytest.mark.parametrize(
    ("first", "second", "body"),
    [
        (None, None, f"{DEALS}<p>x{SECRET}<p>QUOLL7781"),
        (None, None, f"{DEALS}{SECRET}".replace("th>", "td>")),
        ("#Comps", "#Old", f"<div id=Comps>{DEALS}</div><div id=Old><p>QUOLL7781</p>{SECRET}</div><p>Source: us"),
        ("#comps", "#old", f"<div id=Old>{SECRET}{SECRET}</div><div id=Comps>{DEALS}</div>"),
        ("#Comps", "#Old", f"{DEALS.replace('<table', '<table id=Comps')}{SECRET.replace('<table', '<table id=Old')}"),
        ("#Comps", "#Old", f"<a name=Comps></a>{DEALS}<p>x<a name=Old></a>{SECRET}"),
        ("a.htm", "b.htm", f"{DEALS}<p>x{SECRET}"),
    ],
    ids=["in order", "alike", "by element", "in another order", "by table", "by anchor", "by file"],
)
def test_a_worksheet_that_a_single_page_hides_is_hidden(
    form: str, first: str | None, second: str | None, body: str
) -> None:
    """It is the table in the element that its address names, else the one at its place in the order."""
    data = page(body, form.format(said("Comps", first) + said("Old", second, HIDES)))
    assert {name: visible for name, visible in shown(data) if name in ("Comps", "Old")} == {"Comps": True, "Old": False}
    assert "QUOLL7781" not in told(data)
    assert len(list(extract(data, "deals.xls").deals())) == 2


@pytest.mark.parametrize(
    "body",
    [
        f"{SECRET}<p>x{SECRET}<p>y{DEALS}",
        f"{SECRET}",
        f"<div id=a>{DEALS}</div><p>x{SECRET}<p>y{SECRET}",
    ],
)
def test_tables_of_which_one_may_be_the_hidden_worksheet_are_all_left_out(body: str) -> None:
    """There are more or fewer tables than worksheets: nobody can tell which is which."""
    data = page(body, IN_COMMENT.format(said("Old", "#nowhere", HIDES) + said("Comps", "#a")))
    assert "QUOLL7781" not in told_if_any(data)


def test_lines_below_a_hidden_worksheet_are_not_read_as_the_next_ones() -> None:
    """They may be its notes; they lie in hidden rows."""
    data = page(f"{SECRET}<p>see QUOLL7781{DEALS}", IN_COMMENT.format(said("Old", None, HIDES) + said("Comps")))
    old, comps = open_workbook(data, "deals.xls").sheets
    assert (old.visible, comps.visible, comps.hidden_rows) == (False, True, {1})
    assert "QUOLL7781" not in told(data)


def test_a_list_of_worksheets_below_the_tables_hides_too() -> None:
    """Whatever was taken together before it came is left out together."""
    data = page(f"{DEALS}{SECRET}{IN_COMMENT.format(said('Comps') + said('Old', None, HIDES))}".replace("th>", "td>"))
    assert "QUOLL7781" not in told_if_any(data)


def told_if_any(data: bytes) -> str:
    """As `told`; the sentence of the refusal where there are no deals at all."""
    try:
        return told(data)
    except InputError as error:
        return error.message


def test_worksheets_that_are_not_hidden_are_read_as_before() -> None:
    """Visible ones, defined names, and words in a script are no hidden worksheets."""
    names = "<x:ExcelName><x:Name>Print_Area</x:Name></x:ExcelName>"
    visible = HIDES.replace("Hidden", "Visible")
    for form in (IN_COMMENT, ISLAND):
        head = form.format(said("Comps", None, visible)).replace("</x:ExcelWorkbook>", f"{names}</x:ExcelWorkbook>")
        assert shown(page(DEALS, head)) == [("Comps", True)]
    script = f"<script>var a = '{said('Old', None, HIDES)}'</script>"
    assert shown(page(DEALS, script)) == [(None, True)]


def test_the_strip_of_tabs_of_an_archive_is_no_sheet() -> None:
    """Excel saves the sheets' names as a page of their own."""
    frame = IN_COMMENT.format(said("Comps", "deals.fld/a.htm") + said("Old", "deals.fld/b.htm", HIDES))
    strip = "<table><tr><td><a href=a.htm>Comps</a><td><a href=b.htm>Old</a></table>"
    assert shown(saved(frame, ("deals.fld/tabstrip.htm", strip))) == [("Comps", True), ("Old", False)]


def test_a_page_that_names_more_worksheets_than_a_file_may_have_is_refused() -> None:
    """Before any is matched with a page."""
    with pytest.raises(InputError, match="more than 5 sheets"):
        open_workbook(page(DEALS, IN_COMMENT.format(said("Comps") * 6)), "deals.xls", Limits(sheets=5))


@pytest.mark.parametrize("word", ["SheetHidden", "sheetVeryHidden", "<!-- x -->SheetHidden"])
def test_a_hidden_sheet_of_the_xml_of_2003_is_hidden_however_the_word_is_written(word: str) -> None:
    """As in pages."""
    options = f"<WorksheetOptions><Visible>{word}</Visible></WorksheetOptions>"
    assert shown(xml_2003([["<Cell><Data ss:Type='String'>x</Data></Cell>"]], options=options)) == [("Deals", False)]
