"""Whatever a file holds, its readers read it or refuse it in a sentence, soon, and without contradiction."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.hostile import fuzz, fuzz_reading, fuzz_seeds, mutations, ooxml

#: The files of the short run are the same each time; the long run goes on where it ends.
SEED, SHORT = 2026, 250
LONG_S = 60.0

TEXT = st.one_of(st.text(max_size=40), st.sampled_from(mutations.TEXTS + mutations.NUMBERS))
VALUE = st.one_of(st.none(), st.floats(), st.integers(-(10**18), 10**18), TEXT)


def test_bred_files_are_read_or_refused() -> None:
    """A few hundred changed workbooks of each kind, in child processes."""
    found, hungry = fuzz.hunt(SEED, 0, SHORT)
    assert (found, hungry) == ([], [])


@pytest.mark.long
@pytest.mark.timeout(400)
def test_bred_files_are_read_or_refused_for_a_minute() -> None:
    """As many as a minute allows."""
    started, at = time.monotonic(), SHORT
    while time.monotonic() - started < LONG_S:
        found, _ = fuzz.hunt(SEED, at, fuzz.BATCH)
        assert not found
        at += fuzz.BATCH


def test_a_bred_file_is_the_same_each_time() -> None:
    """What the seed and the number say is enough to see a finding again."""
    first = [fuzz_reading.bred(7, number) for number in range(60)]
    fuzz_seeds.seeds.cache_clear()
    assert [fuzz_reading.bred(7, number) for number in range(60)] == first
    assert len({data for _, data in first}) > 50


def test_the_hunt_finds_what_misbehaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader with a fault of each kind is noticed: an error, a warning, a slow reading, a lost cell."""
    for planted in (KeyError("x"), RuntimeWarning("x"), ZeroDivisionError(), AssertionError("3 of 4 cells")):

        def fail(*_: object, planted: Exception = planted, **__: object) -> None:
            raise planted

        monkeypatch.setattr(fuzz_reading, "read", fail)
        assert type(planted).__name__ in str(fuzz_reading.verdict("deals.csv", b"x", every_output=True))
    monkeypatch.setattr(fuzz_reading, "read", lambda *_, **__: None)
    monkeypatch.setattr(fuzz_reading, "SLOW_S", -1.0)
    assert "took" in str(fuzz_reading.verdict("deals.csv", b"x", every_output=True))


@settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(*[VALUE] * 6), min_size=1, max_size=8), st.booleans())
def test_any_values_under_ordinary_headers_are_read(lines: list[tuple[Any, ...]], written: bool) -> None:
    """Each cell is accounted for, and no value makes the reading fail."""
    heads = ("Property", "Asking Price ($000s)", "Cap Rate", "List Date", "Year Built", "Notes")
    plain = [tuple(_writable(value) for value in line) for line in lines]
    data = ooxml.book({"Comps": ooxml.sheet(ooxml.rows(heads, *plain))})
    assert fuzz_reading.verdict("deals.xlsx", data, every_output=written) is None


@settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(max_size=400), st.sampled_from(["utf-8", "utf-16", "cp1252", "utf-8-sig"]), st.randoms())
def test_any_text_is_a_file_of_text(text: str, encoding: str, chance: random.Random) -> None:
    """With an honest table above it or without."""
    above = fuzz_seeds.rent_roll_text().decode() if chance.random() < 0.5 else ""
    data = (above + text).encode(encoding, "replace")
    assert fuzz_reading.verdict("deals.csv", data, every_output=False) is None


def _writable(value: object) -> object:
    """`value` as XML can hold it."""
    if not isinstance(value, str):
        return value
    return "".join(c for c in value if c in "\t\n\r" or "\x20" <= c < "\ud800" or "\ue000" <= c < "\ufffe")
