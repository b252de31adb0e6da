"""What a child says to its parent, and the parent's doubt: only plain values and our own dataclasses get in."""

from __future__ import annotations

import dataclasses
import enum
import io
import pickle
import socket
import struct
import time
from typing import Any

from schemas.errors import DealwrightError

PROGRESS, RESULT, REFUSED, FAULT = b"p", b"r", b"e", b"f"
_HEAD = struct.Struct("<cQ")
_OURS = frozenset({"schemas", "tools", "agents"})
_PLAIN = frozenset(
    {
        *(("builtins", name) for name in ("set", "frozenset", "range", "complex")),
        *(("datetime", name) for name in ("date", "datetime", "time", "timedelta", "timezone")),
        ("decimal", "Decimal"),
        ("collections", "Counter"),
        ("collections", "OrderedDict"),
        ("array", "array"),
        ("array", "_array_reconstructor"),
        ("schemas.errors", "_rebuild"),
    }
)


class BrokenAnswerError(Exception):
    """The child's bytes are no answer of ours: too many, cut off, or naming what no answer holds."""


def write_request(channel: socket.socket, request: object) -> None:
    """Sends what the child is to do; file contents in it are not copied on the way."""
    with channel.makefile("wb") as stream:
        pickle.dump(request, stream, protocol=5)


def send(channel: socket.socket, kind: bytes, value: object) -> None:
    """Sends `value`, which must pickle; MemoryError is the caller's to meet."""
    payload = pickle.dumps(value, protocol=5)
    channel.sendall(_HEAD.pack(kind, len(payload)))
    channel.sendall(payload)


def receive(channel: socket.socket, deadline: float, most_bytes: int) -> tuple[bytes, Any] | None:
    """The next (kind, value), or None once the child is gone.

    `deadline` is on the monotonic clock; raises TimeoutError after it, and BrokenAnswerError for an answer of more than
    `most_bytes` or with foreign contents.
    """
    head = _exactly(channel, _HEAD.size, deadline)
    if head is None:
        return None
    kind, size = _HEAD.unpack(head)
    if size > most_bytes:
        raise BrokenAnswerError(f"an answer of {size:,} bytes")
    payload = _exactly(channel, size, deadline)
    if payload is None:
        return None
    try:
        return kind, _Doubting(io.BytesIO(payload)).load()
    except (pickle.UnpicklingError, AttributeError, ImportError, IndexError, TypeError, ValueError, EOFError) as error:
        raise BrokenAnswerError(str(error)) from error


def _exactly(channel: socket.socket, size: int, deadline: float) -> bytearray | None:
    """`size` bytes, or None where the channel ends before."""
    data = bytearray(size)
    view, got = memoryview(data), 0
    while got < size:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        channel.settimeout(left)
        try:
            count = channel.recv_into(view[got:])
        except ConnectionResetError:
            count = 0
        if not count:
            return None
        got += count
    return data


class _Doubting(pickle.Unpickler):
    """Builds plain values and our dataclasses; a child taken over by its file can make it call nothing else."""

    def find_class(self, module: str, name: str, /) -> Any:
        """The class that a pickle names; raises UnpicklingError for one that no answer holds."""
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        if module.partition(".")[0] in _OURS:
            found = super().find_class(module, name)
            if isinstance(found, type) and (
                dataclasses.is_dataclass(found) or issubclass(found, (DealwrightError, enum.Enum))
            ):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is not for answers")
