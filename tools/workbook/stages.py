"""How far a long reading has come, told to whoever listens; where nobody does, it costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

_LISTENER: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)


@contextmanager
def heard_by(listener: Callable[[str], None]) -> Generator[None]:
    """While it lasts, `listener` hears of each stage in a few words; names of sheets in them are the file's."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def tell_stage(text: str) -> None:
    """Tells that the reading has come to `text`."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(text)
