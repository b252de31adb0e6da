"""Numbers in texts that were written elsewhere: each is a figure, names and references stay as they are."""

from __future__ import annotations

from decimal import Decimal

import pytest

from schemas.deal import Issue
from tests.tools.figures import reading_back
from tools.figures.citations import About, cited, labelled, remark, rule_of
from tools.figures.registry import NUMBER, FigureRegistry, Sentence
from tools.figures.series import Spec, figure
from tools.figures.told_issues import told, told_value

ABOUT = About("rule", "in a rule", "stands in a rule", ("Top 10 Deals!B4",))


def numbers(words: Sentence) -> list[str]:
    """The texts of the figures in a sentence."""
    return [shown.text for shown in words.figures]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sum of 11 of 12, 1 not provided", ["11", "12", "1"]),
        ("NOI $2,610,000 ÷ €24,513,450.50", ["$2,610,000", "€24,513,450.50"]),
        ("Deals!F18 reads “TBD 5”, F7:F17 and 3 more", ["3"]),
        ("Top 10 Deals!B4:B9, over 9", ["9"]),
        ("set to 77.3% by an analyst, 28 Nov 2026", ["77.3%", "28 Nov 2026"]),
        ("3 records (rows 5, 9, 11) such as '12.5' or 12.5; Row 7", ["3", "12.5"]),
        ("year built 2005, in 2027–2029, but 2,005 SF", ["2,005"]),
        ("-0.5 and 12-15, 1.5x, C$5.20, $1.2M", ["-0.5", "12", "15", "1.5x", "C$5.20", "$1.2M"]),
        ("Tenant_189 (t1647602), and k33: 4", ["4"]),
        ("no number at all", []),
    ],
)
def test_each_number_is_a_figure_and_references_are_none(text: str, found: list[str]) -> None:
    """Cells, rows, sheets, years and quotations stay; the text reads as before."""
    words = cited(text, ABOUT)
    assert words.text == text
    assert numbers(words) == found
    assert not any(isinstance(part, str) and NUMBER.search(part) for part in words.parts)


def test_values_are_what_the_texts_mean() -> None:
    """Per cent, millions, currencies and days."""
    words = cited("77.3% of C$1.2M on 28 Nov 2026, −4", ABOUT)
    assert [(one.value, one.unit, one.currency) for one in words.figures] == [
        (Decimal("0.773"), "fraction", None),
        (Decimal(1_200_000), "money", "CAD"),
        ("28 Nov 2026", "date", None),
        (Decimal(-4), "count", None),
    ]


def test_ids_say_whose_rule_a_number_stands_in() -> None:
    """A figure of a rule leads back to the figure that the rule is of, with its cells."""
    price = figure("t1.total.price", Spec("price", "money", 0, "USD"), Decimal(9), "sum of 11 of 12", ("Deals!F7:F17",))
    first, second = cited(price.derivation, rule_of(price)).figures
    assert (first.id, second.id) == ("t1.total.price.rule.1", "t1.total.price.rule.2")
    assert first.cells == ("Deals!F7:F17",)
    assert "sum of 11 of 12" in first.derivation
    assert remark("3 hidden").figures[0].derivation == "3 hidden"


def test_a_name_in_a_label_is_no_number() -> None:
    """What stands before the last comma is the file's."""
    shown = figure("a", Spec("Harrow Street 14, first 3", "money"), Decimal(1), "", ())
    assert numbers(labelled(shown)) == ["3"]


def test_a_number_that_no_figure_prints_is_found_on_reading_back() -> None:
    """The rules let pass what they name, and nothing else."""
    known = {"6.5%"}
    assert (
        reading_back.unexplained("cap rate is 6.5%, F7:F9, 2026, “12”, Suite 12-B, rows 4, 5", known, ["Suite 12-B"])
        == []
    )
    assert reading_back.unexplained("cap rate is 0.065", known, []) == ["0.065"]
    assert reading_back.unexplained("$486,000 and NOI $000", known, []) == ["486,000"]
    assert reading_back.unexplained("Suite 12, sum of 3", known, ["Suite 1"]) == ["12", "3"]


TOTAL = Issue("total.mismatch", "error", "The total of noi says 1,200; they give 1,150.50.", (), "1,150.50", "1,200")
EMPTY = Issue("value.placeholder", "info", "noi: no value yet in 1 cell (such as 'TBD').", (), None, "TBD")
MISMATCH = Issue(
    "cap_rate.mismatch",
    "warning",
    "cap_rate is 6.5% where NOI ÷ price gives 7.04%.",
    ("Deals!H9", "Deals!G9"),
    "0.0704133",
    "0.065",
)


def test_an_issues_numbers_are_figures_with_its_code_and_cells() -> None:
    """What was found and expected stands in the derivation."""
    words = told(MISMATCH, 300)
    assert words.text == "cap rate is 6.5% where NOI ÷ price gives 7.04%."
    found, expected = words.figures
    assert (found.value, found.unit, found.cells) == (Decimal("0.065"), "fraction", MISMATCH.cells)
    assert expected.derivation == "cap_rate.mismatch; found 0.065; expected 0.0704133"
    assert found.id == "issue.cap_rate.mismatch.deals_h9.1"


@pytest.mark.parametrize(
    ("issue", "found", "expected"),
    [
        (MISMATCH, "6.5%", "7.04%"),
        (
            Issue("value.placeholder", "info", "noi: no value yet in 1 cell (such as 'TBD').", (), None, "TBD"),
            "TBD",
            "",
        ),
        (Issue("percent.mixed", "warning", "cap_rate: unlike the rest (such as 7.25).", (), None, "7.25"), "7.25", ""),
        (
            Issue(
                "total.mismatch", "error", "The total of noi says 1,200; they give 1,150.50.", (), "1,150.50", "1,200"
            ),
            "1,200",
            "1,150.50",
        ),
    ],
)
def test_found_and_expected_read_as_the_sentence_has_them(issue: Issue, found: str, expected: str) -> None:
    """A value of a field in its unit, what a cell holds as it is."""
    assert told_value(issue, issue.found).text == found
    assert told_value(issue, issue.expected).text == expected
    for words in (told_value(issue, issue.found), told_value(issue, issue.expected)):
        assert not any(isinstance(part, str) and NUMBER.search(part) for part in words.parts)


def test_days_in_an_issue_are_written_as_documents_write_them() -> None:
    """No ISO day is printed; each is a figure."""
    issue = Issue("dates.order", "warning", "lease_expiry (2024-02-28) lies before lease_start (2026-01-31).")
    assert told(issue, 300).text == "lease expiry (28 Feb 2024) lies before lease start (31 Jan 2026)."
    assert numbers(told(issue, 300)) == ["28 Feb 2024", "31 Jan 2026"]


def test_the_word_none_in_an_issue_is_no_leftover() -> None:
    """The sentence is ours; it may begin with None."""
    registry = FigureRegistry()
    said = registry.say(
        told(Issue("date.ambiguous", "warning", "Which is first in 4 cells? None tells."), 300), "deck:1"
    )
    assert registry.leftovers("deck:1", said) == []
