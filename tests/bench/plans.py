"""How PostgreSQL goes about the statements that our code sends: each is caught as it is sent, and explained."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from asyncpg import IntegrityConstraintViolationError
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

Sent = tuple[str, tuple[Any, ...]]
VERBS = ("select", "update", "insert", "delete", "with")


@dataclass(frozen=True)
class Plan:
    """A statement's plan, carried out: the tables read from end to end, and the pages touched (8 KB each)."""

    statement: str
    scanned: tuple[str, ...]
    pages: int
    nodes: tuple[str, ...]


@contextmanager
def caught(engine: AsyncEngine) -> Iterator[list[Sent]]:
    """The statements sent meanwhile, with their values."""
    statements: list[Sent] = []

    def keep(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        if statement.lstrip().split(None, 1)[0].lower() in VERBS:
            statements.append((statement, tuple(values)))

    event.listen(engine.sync_engine, "before_cursor_execute", keep)
    try:
        yield statements
    finally:
        event.remove(engine.sync_engine, "before_cursor_execute", keep)


async def explain(engine: AsyncEngine, ask: Callable[[], Awaitable[Any]]) -> list[Plan]:
    """The plans of all statements that `ask` sends. Each is carried out once more, and taken back."""
    with caught(engine) as statements:
        await ask()
    return [await _explain(engine, *sent) for sent in statements]


async def _explain(engine: AsyncEngine, statement: str, values: tuple[Any, ...]) -> Plan:
    row = await _carry_out(engine, f"explain (analyze, buffers, format json) {statement}", values)
    if row is None:
        row = await _carry_out(engine, f"explain (buffers, format json) {statement}", values)
    assert row is not None
    # SQLAlchemy has taught the driver to read JSON.
    found = (json.loads(row[0]) if isinstance(row[0], str) else row[0])[0]["Plan"]
    nodes = list(_nodes(found))
    scanned = tuple(node["Relation Name"] for node in nodes if node["Node Type"] == "Seq Scan")
    told = tuple(f"{node['Node Type']} {node.get('Index Name', node.get('Relation Name', ''))}" for node in nodes)
    return Plan(" ".join(statement.split()), scanned, found["Shared Hit Blocks"] + found["Shared Read Blocks"], told)


async def _carry_out(engine: AsyncEngine, statement: str, values: tuple[Any, ...]) -> Any:
    """What the statement answers, and nothing stays of it; None if it can't be carried out a second time."""
    async with engine.connect() as connection:
        driver = (await connection.get_raw_connection()).driver_connection
        assert driver is not None
        transaction = driver.transaction()
        await transaction.start()
        try:
            (row,) = await driver.fetch(statement, *values)
        except IntegrityConstraintViolationError:
            return None
        finally:
            await transaction.rollback()
    return row


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for below in node.get("Plans", ()):
        yield from _nodes(below)
