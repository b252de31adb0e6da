"""Delimited text that grows when it is split: endless lines, countless lines, quotes that never close."""

from __future__ import annotations

import random

from tests.hostile.bomb import Bomb

HEADS = b"Property,City,Asking Price,Cap Rate\n"
DEALS = b"Elm Court,Springfield,1200000,5.5%\nOak House,Riverton,2400000,6.1%\n"
HONEST = HEADS + DEALS
ENDS = ("file.unsafe", "file.not_workbook", "file.truncated", "file.too_large")


def noise(size: int) -> bytes:
    """Bytes at random, the same each time."""
    return random.Random(7).randbytes(size)


def wide(columns: int, header: str) -> bytes:
    """Two rows under as many headers, each a little unlike the others."""
    lines = [(f"{header} {number}" for number in range(columns)), *(str(n) * columns for n in (4, 5))]
    return "\n".join(",".join(line) for line in lines).encode()


def unclosed(lines: int) -> bytes:
    """As many lines, each of two texts that no other has, the first behind a quote that never closes."""
    return b"".join(b'"u%07d,x%07d,y\n' % (number, number) for number in range(lines))


def stuffed_headers(columns: int) -> bytes:
    """Two rows under as many headers of some 200 letters, each of words that no other holds."""
    pick = random.Random(7)
    words = ("".join(pick.choices("aeioustrnlmpdc", k=7)) for _ in range(25 * columns))
    heads = (" ".join(next(words) for _ in range(24)) for _ in range(columns))
    return "\n".join([",".join(heads), *(",".join([f"{n}444"] * columns) for n in (4, 5))]).encode()


BOMBS = tuple(
    Bomb(name, make, "deals.csv", deals, ENDS, long)
    for name, make, deals, long in (
        ("a line of 60 MB", lambda: b"x" * 60_000_000, None, True),
        ("a line of 60 MB behind deals", lambda: HONEST + b"x" * 60_000_000, None, True),
        ("a field of 100 MB and a byte", lambda: HONEST + b"x" * 100_000_001, None, False),
        ("a row of 60 million fields", lambda: b"," * 60_000_000, None, True),
        ("60 million lines", lambda: HONEST + b"\n" * 60_000_000, 2, True),
        ("60 million lines of one letter", lambda: HONEST + b"x\n" * 30_000_000, None, True),
        ("a wide line over long ones", lambda: b"," * 100_000 + b"\n" + b"1\n" * 1000, None, False),
        ("a quote that never closes", lambda: HONEST + b'"' + b"x,y\n" * 300_000, 300_002, True),
        ("quotes and nothing else", lambda: b'"' * 20_000_000, None, True),
        ("20 MB of noise", lambda: noise(20_000_000), None, False),
        ("20 MB of high bytes", lambda: HONEST + bytes(range(128, 256)) * 160_000, None, True),
        ("UTF-16 without end", lambda: b"\xff\xfe" + "x\t".encode("utf-16-le") * 10_000_000, None, True),
        ("UTF-32 of impossible letters", lambda: b"\xff\xfe\0\0" + b"\xff\xff\xff\x7f" * 1_000_000, None, False),
        ("a separator of its own", lambda: b"sep=x\n" + b"x" * 10_000_000, None, True),
        ("a separator that is a line feed", lambda: b"sep=\n\n" + HONEST, 2, False),
        ("a separator that is a quote", lambda: b'sep="\n' + HONEST, 2, False),
        ("NULs between deals", lambda: HONEST + b"\0" * 20_000_000, None, False),
        ("quotes that close amid values", lambda: HEADS + (b'"a\n' * 63 + b'x"y\n') * 100_000, None, True),
        ("quotes that never close, over and over", lambda: HEADS + b'"a,b,c\n' * 1_500_000, None, True),
        ("quotes that never close before texts of their own", lambda: HEADS + unclosed(1_300_000), None, True),
        ("16,000 headers of several fields", lambda: wide(16_000, "price units cap rate " * 3), None, False),
        ("16,000 headers of 500 letters", lambda: wide(16_000, "a" * 500), None, False),
        ("2,000 headers of several fields", lambda: wide(2000, "price units cap rate " * 30), 0, True),
        ("carriage returns", lambda: HONEST.replace(b"\n", b"\r") * 1 + b"\r" * 20_000_000, 2, True),
    )
)
BOMBS += (Bomb("2,000 headers of 200 letters", lambda: stuffed_headers(2000), "deals.csv", 0, long=True, cheap=True),)
