"""An extraction as bytes and back: columns as JSON lists, compressed; the same extraction gives the same bytes."""

from __future__ import annotations

import dataclasses
import datetime as dt
import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeVar, cast

from schemas.deal import Column, Extraction, Issue, Pin, StatedTotal, Table
from schemas.errors import InputError
from schemas.workbook import RowSpan, SheetCensus, SourceFile

T = TypeVar("T")
FORMAT = "dealwright.deals/1"
_LEVEL = 6
_NATIVE = frozenset({str, int, float, bool, type(None)})
#: Types that JSON lacks: tag, how it is written, how it is read.
_TAGGED: Mapping[type, tuple[str, Callable[[Any], str]]] = {
    dt.datetime: ("datetime", dt.datetime.isoformat),
    dt.date: ("date", dt.date.isoformat),
    dt.time: ("time", dt.time.isoformat),
    dt.timedelta: ("seconds", lambda value: repr(value.total_seconds())),
    Decimal: ("decimal", str),
}
_READ: Mapping[str, Callable[[str], object]] = {
    "datetime": dt.datetime.fromisoformat,
    "date": dt.date.fromisoformat,
    "time": dt.time.fromisoformat,
    "seconds": lambda text: dt.timedelta(seconds=float(text)),
    "decimal": Decimal,
}


def dump(extraction: Extraction) -> bytes:
    """The archive of an extraction: gzip over JSON with no time in it; its sha256 is the deals' hash."""
    plain = {
        "format": FORMAT,
        "source": dataclasses.asdict(extraction.source),
        "tables": [_table(table) for table in extraction.tables],
        "census": [dataclasses.asdict(census) for census in extraction.census],
        "issues": [dataclasses.asdict(issue) for issue in extraction.issues],
        "pins": [dataclasses.asdict(pin) for pin in extraction.pins],
    }
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return gzip.compress(text.encode("utf-8", "surrogatepass"), compresslevel=_LEVEL, mtime=0)


def load(data: bytes) -> Extraction:
    """The extraction in an archive; raises InputError `deals.unreadable` for anything else."""
    try:
        plain = json.loads(gzip.decompress(data).decode("utf-8", "surrogatepass"))
        if plain["format"] != FORMAT:
            raise ValueError(plain["format"])
        return _extraction(plain)
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise InputError("deals.unreadable", "This is no archive of deals; extract the workbook again.") from error


def _made(kind: Callable[..., T], plain: dict[str, Any], **changed: object) -> T:
    """`kind` from its fields as stored, some of them put back into their own types."""
    return kind(**(plain | changed))


def _extraction(plain: dict[str, Any]) -> Extraction:
    return Extraction(
        source=SourceFile(**plain["source"]),
        tables=[_read_table(table) for table in plain["tables"]],
        census=tuple(_made(SheetCensus, census, rows=_spans(census["rows"])) for census in plain["census"]),
        issues=tuple(_made(Issue, issue, cells=tuple(issue["cells"])) for issue in plain["issues"]),
        pins=tuple(Pin(**pin) for pin in plain["pins"]),
    )


def _spans(plain: list[dict[str, Any]]) -> tuple[RowSpan, ...]:
    return tuple(RowSpan(**span) for span in plain)


def _table(table: Table) -> dict[str, Any]:
    plain = {field.name: getattr(table, field.name) for field in dataclasses.fields(table)}
    return plain | {
        "records": list(table.records),
        "sections": list(table.sections),
        "columns": [_column(column) for column in table.columns],
        "excluded_rows": [dataclasses.asdict(span) for span in table.excluded_rows],
        "scale": dict(table.scale),
        "warnings": [[record, list(said)] for record, said in table.warnings.items()],
        "totals": [dataclasses.asdict(total) for total in table.totals],
    }


def _read_table(plain: dict[str, Any]) -> Table:
    return _made(
        Table,
        plain,
        header_rows=tuple(plain["header_rows"]),
        columns=[_read_column(column) for column in plain["columns"]],
        excluded_rows=_spans(plain["excluded_rows"]),
        warnings={record: tuple(said) for record, said in plain["warnings"]},
        totals=tuple(_read_total(total) for total in plain.get("totals", ())),
    )


def _read_total(plain: dict[str, Any]) -> StatedTotal:
    return _made(StatedTotal, plain, spans=tuple((first, last) for first, last in plain["spans"]))


def _column(column: Column) -> dict[str, Any]:
    plain = {field.name: getattr(column, field.name) for field in dataclasses.fields(column)}
    same = column.values is column.raws
    return plain | {
        "values": None if same else _write(column.values),
        "raws": _write(column.raws),
        "currencies": list(column.currencies.items()),
        "cells": None if column.cells is None else list(column.cells),
    }


def _read_column(plain: dict[str, Any]) -> Column:
    raws = _read(plain["raws"])
    values = raws if plain["values"] is None else _read(plain["values"])
    return _made(Column, plain, values=values, raws=raws, currencies=dict(plain["currencies"]))


def _write(values: Sequence[Any]) -> dict[str, Any]:
    """A list of values for JSON; a type that JSON lacks is tagged once where the list holds only one such type."""
    odd = set(map(type, values)) - _NATIVE
    if not odd:
        return {"v": list(values)}
    if len(odd) == 1 and str not in set(map(type, values)):
        tag, text = _TAGGED[only := odd.pop()]
        return {"t": tag, "v": [text(value) if type(value) is only else value for value in values]}
    return {"m": [_tagged(value) for value in values]}


def _tagged(value: Any) -> Any:
    if type(value) in _NATIVE:
        return value
    tag, text = _TAGGED[type(value)]
    return [tag, text(value)]


def _read(plain: dict[str, Any]) -> list[Any]:
    if "m" in plain:
        return [_untagged(value) for value in cast("list[Any]", plain["m"])]
    values = cast("list[Any]", plain["v"])
    if "t" not in plain:
        return values
    read = _READ[plain["t"]]
    return [read(value) if isinstance(value, str) else value for value in values]


def _untagged(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    tag, text = cast("tuple[str, str]", value)
    return _READ[tag](text)
