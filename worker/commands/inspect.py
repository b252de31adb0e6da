"""`dealwright inspect`: what each row of a file was taken for, as JSON lines or as a map."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from schemas.errors import InputError
from schemas.survey import Survey
from tools.workbook.limits import Limits
from worker.commands.reading import read_file
from worker.commands.terminal import error_document, say, tell
from worker.commands.waiting import reading
from worker.settings import load_settings


def run(arguments: argparse.Namespace) -> int:
    """One document a file, in the order given; 2 if any file can't be read, and its document then holds the error."""
    limits = load_settings().limits
    draw = sys.stdout.isatty() and not arguments.jsonl
    code = 0
    for path in arguments.files:
        survey = None
        try:
            document, survey = survey_file(path, limits) if draw else (inspect_file(path, limits), None)
        except InputError as error:
            say(error.message)
            code = error.exit_code
            document = {"file": path, **error_document(error.code, error.message)}
        if draw:
            _draw(document, survey)
        else:
            print(json.dumps(document, ensure_ascii=False), flush=True)
    return code


def inspect_file(path: str, limits: Limits) -> dict[str, Any]:
    """The structure document (design 5.3) of the file at `path`."""
    from tools.workbook.structure import structure, structure_document

    name, data = read_file(path, limits.file_bytes)
    with reading(name, len(data)):
        document = structure_document(structure(data, name, limits))
    return {**document, "file": path}


def survey_file(path: str, limits: Limits) -> tuple[dict[str, Any], Survey]:
    """The structure document of the file at `path`, and what its tables were understood as."""
    from tools.deals.survey import surveyed_structure
    from tools.workbook.structure import structure_document

    name, data = read_file(path, limits.file_bytes)
    with reading(name, len(data)):
        found, survey = surveyed_structure(data, name, limits)
    return {**structure_document(found), "file": path}, survey


def _draw(document: dict[str, Any], survey: Survey | None) -> None:
    from worker.commands.map import map_lines

    for line in map_lines(document, survey):
        tell(line)
