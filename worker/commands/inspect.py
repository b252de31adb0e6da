"""`dealwright inspect`: what each row of a file was taken for, as JSON lines or as a map."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from schemas.errors import InputError
from schemas.survey import Survey
from tools.isolation.apart import Tell
from tools.workbook.limits import Limits
from tools.workbook.stages import heard_by
from worker.commands.reading import read_apart, read_file
from worker.commands.terminal import error_document, say, tell, to_output
from worker.settings import load_settings


def run(arguments: argparse.Namespace) -> int:
    """One document a file, in the order given; 2 if any file can't be read, and its document then holds the error."""
    limits = load_settings().limits
    draw = sys.stdout.isatty() and not arguments.jsonl
    code = 0
    for path in arguments.files:
        try:
            _inspect(path, limits, draw)
        except InputError as error:
            say(error.message)
            code = error.exit_code
            _show({"file": path, **error_document(error.code, error.message)}, draw)
    return code


def _inspect(path: str, limits: Limits, draw: bool) -> None:
    """Prints the structure document (design 5.3) of the file at `path`, or its map with what its tables mean."""
    name, data = read_file(path, limits.file_bytes)

    def read(tell: Tell) -> int:
        from tools.deals.extract import extract, require_deals
        from tools.deals.survey import surveyed_structure
        from tools.workbook.structure import structure, structure_document

        with heard_by(tell):
            found, survey = surveyed_structure(data, name, limits) if draw else (structure(data, name, limits), None)
            if not found.census:
                # Rare, and so read once more: `extract` says what such a file lacks.
                require_deals(extract(data, name, limits=limits))
            document = {**structure_document(found), "file": path}
        tell(None)
        _show(document, draw, survey)
        return 0

    with to_output():
        read_apart(name, len(data), limits, read)


def _show(document: dict[str, Any], draw: bool, survey: Survey | None = None) -> None:
    if draw:
        _draw(document, survey)
    else:
        with to_output():
            print(json.dumps(document, ensure_ascii=False), flush=True)


def _draw(document: dict[str, Any], survey: Survey | None) -> None:
    from worker.commands.map import map_lines

    for line in map_lines(document, survey):
        tell(line)
