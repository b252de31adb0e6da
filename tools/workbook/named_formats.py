"""The number formats that have a name instead of a code in HTML and XML that spreadsheet programs write."""

from __future__ import annotations

_CODES = {
    "general": "",
    "general number": "",
    "text": "@",
    "fixed": "0.00",
    "standard": "#,##0.00",
    "percent": "0.00%",
    "scientific": "0.00E+00",
    "currency": '"$"#,##0.00',
    "euro currency": '"€"#,##0.00',
    "general date": "m/d/yyyy h:mm",
    "short date": "m/d/yyyy",
    "medium date": "d-mmm-yy",
    "long date": "dddd, mmmm d, yyyy",
    "short time": "h:mm",
    "medium time": "h:mm AM/PM",
    "long time": "h:mm:ss AM/PM",
}


def code_of(named: str) -> str:
    """The code of a format by its name, `0.00%` for Percent; what has no such name is a code itself."""
    return _CODES.get(named.strip().lower(), named)
