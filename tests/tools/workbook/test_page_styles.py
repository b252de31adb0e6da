"""Style sheets of pages: which elements their rules mean, and which of several rules counts."""

from __future__ import annotations

import pytest

from tests.hostile.markup_books import archive, page
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
