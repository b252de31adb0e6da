"""Headers as brokers, servicers, management and customer systems write them, in several languages."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.tools.deals.columns import fields_of

SHEETS = tomllib.loads(Path(__file__).with_name("headers.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", SHEETS)
def test_each_header_of_a_sheet_gets_its_field(name: str) -> None:
    """And those of none get none; the kind of table follows where the fields tell it."""
    wanted = dict(text.rsplit(" = ", 1) for text in SHEETS[name]["headers"])
    found, kind = fields_of(wanted)
    expected = {" ".join(h.split()): None if f.startswith("-") else f for h, f in wanted.items()}
    assert found == expected
    assert kind == SHEETS[name].get("kind", kind)
