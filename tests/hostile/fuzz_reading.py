"""What a fuzzed file must not do to its readers, tried on one file after another in the process that this runs in."""

from __future__ import annotations

import io
import json
import re
import time
import traceback
import warnings
from collections.abc import Callable
from random import Random

from schemas.deal import Extraction
from schemas.errors import InputError
from tests.hostile import mutations

SLOW_S = 5.0
"""Processor time that one reading of a file may take; with every output it is read three times."""
FEW_CELLS = 1_000


def bred(seed: int, number: int) -> tuple[str, bytes]:
    """File `number` of a seed: the same in every process."""
    return mutations.mutant(Random(f"{seed}/{number}"))


def read_all(seed: int, first: int, count: int, on_progress: Callable[[int], None]) -> list[tuple[int, str]]:
    """(number, what happened) of the findings among `count` files; tells each number before it reads that file."""
    found: list[tuple[int, str]] = []
    for number in range(first, first + count):
        on_progress(number)
        what = verdict(*bred(seed, number), every_output=number % 10 == 0)
        if what is not None:
            found.append((number, what))
    return found


def verdict(name: str, data: bytes, *, every_output: bool) -> str | None:
    """What reading `data` does that it must not; None where it is read or refused as it should be."""
    started = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            read(name, data, every_output=every_output)
    except InputError as refused:
        if not re.fullmatch(rf"{re.escape(name)} [^\n]+\.", refused.message):
            return f"no sentence: {refused.message!r}"
    except MemoryError:
        raise
    except BaseException:  # noqa: BLE001 - whatever else comes is what we look for
        return traceback.format_exc(limit=-8)
    took = time.process_time() - started
    return f"took {took:.1f} s" if took > SLOW_S * (3 if every_output else 1) else None


def read(name: str, data: bytes, *, every_output: bool) -> None:
    """Reads a file in every way that users do, and looks for contradictions."""
    from tools.deals.document import dump, load, write_document
    from tools.deals.extract import extract
    from tools.deals.summary import summarise
    from tools.deals.survey import survey, survey_answer
    from tools.deals.workbook_out import deals_xlsx
    from tools.workbook.structure import structure, structure_document

    made = extract(data, name)
    check_census(made)
    stream = io.StringIO()
    write_document(made, stream)
    document = json.loads(stream.getvalue(), parse_constant=_no_constant)
    assert len(document["deals"]) == made.deal_count
    json.dumps(summarise(made), allow_nan=False)
    dumped = dump(made)
    assert dump(load(dumped)) == dumped
    if every_output:
        json.dumps(structure_document(structure(data, name)), allow_nan=False)
        assert len(json.dumps(survey_answer(survey(data, name)), allow_nan=False)) < 40_000
        # It goes through a file on disk, and a child may write no large one.
        if made.deal_count * sum(len(table.columns) for table in made.tables) <= FEW_CELLS:
            deals_xlsx(made)


def _no_constant(text: str) -> float:
    raise AssertionError(f"{text} is no JSON")


def check_census(made: Extraction) -> None:
    """Every row and cell that is not empty has a class, and every deal a row of its own."""
    for census in made.census:
        assert census.accounted == census.non_empty, f"{census.accounted} of {census.non_empty} cells"
        assert census.accounted_rows == census.non_empty_rows, (
            f"{census.accounted_rows} of {census.non_empty_rows} rows"
        )
    ids = [deal.deal_id for deal in made.deals()]
    assert len(set(ids)) == len(ids), "two deals of one id"
