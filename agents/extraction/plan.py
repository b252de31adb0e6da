"""The extraction agent's rules for the offline planner."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from agents.planner import FINAL, Answered, Call, Turn

SURE = 0.6
LEAD = 0.15
NO_FIELD = "none"
_SHOW = re.compile(r"\bdeals?\s+(\d{1,6})(?:\s*(?:to|-|–|and|through)\s*(\d{1,6}))?", re.IGNORECASE)


def decide(turn: Turn) -> Sequence[Call]:
    """The calls to make now: for a question about deals, show them; else inspect, settle, extract, answer."""
    show = _SHOW.search(_told(turn, "question"))
    if show and not _told(turn, "filename"):
        return _show(turn, int(show[1]), int(show[2] or show[1]))
    filename, first = _file(turn)
    if first:
        return first
    seen = _newest(turn, "inspect_workbook")
    if seen is None or (not seen.ok and _again(turn, seen)):
        return [Call("inspect_workbook", {"filename": filename})]
    if not seen.ok:
        return [_gave_up(seen)]
    return _settle(turn, seen) or _extract(turn, filename)


def _show(turn: Turn, first: int, last: int) -> Sequence[Call]:
    shown = _newest(turn, "show_deals")
    if shown is None:
        return [Call("show_deals", {"offset": max(0, first - 1), "limit": max(1, last - first + 1)})]
    if not shown.ok:
        return [_gave_up(shown)]
    deals = cast("list[Mapping[str, Any]]", shown.response.get("deals") or [])
    said = "; ".join(" ".join(str(value) for key, value in deal.items() if key != "number") for deal in deals)
    return [_final("extracted", int(shown.response.get("total") or 0), said[:600])]


def _told(turn: Turn, name: str) -> str:
    """A value of the request, "" where it has none."""
    try:
        held = json.loads(turn.request)
    except ValueError:
        return ""
    return str(cast("Mapping[str, Any]", held).get(name) or "") if isinstance(held, dict) else ""


def _file(turn: Turn) -> tuple[str, Sequence[Call]]:
    """The file to work on, or the calls that find it or end without one."""
    named = _told(turn, "filename") or str(turn.facts.get("filename") or "")
    if named:
        return named, ()
    listed = _newest(turn, "list_uploads")
    if listed is None:
        return "", [Call("list_uploads", {})]
    uploads = cast("list[Mapping[str, Any]]", listed.response.get("uploads") or [])
    if not uploads:
        return "", [_final("failed", reason="No workbook was uploaded.")]
    return str(uploads[-1].get("filename")), ()


def _newest(turn: Turn, name: str) -> Answered | None:
    found = turn.of(name)
    return found[-1] if found else None


def _again(turn: Turn, answer: Answered) -> bool:
    """Whether a failed call is worth one more try: the answer says so, and it was not tried three times."""
    return bool(answer.response.get("call_again")) and len(turn.of(answer.name)) < 3


def _settle(turn: Turn, seen: Answered) -> Sequence[Call]:
    """The columns that the evidence settles and that are not settled yet, all in one turn."""
    questions = cast("list[Mapping[str, Any]]", seen.response.get("questions") or [])
    answers: dict[tuple[str, str], list[Answered]] = {}
    for answer in turn.of("set_column_field"):
        answers.setdefault((str(answer.args.get("table_id")), str(answer.args.get("column"))), []).append(answer)
    held = _held(seen)
    calls: list[Call] = []
    for question in sorted(questions, key=_best_score, reverse=True):
        place = (str(question.get("table_id")), str(question.get("column")))
        field = _choice(question, answers.get(place, []), held)
        if field is not None:
            held[(place[0], field)] = place[1]
            calls.append(Call("set_column_field", {"table_id": place[0], "column": place[1], "field": field}))
    return calls


def _held(seen: Answered) -> dict[tuple[str, str], str]:
    """Which column holds a field already, by table and field."""
    found: dict[tuple[str, str], str] = {}
    for table in cast("list[Mapping[str, Any]]", seen.response.get("tables") or []):
        for mapped in str(table.get("mapped") or "").split(", "):
            column, _, field = mapped.partition(" ")
            found[(str(table.get("table_id")), field)] = column
    return found


def _candidates(question: Mapping[str, Any]) -> list[tuple[str, float]]:
    held = cast("list[Mapping[str, Any]]", question.get("candidates") or [])
    return sorted(((str(each.get("field")), float(each.get("score") or 0)) for each in held), key=lambda each: -each[1])


def _best_score(question: Mapping[str, Any]) -> float:
    return max((score for _, score in _candidates(question)), default=0.0)


def _choice(question: Mapping[str, Any], tries: Sequence[Answered], held: Mapping[tuple[str, str], str]) -> str | None:
    """The field that the evidence points to, or None to leave the column alone.

    A candidate is taken if it is likely and well ahead of the next, or the only one whose kind of value the samples
    have. One that was refused is replaced by the best that the refusal allows, once.
    """
    table, column = str(question.get("table_id")), str(question.get("column"))
    ranked = [each for each in _candidates(question) if held.get((table, each[0]), column) == column]
    if tries:
        return None if tries[-1].ok or len(tries) > 1 else _corrected(tries[-1], ranked)
    if not ranked:
        return None
    (field, score), rest = ranked[0], ranked[1:]
    if score >= SURE and (not rest or score - rest[0][1] >= LEAD):
        return field
    samples = [str(sample).strip('"') for sample in cast("list[object]", question.get("samples") or [])]
    fitting = [name for name, _ in ranked if _looks_like(name, samples)]
    return fitting[0] if len(fitting) == 1 and dict(ranked)[fitting[0]] >= SURE / 2 else None


def _corrected(refused: Answered, ranked: Sequence[tuple[str, float]]) -> str | None:
    if refused.response.get("call_again"):
        return str(refused.args.get("field"))
    allowed = cast("Mapping[str, Sequence[str]]", refused.response.get("allowed") or {}).get("field") or ()
    wrong = str(refused.args.get("field"))
    return next((field for field, _ in ranked if field in allowed and field != wrong), None)


_SHAPES: Mapping[str, tuple[re.Pattern[str], tuple[str, ...]]] = {
    "percent": (re.compile(r"^\D{0,4}-?\d{1,3}([.,]\d+)?\s*%$"), ("rate", "occupancy", "ltv", "probability")),
    "date": (re.compile(r"^\S*\s?\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}"), ("date", "_start", "_expiry")),
    "year": (re.compile(r"^(19|20)\d\d$"), ("year_",)),
}


def _looks_like(field: str, samples: Sequence[str]) -> bool:
    """Whether all samples have the shape of `field`'s values; only percentages, dates and years have one."""
    values = [sample.rpartition(" ")[2] if "!" in sample else sample for sample in samples]
    for shape, hints in _SHAPES.values():
        if any(hint in field for hint in hints):
            return bool(values) and all(shape.match(value.strip("\"' ")) for value in values)
    return False


def _extract(turn: Turn, filename: str) -> Sequence[Call]:
    made = _newest(turn, "extract_deals")
    if made is None or (not made.ok and _again(turn, made)):
        return [Call("extract_deals", {"filename": filename})]
    if not made.ok:
        return [_gave_up(made)]
    return [_final("extracted", int(made.response.get("deals") or 0), _account(made))]


def _account(made: Answered) -> str:
    tables = cast("list[Mapping[str, Any]]", made.response.get("tables") or [])
    issues = cast("Mapping[str, int]", made.response.get("issues") or {})
    kinds = ", ".join(f"{table.get('deals')} {str(table.get('kind')).replace('_', ' ')}" for table in tables[:8])
    doubts = ", ".join(f"{count} {code}" for code, count in list(issues.items())[:6])
    return f"Read {made.response.get('deals')} deals ({kinds})." + (
        f" To look at: {doubts}." if doubts else " No issue was found."
    )


def _gave_up(answer: Answered) -> Call:
    return _final("failed", reason=str(answer.response.get("error") or f"{answer.name} failed.")[:600])


def _final(status: str, deals: int = 0, summary: str = "", reason: str = "") -> Call:
    return Call(FINAL, {"status": status, "deals": deals, "summary": summary, "reason": reason})
