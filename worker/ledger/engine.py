"""Engines: one to a database and schema, with each database's habits made the same."""

from __future__ import annotations

import math
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import Dialect, Insert, Table, event
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from worker.ledger import sqlite

if TYPE_CHECKING:
    # Loaded where PostgreSQL is the database: `jobs` and `show` on SQLite need not wait for it.
    from sqlalchemy.dialects.postgresql import Insert as PostgresInsert

MOST_CONNECTIONS, KEPT_CONNECTIONS = 15, 5
IDLE_S = 30.0
"""How long a connection may lie unused before it is asked whether it is still there."""
_SINCE = "unused since"


def make_engine(url: str, schema: str, *, pooled: bool = True, pool_size: int = MOST_CONNECTIONS) -> AsyncEngine:
    """An engine whose unnamed tables lie in `schema` on PostgreSQL; SQLite has one schema for all.

    To PostgreSQL it opens `pool_size` connections at most, and keeps KEPT_CONNECTIONS of them when they aren't used.
    """
    options: dict[str, Any] = {} if pooled else {"poolclass": NullPool}
    if url.startswith("sqlite"):
        place = url.partition("://")[2]
        engine = create_async_engine(f"{sqlite.DRIVER}://{place}", connect_args=sqlite.CONNECT, **options)
        event.listen(engine.sync_engine, "connect", sqlite.prepare)
        event.listen(engine.sync_engine, "begin", sqlite.begin)
        return engine
    settings = {"search_path": schema, "application_name": "dealwright"}
    if pooled:
        kept = min(pool_size, KEPT_CONNECTIONS)
        options |= {"pool_size": kept, "max_overflow": pool_size - kept}
    engine = create_async_engine(url, connect_args={"server_settings": settings}, **options)
    if pooled:
        event.listen(engine.sync_engine, "checkin", _note_when)
        event.listen(engine.sync_engine, "checkout", partial(_look_whether_alive, engine.dialect))
    return engine


def _note_when(_: DBAPIConnection | None, entry: ConnectionPoolEntry) -> None:
    entry.info[_SINCE] = time.monotonic()


def _look_whether_alive(dialect: Dialect, connection: DBAPIConnection, entry: ConnectionPoolEntry, _: object) -> None:
    """Has all pooled connections made anew once one of them was closed by the server, or does not answer after IDLE_S.

    SQLAlchemy's `pool_pre_ping` asks at each use: of all that went to and fro for a job, two fifths were its questions.
    """
    if getattr(entry.driver_connection, "is_closed", bool)():
        raise InvalidatePoolError
    if time.monotonic() - entry.info.get(_SINCE, math.inf) > IDLE_S:
        try:
            dialect.do_ping(connection)
        except (dialect.loaded_dbapi.Error, OSError) as error:
            raise InvalidatePoolError from error


def singly(engine: AsyncEngine) -> AsyncEngine:
    """The same engine, each of whose statements is a transaction by itself, with nothing to begin or to end."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(single=True)
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def insert_if_absent(connection: AsyncConnection, table: Table, values: dict[str, Any]) -> Insert:
    """An insert that changes nothing if the row is there; its rowcount says which."""
    return _insert(connection, table).values(values).on_conflict_do_nothing()


def insert_or_update(connection: AsyncConnection, table: Table, values: dict[str, Any], **changes: Any) -> Insert:
    """An insert that makes `changes` to the row instead if it is there."""
    keys = [column.name for column in table.primary_key]
    return _insert(connection, table).values(values).on_conflict_do_update(index_elements=keys, set_=changes)


def _insert(connection: AsyncConnection, table: Table) -> sqlite_dialect.Insert | PostgresInsert:
    if connection.dialect.name == "sqlite":
        return sqlite_dialect.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)
