"""What an OOXML package says beside cell values: its sheets and their parts, its date system, its cell styles."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import quoteattr

from openpyxl.styles.numbers import BUILTIN_FORMATS

from tools.workbook import refusal
from tools.workbook.grid import CellStyle
from tools.workbook.package import Package
from tools.workbook.xml_events import local

_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_STRINGS = "xl/sharedstrings.xml"
_DIMENSION = re.compile(rb"<(?:[\w.-]+:)?dimension\b[^>]*>(?:\s*</(?:[\w.-]+:)?dimension>)?")
_TRUE = frozenset({"1", "true", "on"})
_FORMAT_OF_TYPE = {
    "spreadsheetml.sheet.main": "xlsx",
    "spreadsheet.main": "xlsx",
    "sheet.macroenabled.main": "xlsm",
    "spreadsheetml.template.main": "xltx",
    "template.macroenabled.main": "xltm",
}


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A sheet as the workbook lists it: its name, the part that holds it (None if it is lost), whether it is shown."""

    name: str
    part: str | None
    visible: bool


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


def _named(root: Any, name: str) -> list[Any]:
    return [element for element in root.iter() if local(element) == name]


def relations(package: Package, part: str) -> list[tuple[str, str, str]]:
    """(id, kind, target part) of each relation of `part` that stays inside the package."""
    folder, name = posixpath.split(part)
    path = posixpath.join(folder, "_rels", f"{name}.rels")
    if path not in package:
        return []
    found: list[tuple[str, str, str]] = []
    for element in _named(package.xml(path), "Relationship"):
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
        declared = package.read("[content_types].xml").decode("utf-8", "replace").lower()
        for mark, form in _FORMAT_OF_TYPE.items():
            if mark + "+xml" in declared:
                return form
    return "xlsx"


def read_manifest(package: Package, main: str) -> Manifest:
    """The sheets, date system and styles of the workbook whose main part is `main`."""
    root = package.xml(main)
    if local(root) != "workbook":
        raise refusal.not_workbook(package.filename, "holds no workbook")
    links = relations(package, main)
    targets = {key: target for key, _, target in links}
    sheets: list[SheetPart] = []
    for element in _named(root, "sheet"):
        key = next((value for name, value in element.attrib.items() if name.endswith("}id")), "")
        part = targets.get(key)
        visible = element.get("state", "visible") == "visible"
        sheets.append(SheetPart(element.get("name", ""), part if part and part in package else None, visible))
    epoch_1904 = any(e.get("date1904", "").lower() in _TRUE for e in _named(root, "workbookPr"))
    parts = {kind: target for _, kind, target in links if target in package}
    styles = _read_styles(package.xml(parts["styles"])) if "styles" in parts else ()
    strings = _STRINGS if _STRINGS in package else parts.get("sharedStrings")
    is_usual = main.lower() == "xl/workbook.xml" and all(
        parts[kind].lower() == usual
        for kind, usual in (("styles", "xl/styles.xml"), ("sharedStrings", _STRINGS))
        if kind in parts
    )
    return Manifest(main, tuple(sheets), epoch_1904, styles, strings, is_usual)


def usual_package(package: Package, main: str, *, styled: bool = True) -> bytes:
    """The package with its workbook, styles and texts where calamine looks for them, and nothing else but sheets.

    The sheets don't tell their size. Without its styles, every date is a plain number.
    """
    usual = {"styles": "xl/styles.xml"} if styled else {}
    usual["sharedStrings"] = "xl/sharedStrings.xml"
    found = [(key, kind, target) for key, kind, target in relations(package, main) if target in package]
    links = [(key, kind, usual.get(kind, target)) for key, kind, target in found if styled or kind != "styles"]
    types = "[Content_Types].xml"
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as copy:
        copy.writestr(types, package.read(types) if types in package else "")
        copy.writestr("_rels/.rels", _links([("main", "officeDocument", "xl/workbook.xml")]))
        copy.writestr("xl/workbook.xml", package.read(main))
        copy.writestr("xl/_rels/workbook.xml.rels", _links(links))
        for _, kind, target in found:
            if kind in usual or kind == "worksheet":
                content = package.read(target)
                # What a sheet says of its size is not to be believed, and some readers fail on it.
                content = content if kind in usual else _DIMENSION.sub(b"", content, count=1)
                copy.writestr(usual.get(kind, target), content)
    return stream.getvalue()


def _links(relations: list[tuple[str, str, str]]) -> str:
    """The part that holds the relations (id, kind, target part)."""
    found = [
        f"<Relationship Id={quoteattr(key)} Type={quoteattr(f'{_KINDS}/{kind}')} Target={quoteattr('/' + target)}/>"
        for key, kind, target in relations
    ]
    return f'<Relationships xmlns="{_RELATIONS}">{"".join(found)}</Relationships>'


def _read_styles(root: Any) -> tuple[CellStyle, ...]:
    """The style of each cell format, in the order that cells refer to."""
    formats = {_number(e.get("numFmtId")): e.get("formatCode", "") for e in _named(root, "numFmt")}
    bold = [_is_bold(font) for group in root if local(group) == "fonts" for font in group]
    styles: list[CellStyle] = []
    for xf in (xf for group in root if local(group) == "cellXfs" for xf in group):
        number = _number(xf.get("numFmtId"))
        code = formats.get(number) or BUILTIN_FORMATS.get(number, "")
        font = _number(xf.get("fontId"))
        styles.append(CellStyle("" if code == "General" else code, font < len(bold) and bold[font]))
    return tuple(styles)


def _number(text: str | None) -> int:
    """The number of a format or font; 0, the default, for what is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0


def _is_bold(font: Any) -> bool:
    return any(local(e) == "b" and (e.get("val") or "1").lower() in _TRUE for e in font)
