"""`dealwright extract`: documents, workbooks and tellings, and what it says of files that it can't use."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from tests.cli.bad_files import KINDS
from tests.cli.conftest import SAMPLES, Line

CODES = {
    "encrypted": "file.encrypted",
    "truncated": "file.truncated",
    "html": "file.html",
    "zero bytes": "file.empty",
    "folder": "file.folder",
    "missing": "file.missing",
    "pipe": "file.unreadable",
    "not a workbook": "file.not_workbook",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_cannot_be_used_ends_in_2_and_one_sentence(
    kind: str, line: Line, bad_files: dict[str, str]
) -> None:
    """The sentence names the file, says what is wrong, and what to do."""
    ran = line("extract", bad_files[kind])
    assert ran.code == 2
    assert len(ran.sentences) == 1
    assert Path(bad_files[kind]).name in ran.err
    assert ";" in ran.err
    assert ran.err.rstrip().endswith(".")
    assert "Traceback" not in ran.err + ran.out


@pytest.mark.parametrize(("kind", "code"), CODES.items())
def test_json_of_a_bad_file_is_one_document_with_the_error(
    kind: str, code: str, line: Line, bad_files: dict[str, str]
) -> None:
    """A program reads what a person reads."""
    ran = line("extract", bad_files[kind], "--json")
    assert ran.code == 2
    document = ran.document
    assert document["error"] == {"code": code, "message": ran.err.rstrip("\n")}


@pytest.mark.parametrize("kind", ["no deals", "no table"])
def test_json_of_a_file_without_deals_still_accounts_for_its_rows(
    kind: str, line: Line, bad_files: dict[str, str]
) -> None:
    """Exit 2 and a sentence, and one document that says what each row was taken for."""
    ran = line("extract", bad_files[kind], "--json")
    assert (ran.code, len(ran.sentences)) == (2, 1)
    assert ran.document["deals"] == []
    assert ran.document["census"][0]["non_empty_rows"] == ran.document["census"][0]["accounted_rows"] > 0


def test_the_portfolio_comes_out_as_one_document_with_every_visible_property(line: Line) -> None:
    """Fifty records, the hidden fifty-first left out, thousands turned into dollars."""
    ran = line("extract", SAMPLES / "portfolio.xlsx", "--json")
    assert ran.code == 0
    assert ran.err == ""
    deals = ran.document["deals"]
    assert ran.document["schema"] == "dealwright.extraction/1"
    assert len(deals) == 50
    first = deals[0]["fields"]
    assert first["deal_name"]["value"] == "Pelican Bend Logistics Center"
    assert first["asking_price"]["value"] == 34_875_000
    assert first["asking_price"]["cell"] == "Portfolio!M10"
    assert "Palo Duro Call Center" not in ran.out


@pytest.mark.parametrize(("name", "deals"), [("rent_roll.xlsx", 13), ("loan_tape.xlsx", 28), ("pipeline.csv", 24)])
def test_each_other_sample_gives_its_records(name: str, deals: int, line: Line) -> None:
    """Totals, section rows and notes are no records."""
    ran = line("extract", SAMPLES / name, "--json")
    assert (ran.code, len(ran.document["deals"])) == (0, deals)


def test_xlsx_writes_the_records_and_says_where(line: Line, folder: Path) -> None:
    """The workbook opens, and standard output stays empty."""
    ran = line("extract", SAMPLES / "pipeline.csv", "--xlsx", folder / "deals.xlsx")
    assert (ran.code, ran.out) == (0, "")
    assert "deals.xlsx" in ran.err
    assert openpyxl.load_workbook(folder / "deals.xlsx").sheetnames
    assert [path.name for path in folder.iterdir()] == ["deals.xlsx"]


def test_xlsx_of_a_file_without_deals_writes_nothing(line: Line, folder: Path, bad_files: dict[str, str]) -> None:
    """No empty workbook that looks like a result."""
    assert line("extract", bad_files["no deals"], "--xlsx", folder / "deals.xlsx").code == 2
    assert not [*folder.iterdir()]


def test_xlsx_into_a_folder_that_is_missing_is_refused_in_a_sentence(line: Line, folder: Path) -> None:
    """Nothing is made that was not asked for."""
    ran = line("extract", SAMPLES / "pipeline.csv", "--xlsx", folder / "nowhere" / "deals.xlsx")
    assert ran.code == 2
    assert len(ran.sentences) == 1
    assert not [*folder.iterdir()]


def test_without_options_the_tables_are_told(line: Line) -> None:
    """A person sees what was read: table, range, kind, how many deals."""
    ran = line("extract", SAMPLES / "portfolio.xlsx")
    assert ran.code == 0
    assert "50 deals in 1 table\n" in ran.out
    assert "Portfolio" in ran.out


def test_extract_keeps_no_state(line: Line, folder: Path) -> None:
    """No database, no folder: extraction alone."""
    line("extract", SAMPLES / "pipeline.csv", "--json")
    assert not [*folder.iterdir()]
