"""Ids are derived: the same inputs, the same id."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import ids


def test_the_order_of_keys_does_not_change_an_id() -> None:
    """A database may give a mapping's keys in another order than the model gave them."""
    assert ids.derive("t", {"a": 1, "b": [2, 3]}) == ids.derive("t", {"b": [2, 3], "a": 1})


def test_parts_are_not_run_together() -> None:
    """Two parts are never the same as one longer part."""
    assert ids.derive("ab", "c") != ids.derive("a", "bc")


def test_a_fresh_start_is_another_job() -> None:
    """Asking for a new start counts into the job's id; not asking gives the id of before."""
    plain = ids.job_id_of_file("/a.xlsx", "00", "default", "1")
    assert plain == ids.job_id_of_file("/a.xlsx", "00", "default", "1", 0)
    assert len({plain, *(ids.job_id_of_file("/a.xlsx", "00", "default", "1", n) for n in (1, 2))}) == 3


def test_twins_stay_two() -> None:
    """Two identical records in two rows are two deals."""
    assert ids.deal_id("a.xlsx", "Comps", 6) != ids.deal_id("a.xlsx", "Comps", 7)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café Royal", "cafe royal"),
        ("Oak St. #4", "OAK ST 4"),
        ("Straße 5", "STRASSE 5"),
        ("東京  タワー", "東京 タワー"),
    ],
)
def test_matching_ignores_case_accents_and_punctuation(one: str, other: str) -> None:
    """What two people type for one name matches."""
    assert ids.normalise_key(one) == ids.normalise_key(other)


def test_a_source_id_outranks_name_and_address() -> None:
    """The source's own id is the key where there is one; a deal with nothing to match by has none."""
    assert ids.match_key("A-7", "Oak", None, None) == ids.match_key("a 7", "Elm", "1 Main", None)
    assert ids.match_key(None, None, "", None) is None
    assert ids.match_key(0, None, None, None) == "id:0"


@given(st.text(max_size=300))
def test_a_safe_name_never_leaves_its_folder(name: str) -> None:
    """Whatever a file is called, its safe name is one plain path part."""
    safe = ids.safe_name(name)
    assert safe
    assert not set(safe) & set('/\\:*?"<>|\x00\n')
    assert not safe.startswith(".")
    assert len(safe) <= 120
