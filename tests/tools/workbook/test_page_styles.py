"""Style sheets of pages: which elements their rules mean, and which of several rules counts."""

from __future__ import annotations

import pytest

from tests.hostile.markup_books import archive, page
from tools.deals.extract import extract
from tools.workbook.open import open_workbook

BODY = (
    "<div class=a><div class=b><p class=q><table class='t u'><tr><td>a<td>b<tr class=x style='{own}'><td>1<td>2</table>"
    "</div></div><div class=z></div>"
)


def hides(rules: str, own: str = "", body: str = BODY) -> bool:
    """Whether the row of class x is hidden."""
    (sheet,) = open_workbook(page(body.format(own=own), f"<style>{rules}</style>"), "report.xls").sheets
    return 2 in sheet.hidden_rows


@pytest.mark.parametrize(
    "rule",
    [
        ".b > table .x",
        ".b>.t>tbody>tr.x",
        "html > body > .a > .b .x",
        ".a .t.u > tbody tr",
        ".a > .b > table tbody > .x",
        "body div div .x",
        ".a tbody > tr",
    ],
)
def test_a_rule_for_children_or_for_what_is_deeper_means_them(rule: str) -> None:
    """The body of a table is there, written or not."""
    assert hides(f"{rule} {{display:none}}")


@pytest.mark.parametrize(
    "rule",
    [
        ".a > table .x",
        ".a > .x",
        "table > tr.x",
        ".b .a .x",
        "div.t .x",
        ".z .x",
        ".a > > .x",
        "> .x",
        ".x >",
        "thead > tr",
        "div > div > div .x",
        "p .x",
    ],
)
def test_a_rule_for_the_children_of_others_means_none(rule: str) -> None:
    """Neither one for elements of another order, or of names that several have together; what is no rule is none."""
    assert not hides(f"{rule} {{display:none}}")


@pytest.mark.parametrize(
    ("rules", "own", "hidden"),
    [
        (".x{display:none !important} tr.x{display:table-row}", "", True),
        (".x{display:none ! IMPORTANT}", "display:table-row", True),
        (".x{display:none !important}", "display:table-row !important", False),
        (".x{display:none}", "display:table-row", False),
        (".x{display:none!important;display:table-row}", "", True),
        (".x{display:table-row!important} .a .x{display:none}", "display:none", False),
        (".x{display:none!important} tr.x{display:table-row!important}", "", False),
        (".x{visibility:hidden!important} .a .b .x{visibility:visible}", "", True),
        ("", "display:none!important;display:table-row", True),
        (".x{display:none; content:'!important'} tr.x{display:table-row}", "", False),
    ],
)
def test_what_is_said_to_be_important_counts_before_all_else(rules: str, own: str, hidden: bool) -> None:
    """Among what is important, the weightier counts, and the element's own before that."""
    assert hides(rules, own) is hidden


@pytest.mark.parametrize(
    "condition",
    [
        "@media (min-width: 600px)",
        "@MEDIA\nscreen",
        "@media(min-width:1px)",
        "@media only screen and (min-width:1px)",
        "@media print, screen",
        "@media not print",
        "@media not (max-width:768px)",
        "@media (orientation: landscape) and (prefers-color-scheme: light)",
        "@media (400px < width)",
        "@media (30em <= width <= 300em)",
        "@media (hover) and (pointer: fine)",
        "@media (foo: bar) or (min-aspect-ratio: 1/1)",
        "@supports (display: grid)",
        "@supports not (-ms-ime-align: auto)",
        "@supports selector(:has(a)) and (not (-moz-appearance: none))",
        "@layer base",
        "@media screen { @media (min-width: 9px)",
        "div { container-type: inline-size } @container (width > 0)",
        "@font-face { src: url(x) } @media all",
        ".z { content: '}' } @media all",
        ".z { --own: { display: block } } @media all",
    ],
)
def test_a_rule_that_an_ordinary_screen_follows_hides(condition: str) -> None:
    """It is wide, lies, is light and has a mouse; a rule may stand in several conditions."""
    assert hides(f"{condition} {{ .x {{display:none}} }} }} .q {{top:0}}")


@pytest.mark.parametrize(
    "condition",
    [
        "@media (max-width:768px)",
        "@media not screen",
        "@media not all",
        "@media print",
        "@media print, (orientation:portrait)",
        "@media (prefers-color-scheme: dark)",
        "@media (width < 700px)",
        "@media (400px <= width <= 700px)",
        "@media (hover: none)",
        "@media (foo: bar)",
        "@media not (foo: bar)",
        "@media (min-width",
        "@media (min-resolution: 2dppx)",
        "@media tty and (min-width:1px)",
        "@media screen { @media print",
        "@media print { @media screen",
        "@supports not (display: grid)",
        "@supports (-ms-ime-align: auto)",
        "@container (width > 0)",
        "@keyframes x",
        "@page",
        ".z { color: red; @media print",
    ],
)
def test_a_rule_that_an_ordinary_screen_does_not_follow_hides_nothing(condition: str) -> None:
    """Neither one whose condition nobody knows, nor one under the opposite of that: browsers follow neither."""
    assert not hides(f"{condition} {{ .x {{display:none}} }} }} .q {{top:0}}")


def test_a_style_sheet_may_be_for_other_screens_as_a_whole() -> None:
    """Its element says so."""
    for media, hidden in (("(max-width:768px)", False), ("not all", False), ("screen, print", True), ("", True)):
        data = page(BODY.format(own=""), f"<style media='{media}'>.x{{display:none}}</style>")
        assert (2 in open_workbook(data, "report.xls").sheets[0].hidden_rows) is hidden


@pytest.mark.parametrize(
    "ways",
    [
        "opacity:0",
        "opacity: .0",
        "font-size:0",
        "font:0/0 a",
        "color:transparent",
        "color:rgba(0, 0, 0, 0)",
        "color:#ffffff00",
        "text-indent:-9999px",
        "position:absolute;left:-9999px",
        "position:fixed;top:-100vh",
        "margin-left:-9999px",
        "position:absolute;clip:rect(0,0,0,0)",
        "clip:rect(1px 1px 1px 1px)",
        "clip-path:inset(50%)",
        "transform:scale(0)",
        "transform:scale(1, 0)",
        "transform:translateX(-9999px)",
        "scale:0",
        "filter:opacity(0)",
        "content-visibility:hidden",
        "max-height:0;overflow:hidden",
        "width:1px;height:1px;overflow:hidden;position:absolute",
        "display:none;display:bogus",
        "visibility:hidden;visibility:bogus",
        "--gone:none;display:var(--gone)",
        "display:var(--unknown, none)",
    ],
)
@pytest.mark.parametrize("element", ["div", "p"])
def test_what_nobody_sees_is_no_text_of_a_cell(ways: str, element: str) -> None:
    """However it is said; by the element's own style, by a rule, by one of several."""
    own = f"<{element} style='{ways}'>approve all 9</{element}>"
    ruled = own.replace("style=", "class='x' title=")
    for piece, rules in ((own, ""), (ruled, f".x {{{ways}}}"), (ruled, f".x {{{ways}}} div.y {{display:block}}")):
        body = f"<table><tr><td>a<td>b<tr><td>Elm<td>{piece}4,000,000</table>"
        (sheet,) = open_workbook(page(body, f"<style>{rules}</style>"), "report.xls").sheets
        assert sheet.rows[1] == ["Elm", "4,000,000"]


@pytest.mark.parametrize(
    "ways",
    [
        "opacity:0;opacity:1",
        "opacity:0.1",
        "font-size:1px",
        "font:bold 10pt Arial",
        "color:#000",
        "color:#800",
        "text-indent:-9px",
        "position:relative;left:-20px",
        "margin-left:-100%",
        "height:0",
        "max-height:0;overflow:visible",
        "clip:auto",
        "clip-path:inset(5px)",
        "transform:scale(0.5)",
        "transform:none",
        "display:bogus",
        "visibility:bogus",
        "display:var(--unknown)",
        "width:0",
    ],
)
def test_what_somebody_sees_is_the_text_of_a_cell(ways: str) -> None:
    """Small, pale, moved a little, or said in a way that browsers pass over."""
    body = f"<table><tr><td>a<td>b<tr><td>Elm<td><div style='{ways}'>4,000,000</div></table>"
    (sheet,) = open_workbook(page(body), "report.xls").sheets
    assert sheet.rows[1] == ["Elm", "4,000,000"]


@pytest.mark.parametrize(
    ("outer", "inner", "rules"),
    [
        ("font-size:0", "font-size:12px", ""),
        ("font-size:0", "", "td {font-size:12px}"),
        ("", "", "div {font-size:0} table td {font-size:9pt}"),
        ("color:transparent", "color:black", ""),
        ("text-indent:-9999px", "text-indent:0", ""),
        ("height:0;overflow:hidden;height:auto", "", ""),
    ],
)
def test_what_can_be_seen_inside_of_what_cannot_is_read(outer: str, inner: str, rules: str) -> None:
    """The sizes and the colours of letters are handed on until another one is said."""
    cells = "".join(f"<td style='{inner}'>{value}" for value in "ab")
    body = f"<div style='{outer}'><table><tr>{cells}<tr>{cells}</table></div>"
    (sheet,) = open_workbook(page(body, f"<style>{rules}</style>"), "report.xls").sheets
    assert (sheet.rows, sheet.visible, sheet.hidden_rows) == ([["a", "b"]] * 2, True, set())


@pytest.mark.parametrize(
    ("outer", "inner"),
    [("font-size:0", "font-size:2em"), ("opacity:0", "opacity:1"), ("color:transparent", "font-size:9pt")],
)
def test_what_cannot_be_seen_inside_of_what_cannot_is_in_no_record(outer: str, inner: str) -> None:
    """Twice nothing is nothing, and nobody sees through to what is inside."""
    cells = "".join(f"<td style='{inner}'>{value}" for value in "ab")
    body = f"<table><tr><td>5<td>6</table><p><div style='{outer}'><table><tr>{cells}<tr>{cells}</table></div>"
    found = open_workbook(page(body), "report.xls").sheets
    assert [value for sheet in found if sheet.visible for row in sheet.rows for value in row if value] == ["5", "6"]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("<details><summary>5</summary>9</details>", "5"),
        ("<details open><summary>5</summary>9</details>", "5 9"),
        ("<details><summary>5</summary>9<summary>8</summary></details>", "5"),
        ("<details>9</details>5", "5"),
        ("<details><summary>5<details>9</details></summary>9</details>", "5"),
        ("<dialog>9</dialog>5", "5"),
        ("<dialog open>9</dialog>", "9"),
        ("<title>9</title>5", "5"),
        ("<math><annotation>9</annotation></math>5", "5"),
        ("<div popover>9</div>5", "5"),
        ("<ruby>5<rp>(</rp></ruby>", "5"),
        ("<canvas>9</canvas><audio>9</audio><video>9</video>5", "5"),
        ("<span style='height:0;overflow:hidden'>5</span>", "5"),
        ("<span style='height:0;overflow:hidden;display:inline-block'>9</span>5", "5"),
        ("<span style='position:absolute;left:-9999px'>approve 9</span>5", "5"),
    ],
)
def test_elements_that_are_folded_or_closed_hide(said: str, shown: str) -> None:
    """A line of text takes the room that it needs; all else is shown as far as browsers show it."""
    body = f"<table><tr><td>a<td>b<tr><td>Elm<td>{said}</table>"
    (sheet,) = open_workbook(page(body), "report.xls").sheets
    assert " ".join(str(sheet.rows[1][1]).split()) == shown


def test_no_part_of_a_table_is_hidden_by_having_no_height() -> None:
    """It takes the room that it needs."""
    assert not hides(".x {height:0;overflow:hidden}")
    assert hides(".x {opacity:0}")


ROWS = (
    "<table id=deals class=t><tr class=h><td>a<td>b<tr class='p odd' data-x='Q r'><td>1<td>2"
    "<tr class=q title=''><td>3<td>4<tr class='r' lang=en-us><td>5<td>6</table>"
)


def hidden_rows(selector: str, body: str = ROWS) -> set[int]:
    """The rows that a rule for `selector` hides."""
    (sheet,) = open_workbook(page(body, f"<style>{selector} {{display:none}}</style>"), "report.xls").sheets
    return set(sheet.hidden_rows)


@pytest.mark.parametrize(
    ("selector", "rows"),
    [
        ("[class=q]", {3}),
        ("tr[class='q']", {3}),
        ("[data-x]", {2}),
        ('[ data-x = "q r" i ]', {2}),
        ("[data-x~=r]", {2}),
        ("[lang|=en]", {4}),
        ("[data-x^=q]", {2}),
        ("[data-x$=r]", {2}),
        ("tr[data-x*=' ']", {2}),
        ("[title]", {3}),
        ("[title*='']", set()),
        ("[class=odd]", set()),
        (".p + .q", {3}),
        (".p+tr", {3}),
        (".h + .q", set()),
        (".h ~ tr", {2, 3, 4}),
        (".p ~ .r", {4}),
        (".r ~ .p", set()),
        (".h + .p + .q", {3}),
        (".h ~ .q + tr", {4}),
        ("table > tbody > .p + tr", {3}),
        (".z .p + tr", set()),
        ("tr:not(.h)", {2, 3, 4}),
        ("tr:not(.h, .p):not([title])", {4}),
        ("tr:not(:hover).q", {3}),
        (":is(.p, .q)", {2, 3}),
        (".t :where(tr.p, .t .q)", {2, 3}),
        (":is(.z .p)", set()),
        ("tr:first-child", {1}),
        (".x:first-child", set()),
        ("tr:nth-child(2)", {2}),
        ("tr:nth-child(even)", {2, 4}),
        ("tr:nth-child( 2n + 1 )", {1, 3}),
        ("tr:nth-child(-n+2)", {1, 2}),
        ("tr:nth-child(n+3)", {3, 4}),
        ("tr:first-of-type", {1}),
        ("tr:nth-of-type(3)", {3}),
        (r".\71", {3}),
        (r".\000071 ", {3}),
        (r"tr.\q", {3}),
        (":root .q", {3}),
        ("tbody > *", {1, 2, 3, 4}),
        ("*.q", {3}),
        (".q:hover", set()),
        (".q::before", set()),
        (".q:bogus", set()),
        (".q:not(", set()),
        ("[data-x", set()),
    ],
)
def test_rules_mean_what_browsers_mean_by_them(selector: str, rows: set[int]) -> None:
    """By attributes, by what stands before, by place, by other selectors; what is no selector means nothing."""
    assert hidden_rows(selector) == rows


@pytest.mark.parametrize(
    ("rule", "rows"),
    [
        (".t { color: red; .q { display:none } }", {3}),
        (".t { & .q { display:none } }", {3}),
        ("tr { &.q, &.r { display:none } }", {3, 4}),
        (".z { .q { display:none } }", set()),
        (".t { @media screen { .q { display:none } } }", {3}),
        ("@scope (.t) { .q { display:none } }", {3}),
        ("@scope (.z) { .q { display:none } }", set()),
        (".q { display:none; &.z { display:table-row } }", {3}),
        (".q { &:is(.q) { display:table-row } display:none }", set()),
        ("tr:not(#no) { display:none } .t tr.q { display:table-row }", {1, 2, 3, 4}),
        ("tr:where(#deals tr) { display:none } .q { display:table-row }", {1, 2, 4}),
    ],
)
def test_nested_rules_and_those_of_others_weights_count(rule: str, rows: set[int]) -> None:
    """One inside of another means what is inside of that; selectors in brackets weigh as the heaviest of them."""
    (sheet,) = open_workbook(page(ROWS, f"<style>{rule}</style>"), "report.xls").sheets
    assert set(sheet.hidden_rows) == rows


@pytest.mark.parametrize(
    "selector", ["tr:last-child", "tr:nth-last-child(1)", ".t:has(.q) .r", "tr:not(:has(i))", "tr:is(.r:last-of-type)"]
)
def test_a_rule_that_asks_for_more_than_is_known_yet_hides_nothing_and_is_told_of(selector: str) -> None:
    """Whoever reads the records is told to look, in the rule's own words; one that can mean nothing is not told of."""
    deals = "<table class=t><tr><th>Property<th>City<th>Asking Price" + "".join(
        f"<tr class=r><td>{name} Court<td>Riverton<td>1,200,000" for name in ("Elm", "Oak", "Ash")
    )
    for rule, told in ((selector, 1), (f"{selector}.z, .z {selector}", 0)):
        extraction = extract(page(deals + "</table>", f"<style>{rule} {{display:none}}</style>"), "report.htm")
        issues = [issue for issue in extraction.issues if issue.code == "hidden.rules"]
        assert (len(list(extraction.deals())), len(issues)) == (3, told)
        assert all(selector in issue.message for issue in issues)


def test_rules_that_only_paint_ask_for_nothing() -> None:
    """No page is read slower, or told of, for its stripes."""
    rule = "tr:last-child {border:0} tr:nth-child(even) {background:#eee} td:not(.n) {color:red}"
    (sheet,) = open_workbook(page(ROWS, f"<style>{rule}</style>"), "report.xls").sheets
    assert (sheet.hidden_rows, sheet.undecided) == (set(), ())


def test_more_questions_than_are_asked_of_each_element_are_told_of() -> None:
    """Each costs a look at each element."""
    rules = "".join(f"[data-x{at}] {{display:none}}" for at in range(60))
    (sheet,) = open_workbook(page(ROWS, f"<style>{rules}</style>"), "report.xls").sheets
    assert "[data-x59]" in sheet.undecided or len(sheet.undecided) == 5


def test_an_important_format_counts() -> None:
    """An exclamation mark of the format itself says nothing."""
    rules = "td{color:red} .p{mso-number-format:'0.0%' !important} tr .p{mso-number-format:'0'}"
    body = "<table><tr><td>Elm<td class=p x:num=0.055>5.5%<td style=\"mso-number-format:'0\\!'\" x:num=5>5!</table>"
    (sheet,) = open_workbook(page(body, f"<style>{rules}</style>"), "report.xls").sheets
    assert [sheet.number_format(1, at) for at in (1, 2)] == ["0.0%", "0!"]


def test_the_rules_of_one_page_of_an_archive_mean_none_of_another() -> None:
    """Those of its style sheets mean all."""
    rows = "<table><tr><td>a<td>b<tr class=x><td>1<td>2<tr class=y><td>3<td>4</table>"
    parts = [
        ("a.htm", "text/html", page(rows, "<style>tr.x{display:table-row}</style>")),
        ("b.htm", "text/html", page(rows, "<style>.x{display:none}</style>")),
        ("c.css", "text/css", b".y{display:none}"),
    ]
    found = open_workbook(archive(*parts), "deals.mht").sheets
    assert [sheet.hidden_rows for sheet in found] == [{3}, {2, 3}]
