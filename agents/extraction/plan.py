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
SUMMARY_CHARS = 1_200
NAMES = ("deal_name", "address", "tenant", "source_id")
PRICES = ("asking_price", "sale_price", "price", "deal_value", "loan_amount", "original_balance")
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
    if seen is None and (turn.of("extract_deals", "set_column_field") or turn.facts.get("tables")):
        return _extract(turn, filename)  # a summary took the place of what was seen: it was acted on already
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
    said = "; ".join(map(_line, deals)) or "There is no such deal."
    return [_final("extracted", int(shown.response.get("total") or 0), said[:SUMMARY_CHARS])]


def _line(deal: Mapping[str, Any]) -> str:
    """A deal's number, name, price and cap rate, as they were shown."""
    named = [next((str(deal[name]) for name in names if name in deal), "") for names in (NAMES, PRICES, ("cap_rate",))]
    return " ".join([str(deal.get("number")), *filter(None, named)])


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
        for mapped in cast("list[object]", table.get("mapped") or []):
            column, field = [*str(mapped).split(" ", 2), ""][:2]
            found[(str(table.get("table_id")), field)] = column
    return found


def _candidates(question: Mapping[str, Any]) -> list[tuple[str, float]]:
    held = cast("list[Mapping[str, Any]]", question.get("candidates") or [])
    return sorted(((str(each.get("field")), float(each.get("score") or 0)) for each in held), key=lambda each: -each[1])


def _best_score(question: Mapping[str, Any]) -> float:
    return max((score for _, score in _candidates(question)), default=0.0)


def _choice(question: Mapping[str, Any], tries: Sequence[Answered], held: Mapping[tuple[str, str], str]) -> str | None:
    """The field that the evidence points to, `none` if it speaks against the one held, or None to leave the column.

    A candidate whose values would look unlike the samples is out; one whose values look like them is likelier. The
    best is taken if it is likely and well ahead of the next; if the column holds it already there is nothing to say.
    One that was refused is replaced by the best that the refusal allows, once.
    """
    table, column = str(question.get("table_id")), str(question.get("column"))
    free = [each for each in _candidates(question) if held.get((table, each[0]), column) == column]
    samples = [_bare(sample) for sample in cast("list[object]", question.get("samples") or [])]
    weighed = [(field, score, _looks_like(field, samples)) for field, score in free]
    ranked = sorted(
        ((field, score + LEAD * bool(alike)) for field, score, alike in weighed if alike is not False),
        key=lambda each: -each[1],
    )
    if tries:
        return None if tries[-1].ok or len(tries) > 1 else _corrected(tries[-1], ranked)
    if ranked and ranked[0][1] >= SURE and (len(ranked) == 1 or ranked[0][1] - ranked[1][1] >= LEAD):
        return None if held.get((table, ranked[0][0])) == column else ranked[0][0]
    unlike = [field for field, _, alike in weighed if alike is False]
    return NO_FIELD if any(held.get((table, field)) == column for field in unlike) else None


def _corrected(refused: Answered, ranked: Sequence[tuple[str, float]]) -> str | None:
    if refused.response.get("call_again"):
        return str(refused.args.get("field"))
    allowed = cast("Mapping[str, Sequence[str]]", refused.response.get("allowed") or {}).get("field") or ()
    wrong = str(refused.args.get("field"))
    return next((field for field, _ in ranked if field in allowed and field != wrong), None)


_DATE = re.compile(
    r"\d{4}-\d{2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE
)
_YEAR = re.compile(r"(18|19|20)\d\d\Z")
_PERCENT = re.compile(r"-?\d{1,3}([.,]\d+)?\s*%\Z")
_PLAIN_NUMBER = re.compile(r"-?\d{1,4}([.,]\d+)?\Z")


def _bare(sample: object) -> str:
    return str(sample).strip().strip("\"'").strip()


def _looks_like(field: str, samples: Sequence[str]) -> bool | None:
    """Whether samples are like `field`'s values: True or False where all say the same, None where they say nothing."""
    if not samples:
        return None
    if field.endswith(("_date", "_start", "_expiry")):
        return _all(_DATE, samples, against=_PLAIN_NUMBER)
    if field.startswith("year_"):
        return _all(_YEAR, samples, against=_PLAIN_NUMBER)
    if field.endswith("_rate") or field in ("occupancy", "ltv", "probability"):
        return _all(_PERCENT, samples, against=_DATE)
    return None


def _all(pattern: re.Pattern[str], samples: Sequence[str], *, against: re.Pattern[str]) -> bool | None:
    if all(pattern.match(sample) for sample in samples):
        return True
    return False if all(against.match(sample) and not pattern.match(sample) for sample in samples) else None


def _extract(turn: Turn, filename: str) -> Sequence[Call]:
    made = _newest(turn, "extract_deals")
    if made is None or (not made.ok and _again(turn, made)):
        return [Call("extract_deals", {"filename": filename})]
    if not made.ok:
        return [_gave_up(made)]
    return [_final("extracted", int(made.response.get("deals") or 0), _account(made))]


def _account(made: Answered) -> str:
    kinds = cast("Mapping[str, int]", made.response.get("kinds") or {})
    issues = cast("Mapping[str, int]", made.response.get("issues") or {})
    read = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in kinds.items())
    doubts = ", ".join(f"{count} {code}" for code, count in list(issues.items())[:6])
    tables = made.response.get("tables")
    first = f"Read {made.response.get('deals')} deals in {tables} {'table' if tables == 1 else 'tables'} ({read})."
    return first + (f" To look at: {doubts}." if doubts else " No issue was found.")


def _gave_up(answer: Answered) -> Call:
    return _final("failed", reason=str(answer.response.get("error") or f"{answer.name} failed.")[:600])


def _final(status: str, deals: int = 0, summary: str = "", reason: str = "") -> Call:
    return Call(FINAL, {"status": status, "deals": deals, "summary": summary, "reason": reason})
