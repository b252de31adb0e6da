"""The tools that the presentation agent sees. Each only hands off: it starts nothing and answers `pending`.

An ordinary tool beside these would be run again, in the wrong order, after a crash.
"""

from __future__ import annotations

from functools import cache
from typing import Any, get_args

from google.adk.tools.long_running_tool import LongRunningFunctionTool
from google.adk.tools.tool_context import ToolContext
from pydantic import ValidationError

from agents import pause
from schemas.documents import DocumentOrder, Emphasis

EMPHASES: tuple[str, ...] = get_args(Emphasis)
TITLE_CHARS = next(
    rule.max_length for rule in DocumentOrder.model_fields["title"].metadata if hasattr(rule, "max_length")
)


async def request_deck(title: str, emphasis: str, tool_context: ToolContext) -> dict[str, Any]:
    """Orders the slide deck of the newest deals.

    Use it with request_pdf in one turn, first and after each change asked for.

    Args:
        title: The title on the cover, 1 to 120 characters.
        emphasis: What leads, income or price.

    Returns:
        status: done with draft_sha256, final_sha256 and pages; failed or error with error.
    """
    del tool_context
    return _ordered("request_deck", title, emphasis)


async def request_pdf(title: str, emphasis: str, tool_context: ToolContext) -> dict[str, Any]:
    """Orders the PDF memorandum of the newest deals.

    Use it with request_deck in one turn, first and after each change asked for.

    Args:
        title: The title on the first page, 1 to 120 characters.
        emphasis: What leads, income or price.

    Returns:
        status: done with draft_sha256, final_sha256 and pages; failed or error with error.
    """
    del tool_context
    return _ordered("request_pdf", title, emphasis)


async def request_approval(summary: str, tool_context: ToolContext) -> dict[str, Any]:
    """Asks a person to approve the newest deck and PDF.

    Use it alone, when both are done.

    Args:
        summary: Two sentences for the approver on what the documents show.

    Returns:
        status: done with verdict (approved, changes_requested, rejected or expired) and comment; error with error.
    """
    events = tool_context.session.events
    if not isinstance(summary, str) or not summary.strip():  # pyright: ignore[reportUnnecessaryIsInstance] a model sent it
        return _refused("summary must be text for the approver; ask again with it.")
    if any(pause.TICKET_KINDS[call.name or ""] != "approval" for call in pause.open_calls(events)):
        return _refused("A document is still being made; ask for approval alone, when both are done.")
    if pause.approval_subject(events) is None:
        return _refused("The deck or the PDF of the newest deals is missing; order both, then ask again.")
    return dict(pause.PENDING)


def _ordered(name: str, title: object, emphasis: object) -> dict[str, Any]:
    try:
        pause.document_order(name, {"title": title, "emphasis": emphasis})
    except ValidationError as wrong:
        fields = {str(error["loc"][0]) for error in wrong.errors() if error["loc"]}
        if "title" in fields:
            return _refused(f"title must have 1 to {TITLE_CHARS} characters.", title=TITLE_CHARS)
        return _refused(f"emphasis must be {' or '.join(EMPHASES)}.", emphasis=list(EMPHASES))
    return dict(pause.PENDING)


def _refused(error: str, **allowed: object) -> dict[str, Any]:
    return {"status": "error", "error": error, **({"allowed": allowed} if allowed else {})}


@cache
def tools() -> tuple[LongRunningFunctionTool, ...]:
    """The three hand-offs, made once: they hold nothing of a session, and keep their declarations."""
    return tuple(LongRunningFunctionTool(func=hand_off) for hand_off in (request_deck, request_pdf, request_approval))
