"""The offline planner decides from what a request holds: change the evidence and the call changes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from agents.extraction.plan import decide
from agents.planner import Call, read_turn
from tests.agents.turns import Exchange, contents
from tests.architecture import source

REQUEST = '{"filename":"comps.xlsx"}'
EXTRACT = Call("extract_deals", {"filename": "comps.xlsx"})


def question(**changed: Any) -> dict[str, Any]:
    """A question about column G that its scores settle for noi."""
    asked = {
        "table_id": "t1",
        "column": "G",
        "header": '"Net Income"',
        "samples": ['"181000"', '"90500"'],
        "candidates": [
            {"field": "noi", "score": 0.7, "evidence": "header 0.70"},
            {"field": "gross_income", "score": 0.4, "evidence": "header 0.40"},
        ],
    }
    return asked | changed


def candidates(**scores: float) -> list[dict[str, Any]]:
    """Candidates of these scores."""
    return [{"field": field, "score": score, "evidence": ""} for field, score in scores.items()]


def inspected(*questions: Mapping[str, Any], mapped: Sequence[str] = ('B deal_name "Property"',)) -> Exchange:
    """An inspection of one table with these questions."""
    table = {"table_id": "t1", "range": '"Comps"!A1:J9', "kind": "sale_comps", "records": 8, "mapped": list(mapped)}
    answer = {"status": "ok", "tables": [table], "questions": list(questions)}
    return "inspect_workbook", {"filename": "comps.xlsx"}, answer


def plan(*turns: Sequence[Exchange], request: str = REQUEST) -> list[Call]:
    """The calls that follow."""
    return list(decide(read_turn(contents(request, *turns))))


def set_field(column: str, field: str, table: str = "t1") -> Call:
    """A settlement."""
    return Call("set_column_field", {"table_id": table, "column": column, "field": field})


def test_a_named_file_is_inspected_first() -> None:
    """There is nothing to list."""
    assert plan() == [Call("inspect_workbook", {"filename": "comps.xlsx"})]


def test_uploads_are_listed_when_no_file_is_named_and_the_newest_is_inspected() -> None:
    """The answer decides which."""
    assert plan(request="{}") == [Call("list_uploads", {})]
    uploads = [{"filename": "a.xlsx", "version": 0}, {"filename": "b.xlsx", "version": 1}]
    listed: Exchange = ("list_uploads", {}, {"status": "ok", "uploads": uploads})
    assert plan([listed], request="{}") == [Call("inspect_workbook", {"filename": "b.xlsx"})]


def test_a_question_that_the_evidence_settles_is_answered() -> None:
    """One call a question, all in one turn."""
    other = question(column="H", candidates=candidates(cap_rate=0.8))
    assert plan([inspected(question(), other)]) == [set_field("H", "cap_rate"), set_field("G", "noi")]


def test_without_the_question_the_call_is_gone() -> None:
    """The planner is no script."""
    assert plan([inspected()]) == [EXTRACT]


def test_other_evidence_gives_another_field() -> None:
    """The same question with its scores the other way round."""
    asked = question(candidates=candidates(noi=0.4, gross_income=0.75))
    assert plan([inspected(asked)]) == [set_field("G", "gross_income")]


@pytest.mark.parametrize("scores", [{"noi": 0.5}, {"noi": 0.7, "gross_income": 0.62}, {}])
def test_weak_or_close_evidence_leaves_the_column_alone(scores: dict[str, float]) -> None:
    """A wrong field is worse than none."""
    assert plan([inspected(question(candidates=candidates(**scores)))]) == [EXTRACT]


def test_a_field_that_the_column_holds_already_is_not_set_again() -> None:
    """The rules and the evidence agree: nothing to say, and nothing to pay for."""
    assert plan([inspected(question(), mapped=['G noi "Net Income"'])]) == [EXTRACT]


def test_a_field_that_another_column_holds_is_not_given_twice() -> None:
    """The next candidate has to stand by itself."""
    held = ['F noi "NOI"']
    assert plan([inspected(question(), mapped=held)]) == [EXTRACT]
    asked = question(candidates=candidates(noi=0.7, gross_income=0.65))
    assert plan([inspected(asked, mapped=held)]) == [set_field("G", "gross_income")]


def test_two_questions_never_get_the_same_field_of_a_table() -> None:
    """The likelier one has it; another table has fields of its own."""
    stronger = question(column="H", candidates=candidates(noi=0.9))
    elsewhere = question(table_id="t2")
    assert plan([inspected(question(), stronger, elsewhere)]) == [set_field("H", "noi"), set_field("G", "noi", "t2")]


def test_samples_make_a_likely_field_certain_or_impossible() -> None:
    """Dates speak for a date, small numbers against it."""
    asked = question(candidates=candidates(lease_expiry=0.55))
    assert plan([inspected(asked | {"samples": ['"2031-04"', '"2026-12"']})]) == [set_field("G", "lease_expiry")]
    assert plan([inspected(asked | {"samples": ['"12"', '"36"']})]) == [EXTRACT]
    assert plan([inspected(asked | {"samples": ['"soon"', '"2026-12"']})]) == [EXTRACT]


def test_a_field_that_the_samples_contradict_is_taken_from_the_column() -> None:
    """The rules gave it by its header; its values say otherwise."""
    asked = question(samples=['"0"', '"1250"'], candidates=candidates(close_date=0.71))
    assert plan([inspected(asked, mapped=['G close_date "Closing Costs"'])]) == [set_field("G", "none")]


def test_a_refused_field_is_replaced_by_what_the_refusal_allows_once() -> None:
    """Then the column is left alone."""
    asked = question(candidates=candidates(noi=0.7, gross_income=0.4))
    allowed = {"status": "error", "error": "There is no field.", "allowed": {"field": ["gross_income", "none"]}}
    refused: Exchange = ("set_column_field", {"table_id": "t1", "column": "G", "field": "noi"}, allowed)
    assert plan([inspected(asked)], [refused]) == [set_field("G", "gross_income")]
    again: Exchange = ("set_column_field", {"table_id": "t1", "column": "G", "field": "gross_income"}, allowed)
    assert plan([inspected(asked)], [refused], [again]) == [EXTRACT]
    hopeless = (*refused[:2], {"status": "error", "error": "No."})
    assert plan([inspected(asked)], [hopeless]) == [EXTRACT]


def test_settled_questions_are_not_settled_again() -> None:
    """What was answered ok is done."""
    done: Exchange = ("set_column_field", {"table_id": "t1", "column": "G", "field": "noi"}, {"status": "ok"})
    assert plan([inspected(question())], [done]) == [EXTRACT]


def test_a_failed_tool_is_called_again_only_if_its_answer_says_so_and_not_for_ever() -> None:
    """Else the agent gives up with the tool's own words."""
    down: Exchange = (
        "inspect_workbook",
        {"filename": "comps.xlsx"},
        {"status": "error", "error": "The store is down.", "call_again": True},
    )
    assert plan([down]) == [Call("inspect_workbook", {"filename": "comps.xlsx"})]
    (final,) = plan([down], [down], [down])
    assert (final.name, final.args["status"], final.args["reason"]) == (
        "set_model_response",
        "failed",
        "The store is down.",
    )
    refused: Exchange = ("inspect_workbook", {}, {"status": "error", "code": "file.empty", "error": "It is empty."})
    assert plan([refused])[0].args["reason"] == "It is empty."


def test_the_answer_tells_what_the_extraction_said() -> None:
    """Counts by kind and issue, no figure of its own."""
    made = {"status": "ok", "deals": 8, "tables": 1, "kinds": {"sale_comps": 8}, "issues": {"value.zero": 2}}
    (final,) = plan([inspected()], [("extract_deals", {"filename": "comps.xlsx"}, made)])
    assert final.args == {
        "status": "extracted",
        "deals": 8,
        "summary": "Read 8 deals in 1 table (8 sale comps). To look at: 2 value.zero.",
        "reason": "",
    }


def test_a_question_about_deals_shows_them_and_answers_from_what_is_shown() -> None:
    """Numbers come from the request, figures from the tool."""
    asked = '{"question":"Please show deals 3 to 4"}'
    assert plan(request=asked) == [Call("show_deals", {"offset": 2, "limit": 2})]
    shown = {
        "status": "ok",
        "total": 9,
        "deals": [{"number": 3, "deal_name": '"Oak Court"', "cap_rate": "0.05 @Comps!H4"}],
    }
    (final,) = plan([("show_deals", {"offset": 2, "limit": 2}, shown)], request=asked)
    assert final.args["summary"] == '3 "Oak Court" 0.05 @Comps!H4'


def test_the_same_contents_give_the_same_calls_in_another_process() -> None:
    """Nothing is remembered: a resume elsewhere goes on where this one stood."""
    told = contents(REQUEST, [inspected(question(), question(column="H", candidates=candidates(cap_rate=0.8)))])
    script = (
        "import json, sys\n"
        "from google.genai import types\n"
        "from agents.extraction.plan import decide\n"
        "from agents.planner import read_turn\n"
        "held = [types.Content.model_validate(each) for each in json.load(sys.stdin)]\n"
        "print(json.dumps([[call.name, dict(call.args)] for call in decide(read_turn(held))]))\n"
    )
    plain = json.dumps([content.model_dump(mode="json", exclude_none=True) for content in told])
    done = subprocess.run(
        [sys.executable, "-c", script], input=plain, capture_output=True, text=True, check=True, cwd=source.ROOT
    )
    here = [[call.name, dict(call.args)] for call in decide(read_turn(told))]
    assert json.loads(done.stdout) == here
    assert len(here) == 2
