"""Office packages put together from parts: same parts, same bytes, for no clock and no counter is in them."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Mapping

from tools.deck.markup import attribute

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_LEVEL = 3
"""How hard to compress: the middle of the road, for a deck is written twice."""


def zipped(parts: Mapping[str, bytes]) -> bytes:
    """The package of `parts` by name, in their order; what is a package itself is stored as it is."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as target:
        for name, data in parts.items():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_STORED if name.endswith(".xlsx") else zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            target.writestr(info, data)
    return out.getvalue()


def relationships(source: str, targets: Mapping[str, tuple[str, str]]) -> bytes:
    """The relationships of part `source` (`/ppt/slides/slide1.xml`): id to (kind, part that it points at)."""
    folder = posixpath.dirname(source)
    body = "".join(
        f'<Relationship Id="{identity}" Type="{_OFFICE}{kind}" Target={attribute(posixpath.relpath(target, folder))}/>'
        for identity, (kind, target) in targets.items()
    )
    return f'{_HEAD}<Relationships xmlns="{_RELATIONSHIPS}">{body}</Relationships>'.encode()


def relationships_name(part: str) -> str:
    """The name, in the package, of the relationships of `part`."""
    folder, name = posixpath.split(part.lstrip("/"))
    return f"{folder}/_rels/{name}.rels"
