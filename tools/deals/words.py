"""Words that stand in cells, from words.toml: placeholders, magnitudes, units, currencies and places."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True, slots=True)
class Words:
    """What words.toml holds; `units` maps spellings to units, `locale_currencies` locales to currencies."""

    placeholders: frozenset[str]
    line_items: frozenset[str]
    sheet_titles: frozenset[str]
    no_titles: frozenset[str]
    answers: frozenset[str]
    in_notes: frozenset[str]
    no_amounts: frozenset[str]
    by_area: frozenset[str]
    in_rent_notes: frozenset[str]
    metric_areas: frozenset[str]
    lease_types: frozenset[str]
    deal_types: frozenset[str]
    beside_numbers: tuple[str, ...]
    us_states: frozenset[str]
    states_abroad: Mapping[str, str]
    currency_codes: tuple[str, ...]
    currency_signs: Mapping[str, str]
    currency_names: Mapping[str, str]
    country_currencies: Mapping[str, str]
    shared_signs: Mapping[str, tuple[str, ...]]
    locale_currencies: Mapping[str, str]
    mil_currencies: frozenset[str]
    mil_words: frozenset[str]
    magnitudes: Mapping[str, int]
    units: Mapping[str, str]


def _read() -> Words:
    text = resources.files(__package__ or "tools.deals").joinpath("words.toml").read_text(encoding="utf-8")
    raw = tomllib.loads(text)
    return Words(
        placeholders=frozenset(raw["placeholders"]),
        line_items=frozenset(raw["line_items"]),
        sheet_titles=frozenset(raw["sheet_titles"]),
        no_titles=frozenset(raw["no_titles"]),
        answers=frozenset(raw["answers"]),
        in_notes=frozenset(raw["in_notes"]) | {code.casefold() for code in raw["currency_codes"]},
        no_amounts=frozenset(raw["no_amounts"]),
        by_area=frozenset(raw["by_area"]),
        in_rent_notes=frozenset(raw["in_rent_notes"]),
        metric_areas=frozenset(raw["metric_areas"]),
        lease_types=frozenset(raw["lease_types"]),
        deal_types=frozenset(raw["deal_types"]),
        beside_numbers=tuple(raw["beside_numbers"]),
        states_abroad={state.upper(): code for code, states in raw["states_abroad"].items() for state in states},
        us_states=frozenset(state.upper() for state in raw["us_states"]),
        currency_codes=tuple(raw["currency_codes"]),
        currency_signs=raw["currency_signs"],
        currency_names={name: code for code, names in raw["currency_names"].items() for name in names},
        country_currencies=raw["country_currencies"],
        shared_signs={sign: tuple(codes) for sign, codes in raw["shared_signs"].items()},
        locale_currencies={at.casefold(): code for code, places in raw["locale_currencies"].items() for at in places},
        mil_currencies=frozenset(raw["mil_currencies"]),
        mil_words=frozenset(raw["mil_words"]),
        magnitudes=raw["magnitudes"],
        units={spelling: unit for unit, spellings in raw["units"].items() for spelling in spellings},
    )


WORDS = _read()
"""The words, read once."""
