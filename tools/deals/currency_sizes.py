"""How large amounts are in currencies of small units: ranges of plausible amounts are meant for dollars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tools.deals.dictionary import FieldSpec

#: Units to a dollar, rounded up to a power of ten: a range is wide, and rates move within it.
_UNITS: Mapping[str, int] = {
    **dict.fromkeys(("CNY", "SEK", "NOK", "DKK", "HKD", "ZAR", "MYR", "RON", "PLN", "BRL"), 10),
    **dict.fromkeys(("INR", "MXN", "TRY", "THB", "PHP", "TWD", "CZK", "RUB", "EGP", "UYU", "DOP"), 100),
    **dict.fromkeys(("JPY", "HUF", "KRW", "ISK", "CLP", "PKR", "LKR", "NPR", "KES", "JMD", "ARS", "RSD"), 1_000),
    **dict.fromkeys(("COP", "NGN", "KZT", "AMD"), 10_000),
    **dict.fromkeys(("IDR", "VND", "UZS", "PYG", "IRR", "LBP"), 100_000),
}
_LARGEST_OFTEN = 1_000


def in_currency(spec: FieldSpec, currency: str | None) -> FieldSpec:
    """The field with its range as wide as amounts in `currency` are; itself where it holds no money."""
    return _widened(spec, _UNITS.get(currency or "", 1))


def in_any_currency(spec: FieldSpec) -> FieldSpec:
    """The field with a range for amounts in any of the common currencies, where none is known yet."""
    return _widened(spec, _LARGEST_OFTEN)


def _widened(spec: FieldSpec, times: int) -> FieldSpec:
    wide = times > 1 and spec.type == "money" and spec.high is not None
    return replace(spec, high=(spec.high or 0) * times) if wide else spec
