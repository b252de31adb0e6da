"""What a bomb is: a file that costs its reader far more than its size says, and how its reading must end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Bomb:
    """A file made by `make` when it is needed.

    `deals` is how many deals a right reading finds; None where the file is refused, with one of `codes`. A reading that
    takes the machine more than a second is `long`; one that is `cheap` finds its deals at no more than a refusal costs.
    """

    name: str
    make: Callable[[], bytes]
    filename: str = "deals.xlsx"
    deals: int | None = None
    codes: tuple[str, ...] = ("file.unsafe",)
    long: bool = False
    cheap: bool = False
