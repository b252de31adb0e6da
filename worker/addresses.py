"""Addresses that settings give: what is wrong with one, and how one is shown, which is without its passwords."""

from __future__ import annotations

import re

from schemas.webhooks import fault_of_address

LAST_PORT = 65_535
POSTGRESQL = "postgresql+asyncpg://"
_QUERY = frozenset(
    [
        "database",
        "gsslib",
        "host",
        "krbsrvname",
        "passfile",
        "password",
        "port",
        "prepared_statement_cache_size",
        "service",
        "servicefile",
        "ssl",
        "target_session_attrs",
        "user",
    ]
)
"""What may stand behind the `?` of a PostgreSQL address: what asyncpg and SQLAlchemy take as text."""
_EXAMPLE = "such as postgresql://user:password@host:5432/name"


def shown(url: str) -> str:
    """The address with *** for passwords: one that holds an @ itself ends at the last."""
    url = re.sub(r"(://[^:/@]*:).*@", r"\1***@", url)
    return re.sub(r"(?i)(\w*password=)[^&]*", r"\1***", url)


def with_driver(url: str) -> str:
    """A database's address as SQLAlchemy wants it; what PostgreSQL's own programs call sslmode is asyncpg's ssl."""
    scheme, separator, rest = url.partition("://")
    drivers = {"sqlite+aiosqlite": "sqlite", "postgres": POSTGRESQL[:-3], "postgresql": POSTGRESQL[:-3]}
    scheme = drivers.get(scheme, scheme)
    rest = re.sub(r"([?&])sslmode=", r"\1ssl=", rest) if scheme.startswith("postgresql") else rest
    return scheme + separator + rest


def fault_of_database(url: str) -> str | None:
    """What the database's address, with its driver, must be and isn't, or None. No part of it is quoted."""
    if url.startswith(POSTGRESQL):
        return _fault_of_server(url)
    if not url.startswith("sqlite:///"):
        return "begin with sqlite:/// or postgresql://"
    place = url.removeprefix("sqlite:///")
    if not place.partition("?")[0].strip() or ":memory:" in place or "mode=memory" in place:
        return "name a file, such as sqlite:///deals.db: what is kept in memory is gone with the process"
    return None


def _fault_of_server(url: str) -> str | None:
    # Loaded where PostgreSQL is the database.
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        parts = make_url(url)
    except (ArgumentError, ValueError):
        return f"be an address whose port is a number, {_EXAMPLE}"
    if "@" in (parts.host or ""):
        return f"have %40 for each @ in the user's name or password, {_EXAMPLE}"
    if re.search(r"[\s\[\]]", parts.host or "") or not 0 < (parts.port or 1) <= LAST_PORT:
        return f"be an address with a host and a port of at most {LAST_PORT}, {_EXAMPLE}"
    strange = sorted(set(parts.query) - _QUERY)
    return f"have nothing behind its ? but {', '.join(sorted(_QUERY))}" if strange else None


def fault_of_pages(url: str) -> str | None:
    """What the address of the pages must be and isn't, or None: its links let people in, so nobody may read them."""
    if not re.fullmatch(r"https?://[\w.:\[\]-]+(/[\w.-]+)*/?", url):
        return "be where people reach the pages, such as https://deals.example"
    return fault_of_address(url)
