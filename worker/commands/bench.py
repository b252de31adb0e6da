"""`dealwright bench`: our times beside those of the bare libraries, taken in the same run (design 11)."""

from __future__ import annotations

import argparse
import gc
import io
import time
from collections.abc import Callable
from importlib import import_module
from statistics import median
from typing import Any

from schemas.errors import InputError
from worker.commands.reading import read_file
from worker.commands.terminal import print_json, tell
from worker.settings import load_settings

Measured = dict[str, Any]


def run(arguments: argparse.Namespace) -> int:
    """Prints the figures of one measurement: a JSON document, or a line each."""
    if min(arguments.runs, arguments.columns, arguments.rows or 1) < 1:
        raise InputError(
            "line.wrong",
            "dealwright bench: --runs, --rows and --columns must be 1 or more; see dealwright bench --help.",
        )
    kind: str = arguments.what
    home = "worker.commands.bench" if kind == "extract" else f"worker.commands.bench_{kind}"
    measured: Measured = getattr(import_module(home), f"measure_{kind}")(arguments)
    if arguments.json:
        print_json(measured)
    else:
        for name, value in measured.items():
            tell(f"{name:<24} {value}")
    return 0


def beside(ours: Callable[[], object], bare: Callable[[], object], runs: int) -> tuple[float, float]:
    """Median seconds of `ours` and of `bare` over `runs` turns each, by turns, after one of each that isn't counted."""
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(runs + 1):
        for call, taken in zip((ours, bare), times, strict=True):
            gc.collect()
            began = time.perf_counter()
            call()
            if turn:
                taken.append(time.perf_counter() - began)
    return median(times[0]), median(times[1])


def source(arguments: argparse.Namespace, rows: int, columns: int = 20) -> tuple[str, bytes]:
    """The name and bytes of the file to measure on: the one given, or one of `rows` × `columns` made for it."""
    path: str = arguments.file or ""
    if not path:
        from worker.commands.bench_workbook import kept_workbook

        path = str(kept_workbook(load_settings().state_dir / "bench", arguments.rows or rows, columns))
    return read_file(path, load_settings().max_file_bytes)


def measure_extract(arguments: argparse.Namespace) -> Measured:
    """Extraction in memory beside calamine's default `to_python` of the same bytes."""
    from tools.deals.extract import extract

    name, data = source(arguments, 20_000, arguments.columns)
    deals = extract(data, name).deal_count
    ours_s, bare_s = beside(lambda: extract(data, name), lambda: bare_read(data), arguments.runs)
    measured: Measured = {
        "what": "extract",
        "file": name,
        "file_bytes": len(data),
        "deals": deals,
        "runs": arguments.runs,
        "ours_s": round(ours_s, 4),
        "bare_s": round(bare_s, 4),
        "ratio_to_calamine": round(ours_s / bare_s, 3),
    }
    if arguments.memory:
        from worker.commands.bench_memory import peaks

        measured |= peaks(name, data)
    return measured


def bare_read(data: bytes) -> list[list[list[Any]]]:
    """Each sheet's values as calamine gives them by default."""
    from python_calamine import CalamineWorkbook

    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    return [book.get_sheet_by_name(name).to_python() for name in book.sheet_names]
