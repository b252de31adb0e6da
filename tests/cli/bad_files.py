"""Files that can't be used, one of each kind, as people send them."""

from __future__ import annotations

import io
import os
import struct
from pathlib import Path

import openpyxl

FREE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def ole_file(streams: tuple[str, ...], size: int = 4096) -> bytes:
    """A compound file (the container of old and of encrypted workbooks) with `streams` of `size` bytes each."""
    per = size // 512
    chain = [FAT, END]
    for number in range(len(streams)):
        start = 2 + number * per
        chain += [*range(start + 1, start + per), END]
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        0x3E,
        3,
        0xFFFE,
        9,
        6,
        0,
        1,
        1,
        0,
        4096,
        END,
        0,
        END,
        0,
    )
    header += struct.pack("<I", 0) + b"\xff" * 432
    fat = struct.pack(f"<{len(chain)}I", *chain).ljust(512, b"\xff")
    entries = [entry("Root Entry", 5, END, 0, child=1)]
    for number, name in enumerate(streams):
        right = number + 2 if number + 1 < len(streams) else FREE
        entries.append(entry(name, 2, 2 + number * per, size, right=right))
    directory = b"".join(entries).ljust(512, b"\0")
    return header + fat + directory + bytes(size) * len(streams)


def entry(name: str, kind: int, start: int, size: int, child: int = FREE, right: int = FREE) -> bytes:
    """A directory entry of a compound file."""
    words = name.encode("utf-16-le")
    return struct.pack("<64sHBBIII16x4x8x8xIQ", words, len(words) + 2, kind, 1, FREE, right, child, start, size)


def workbook(rows: list[list[object]]) -> bytes:
    """A workbook of one sheet that holds `rows`."""
    book = openpyxl.Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


HTML = b"<html><body><form>Your session has ended, <a href='/login'>log in</a> again.</form></body></html>"
FARES = [["Airline", "Route", "Fare class", "Miles"], *([f"Carrier {n}", "OSL-LIS", "Y", 1700 + n] for n in range(12))]


def make_bad_files(folder: Path) -> dict[str, str]:
    """Writes one file of each kind into `folder`; what the kind is called, to the path that a person would type."""
    whole = workbook([["Property", "Asking Price"], *([f"Building {n}", 1_000_000 + n] for n in range(40))])
    contents = {
        "encrypted": ("encrypted.xlsx", ole_file(("EncryptedPackage", "EncryptionInfo"))),
        "truncated": ("truncated.xlsx", whole[: len(whole) // 2]),
        "no cells": ("no_cells.xlsx", workbook([])),
        "html": ("report.xls", HTML),
        "no table": ("no_table.xlsx", workbook([["Call the broker about the site on Tuesday."]])),
        "no deals": ("fares.xlsx", workbook(FARES)),
        "zero bytes": ("zero.xlsx", b""),
        "not a workbook": ("picture.xlsx", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4),
    }
    paths: dict[str, str] = {}
    for kind, (name, data) in contents.items():
        (folder / name).write_bytes(data)
        paths[kind] = str(folder / name)
    (folder / "a_folder.xlsx").mkdir()
    os.mkfifo(folder / "pipe.xlsx")
    return paths | {
        "folder": str(folder / "a_folder.xlsx"),
        "missing": str(folder / "missing.xlsx"),
        "pipe": str(folder / "pipe.xlsx"),
    }


KINDS = (
    *("encrypted", "truncated", "no cells", "html", "no table", "no deals"),
    *("zero bytes", "not a workbook", "folder", "missing", "pipe"),
)
