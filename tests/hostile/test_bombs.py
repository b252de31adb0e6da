"""Files made to exhaust their reader end in one sentence, soon and small, or are read right."""

from __future__ import annotations

import re
import select
import socket

import pytest

from schemas.errors import InputError
from tests.hostile import (
    binary_bombs,
    formula_bombs,
    markup_bombs,
    ooxml,
    part_bombs,
    sheet_bombs,
    spread_bombs,
    stacked_bombs,
    text_bombs,
    xml_bombs,
    zip_bombs,
)
from tests.hostile.bomb import Bomb
from tools.isolation import extraction
from tools.isolation.child import Outcome, error_of, run_child
from tools.workbook.limits import DEFAULT_LIMITS

BOMBS = zip_bombs.BOMBS + xml_bombs.BOMBS + sheet_bombs.BOMBS + text_bombs.BOMBS
BOMBS += formula_bombs.BOMBS + binary_bombs.BOMBS + markup_bombs.BOMBS + part_bombs.BOMBS + spread_bombs.BOMBS
BOMBS += stacked_bombs.BOMBS
REFUSED_S = 5.0
REFUSED_BYTES = 300_000_000


#: The long ones are for the long run.
CASES = [pytest.param(bomb, id=bomb.name, marks=[pytest.mark.long] if bomb.long else []) for bomb in BOMBS]


@pytest.mark.parametrize("bomb", CASES)
def test_a_bomb_ends_in_one_sentence_or_is_read_right(bomb: Bomb) -> None:
    """Refused within 5 s of processor time and 300 MB, by a sentence of the right kind; or read within the limits."""
    args = (bomb.make(), bomb.filename, None, None, DEFAULT_LIMITS)
    limits = (DEFAULT_LIMITS.memory_bytes, DEFAULT_LIMITS.timeout_s)
    outcome = run_child(extraction.read_deals, *args, memory_bytes=limits[0], timeout_s=limits[1])
    if bomb.deals is not None:
        assert (outcome.end, getattr(outcome.value, "deal_count", outcome.value)) == ("returned", bomb.deals)
        if bomb.cheap:
            _assert_cheap(outcome)
        return
    assert outcome.end != "returned"
    refused = error_of(outcome, bomb.filename, *limits)
    assert isinstance(refused, InputError)
    assert refused.code in bomb.codes
    assert re.fullmatch(rf"{re.escape(bomb.filename)} [^\n]+; [^\n]+\.", refused.message)
    _assert_cheap(outcome)


def _assert_cheap(outcome: Outcome) -> None:
    assert outcome.processor_s < REFUSED_S
    assert outcome.peak_rss_bytes < REFUSED_BYTES


@pytest.mark.parametrize("name", xml_bombs.PARTS.values(), ids=xml_bombs.PARTS)
def test_no_address_in_a_part_is_opened(name: str) -> None:
    """Entities and relations that lie elsewhere stay there: nobody calls."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x"
        linked = f'<Relationship Id="rId9" Type="{ooxml.RELATIONS}/{{}}" Target="{address}" TargetMode="External"/>'
        links = "".join(
            linked.format(kind) for kind in ("hyperlink", "externalLinkPath", "worksheet", "oleObject", "image")
        )
        sheet_relations = {"xl/worksheets/_rels/sheet1.xml.rels": ooxml.relations_xml([], links)}
        declaring = xml_bombs.changed(name, xml_bombs.external(address))
        linking = ooxml.book({"Comps": ooxml.deals_sheet()}, sheet_relations)
        for data, end in ((declaring, "refused"), (linking, "returned")):
            args = (data, "deals.xlsx", None, None, DEFAULT_LIMITS)
            assert run_child(extraction.read_deals, *args, memory_bytes=10**9, timeout_s=60).end == end
        assert not select.select([server], [], [], 0)[0]


def test_a_field_of_half_a_gigabyte_meets_the_budget_first() -> None:
    """What a real file of that size would do is shown on one as much larger than a smaller budget."""
    data = text_bombs.HONEST + b"x" * 5_000_000
    for limit, code in ((1_000_000, "file.too_large"), (100_000_000, "file.unsafe")):
        limits = type(DEFAULT_LIMITS)(file_bytes=limit)
        args = (data, "deals.csv", None, None, limits)
        outcome = run_child(extraction.read_deals, *args, memory_bytes=10**9, timeout_s=60)
        assert (outcome.end, outcome.value.code) == ("refused", code)
        assert outcome.peak_rss_bytes < REFUSED_BYTES
