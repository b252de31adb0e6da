"""What an OOXML package says beside cell values: its sheets and their parts, its date system, its cell styles."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from tools.workbook import refusal
from tools.workbook.grid import CellStyle
from tools.workbook.ooxml_parts import BookReader, RelationsReader, StylesReader
from tools.workbook.package import Package
from tools.workbook.rich_text import is_marked, plain_items
from tools.workbook.tag_bounds import without_asides, without_codes

_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_STRINGS, _STYLES = "xl/sharedstrings.xml", "xl/styles.xml"
_DIMENSION = re.compile(rb"<(?:[\w.-]+:)?dimension\b[^<>]*>(?:\s*</(?:[\w.-]+:)?dimension>)?")
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_SHEET_ML = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_FORMAT_OF_TYPE = {
    "spreadsheetml.sheet.main": "xlsx",
    "spreadsheet.main": "xlsx",
    "sheet.macroenabled.main": "xlsm",
    "spreadsheetml.template.main": "xltx",
    "template.macroenabled.main": "xltm",
}


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A sheet as the workbook lists it: its name, the part that holds it (None if it is lost), whether it is shown.

    `is_worksheet` is False for sheets of charts, macros and dialogs.
    """

    name: str
    part: str | None
    visible: bool
    is_worksheet: bool


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the workbook part says: its sheets in order, and whether its dates count from 1904.

    `is_usual` says that its parts lie where calamine looks for them, which follows no relations to find them.
    """

    main: str
    sheets: tuple[SheetPart, ...]
    epoch_1904: bool
    styles: tuple[CellStyle, ...]
    shared_strings: str | None
    is_usual: bool


def relations(package: Package, part: str) -> list[tuple[str, str, str]]:
    """(id, kind, target part) of each relation of `part` that stays inside the package."""
    folder, name = posixpath.split(part)
    path = posixpath.join(folder, "_rels", f"{name}.rels")
    if path not in package:
        return []
    reader = RelationsReader()
    package.feed(path, reader)
    found: list[tuple[str, str, str]] = []
    for element in reader.found:
        if element.get("TargetMode", "").lower() == "external":
            continue
        target = posixpath.normpath(posixpath.join("/", folder, element.get("Target", "").replace("\\", "/")))
        found.append((element.get("Id", ""), element.get("Type", "").rpartition("/")[2], target.lstrip("/")))
    return found


def main_part(package: Package) -> str | None:
    """The part that holds the workbook, or None when the package is of another kind."""
    for _, kind, target in relations(package, ""):
        if kind == "officeDocument" and target in package:
            return target
    return next((name for name in ("xl/workbook.xml", "xl/workbook.bin") if name in package), None)


def format_of(package: Package) -> str:
    """Which kind of OOXML workbook the package declares to be: xlsx, xlsm, xltx or xltm."""
    if "[content_types].xml" in package:
        declared = next(package.chunks("[content_types].xml"), b"").decode("utf-8", "replace").lower()
        for mark, form in _FORMAT_OF_TYPE.items():
            if mark + "+xml" in declared:
                return form
    return "xlsx"


def read_manifest(package: Package, main: str) -> Manifest:
    """The sheets, date system and styles of the workbook whose main part is `main`."""
    book = BookReader()
    package.feed(main, book)
    if book.root != "workbook":
        raise refusal.not_workbook(package.filename, "holds no workbook")
    links = relations(package, main)
    check_parts(package, [(name, key) for name, key, _ in book.sheets], links)
    targets = {key: target for key, _, target in links if target in package}
    kinds = {key: kind for key, kind, _ in links}
    sheets = [
        SheetPart(name, targets.get(key), state == "visible", kinds.get(key) == "worksheet")
        for name, key, state in book.sheets
    ]
    parts = {kind: target for _, kind, target in links if target in package}
    styles = StylesReader()
    if style_part := parts.get("styles") or (_STYLES if _STYLES in package else None):
        package.feed(style_part, styles)
    strings = _STRINGS if _STRINGS in package else parts.get("sharedStrings")
    is_usual = main.lower() == "xl/workbook.xml" and all(
        parts[kind].lower() == usual
        for kind, usual in (("styles", _STYLES), ("sharedStrings", _STRINGS))
        if kind in parts
    )
    return Manifest(main, tuple(sheets), book.epoch_1904, styles.table(), strings, is_usual)


def check_parts(package: Package, sheets: Iterable[tuple[str, str]], links: Iterable[tuple[str, str, str]]) -> None:
    """Raises InputError where the part of one of `sheets`, (name, relation), is not in the package."""
    lost = {key for key, _, target in links if target not in package}
    for name, key in sheets:
        if key in lost:
            raise refusal.lost_sheet(package.filename, name)


def usual_package(package: Package, main: str, *, styled: bool = True) -> bytes:
    """The package with its workbook, styles and texts where calamine looks for them, and nothing else but sheets.

    Texts lack raised marks and what is struck out; the sheets don't tell their size. Without its styles, every date is
    a plain number.
    """
    usual = {"styles": "xl/styles.xml"} if styled else {}
    usual["sharedStrings"] = "xl/sharedStrings.xml"
    found = [(key, kind, target) for key, kind, target in relations(package, main) if target in package]
    links = [(key, kind, usual.get(kind, target)) for key, kind, target in found if styled or kind != "styles"]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as copy:
        copy.writestr("[Content_Types].xml", _types({kind for _, kind, _ in links}))
        copy.writestr("_rels/.rels", _links([("main", "officeDocument", "xl/workbook.xml")]))
        copy.writestr("xl/workbook.xml", package.read(main))
        copy.writestr("xl/_rels/workbook.xml.rels", _links(links))
        for kind, target in {(kind, target.lower()): (kind, target) for _, kind, target in found}.values():
            if kind in usual or kind == "worksheet":
                content = package.read(target)
                if target.lower() in package.odd_parts:
                    content = without_asides(content)
                content = without_codes(content) if kind == "worksheet" else content
                # What a sheet says of its size is not to be believed, and some readers fail on it.
                content = content if kind in usual else _DIMENSION.sub(b"", content, count=1)
                content = plain_items(content) if is_marked(content) and kind != "styles" else content
                copy.writestr(usual.get(kind, target), content)
    return stream.getvalue()


def _types(kinds: set[str]) -> str:
    """The part that says what the others are, of such a package with parts of `kinds`."""
    types = {"workbook": "sheet.main"} | {kind: kind for kind in ("styles", "sharedStrings") if kind in kinds}
    listed = "".join(
        f'<Override PartName="/xl/{name}.xml" ContentType="{_SHEET_ML}.{kind}+xml"/>' for name, kind in types.items()
    )
    default = f'<Default Extension="xml" ContentType="{_SHEET_ML}.worksheet+xml"/>'
    return f'<Types xmlns="{_TYPES}">{default}{listed}</Types>'


def _links(relations: list[tuple[str, str, str]]) -> str:
    """The part that holds the relations (id, kind, target part)."""
    found = [
        f"<Relationship Id={quoteattr(key)} Type={quoteattr(f'{_KINDS}/{kind}')} Target={quoteattr('/' + target)}/>"
        for key, kind, target in relations
    ]
    return f'<Relationships xmlns="{_RELATIONS}">{"".join(found)}</Relationships>'
