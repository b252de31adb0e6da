"""Figures: the numbers that documents print, each with its derivation and the cells it came from."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Literal

from pydantic import BaseModel, ConfigDict

FigureUnit = Literal[
    "money", "money_per_sf", "money_per_unit", "fraction", "sf", "acres", "units", "count", "years", "ratio", "date"
]


class Figure(BaseModel):
    """A number as printed: `text` is what the reader sees, `value` what it rounds, `derivation` how it came about.

    `cells` are the source cells (ranges allowed, `Deals!F7:F17`); `where` lists the places that print it
    (`deck:3`, `memo:2`). `value` is None for a missing one, whose text says so.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    label: str
    value: Decimal | str | None
    unit: FigureUnit
    currency: str | None = None
    text: str
    derivation: str
    cells: tuple[str, ...]
    pinned: bool = False
    where: tuple[str, ...] = ()

    def revised(self, changes: Mapping[str, object]) -> Figure:
        """A figure with some fields changed, as `model_copy` makes it in thrice the time: documents make thousands.

        The names and values in `changes` are not checked.
        """
        made = Figure.__new__(Figure)
        object.__setattr__(made, "__dict__", {**self.__dict__, **changes})
        object.__setattr__(made, "__pydantic_fields_set__", self.__pydantic_fields_set__)
        object.__setattr__(made, "__pydantic_extra__", None)
        object.__setattr__(made, "__pydantic_private__", None)
        return made
