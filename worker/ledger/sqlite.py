"""SQLite, spoken to from the event loop itself.

A statement takes SQLite some 20 µs; handing it to a thread and back, as aiosqlite does for each, takes fifteen times
that. What could take long, waiting for another process's write, is done here without holding up the loop.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from typing import Any

from sqlalchemy import AsyncAdaptedQueuePool, Connection, Pool
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine import URL
from sqlalchemy.exc import OperationalError
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


CONNECT: dict[str, Any] = {"timeout": 0, "factory": DirectConnection}
"""For `sqlite3.connect`: it is not SQLite that waits, for that would hold up the loop."""


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
        """Run a statement, at once."""
        await_(_pass())
        super().do_execute(cursor, statement, parameters, context)

    def do_executemany(self, cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:
        """Run a statement for each set of parameters, at once."""
        await_(_pass())
        super().do_executemany(cursor, statement, parameters, context)


async def _pass() -> None:
    """Nothing: SQLAlchemy takes a statement that never awaits for a driver of the wrong kind."""


registry.register("sqlite.direct", __name__, DirectSQLite.__name__)


def prepare(connection: Any, _: object) -> None:
    """Readers don't wait for writers (WAL), and we open transactions ourselves."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def begin(connection: Connection) -> None:
    """Open a transaction: for a single statement none, for ADK's readers a plain one, else one that may write.

    A writer takes the one write lock before it reads, so that what it read still holds when it writes.
    """
    options = connection.get_execution_options()
    if options.get("single"):
        return
    if options.get("read_only"):
        connection.exec_driver_sql("BEGIN")
        return
    give_up_at, pause_s = time.monotonic() + WAIT_S, FIRST_PAUSE_S
    while True:
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except OperationalError as busy:
            if _is_busy(busy.orig) and time.monotonic() < give_up_at:
                await_(asyncio.sleep(pause_s))
                pause_s = min(pause_s * 2, LAST_PAUSE_S)
                continue
            raise
        return


def _is_busy(error: BaseException | None) -> bool:
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
