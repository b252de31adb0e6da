"""`dealwright inspect`: one document a line in the order given, or a map."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

from tests.cli.conftest import SAMPLES, Line
from tests.tools.deals.books import xlsx
from tools.deals.survey import surveyed_structure
from tools.workbook.structure import structure_document
from worker.commands.map import map_lines


def test_each_file_gets_one_line_in_the_order_given(line: Line) -> None:
    """The documents' `file` is the path as typed."""
    paths = [str(SAMPLES / name) for name in ("pipeline.csv", "portfolio.xlsx", "rent_roll.xlsx")]
    ran = line("inspect", "--jsonl", *paths)
    documents = [json.loads(text) for text in ran.out.splitlines()]
    assert ran.code == 0
    assert [document["file"] for document in documents] == paths
    assert documents[1]["regions"][0]["sheet"] == "Portfolio"


def test_a_bad_file_among_good_ones_keeps_its_line(line: Line, bad_files: dict[str, str]) -> None:
    """The lines still match the files; the exit code and one sentence tell of the bad one."""
    ran = line("inspect", bad_files["encrypted"], SAMPLES / "pipeline.csv")
    documents = [json.loads(text) for text in ran.out.splitlines()]
    assert ran.code == 2
    assert len(ran.sentences) == 1
    assert documents[0]["error"]["code"] == "file.encrypted"
    assert documents[1]["rows"]


def test_a_workbook_without_any_sheet_is_refused_as_extract_refuses_it(line: Line, folder: Path) -> None:
    """There is nothing to inspect: the same sentence, exit 2, and a line with the error."""
    whole = zipfile.ZipFile(io.BytesIO(xlsx({"Deals": [["Property"]]})))
    with zipfile.ZipFile(folder / "bare.xlsx", "w") as bare:
        for name in whole.namelist():
            data = whole.read(name)
            bare.writestr(name, re.sub(rb"<sheets>.*</sheets>", b"<sheets/>", data, flags=re.DOTALL))
    refused, ran = line("extract", "bare.xlsx"), line("inspect", "bare.xlsx")
    assert (ran.code, ran.sentences) == (2, refused.sentences)
    assert len(ran.sentences) == 1
    assert json.loads(ran.out)["error"]["code"] == "file.no_table"


def test_every_row_of_the_portfolio_has_a_class(line: Line) -> None:
    """Header rows 7 and 8, the totals, and fifty records."""
    ran = line("inspect", "--jsonl", SAMPLES / "portfolio.xlsx")
    spans = [span for span in json.loads(ran.out)["rows"] if span["sheet"] == "Portfolio"]
    classes = {row: span["class"] for span in spans for row in range(span["first"], span["last"] + 1)}
    assert (classes[7], classes[8]) == ("header", "header")
    assert {classes[row] for row in (23, 35, 50, 64, 73, 75)} == {"total"}
    assert sum(kind == "record" for kind in classes.values()) == 50


def test_the_map_folds_long_runs_and_marks_gaps() -> None:
    """A strip a sheet: a letter a row, runs counted, empty rows dotted, the regions under it."""
    rows = [
        {"sheet": "Comps", "first": 2, "last": 2, "class": "title"},
        {"sheet": "Comps", "first": 4, "last": 5, "class": "header"},
        {"sheet": "Comps", "first": 6, "last": 211, "class": "record"},
        {"sheet": "Comps", "first": 212, "last": 212, "class": "total"},
    ]
    region = {"sheet": "Comps", "range": "A4:T212", "kind": "table", "header_rows": [4, 5]}
    lines = [*map_lines({"file": "comps.xlsx", "rows": rows, "regions": [region]})]
    assert lines[2].split() == ["1", ".T.HHr×206", "+"]
    assert lines[3].strip() == "A4:T212: table, header rows 4, 5"


def test_the_map_of_a_bad_file_is_its_sentence() -> None:
    """Nothing is drawn of what couldn't be read."""
    assert [*map_lines({"file": "a.xlsx", "error": {"message": "a.xlsx is empty."}})] == [
        "a.xlsx",
        "  a.xlsx is empty.",
    ]


def test_inspect_of_a_name_with_escapes_prints_none(line: Line, folder: Path) -> None:
    """A file's name can't drive the terminal."""
    ran = line("inspect", "bad\x1b[31mname.xlsx")
    assert ran.code == 2
    assert "\x1b" not in ran.err + ran.out


def mapped(name: str, data: bytes) -> list[str]:
    """The lines of a file's map with what its tables were understood as, without their indents."""
    found, survey = surveyed_structure(data, name)
    return [line.strip() for line in map_lines({**structure_document(found), "file": name}, survey)]


def test_the_map_says_what_was_understood_what_is_left_out_and_what_is_open() -> None:
    """Deals, their columns and kinds, totals, hidden cells, and why a table lists none."""
    lines = mapped("portfolio.xlsx", (SAMPLES / "portfolio.xlsx").read_bytes())
    assert "B7:S72: 50 deals (property summary), 18 of 18 columns understood" in lines
    assert "total rows: 23, 35, 50, 64, 73-75" in lines
    assert any(line.startswith("hidden: ") for line in lines)
    assert any("M asking price" in line for line in lines)
    assert "A1:E8: no deals, as no column names a property, a tenant, a company or a loan" in lines


def test_the_map_asks_what_the_rules_leave_open() -> None:
    """The column, its header as quoted data, the candidates with their scores, and samples."""
    rows = [["Property", "City", "Units", "Sale Price", "Balance"]]
    rows += [[f"Place {i}", "Reno", i, 1_000_000 * i, 1_000_000 * i] for i in range(1, 6)]
    lines = mapped("deals.xlsx", xlsx({"Deals": rows}))
    asked = " ".join(lines[next(at for at, line in enumerate(lines) if line.startswith("? ")) :])
    assert asked.startswith('? E "Balance" may be ')
    assert '"1000000", "2000000"' in asked


def test_the_map_of_many_tables_says_how_many_more_there_are() -> None:
    """A survey is bounded; what it leaves out is counted."""
    table = [["Property", "City", "Units", "Sale Price"], ["Elm", "Reno", 3, 1_000_000], ["Oak", "Elko", 4, 2_000_000]]
    lines = mapped("deals.xlsx", xlsx({f"Sheet {i}": table for i in range(15)}))
    assert "and 3 more tables" in lines
