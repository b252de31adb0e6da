"""Session state: one writer a namespace, typed values, caps, and nothing that a database refuses."""

from __future__ import annotations

import ast

import pytest
from google.adk.sessions.state import State

from schemas import state
from schemas.agent_answers import DealsRef
from schemas.errors import OutputError
from schemas.state import Refusal, TableNote
from schemas.workbook import TableBounds
from tests.architecture import source

TOOLSET = "agents.extraction.toolset"
REF = DealsRef(artifact="deals/x", version=3, sha256="a" * 64)


@pytest.fixture
def kept() -> State:
    """An empty session state of ADK's."""
    return State({}, {})


def test_a_value_comes_back_as_the_type_it_went_in_as(kept: State) -> None:
    """State holds plain JSON; readers get values."""
    state.write(kept, TOOLSET, state.DEALS_REF, REF)
    assert kept.get("deals:ref") == {"artifact": "deals/x", "version": 3, "sha256": "a" * 64}
    assert state.read(kept, state.DEALS_REF) == REF


def test_a_missing_value_is_none(kept: State) -> None:
    """And so is one that was cleared."""
    assert state.read(kept, state.DEALS_REF) is None
    state.write(kept, TOOLSET, state.REFUSED, Refusal(code="file.empty", message="Empty."))
    state.write(kept, TOOLSET, state.REFUSED, None)
    assert state.read(kept, state.REFUSED) is None


@pytest.mark.parametrize("namespace", sorted(state.OWNERS))
def test_a_write_by_another_module_is_refused(kept: State, namespace: str) -> None:
    """Each namespace has one owner."""
    key = state.StateKey(f"{namespace}:ref", state.DEALS_SUMMARY.adapter)
    for owner in {*state.OWNERS.values(), "agents.elsewhere"} - {state.OWNERS[namespace]}:
        with pytest.raises(OutputError, match="not its own") as refused:
            state.write(kept, owner, key, {"deals": 1})
        assert refused.value.code == "state.owner"
    state.write(kept, state.OWNERS[namespace], key, {"deals": 1})
    assert kept.to_dict() == {f"{namespace}:ref": {"deals": 1}}


def test_an_unknown_namespace_has_no_owner(kept: State) -> None:
    """A new namespace is entered in the table of owners first."""
    with pytest.raises(OutputError, match="not its own"):
        state.write(kept, TOOLSET, state.StateKey("notes:x", state.FIELD.adapter), "x")


def test_a_value_over_its_cap_is_refused(kept: State) -> None:
    """Big things are artifacts."""
    state.write(kept, TOOLSET, state.DEALS_SUMMARY, {"x": "a" * (state.VALUE_BYTES - 10)})
    with pytest.raises(OutputError) as refused:
        state.write(kept, TOOLSET, state.DEALS_SUMMARY, {"x": "é" * (state.VALUE_BYTES // 2)})
    assert refused.value.code == "state.value_size"


def test_a_session_over_its_cap_is_refused_and_stays_as_it_was(kept: State) -> None:
    """ADK writes the whole of it again with every event."""
    value = "a" * (state.VALUE_BYTES - 100)
    for number in range(state.SESSION_BYTES // state.VALUE_BYTES):
        state.write(kept, TOOLSET, state.FIELD.at("w", "t1", str(number)), value)
    with pytest.raises(OutputError) as refused:
        state.write(kept, TOOLSET, state.FIELD.at("w", "t1", "last"), value)
    assert refused.value.code == "state.session_size"
    assert len(kept.to_dict()) == state.SESSION_BYTES // state.VALUE_BYTES


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), "a\x00b", "\ud800", ["ok", {"deep": "\x00"}], {"\x00": 1}, {"x": [float("-inf")]}],
)
def test_what_a_database_refuses_never_gets_in(kept: State, value: object) -> None:
    """NaN, infinity, NUL and half a surrogate pair break an append to PostgreSQL long after the write."""
    with pytest.raises(OutputError) as refused:
        state.write(kept, TOOLSET, state.DEALS_SUMMARY, {"x": value})
    assert refused.value.code == "state.value"
    assert kept.to_dict() == {}


def test_a_stored_value_of_the_wrong_type_is_told_as_ours_to_mend(kept: State) -> None:
    """Nothing of pydantic's reaches a user."""
    kept["deals:ref"] = {"artifact": 7}
    with pytest.raises(OutputError) as refused:
        state.read(kept, state.DEALS_REF)
    assert refused.value.code == "state.type"


def test_a_familys_members_are_read_together(kept: State) -> None:
    """One key a choice, so that calls in parallel never meet in one value."""
    state.write(kept, TOOLSET, state.FIELD.at("w", "t1", "G"), "noi")
    state.write(kept, TOOLSET, state.FIELD.at("w", "t2", "B"), "cap_rate")
    state.write(kept, TOOLSET, state.BOUNDS.at("w", "t1"), TableBounds((4, 5), 6, 9))
    assert state.read_family(kept.to_dict(), state.FIELD) == {("w", "t1", "G"): "noi", ("w", "t2", "B"): "cap_rate"}
    assert state.read_family(kept.to_dict(), state.BOUNDS) == {("w", "t1"): TableBounds((4, 5), 6, 9)}


def test_state_for_a_message_and_for_a_new_session_is_checked_the_same_way() -> None:
    """Both end up in the database as a write does."""
    assert state.values("agents.pause", {state.DECK_REF: None}) == {"deck:ref": None}
    with pytest.raises(OutputError, match="not its own"):
        state.values("agents.pause", {state.DEALS_REF: REF})
    assert state.initial({state.TABLES: {"t1": TableNote(columns=("A",), first_row=2, last_row=3)}})
    with pytest.raises(OutputError):
        state.initial({state.DEALS_SUMMARY: {"x": float("nan")}})


def test_every_owner_writes_in_its_own_name_and_nobody_writes_past_the_accessors() -> None:
    """A write under a borrowed name, or straight into a session's state, would escape the rule."""
    for path in (source.ROOT / "agents").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in {"state.write", "state.values"}:
                owner = node.args[1 if ast.unparse(node.func) == "state.write" else 0]
                assert ast.unparse(owner) == "__name__", f"{path}:{node.lineno}"
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                assert not ast.unparse(node.value).endswith("state"), f"{path}:{node.lineno}"
