"""How far a sheet's cells may lie apart: what is told of a scan before any value is read."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from schemas.errors import InputError
from tools.workbook.extent import check_scattering
from tools.workbook.scan import SheetScan


def scanned(rows: object, columns: object, *, singly: bool = False) -> SheetScan:
    """The scan of cells at `rows` and `columns`, all at once or one by one."""
    scan = SheetScan()
    at = np.broadcast_arrays(np.asarray(rows, np.int32), np.asarray(columns, np.int32))
    if not singly:
        scan.put_all(*at)
        return scan
    for row, column in zip(*(each.tolist() for each in at), strict=True):
        scan.put(row, column, row, column)
    return scan


def spread(cells: int, columns: int) -> tuple[object, object]:
    """A cell in each row, each in the next column."""
    return np.arange(1, cells + 1), np.arange(cells) % columns


def table(rows: int, columns: int) -> tuple[object, object]:
    """A table that is filled, row by row."""
    return np.repeat(np.arange(1, rows + 1), columns), np.tile(np.arange(columns), rows)


@pytest.mark.parametrize("singly", [False, True])
def test_many_cells_of_which_none_lie_side_by_side_are_refused(singly: bool) -> None:
    """Told in one sentence, whichever way a reader counts them."""
    with pytest.raises(InputError, match=r"scatters 110,000 cells over 110,000 rows and 40 columns; s") as told:
        check_scattering("a.xlsx", scanned(*spread(110_000, 40), singly=singly))
    assert told.value.code == "file.unsafe"


@pytest.mark.parametrize(
    "make",
    [
        lambda: spread(100_000, 16_384),
        lambda: spread(199_000, 20),
        lambda: spread(300_000, 19),
        lambda: table(1_048_576, 10),
    ],
    ids=["few", "below four million places", "one of nineteen", "a full sheet"],
)
def test_wide_and_thin_sheets_of_usual_size_are_not(make: Callable[[], tuple[object, object]]) -> None:
    """Few cells, few places, or no more than twenty places for a cell."""
    check_scattering("a.xlsx", scanned(*make()))


def test_a_cell_far_from_a_table_does_not_scatter_it() -> None:
    """Rows and columns without any cell are none of its places."""
    rows, columns = table(20_000, 20)
    scan = scanned(np.append(rows, 1_048_576), np.append(columns, 16_383))
    assert (scan.filled_rows, scan.filled_columns.count(1), scan.cells) == (20_001, 21, 400_001)
    check_scattering("a.xlsx", scan)


def test_rows_that_come_in_pieces_count_once() -> None:
    """A piece that goes on in the row in which the last one ended."""
    scan = SheetScan()
    for columns in ([0, 1], [2, 3]):
        scan.put_all(np.array([7, 7], np.int32), np.array(columns, np.int32))
    scan.put(8, 4, 9, 5)
    assert (scan.filled_rows, scan.filled_columns.count(1), scan.cells) == (3, 6, 8)
    assert scan.box == (7, 0, 9, 5)
