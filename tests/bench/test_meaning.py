"""The measurement of meaning itself, on a small labelled workbook."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench import meaning
from tests.tools.deals.books import DEALS, HEADER, xlsx
from tools.deals.mapping import calibrated


def test_what_is_read_as_labelled_is_right_and_what_is_not_is_confused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A label that calls the price a rent, and one deal a total, shows up in both tables and in the bands."""
    files, labels = tmp_path / "files", tmp_path / "labels"
    files.mkdir()
    labels.mkdir()
    (files / "deals.xlsx").write_bytes(xlsx({"Deals": [HEADER, *DEALS]}))
    said = {"A": "deal_name", "D": "state", "E": "rent_annual", "G": "cap_rate"}
    columns = {letters: {"header": HEADER["ABCDEFGHI".index(letters)], "field": f} for letters, f in said.items()}
    table = {"sheet": "Deals", "header_rows": [1], "first_data_row": 2, "last_data_row": 5, "excluded_rows": [5]}
    label = {"file": "files/deals.xlsx", "tables": [{**table, "columns": columns}]}
    (labels / "deals.json").write_text(json.dumps(label), encoding="utf-8")
    out = tmp_path / "made" / "out"
    meaning.main(["--files", str(files), "--labels", str(labels), "--json", "--out", str(out)])
    found = json.loads(capsys.readouterr().out)
    assert json.loads((out / "meaning.json").read_text(encoding="utf-8")) == found
    assert (out / "rows.csv").read_text(encoding="utf-8").split() == [
        "labelled,found,count",
        "header,header,1",
        "left",
        "out,record,1",
        "record,record,3",
    ]
    assert "rent_annual,asking_price,1" in (out / "fields.csv").read_text(encoding="utf-8")
    assert "mapped,0.95-1.00,4,0.7500,0.9" in (out / "confidence.csv").read_text(encoding="utf-8")
    assert found["rows"] == [["header", "header", 1], ["left out", "record", 1], ["record", "record", 3]]
    assert found["fields_right"] == [3, 4]
    assert found["fields_confused"] == [["rent_annual", "asking_price", 1]]
    assert found["confidence_mapped"][0][:3] == ["0.95-1.00", 4, 0.75]
    assert sum(band[1] for band in found["confidence_unheard"]) > 20
    other = {"a": "b", "b": "a"}[meaning.half_of(label)]
    meaning.main(["--files", str(files), "--labels", str(labels), "--half", other])
    assert "fields_right\n    0              0" in capsys.readouterr().out


def test_confidence_grows_with_the_score_and_is_certain_of_nothing() -> None:
    """Only what a person settled has a confidence of 1."""
    scores = [at / 100 for at in range(60, 101)]
    shares = [calibrated(score) for score in scores]
    assert shares == sorted(shares)
    assert 0.5 < shares[0] < shares[-1] < 1.0
