"""`dealwright extract`: the deals of one file, read by code alone."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path

from schemas.deal import Column, Extraction
from schemas.errors import InputError
from tools.isolation.apart import Tell
from tools.workbook.stages import heard_by
from worker.commands.reading import read_apart, read_file
from worker.commands.terminal import say, tell, tell_table, to_output
from worker.settings import load_settings


def run(arguments: argparse.Namespace) -> int:
    """Prints the document, or writes the workbook, or tells what was found; 2 where there are no deals."""
    path: str = arguments.file
    limits = load_settings().limits
    name, data = read_file(path, limits.file_bytes)

    def read(tell: Tell) -> int:
        from tools.deals.extract import extract

        with heard_by(tell):
            extraction = extract(data, name, limits=limits)
        tell(None)
        return _answer(arguments, extraction)

    # What fails in the fork comes back without its file's name; a workbook's is told there.
    with nullcontext() if arguments.xlsx else to_output():
        return read_apart(name, len(data), limits, read)


def _answer(arguments: argparse.Namespace, extraction: Extraction) -> int:
    """Prints or writes what was found; the exit code."""
    from tools.deals.extract import require_deals

    if arguments.json:
        _print_document(extraction)
    elif arguments.xlsx and extraction.deal_count:
        _write_workbook(extraction, Path(arguments.xlsx))
    else:
        _tell(arguments.file, extraction)
    try:
        require_deals(extraction)
    except InputError as error:
        # Told here: with --json the one document is the extraction's, whose account of rows says what the file is.
        say(error.message)
        return error.exit_code
    return 0


def _print_document(extraction: Extraction) -> None:
    from tools.deals.document import write_document

    write_document(extraction, sys.stdout)


def _write_workbook(extraction: Extraction, target: Path) -> None:
    """Writes the workbook beside `target` first, so that nothing half-written bears its name."""
    from tools.deals.workbook_out import deals_xlsx

    if target.is_dir() or not target.parent.is_dir():
        raise InputError("out.place", f"{target} is no place for a file; name a file in a folder that exists.")
    data = deals_xlsx(extraction)
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(data)
        partial.replace(target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise InputError("out.place", f"{target} can't be written ({error.strerror}); choose another place.") from error
    say(f"{extraction.deal_count:,} deals written to {target}.")


def _tell(path: str, extraction: Extraction) -> None:
    deals, tables = extraction.deal_count, len(extraction.tables)
    tell(f"{path}: {deals:,} deal{'s' * (deals != 1)} in {tables:,} table{'s' * (tables != 1)}")
    if extraction.tables:
        rows = [
            (
                table.table_id,
                table.sheet,
                table.range,
                table.kind.replace("_", " "),
                len(table.records),
                _fields(table.columns),
            )
            for table in extraction.tables
        ]
        tell_table(("table", "sheet", "range", "kind", "deals", "columns mapped"), rows)
    counts = Counter((issue.severity, issue.code) for issue in extraction.issues)
    for (severity, code), count in sorted(counts.items()):
        first = next(issue for issue in extraction.issues if (issue.severity, issue.code) == (severity, code))
        tell(f"{severity}: {code} ({count:,}), first: {first.message}")


def _fields(columns: list[Column]) -> str:
    mapped = sum(1 for column in columns if column.field)
    return f"{mapped} of {len(columns)}"
