"""Values as issues say them to people: a cap rate is 6.5%, an amount 3,200,000."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from schemas.deal import FieldType
from tools.deals.dictionary import dictionary

_SMALL = Decimal("0.01")


def said(value: object, field: str | None) -> str:
    """`value` of canonical field `field`: fractions in per cent, numbers in groups, all half-up to two places.

    What is smaller than these would show keeps four digits; years, days and texts stand as they are.
    """
    spec = dictionary().fields.get(field or "")
    kind: FieldType = spec.type if spec else "text"
    if kind not in ("money", "fraction", "number", "count"):
        return str(value)
    try:
        exact = Decimal(str(value))
    except InvalidOperation:
        return str(value)
    if not exact.is_finite():
        return str(value)
    return f"{_grouped(exact * 100)}%" if kind == "fraction" else _grouped(exact)


def _grouped(value: Decimal) -> str:
    if 0 < abs(value) < _SMALL:
        return f"{value:.4g}"
    text = f"{value.quantize(_SMALL, ROUND_HALF_UP):,f}" if abs(value) < 10**24 else f"{value:,.0f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
