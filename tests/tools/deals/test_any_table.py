"""Whatever a table holds: no crash, no value from nowhere, and documents that can be written and read back."""

from __future__ import annotations

import datetime as dt
import io
import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from tests.tools.deals.books import xlsx
from tools.deals.dictionary import dictionary
from tools.deals.document import dump, extraction_document, load
from tools.deals.extract import extract
from tools.deals.summary import summarise
from tools.deals.survey import survey, survey_answer
from tools.deals.workbook_out import deals_xlsx

ODD = [
    "TBD",
    "n/a",
    "$1.2M",
    "(500)",
    "5.5%",
    "12-15",
    "1.250,00",
    "02134",
    "3/4/2024",
    "Q1",
    "#REF!",
    "=1+1",
    "=NOPE()",
    "x" * 90,
]
CELLS = st.one_of(
    st.none(),
    st.integers(-10, 10**9),
    st.floats(-1e6, 1e9, allow_nan=False),
    st.booleans(),
    st.dates(dt.date(1950, 1, 1), dt.date(2050, 1, 1)),
    st.sampled_from(ODD),
    st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), max_size=12),
)
SYNONYMS = sorted({text for spec in dictionary().fields.values() for text in (spec.synonyms[0], *spec.weak[:1])})
HEADERS = st.lists(st.sampled_from(SYNONYMS), min_size=2, max_size=9)


@st.composite
def tables(draw: st.DrawFn) -> list[list[object]]:
    """A header of the dictionary's words over rows of anything."""
    header = ["Property Name", *draw(HEADERS)]
    count = draw(st.integers(1, 6))
    rows = [
        [f"Place {i}", *draw(st.lists(CELLS, min_size=len(header) - 1, max_size=len(header) - 1))] for i in range(count)
    ]
    return [header, *rows]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tables())
def test_any_table_gives_documents_whose_every_raw_stands_in_its_cell(rows: list[list[object]]) -> None:
    """Read by another library, the cited cell holds what the document says it does."""
    data = xlsx({"Deals": rows})
    extraction = extract(data, "deals.xlsx")
    assert load(dump(extraction)) == extraction
    document = json.loads(json.dumps(extraction_document(extraction), allow_nan=False))
    sheet = load_workbook(io.BytesIO(data))["Deals"]
    for deal in document["deals"]:
        for value in (*deal["fields"].values(), *deal["extra"].values()):
            held = sheet[value["cell"].rpartition("!")[2]].value
            assert same(value["raw"], held), (value, held)


def same(raw: object, held: object) -> bool:
    """Whether a document's raw content is what openpyxl finds in the cell."""
    if isinstance(held, str) and held.startswith("="):
        return raw == ""
    if isinstance(held, dt.datetime):
        return raw == held.date().isoformat()
    if isinstance(held, (int, float)) and isinstance(raw, (int, float)):
        return abs(raw - held) <= 1e-9 * max(1.0, abs(held))
    return raw == held


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tables())
def test_any_table_can_be_summed_up_surveyed_and_written_as_a_workbook(rows: list[list[object]]) -> None:
    """The other ways out of an extraction."""
    data = xlsx({"Deals": rows})
    extraction = extract(data, "deals.xlsx")
    json.dumps([summarise(extraction), survey_answer(survey(data, "deals.xlsx"))], allow_nan=False)
    assert load_workbook(io.BytesIO(deals_xlsx(extraction))).sheetnames[0] == "Deals"
