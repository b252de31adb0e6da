"""The tools that the extraction agent sees. Code reads the workbook; these settle what it asks and set it going.

Each takes plain values, checks them itself (a model may send anything) and answers a dict with `status`. What they
change is the session's own: its state, and artifacts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from google.adk.tools.base_tool import BaseTool
from google.adk.tools.function_tool import FunctionTool
from google.adk.tools.tool_context import ToolContext
from google.genai import types

from agents.extraction import reading, view
from schemas import ids, state
from schemas.agent_answers import DealsRef
from schemas.errors import InputError
from schemas.state import Refusal, TableNote, UploadRef
from schemas.workbook import Overrides, TableBounds
from tools.workbook.limits import Limits

DEALS_MEDIA_TYPE = "application/gzip"
NO_FIELD = "none"


@cache
def _made(toolset: Toolset) -> tuple[BaseTool, ...]:
    seen = (
        toolset.list_uploads,
        toolset.inspect_workbook,
        toolset.set_column_field,
        toolset.adjust_table,
        toolset.ignore_table,
        toolset.extract_deals,
        toolset.show_deals,
    )
    return tuple(FunctionTool(func=method) for method in seen)


@dataclass(frozen=True, slots=True)
class Toolset:
    """The seven tools; workbooks are opened within `limits`."""

    limits: Limits

    def tools(self) -> tuple[BaseTool, ...]:
        """The tools as ADK takes them, made once: they hold nothing of a session, and keep their declarations."""
        return _made(self)

    async def list_uploads(self, tool_context: ToolContext) -> dict[str, Any]:
        """Lists the workbooks uploaded in this session.

        Use it only if the request names no file.

        Returns:
            uploads: filename and version of each, newest last.
        """
        found = _uploads(tool_context)
        return {"status": "ok", "uploads": [{"filename": each.filename, "version": each.version} for each in found]}

    async def inspect_workbook(self, filename: str, tool_context: ToolContext) -> dict[str, Any]:
        """Shows a workbook's tables and what the rules ask about their columns.

        Use it first, and again after adjust_table.

        Args:
            filename: An uploaded workbook's name.

        Returns:
            tables: table_id, range, kind, records. questions: table_id, column, header, samples, candidates.
        """
        upload = _upload(tool_context, filename)
        if upload is None:
            return _unknown_file(tool_context)
        try:
            data = await _load(tool_context, upload)
            seen = await asyncio.to_thread(reading.survey, data, upload, _overrides(tool_context, upload), self.limits)
        except InputError as refused:
            return _refused(tool_context, refused)
        state.write(tool_context.state, __name__, state.WORKBOOK, upload)
        state.write(tool_context.state, __name__, state.TABLES, view.notes(seen))
        return {"status": "ok", **view.survey_answer(seen)}

    async def set_column_field(
        self, table_id: str, column: str, field: str, tool_context: ToolContext
    ) -> dict[str, Any]:
        """Says which field a column holds.

        Use it for each question that the evidence settles, all in one turn.

        Args:
            table_id: The table's id.
            column: The column's letters (a row's number in a table that runs across).
            field: A candidate's field, or none to leave the column unmapped.

        Returns:
            status: ok; or error, with the allowed values.
        """
        found = _noted(tool_context, table_id)
        if isinstance(found, dict):
            return found
        upload, note = found
        place, name = str(column).strip().upper(), str(field).strip().lower()
        if place not in note.columns:
            return _error(f"Table {table_id} has no column {view.quoted(place, 12)}.", column=note.columns[:40])
        if name != NO_FIELD and not reading.is_field(name):
            allowed = (*note.candidates.get(place, ()), NO_FIELD)
            return _error(f"There is no field {view.quoted(name, 40)}.", field=allowed)
        state.write(tool_context.state, __name__, _key(state.FIELD, upload, table_id, place), name)
        return {"status": "ok"}

    async def adjust_table(
        self, table_id: str, header_rows: list[int], first_row: int, last_row: int, tool_context: ToolContext
    ) -> dict[str, Any]:
        """Corrects where a table's header and records lie.

        Use it only if inspect_workbook cut the rows wrongly; inspect again afterwards.

        Args:
            table_id: The table's id.
            header_rows: The rows of its header.
            first_row: Its first record's row.
            last_row: Its last record's row.

        Returns:
            status: ok, or error with error.
        """
        found = _noted(tool_context, table_id)
        if isinstance(found, dict):
            return found
        try:
            rows = TableBounds(tuple(sorted({int(row) for row in header_rows})), int(first_row), int(last_row))
        except (TypeError, ValueError):
            return _error("Rows are whole numbers, from 1.")
        if not 1 <= rows.first_row <= rows.last_row or any(not 1 <= row < rows.first_row for row in rows.header_rows):
            return _error("Header rows come before first_row, and first_row is not after last_row; rows count from 1.")
        state.write(tool_context.state, __name__, _key(state.BOUNDS, found[0], table_id), rows)
        return {"status": "ok"}

    async def ignore_table(self, table_id: str, reason: str, tool_context: ToolContext) -> dict[str, Any]:
        """Leaves a table out because it holds no deals.

        Use it only for tables that are clearly something else.

        Args:
            table_id: The table's id.
            reason: Why, in a few words.

        Returns:
            status: ok, or error with error.
        """
        found = _noted(tool_context, table_id)
        if isinstance(found, dict):
            return found
        state.write(
            tool_context.state, __name__, _key(state.IGNORED, found[0], table_id), view.clean(reason, 200) or "no deals"
        )
        return {"status": "ok"}

    async def extract_deals(self, filename: str, tool_context: ToolContext) -> dict[str, Any]:
        """Extracts all deals of a workbook, checked and cited.

        Use it once, when the questions are settled.

        Args:
            filename: The inspected workbook's name.

        Returns:
            deals and tables: how many. kinds and issues: a count of each.
        """
        upload = _upload(tool_context, filename)
        if upload is None:
            return _unknown_file(tool_context)
        try:
            data = await _load(tool_context, upload)
            made = await asyncio.to_thread(reading.extract, data, upload, _overrides(tool_context, upload), self.limits)
        except InputError as refused:
            return _refused(tool_context, refused)
        artifact = f"deals/{made.sha256}"
        held = await tool_context.get_artifact_version(artifact)
        part = types.Part(inline_data=types.Blob(data=made.data, mime_type=DEALS_MEDIA_TYPE))
        version = held.version if held else await tool_context.save_artifact(artifact, part)
        ref = DealsRef(artifact=artifact, version=version, sha256=made.sha256)
        _keep(tool_context, ref, made)
        return {"status": "ok", **made.answer}

    async def show_deals(self, offset: int, limit: int, tool_context: ToolContext) -> dict[str, Any]:
        """Shows extracted deals with the cells of their values.

        Use it to check a result or to answer a question about deals.

        Args:
            offset: How many deals to pass over, from 0.
            limit: How many to show, 1 to 10.

        Returns:
            total: how many there are. deals: number and fields, each with its cell.
        """
        ref = state.read(tool_context.state, state.DEALS_REF)
        if ref is None:
            return _error("There are no deals yet; call extract_deals first.")
        try:
            first, count = max(0, int(offset)), min(max(1, int(limit)), view.SHOWN_DEALS)
        except (TypeError, ValueError):
            return _error("offset and limit are whole numbers.")
        part = await tool_context.load_artifact(ref.artifact, ref.version)
        data = part.inline_data.data if part and part.inline_data else None
        if not data:
            return _error("The extracted deals are gone; call extract_deals again.")
        return {"status": "ok", **await asyncio.to_thread(reading.page, data, first, count)}


def _keep(context: ToolContext, ref: DealsRef, made: reading.Extracted) -> None:
    state.write(context.state, __name__, state.DEALS_REF, ref)
    state.write(context.state, __name__, state.DEALS_SUMMARY, made.summary)
    state.write(context.state, __name__, state.DEALS_ISSUES, made.issues)
    state.write(context.state, __name__, state.DEALS_RECORDS, made.records)
    state.write(context.state, __name__, state.REFUSED, None)


def _key(family: state.StateKey[Any], upload: UploadRef, *parts: str) -> state.StateKey[Any]:
    """A choice's key: choices are a workbook's own, one key each, so that parallel calls never meet in one value."""
    return family.at(ids.derive("upload", upload.artifact)[:8], *parts)


def _uploads(context: ToolContext) -> list[UploadRef]:
    return list(state.read_family(context.state.to_dict(), state.UPLOAD).values())


def _upload(context: ToolContext, filename: object) -> UploadRef | None:
    asked = ids.safe_name(str(filename).strip().strip("\"'"))
    return next(
        (each for each in reversed(_uploads(context)) if asked in (each.filename, ids.safe_name(each.filename))), None
    )


def _unknown_file(context: ToolContext) -> dict[str, Any]:
    return _error("There is no upload of that name.", filename=[each.filename for each in _uploads(context)][-10:])


async def _load(context: ToolContext, upload: UploadRef) -> bytes:
    part = await context.load_artifact(upload.artifact, upload.version)
    data = part.inline_data.data if part and part.inline_data else None
    if data is None and await context.get_artifact_version(upload.artifact, upload.version):
        return b""  # ADK's stores give back nothing for empty bytes of unknown type
    if data is None:
        raise InputError("file.missing", f"{upload.filename}: the upload is no longer stored; send it again.")
    return data


def _overrides(context: ToolContext, upload: UploadRef) -> Overrides:
    held, mine = context.state.to_dict(), ids.derive("upload", upload.artifact)[:8]

    def chosen(family: state.StateKey[Any]) -> dict[tuple[str, ...], Any]:
        return {parts[1:]: value for parts, value in state.read_family(held, family).items() if parts[0] == mine}

    return Overrides(
        fields={
            (table, column): None if name == NO_FIELD else name for (table, column), name in chosen(state.FIELD).items()
        },
        bounds={table: rows for (table,), rows in chosen(state.BOUNDS).items()},
        ignored={table: why for (table,), why in chosen(state.IGNORED).items()},
    )


def _noted(context: ToolContext, table_id: object) -> tuple[UploadRef, TableNote] | dict[str, Any]:
    """The inspected workbook and what is noted of one of its tables, or the answer that says why there is none."""
    upload, tables = state.read(context.state, state.WORKBOOK), state.read(context.state, state.TABLES)
    if upload is None or tables is None:
        return _error("Call inspect_workbook first.")
    note = tables.get(str(table_id))
    return (
        (upload, note)
        if note
        else _error(f"There is no table {view.quoted(str(table_id), 12)}.", table_id=tuple(tables)[:40])
    )


def _refused(context: ToolContext, refused: InputError) -> dict[str, Any]:
    """An unusable workbook: noted for the code that ends the stage, told to the model as an error."""
    refusal = Refusal(code=refused.code, message=view.clean(refused.message, 600), cells=refused.cells[:20])
    state.write(context.state, __name__, state.REFUSED, refusal)
    return {"status": "error", "code": refused.code, "error": refusal.message}


def _error(error: str, **allowed: Iterable[str]) -> dict[str, Any]:
    told = {name: list(values) for name, values in allowed.items()}
    return {"status": "error", "error": error, **({"allowed": told} if told else {})}
