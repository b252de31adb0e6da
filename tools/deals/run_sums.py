"""Sums of runs of amounts: of as many runs as a table has totals, however long each is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BLOCK, _SHORT = 1024, 8192
Floats = NDArray[np.float64]
Spans = tuple[tuple[int, int], ...]


class RunSums:
    """Sums of runs of `amounts`, in which NaN is nothing; a long run is put together of blocks summed up once."""

    def __init__(self, amounts: Floats) -> None:
        self._amounts = np.where(np.isnan(amounts), 0.0, amounts)
        whole = len(amounts) // _BLOCK * _BLOCK
        self._blocks = self._amounts[:whole].reshape(-1, _BLOCK).sum(axis=1)

    def run(self, first: int, stop: int) -> float:
        """The sum of the amounts from `first` up to `stop`."""
        if stop - first <= _SHORT:
            return float(self._amounts[first:stop].sum())
        low, high = -(-first // _BLOCK), stop // _BLOCK
        ends = self._amounts[first : low * _BLOCK].sum() + self._amounts[high * _BLOCK : stop].sum()
        return float(self._blocks[low:high].sum() + ends)

    def spans(self, spans: Spans) -> float:
        """The sum of several runs, each given by its first and its last."""
        return sum((self.run(first, last + 1) for first, last in spans), 0.0)
