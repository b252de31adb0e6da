"""Words for fields and issues: people's, never a program's."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import tools.deals
from tools.deals.findings import SENTENCES
from tools.figures import wording
from tools.figures.wording import in_peoples_words, issue_words

#: In two words of two letters or more: n.a is none.
_CODE = re.compile(r"[a-z]{2,}(?:_[a-z]+)*\.[a-z]{2,}(?:_[a-z]+)*")
_NO_ISSUES = re.compile(r"(?:file|deals|tools)\..*|.*\.toml|pin\.(?!applied)\w+")
"""Codes of errors, which end a command with a sentence, and names of files."""


def codes_in(source: str) -> set[str]:
    """The codes of issues in a module: texts of their form, and the ends of those that begin with a field's name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr) and len(node.values) > 1 and isinstance(node.values[-1], ast.Constant):
            end = str(node.values[-1].value)
            found |= {f"cap_rate{end}"} if re.fullmatch(r"\.[a-z_]+", end) else set()
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _CODE.fullmatch(node.value):
            found.add(node.value)
    return {code for code in found if not _NO_ISSUES.fullmatch(code)}


def test_every_issue_that_a_reading_can_raise_has_words_of_its_own() -> None:
    """Whoever adds a code adds what documents call it: a code taken apart at its dot is no sentence."""
    sources = Path(tools.deals.__file__).parent.glob("*.py")
    codes = set(SENTENCES).union(*(codes_in(source.read_text(encoding="utf-8")) for source in sources))
    assert {"currency.partial", "total.column", "value.ditto", "cap_rate.mismatch", "years.order"} <= codes
    unnamed = {code for code in codes if code not in wording._WHOLE and code.rpartition(".")[2] not in wording._ISSUES}
    assert unnamed == set()
    assert set(wording._WHOLE) <= codes, "words for a code that nothing raises"
    assert all(len(issue_words(code)) <= 40 for code in codes), "the tables of documents are no wider"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("cap_rate.mismatch", "Cap rate does not tie"),
        ("dscr.exceeds_cover", "DSCR above its cover"),
        ("total.hidden", "Total with hidden rows"),
        ("slip.tenfold", "Slip tenfold"),
    ],
)
def test_every_code_has_words(code: str, words: str) -> None:
    """Known codes by what they mean, unknown ones without dots and underscores."""
    assert issue_words(code) == words


def test_names_of_fields_in_a_message_are_said_as_people_do() -> None:
    """Only names of fields change: a file's own words stay."""
    said = in_peoples_words("building_sf and noi differ from my_own_name, year_built too")
    assert said == "building SF and NOI differ from my_own_name, year built too"
