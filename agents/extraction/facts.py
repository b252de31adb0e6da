"""The facts of a stretch of an extraction session, read again from state and artifacts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, cast

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event

from agents.extraction import reading, view
from schemas import state

FACT_DEALS = 200


async def facts_of(context: InvocationContext, events: list[Event]) -> dict[str, Any]:
    """The file, the open questions' choices and the deals that `events` showed, each as state and artifact hold it now.

    Deals are those whose numbers a tool's answer showed, with name, price and cap rate as extracted.
    """
    held = context.session.state
    facts: dict[str, Any] = {}
    upload, ref = state.read(held, state.WORKBOOK), state.read(held, state.DEALS_REF)
    if upload:
        facts["filename"] = upload.filename
    choices = {".".join(parts[1:]): field for parts, field in state.read_family(held, state.FIELD).items()}
    if choices:
        facts["fields"] = choices
    if ref is None:
        return facts
    facts["deals_sha256"] = ref.sha256
    wanted = frozenset(sorted(shown_numbers(events))[:FACT_DEALS])
    data = await _artifact(context, ref.artifact, ref.version) if wanted else None
    if data:
        total, found = await asyncio.to_thread(reading.numbered, data, wanted)
        facts["total"] = total
        facts["deals"] = [view.deal_in_short(number, deal) for number, deal in sorted(found.items())]
    return facts


def shown_numbers(events: Iterable[Event]) -> set[int]:
    """The numbers of the deals that answers of tools in `events` showed."""
    numbers: set[int] = set()
    for event in events:
        for answer in event.get_function_responses():
            shown = cast("list[dict[str, Any]]", (answer.response or {}).get("deals") or [])
            if answer.name == "show_deals" and isinstance(shown, list):  # pyright: ignore[reportUnnecessaryIsInstance] a stored event may hold anything
                numbers |= {int(deal["number"]) for deal in shown if str(deal.get("number", "")).isdigit()}
    return numbers


async def _artifact(context: InvocationContext, name: str, version: int) -> bytes | None:
    if context.artifact_service is None:
        return None
    session = context.session
    part = await context.artifact_service.load_artifact(
        app_name=session.app_name, user_id=session.user_id, session_id=session.id, filename=name, version=version
    )
    return part.inline_data.data if part and part.inline_data else None
