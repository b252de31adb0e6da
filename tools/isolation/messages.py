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
_SIZE = struct.Struct("<Q")
_PIECE_BYTES = 1 << 20
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
    """Sends `value` piece by piece as it is pickled; raises what pickling raises, MemoryError too."""
    channel.sendall(kind)
    with io.BufferedWriter(_Pieces(channel), _PIECE_BYTES) as stream:
        pickle.dump(value, stream, protocol=5)
    channel.sendall(_SIZE.pack(0))


class _Pieces(io.RawIOBase):
    """Bytes go out with their number in front of them; none is the end."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, data: Any, /) -> int:
        """Sends all of `data`."""
        size = len(data)
        if size:
            self._channel.sendall(_SIZE.pack(size))
            self._channel.sendall(data)
        return size


def receive(channel: socket.socket, deadline: float, most_bytes: int) -> tuple[bytes, Any] | None:
    """The next (kind, value), or None once the child is gone.

    `deadline` is on the monotonic clock; raises TimeoutError after it, and BrokenAnswerError for an answer of more than
    `most_bytes` or with foreign contents.
    """
    kind = bytearray(1)
    if not _some(channel, memoryview(kind), deadline):
        return None
    arriving = _Arriving(channel, deadline, most_bytes)
    stream = io.BufferedReader(arriving, _PIECE_BYTES)
    try:
        value = _Doubting(stream).load()
        if stream.read(1):
            raise BrokenAnswerError("more than one answer")
    except (pickle.UnpicklingError, AttributeError, ImportError, IndexError, TypeError, ValueError, EOFError) as error:
        if arriving.is_lost:
            return None
        raise BrokenAnswerError(str(error)) from error
    return None if arriving.is_lost else (bytes(kind), value)


class _Arriving(io.RawIOBase):
    """The bytes of one answer; `is_lost` once the child went before its end."""

    def __init__(self, channel: socket.socket, deadline: float, most_bytes: int) -> None:
        self._channel, self._deadline, self._most = channel, deadline, most_bytes
        self._left, self._ended = 0, False
        self.is_lost = False

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Puts what arrives next into `buffer`; 0 at the end."""
        if not self._left and not self._ended:
            self._begin_piece()
        if self._ended or self.is_lost:
            return 0
        got = _some(self._channel, memoryview(buffer)[: self._left], self._deadline)
        self._left -= got
        self.is_lost = not got
        return got

    def _begin_piece(self) -> None:
        head, got = bytearray(_SIZE.size), 0
        while got < len(head) and not self.is_lost:
            more = _some(self._channel, memoryview(head)[got:], self._deadline)
            got, self.is_lost = got + more, not more
        (self._left,) = _SIZE.unpack(head)
        self._ended = not self._left and not self.is_lost
        self._most -= self._left
        if self._most < 0:
            raise BrokenAnswerError("an answer without end")


def _some(channel: socket.socket, view: memoryview, deadline: float) -> int:
    """How many bytes arrived in `view`; 0 when the other end is closed, TimeoutError after `deadline`."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    channel.settimeout(left)
    try:
        return channel.recv_into(view)
    except ConnectionResetError:
        return 0


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
