"""How well tables are understood: `python -m tests.bench.meaning --files DIR --labels DIR [--half a|b] [--out DIR]`.

Prints a confusion table of row classes and one of fields against labelled workbooks, and how often each band of
confidence is right: for the labelled columns, and for headers that the dictionary does not hold. For the latter each of
its synonyms is read twice over values of a labelled column of its field: by a dictionary without that synonym (and all
that spell alike), which must find the field, and by one without the field, which must find none: about half of the
columns of the labelled tables hold none of the fields. Files are split in halves by their header, so that copies of a
template never part; `--half` measures one of them alone.

`--out` writes the same into a folder: rows.csv and fields.csv (labelled, found, count), confidence.csv (of which
columns, band, count, share right, mean confidence said) and meaning.json, which `--json` prints.

A label is a JSON file that names its `file` and its `tables`: sheet, header_rows, first_data_row, last_data_row,
excluded_rows (rows or [first, last]) and `columns`, each with its `header` and `field`.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from schemas.workbook import Candidate, Overrides
from tools.deals import header_match, mapping
from tools.deals.dictionary import dictionary
from tools.deals.header_match import context_words, own_name
from tools.deals.header_text import Header, read_header
from tools.deals.profile import Profile, profile
from tools.deals.reading import read_tables
from tools.deals.table_reading import TableReading
from tools.workbook.detect import detect_tables
from tools.workbook.open import open_workbook

BANDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.01)
PRICES = frozenset({"price", "asking_price", "sale_price"})
#: Fields that labels speak of: a column labelled as none of them may hold any other.
LABELLED = frozenset(dictionary().fields) - {
    "maturity_date",
    "origination_date",
    "original_balance",
    "appraised_value",
    "assessed_value",
    "operating_expenses",
    "land_sf",
    "leased_sf",
    "suite",
    "lease_term_months",
    "market_rent",
}
Pair = tuple[str, str]


@dataclass
class Measured:
    """Counts: (labelled, found) of rows and fields, and (confidence, right) of mapped, left and unheard-of columns."""

    rows: Counter[Pair] = field(default_factory=Counter[Pair])
    fields: Counter[Pair] = field(default_factory=Counter[Pair])
    mapped: list[tuple[float, bool]] = field(default_factory=list[tuple[float, bool]])
    left: list[tuple[float, bool]] = field(default_factory=list[tuple[float, bool]])
    unheard: list[tuple[float, bool]] = field(default_factory=list[tuple[float, bool]])


def half_of(label: Mapping[str, Any]) -> str:
    """The half that a label's file belongs to, by the words of its first table's header."""
    said = sorted(str(c.get("header")).casefold() for c in label["tables"][0].get("columns", {}).values())
    return "ab"[hashlib.sha256("\n".join(said).encode()).digest()[0] % 2]


def accepted(name: str | None) -> set[str | None]:
    """The fields that a label's name takes: "a or b" takes both, a plain price takes any."""
    if name is None:
        return {None}
    names: set[str | None] = {part.strip() for part in name.split(" or ")}
    return names | PRICES if "price" in names else names


def expand(ranges: Any) -> set[int]:
    """The rows of a list of numbers and [first, last] pairs."""
    listed = ranges.get("ranges", []) if isinstance(ranges, dict) else ranges or []
    return {row for one in listed for row in ([one] if isinstance(one, int) else range(one[0], one[1] + 1))}


def measure(files: Path, labels: Path, half: str | None) -> Measured:
    """What the labelled files of a half (of both for None) give."""
    measured, columns = Measured(), dict[str, list[object]]()
    for path in sorted(labels.glob("*.json")):
        label = json.loads(path.read_text(encoding="utf-8"))
        if half not in (None, half_of(label)):
            continue
        source = files / Path(label["file"]).name
        layout = detect_tables(open_workbook(source.read_bytes(), source.name))
        readings = read_tables(layout, Overrides())
        for table in label["tables"]:
            reading = _reading_of(table, readings)
            if table.get("orientation", "rows") == "rows" and reading is not None:
                _count_rows(measured, table, reading)
                _count_fields(measured, table, reading, columns)
    measured.unheard = list(unheard(columns))
    return measured


def _reading_of(table: Mapping[str, Any], readings: Iterable[TableReading]) -> TableReading | None:
    """The reading that shares most of a labelled table's rows; None where none shares half of them."""
    wanted = set(range(table["first_data_row"], table["last_data_row"] + 1)) if table.get("first_data_row") else set()
    shared = [
        (len(wanted & set(range(r.table.first_row, r.table.last_row + 1))), -at, r)
        for at, r in enumerate(readings)
        if table["sheet"] in (None, r.table.sheet.name) and r.table.orientation == "rows"
    ]
    best = max(shared, default=None, key=lambda one: one[:2])
    return best[2] if best and 2 * best[0] >= len(wanted) and wanted else None


def _count_rows(measured: Measured, table: Mapping[str, Any], reading: TableReading) -> None:
    found = {row: str(s.row_class) for s in reading.table.excluded for row in range(s.first, s.last + 1)}
    found |= dict.fromkeys(reading.table.record_rows, "record") | dict.fromkeys(reading.table.header_rows, "header")
    heads, out = set(table["header_rows"]), expand(table.get("excluded_rows"))
    for row in sorted(heads | set(range(table["first_data_row"], table["last_data_row"] + 1))):
        said = "header" if row in heads else "left out" if row in out else "record"
        if row in found or said != "left out":
            measured.rows[said, found.get(row, "outside")] += 1


def _count_fields(
    measured: Measured, table: Mapping[str, Any], reading: TableReading, columns: dict[str, list[object]]
) -> None:
    held = {view.letters: (view, m) for view, m in zip(reading.columns, reading.mapped, strict=True)}
    for letters, said in table["columns"].items():
        if letters not in held:
            continue
        view, m = held[letters]
        right = m.field in accepted(said["field"]) or (said["field"] is None and m.field not in LABELLED)
        truth = m.field if right else said["field"]
        measured.fields[str(truth or "(none)"), str(m.field or "(none)")] += 1
        (measured.mapped if m.field else measured.left).append((m.confidence, right))
        if right and m.field:
            columns.setdefault(m.field, list(view.values)[:400])


def unheard(columns: Mapping[str, list[object]]) -> Iterator[tuple[float, bool]]:
    """(confidence, right) of each synonym of the fields in `columns`, read by a dictionary without it."""
    for name, values in sorted(columns.items()):
        seen = profile(values)
        for text in sorted(dictionary().fields[name].synonyms):
            header = read_header(text)
            if header.tokens == own_name(name):
                continue
            for without_field in (False, True):
                found = _candidates_without(header.tokens, name if without_field else None, header, seen)
                if found and found[0].score >= mapping.MAPPED:
                    right = not without_field and found[0].field in accepted(name)
                    yield mapping.calibrated(found[0].score), right


def _candidates_without(
    tokens: tuple[str, ...], name: str | None, header: Header, seen: Profile
) -> tuple[Candidate, ...]:
    """The candidates by a dictionary without the synonyms spelt `tokens` and without field `name`."""
    rest = {
        token: tuple(s for s in known if s.tokens != tokens and s.field != name)
        for token, known in header_match._index().items()
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(header_match, "_index", lambda: rest)
        return mapping._candidates(header, seen, context_words([], [header]))


def bands(pairs: Iterable[tuple[float, bool]]) -> list[tuple[str, int, float, float]]:
    """Each band of confidence: how many fell into it, the share that was right, the mean confidence that was said."""
    listed, found = list(pairs), list[tuple[str, int, float, float]]()
    for low, high in pairwise(BANDS):
        inside = [(score, right) for score, right in listed if low <= score < high]
        if inside:
            said, right = (sum(part) / len(inside) for part in zip(*inside, strict=True))
            found.append((f"{low:.2f}-{min(high, 1.0):.2f}", len(inside), right, said))
    return found


def document(measured: Measured) -> dict[str, Any]:
    """All of it as plain JSON; of the fields only what was confused, with how many were right."""
    right = sum(count for (said, found), count in measured.fields.items() if said == found)
    return {
        "rows": [[*pair, count] for pair, count in sorted(measured.rows.items())],
        "fields_right": [right, sum(measured.fields.values())],
        "fields_confused": [[*p, count] for p, count in sorted(measured.fields.items()) if p[0] != p[1]],
        "confidence_mapped": bands(measured.mapped),
        "confidence_left": bands(measured.left),
        "confidence_unheard": bands(measured.unheard),
    }


def write(measured: Measured, folder: Path) -> None:
    """Writes the tables and the document into `folder`, which is made where it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, counts in (("rows", measured.rows), ("fields", measured.fields)):
        _write_csv(folder / f"{name}.csv", ("labelled", "found", "count"), ((*p, n) for p, n in sorted(counts.items())))
    kinds = (("mapped", measured.mapped), ("left", measured.left), ("unheard", measured.unheard))
    lines = ((kind, *band) for kind, pairs in kinds for band in bands(pairs))
    _write_csv(folder / "confidence.csv", ("columns", "confidence", "count", "right", "said"), lines)
    (folder / "meaning.json").write_text(json.dumps(document(measured), indent=2) + "\n", encoding="utf-8")


def _write_csv(path: Path, header: tuple[str, ...], lines: Iterable[tuple[object, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(header)
        writer.writerows([f"{cell:.4f}" if isinstance(cell, float) else cell for cell in line] for line in lines)


def main(arguments: list[str] | None = None) -> None:
    """Prints the measurement of a folder of files and one of labels."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.meaning", description="How well tables are understood."
    )
    parser.add_argument("--files", type=Path, required=True)
    parser.add_argument("--labels", type=Path, required=True)
    parser.add_argument("--half", choices=("a", "b"))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--out", type=Path, help="a folder to write the tables to")
    given = parser.parse_args(arguments)
    measured = measure(given.files, given.labels, given.half)
    found = document(measured)
    if given.out:
        write(measured, given.out)
    if given.json:
        print(json.dumps(found, indent=2))
        return
    for name, value in found.items():
        print(name)
        for line in value if isinstance(value[0] if value else None, (list, tuple)) else [value]:
            print("   ", *(f"{cell:.3f}" if isinstance(cell, float) else str(cell).ljust(14) for cell in line))


if __name__ == "__main__":
    main()
