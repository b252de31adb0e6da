"""The facts of a stretch of an extraction session, read again from state and artifacts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, cast

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event

from agents.extraction import reading, view
from agents.planner import read_facts
from schemas import state
from schemas.agent_answers import DealsRef

FACT_DEALS = 200


async def facts_of(context: InvocationContext, events: list[Event]) -> dict[str, Any]:
    """What `events` held that must not be lost, each value as state and artifact have it now.

    The request that is still open, the file, its tables and the fields settled, and of the deals that `events` showed
    name, price and cap rate.
    """
    held = context.session.state
    facts: dict[str, Any] = {}
    request, upload, ref = _open_request(events), state.read(held, state.WORKBOOK), state.read(held, state.DEALS_REF)
    if request:
        facts["request"] = request
    if upload:
        facts["filename"] = upload.filename
        facts["tables"] = list(state.read(held, state.TABLES) or ())
        facts["fields"] = {".".join(parts[1:]): name for parts, name in state.read_family(held, state.FIELD).items()}
    if ref:
        facts |= {"deals_sha256": ref.sha256} | await _deals(context, ref, shown_numbers(events))
    return facts


async def _deals(context: InvocationContext, ref: DealsRef, numbers: set[int]) -> dict[str, Any]:
    wanted = frozenset(sorted(numbers)[:FACT_DEALS])
    data = await _artifact(context, ref.artifact, ref.version) if wanted else None
    if not data:
        return {}
    total, found = await asyncio.to_thread(reading.numbered, data, wanted)
    return {"total": total, "deals": [view.deal_in_short(number, deal) for number, deal in sorted(found.items())]}


def _open_request(events: Iterable[Event]) -> str | None:
    """The newest request in `events`, unless its answer is among them too."""
    request: str | None = None
    for event in events:
        texts = [part.text for part in (event.content.parts if event.content else None) or [] if part.text]
        if event.author == "user" and texts:
            request = "\n".join(texts)
        if event.actions.set_model_response is not None:
            request = None
        request = next(
            (facts["request"] for text in texts if (facts := read_facts(text)) and "request" in facts), request
        )
    return request


def shown_numbers(events: Iterable[Event]) -> set[int]:
    """The numbers of the deals that answers of tools in `events` showed, or that an earlier summary among them held."""
    numbers: set[int] = set()
    for event in events:
        for part in (event.content.parts if event.content else None) or []:
            if part.function_response and part.function_response.name == "show_deals":
                numbers |= _numbers(part.function_response.response)
            elif part.text:
                numbers |= _numbers(read_facts(part.text))
    return numbers


def _numbers(held: Mapping[str, Any] | None) -> set[int]:
    deals = (held or {}).get("deals")
    listed = cast("list[object]", deals) if isinstance(deals, list) else []
    found = [cast("Mapping[str, Any]", deal).get("number") for deal in listed if isinstance(deal, Mapping)]
    return {number for number in found if isinstance(number, int)}


async def _artifact(context: InvocationContext, name: str, version: int) -> bytes | None:
    if context.artifact_service is None:
        return None
    session = context.session
    part = await context.artifact_service.load_artifact(
        app_name=session.app_name, user_id=session.user_id, session_id=session.id, filename=name, version=version
    )
    return part.inline_data.data if part and part.inline_data else None
