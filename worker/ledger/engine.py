"""Engines: one to a database and schema, with each database's habits made the same."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Insert, Table, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

#: How long a writer waits for another one on SQLite, which lets only one write at a time.
SQLITE_WAIT_S = 30


def make_engine(url: str, schema: str, *, pooled: bool = True) -> AsyncEngine:
    """An engine whose unnamed tables lie in `schema` on PostgreSQL; SQLite has one schema for all."""
    options: dict[str, Any] = {} if pooled else {"poolclass": NullPool}
    if url.startswith("sqlite"):
        engine = create_async_engine(url, connect_args={"timeout": SQLITE_WAIT_S}, **options)
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
        return engine
    settings = {"search_path": schema, "application_name": "dealwright"}
    return create_async_engine(url, connect_args={"server_settings": settings}, pool_pre_ping=pooled, **options)


def _prepare_sqlite(connection: Any, _: object) -> None:
    """Readers don't wait for writers (WAL), and we open transactions ourselves."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes the one write lock before it reads, so that what it read still holds when it writes."""
    reads = connection.get_execution_options().get("read_only")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def insert_if_absent(connection: AsyncConnection, table: Table, values: dict[str, Any]) -> Insert:
    """An insert that changes nothing if the row is there; its rowcount says which."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table).values(values).on_conflict_do_nothing()
    return postgresql.insert(table).values(values).on_conflict_do_nothing()
