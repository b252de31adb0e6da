"""The field dictionary: the canonical fields, their headers, units and plausible ranges, and the kinds of table."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, cast, get_args

from schemas.deal import FieldType
from schemas.workbook import TableKind

PRICE_FIELDS = ("asking_price", "sale_price", "price")


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A canonical field, as fields.toml describes it; `low` and `high` bound its plausible values in full units.

    `high` of a date is its latest plausible year.
    """

    name: str
    type: FieldType
    synonyms: tuple[str, ...]
    unit: str | None = None
    low: float | None = None
    high: float | None = None
    generic: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    refuted: Mapping[str, tuple[str, ...]] | None = None
    shape: str | None = None
    period: str | None = None
    additive: bool = True
    negative: bool = False
    place: bool = False
    identity: bool = False
    identity_weak: bool = False
    kinds: Mapping[TableKind, float] | None = None

    def plausible(self, value: float) -> bool:
        """Whether `value`, in full units, lies in the field's range."""
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


@dataclass(frozen=True, slots=True)
class Decoy:
    """Headers that make a table none of deals: `least` of `words` must stand in them."""

    name: str
    words: tuple[str, ...]
    least: int
    why: str


@dataclass(frozen=True, slots=True)
class Dictionary:
    """All that fields.toml says."""

    fields: Mapping[str, FieldSpec]
    tokens: Mapping[str, str]
    neutral: frozenset[str]
    never: frozenset[str]
    others: frozenset[str]
    deal_counts: frozenset[str]
    no_names: frozenset[str]
    kinds: Mapping[TableKind, tuple[str, ...]]
    decoys: tuple[Decoy, ...]
    calibration: tuple[tuple[float, ...], ...]


@cache
def dictionary() -> Dictionary:
    """The dictionary that ships beside this module; raises ValueError for an entry that names no known type or kind."""
    text = resources.files(__package__ or "tools.deals").joinpath("fields.toml").read_text(encoding="utf-8")
    return read_dictionary(text)


def read_dictionary(text: str) -> Dictionary:
    """The dictionary written in `text` (TOML); raises ValueError for an entry that names no known type or kind."""
    raw = cast("dict[str, dict[str, Any]]", tomllib.loads(text))
    kinds: dict[TableKind, tuple[str, ...]] = {
        cast("TableKind", name): tuple(said["words"]) for name, said in raw["kinds"].items()
    }
    for name in kinds:
        if name not in get_args(TableKind):
            raise ValueError(f"{name} is no kind of table")
    words = raw["words"]
    return Dictionary(
        fields={name: _field(name, said, kinds) for name, said in raw["fields"].items()},
        tokens=cast("dict[str, str]", raw["tokens"]),
        neutral=frozenset(words["neutral"]),
        never=frozenset(words["never"]),
        others=frozenset(words["others"]),
        deal_counts=frozenset(words["deal_counts"]),
        no_names=frozenset(words["no_names"]),
        kinds=kinds,
        decoys=tuple(
            Decoy(name, tuple(said["words"]), said["least"], said["why"]) for name, said in raw["decoys"].items()
        ),
        calibration=tuple(tuple(point) for point in raw["calibration"]["points"]),
    )


def _field(name: str, said: dict[str, Any], kinds: Mapping[TableKind, object]) -> FieldSpec:
    if said["type"] not in get_args(FieldType):
        raise ValueError(f"field {name}: {said['type']} is no type")
    if unknown := set(said.get("kinds", {})) - set(kinds):
        raise ValueError(f"field {name}: no such kinds of table: {sorted(unknown)}")
    renamed: dict[str, Any] = {("excluded" if key == "not" else key): _frozen(value) for key, value in said.items()}
    return FieldSpec(name=name, **renamed)


def _frozen(value: Any) -> Any:
    return tuple(cast("list[str]", value)) if isinstance(value, list) else value


def field_spec(name: str) -> FieldSpec | None:
    """The canonical field `name`, or None."""
    return dictionary().fields.get(name)
