"""Packages whose bytes depend on their contents alone: fixed times, also in workbooks inside."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date

_DATES = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")
_LEVEL = 6


def freeze(package: bytes, day: date, replace: dict[str, bytes] | None = None) -> bytes:
    """`package` with `day` as the time of each entry and of its core properties; entries in `replace` are replaced."""
    swaps = replace or {}
    stamp = f"{day.isoformat()}T00:00:00Z".encode()
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for item in source.infolist():
            data = swaps.get(item.filename) or source.read(item.filename)
            if item.filename.endswith(".xlsx") and item.filename not in swaps:
                data = freeze(data, day)
            if item.filename == "docProps/core.xml":
                data = _DATES.sub(rb"\g<1>" + stamp, data)
            info = zipfile.ZipInfo(item.filename, (max(day.year, 1980), day.month, day.day, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(info, data, compresslevel=_LEVEL)
    return out.getvalue()
