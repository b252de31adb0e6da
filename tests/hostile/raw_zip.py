"""Zip packages written byte by byte, so that they can lie."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

_LOCAL = struct.Struct("<4sHHHHHIIIHH")
_CENTRAL = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END = struct.Struct("<4sHHHHIIH")
_END64 = struct.Struct("<4sQHHIIQQQQ")
_LOCATOR64 = struct.Struct("<4sIQI")
_MOST_16, _MOST_32 = 0xFFFF, 0xFFFFFFFF


@dataclass(frozen=True)
class Part:
    """An entry as stored: its packed bytes, and what is declared of it."""

    name: str
    packed: bytes
    size: int
    crc: int = 0
    method: int = zlib.DEFLATED
    flags: int = 0
    extra: bytes = b""


def part(name: str, data: bytes | str, *, declared: int | None = None) -> Part:
    """A part that holds `data`, of a size declared honestly unless `declared` says another."""
    raw = data.encode() if isinstance(data, str) else data
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(raw) + packer.flush()
    return Part(name, packed, len(raw) if declared is None else declared, zlib.crc32(raw))


def repeated(name: str, head: bytes, unit: bytes, times: int, tail: bytes, *, declared: int | None = None) -> Part:
    """A part that holds `head`, `times` times `unit`, and `tail`, packed without ever being whole anywhere.

    Once its window is full of the unit, deflate says the same for each further copy: those bytes are repeated.
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = [packer.compress(head), packer.flush(zlib.Z_FULL_FLUSH)]
    block = unit * max(1, (1 << 20) // len(unit))
    per = len(block) // len(unit)
    blocks, rest = divmod(times, per)
    packed_block = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH) if blocks else b""
    packed += [packed_block] * blocks
    packed += [packer.compress(unit * rest + tail), packer.flush()]
    size = len(head) + len(unit) * times + len(tail)
    crc = zlib.crc32(head)
    # Nobody inflates a larger one to its end.
    for _ in range(blocks if size < 100_000_000 else 0):
        crc = zlib.crc32(block, crc)
    crc = zlib.crc32(unit * rest + tail, crc)
    return Part(name, b"".join(packed), size if declared is None else declared, crc)


def write_zip(parts: Iterable[Part], *, zip64: bool = False, comment: bytes = b"") -> bytes:
    """The package of `parts`, with a zip64 end record where asked for or needed."""
    body, directory, count = bytearray(), bytearray(), 0
    for each in parts:
        name, at = each.name.encode(), len(body)
        sizes = (each.crc, len(each.packed), min(each.size, _MOST_32))
        body += _LOCAL.pack(b"PK\x03\x04", 20, each.flags, each.method, 0, 0, *sizes, len(name), len(each.extra))
        body += name + each.extra + each.packed
        directory += _CENTRAL.pack(
            b"PK\x01\x02", 20, 20, each.flags, each.method, 0, 0, *sizes, len(name), len(each.extra), 0, 0, 0, 0, at
        )
        directory += name + each.extra
        count += 1
    end = bytearray()
    if zip64 or count > _MOST_16:
        here = len(body) + len(directory)
        end += _END64.pack(b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, len(directory), len(body))
        end += _LOCATOR64.pack(b"PK\x06\x07", 0, here, 1)
        count = _MOST_16
    end += _END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), len(body), len(comment)) + comment
    return bytes(body + directory + end)
