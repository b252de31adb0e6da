"""The presentation agent's rules for the offline planner."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from agents.planner import FINAL, Answered, Call, Turn

RENDERS = ("request_deck", "request_pdf")
_LEADS = re.compile(
    r"\b(?:lead|start|open|begin|focus|emphasi[sz]e)\w*\s+(?:with|on|by)?\s*(?:the\s+)?(income|noi|rent|price|pricing)",
    re.IGNORECASE,
)
_MEANING = {"income": "income", "noi": "income", "rent": "income", "price": "price", "pricing": "price"}


def decide(turn: Turn) -> Sequence[Call]:
    """The calls to make now: the documents that are owed, then the approval, then the answer."""
    decided = [at for at, answer in enumerate(turn.answered) if answer.name == "request_approval" and answer.ok]
    decision = turn.answered[decided[-1]] if decided else None
    if decision and decision.response.get("verdict") != "changes_requested":
        return [_final(turn, str(decision.response.get("verdict")))]
    since = turn.answered[decided[-1] + 1 :] if decided else turn.answered
    failed = next((answer for answer in since if answer.response.get("status") == "failed"), None)
    if failed:
        return [_failed(turn, failed)]
    return _documents(turn, decision, since) or _approval(turn, decision, since)


def _documents(turn: Turn, decision: Answered | None, since: Sequence[Answered]) -> Sequence[Call]:
    """The orders still to make; one that was refused is corrected once, and given up if that is refused too."""
    calls: list[Call] = []
    for name in RENDERS:
        tries = [answer for answer in since if answer.name == name]
        if any(answer.response.get("status") == "done" for answer in tries):
            continue
        if not tries:
            calls.append(Call(name, {"title": _title(turn), "emphasis": _emphasis(turn, decision)}))
            continue
        corrected = _corrected(tries[-1])
        if corrected is None or len(tries) > 2:
            return [_failed(turn, tries[-1])]
        calls.append(Call(name, corrected))
    return calls


def _corrected(refused: Answered) -> dict[str, Any] | None:
    """The arguments as the refusal wants them, or None if it doesn't say what would do."""
    if refused.response.get("call_again"):
        return dict(refused.args)
    allowed = cast("Mapping[str, Any]", refused.response.get("allowed") or {})
    args = dict(refused.args)
    if allowed.get("title"):
        args["title"] = str(args.get("title") or "").strip()[: int(allowed["title"])].strip() or "Deals"
    if allowed.get("emphasis"):
        args["emphasis"] = str(allowed["emphasis"][0])
    return args if args != dict(refused.args) else None


def _approval(turn: Turn, decision: Answered | None, since: Sequence[Answered]) -> Sequence[Call]:
    refused = [answer for answer in since if answer.name == "request_approval"]
    if refused and not (refused[-1].response.get("call_again") and len(refused) <= 2):
        return [_failed(turn, refused[-1])]
    return [Call("request_approval", {"summary": _summary(turn, decision)})]


def _request(turn: Turn) -> dict[str, Any]:
    try:
        found = json.loads(turn.request)
    except ValueError:
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _title(turn: Turn) -> str:
    return str(_request(turn).get("title") or "Deals")


def _emphasis(turn: Turn, decision: Answered | None) -> str:
    """What the decision asks to lead with: its own field, else its comment; else as before; at first, income."""
    if decision:
        said = decision.response.get("emphasis") or _asked(str(decision.response.get("comment") or ""))
        if said:
            return str(said)
    before = [answer for answer in turn.of(*RENDERS) if answer.response.get("status") == "done"]
    return str(before[-1].args.get("emphasis") or "income") if before else "income"


def _asked(comment: str) -> str | None:
    found = _LEADS.search(comment)
    return _MEANING[found[1].lower()] if found else None


def _summary(turn: Turn, decision: Answered | None) -> str:
    """What the approver is told: how many deals, their totals, the documents' sizes, and a comment left undone."""
    held = cast("Mapping[str, Any]", _request(turn).get("summary") or {})
    count = held.get("deals")
    totals = "".join(_totals(held))
    said = [f"{_title(turn)}: {count} deals{totals}." if isinstance(count, int) else f"{_title(turn)}."]
    newest = {answer.name: answer.response for answer in turn.of(*RENDERS) if answer.response.get("status") == "done"}
    pages = [str(newest[name].get("pages")) for name in RENDERS if name in newest]
    said.append(f"Deck of {pages[0]} slides and PDF of {pages[1]} pages, {_emphasis(turn, decision)} first.")
    if decision and not (decision.response.get("emphasis") or _asked(str(decision.response.get("comment") or ""))):
        said.append(
            "The comment names neither income nor price to lead with; values put right are in, the order stays."
        )
    return " ".join(said)


def _totals(summary: Mapping[str, Any]) -> Iterator[str]:
    """The first total price and the income, in each currency, with how many deals they are over."""
    totals = cast("Mapping[str, Mapping[str, Mapping[str, float]]]", summary.get("totals") or {})
    price = next((name for name in ("asking_price", "sale_price", "price", "loan_amount") if name in totals), None)
    for name in (price, "noi"):
        for currency, total in list(totals.get(name or "", {}).items())[:2]:
            unit = "" if currency == "none" else f" {currency}"
            yield f", {str(name).replace('_', ' ')} {total['sum']:,.0f}{unit} over {total['count']} deals"


def _final(turn: Turn, verdict: str, reason: str = "") -> Call:
    done = {answer.name: answer.response for answer in turn.of(*RENDERS) if answer.response.get("status") == "done"}
    hashes = [str(done.get(name, {}).get("final_sha256") or "") for name in RENDERS]
    return Call(FINAL, {"verdict": verdict, "deck_sha256": hashes[0], "pdf_sha256": hashes[1], "reason": reason})


def _failed(turn: Turn, answer: Answered) -> Call:
    return _final(turn, "failed", f"{answer.name}: {answer.response.get('error') or 'no reason given'}"[:600])
