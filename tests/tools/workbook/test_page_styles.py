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
