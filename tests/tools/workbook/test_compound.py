"""A compound file whose chains of sectors lead back to themselves is refused before anything follows them."""

from __future__ import annotations

from struct import pack_into, unpack_from

import pytest

from schemas.errors import InputError
from tests.hostile.binary_books import xls, xls_deals
from tools.deals.extract import extract
from tools.workbook.compound import check_chains

SECTOR = 512
FIRST_TABLE, DIRECTORY, SMALL, MORE_TABLES = 76, 48, 60, 68


def _table_at(book: bytes) -> int:
    return (int(unpack_from("<I", book, FIRST_TABLE)[0]) + 1) * SECTOR


def _looped(place: str) -> bytes:
    """A sound workbook, one of whose chains never ends."""
    book = bytearray(xls(xls_deals()))
    table, directory = _table_at(book), unpack_from("<I", book, DIRECTORY)[0]
    if place == "directory":
        pack_into("<I", book, table + 4 * directory, directory)
    elif place == "stream":
        start = unpack_from("<I", book, (directory + 1) * SECTOR + 128 + 116)[0]
        pack_into("<I", book, table + 4 * (start + 1), start)
    elif place == "small sectors":
        pack_into("<I", book, SMALL, directory)
        pack_into("<I", book, table + 4 * directory, directory)
    else:
        pack_into("<I", book, MORE_TABLES, 0)
        pack_into("<I", book, SECTOR * 2 - 4, 0)
    return bytes(book)


@pytest.mark.parametrize("place", ["directory", "stream", "small sectors", "table"])
def test_a_chain_without_end_is_refused_in_a_sentence(place: str) -> None:
    """A reader that follows it asks for memory until there is none."""
    with pytest.raises(InputError, match=r"deals\.xls is not opened: it holds a chain of sectors without end") as told:
        extract(_looped(place), "deals.xls")
    assert told.value.code == "file.unsafe"


def test_sectors_that_many_streams_share_are_passed_only_so_often() -> None:
    """A thousand entries that name one long stream would cost a thousand walks along it."""
    book = bytearray(xls(xls_deals()))
    directory = (unpack_from("<I", book, DIRECTORY)[0] + 1) * SECTOR
    entry = bytes(book[directory + 128 : directory + 256])
    for number in (2, 3):
        book[directory + 128 * number : directory + 128 * (number + 1)] = entry
    check_chains(bytes(book), "deals.xls")
    table = _table_at(book)
    longer = len(book) // SECTOR - 1
    for number in range(40):
        pack_into("<I", book, table + 4 * (longer + number), longer + number + 1)
        book += (entry * 4).ljust(SECTOR, b"\0")
    pack_into("<I", book, table + 4 * (longer + 39), 0xFFFFFFFE)
    pack_into("<I", book, table + 4 * unpack_from("<I", book, DIRECTORY)[0], longer)
    with pytest.raises(InputError, match="without end"):
        check_chains(bytes(book), "deals.xls")


@pytest.mark.parametrize("size", [0, 8, 100, 511, 512, 600, 1024, 4000])
def test_a_file_cut_anywhere_is_left_to_its_reader(size: int) -> None:
    """What is wrong with it is said by who knows more."""
    check_chains(xls(xls_deals())[:size], "deals.xls")
