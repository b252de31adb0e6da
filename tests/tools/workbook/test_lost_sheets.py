"""A workbook that lists a sheet whose part is not in the file is damaged, whatever its other sheets hold."""

from __future__ import annotations

import pytest

from schemas.errors import InputError
from tests.hostile import binary_books
from tests.tools.workbook.books import HEADER, deals, packed, parts, xlsx
from tools.workbook.open import open_workbook


@pytest.mark.parametrize("names", [("Deals",), ("Deals", "More & more")])
def test_a_listed_sheet_that_is_not_in_the_file_is_damage_that_names_it(names: tuple[str, ...]) -> None:
    """The last sheet's part is missing; nothing is read as if the rest were all."""
    content = parts(xlsx(*((name, [HEADER, *deals(5)]) for name in names)))
    del content[f"xl/worksheets/sheet{len(names)}.xml"]
    with pytest.raises(InputError, match=rf"lists a sheet '{names[-1]}' that is not in it") as refused:
        open_workbook(packed(content), "deals.xlsx")
    assert refused.value.code == "file.truncated"


def test_a_listed_sheet_that_is_not_in_a_binary_workbook_is_damage_that_names_it() -> None:
    """As in other workbooks."""
    content = parts(binary_books.xlsb(b""))
    name = next(name for name in content if "sheet1" in name.lower() and name.endswith(".bin"))
    del content[name]
    with pytest.raises(InputError, match="lists a sheet 'S' that is not in it") as refused:
        open_workbook(packed(content), "deals.xlsb")
    assert refused.value.code == "file.truncated"


@pytest.mark.parametrize("name", ["R&D", "P&amp;L", "A <b> & 'c'", "&#38;"])
def test_a_sheet_is_read_whatever_marks_its_name_holds(name: str) -> None:
    """Marks that XML writes in its own way are part of names, no reason to pass a sheet over."""
    book = open_workbook(xlsx((name, [HEADER, *deals(5)]), ("Other", [HEADER, *deals(3)])), "deals.xlsx")
    assert [(sheet.name, sheet.height) for sheet in book.sheets] == [(name, 6), ("Other", 4)]


def test_a_sheet_is_read_wherever_its_part_lies() -> None:
    """The workbook says where, whatever the part's name tells."""
    content = parts(xlsx(("Deals", [HEADER, *deals(5)])))
    content["xl/data1.xml"] = content.pop("xl/worksheets/sheet1.xml")
    links = content["xl/_rels/workbook.xml.rels"]
    content["xl/_rels/workbook.xml.rels"] = links.replace(b"worksheets/sheet1.xml", b"data1.xml")
    assert open_workbook(packed(content), "deals.xlsx").sheets[0].height == 6
