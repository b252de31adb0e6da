"""SQLite, spoken to from the event loop itself.

A statement takes SQLite some 20 µs; handing it to a thread and back, as aiosqlite does for each, takes fifteen times
that. What could take long, waiting for another process's write, is done here without holding up the loop.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import AsyncAdaptedQueuePool, Connection, Pool
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine import URL
from sqlalchemy.util import await_

DRIVER = "sqlite+direct"
#: How long a writer waits for another process's transaction, of which each takes milliseconds.
WAIT_S = 30.0
FIRST_PAUSE_S, LAST_PAUSE_S = 0.001, 0.05


class Cursor(sqlite3.Cursor):
    """A cursor as SQLAlchemy's asyncio results close theirs."""

    async def _async_soft_close(self) -> None:
        """Other drivers have fetched all rows by now; ours are fetched when they are asked for."""


class DirectConnection(sqlite3.Connection):
    """A connection whose cursors are of that kind."""

    def cursor(self, factory: Any = Cursor) -> Any:
        """A new cursor."""
        return super().cursor(factory)


CONNECT: dict[str, Any] = {"timeout": WAIT_S, "factory": DirectConnection}
"""For `sqlite3.connect`; once it is open, it is not SQLite that waits, for that would hold up the loop."""


class DirectSQLite(SQLiteDialect_pysqlite):
    """Python's own sqlite3 for SQLAlchemy's asyncio engine."""

    driver = "direct"
    is_async = True
    supports_statement_cache = True

    @classmethod
    def get_pool_class(cls, url: URL) -> type[Pool]:  # noqa: ARG003 as SQLAlchemy calls it
        """A pool whose waiting does not hold up the loop."""
        return AsyncAdaptedQueuePool

    def do_execute(self, cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:
        """Run a statement, at once, or as soon as another process's transaction lets it."""
        await_(_pass())
        _in_turn(cursor, lambda: super(DirectSQLite, self).do_execute(cursor, statement, parameters, context))

    def do_executemany(self, cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:
        """Run a statement for each set of parameters, inside a transaction."""
        await_(_pass())
        super().do_executemany(cursor, statement, parameters, context)


def _in_turn(cursor: sqlite3.Cursor, execute: Callable[[], None]) -> None:
    """Execute what opens a transaction or is one, waiting meanwhile for whoever writes; others never meet anybody."""
    give_up_at, pause_s = time.monotonic() + WAIT_S, FIRST_PAUSE_S
    while True:
        try:
            return execute()
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or cursor.connection.in_transaction or time.monotonic() > give_up_at:
                raise
        await_(asyncio.sleep(pause_s))
        pause_s = min(pause_s * 2, LAST_PAUSE_S)


async def _pass() -> None:
    """Nothing: SQLAlchemy takes a statement that never awaits for a driver of the wrong kind."""


registry.register("sqlite.direct", __name__, DirectSQLite.__name__)


def prepare(connection: Any, _: object) -> None:
    """Readers don't wait for writers (WAL), and we open transactions, and wait for our turn, ourselves."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "busy_timeout=0"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def begin(connection: Connection) -> None:
    """Open a transaction: for a single statement none, for ADK's readers a plain one, else one that may write.

    A writer takes the one write lock before it reads, so that what it read still holds when it writes.
    """
    options = connection.get_execution_options()
    if not options.get("single"):
        connection.exec_driver_sql("BEGIN" if options.get("read_only") else "BEGIN IMMEDIATE")
