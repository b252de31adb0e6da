"""The memorandum as a whole: every number is registered, nothing is lost, both editions come from one plan."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from functools import cache

import pytest

from schemas.deal import Extraction
from schemas.documents import Emphasis, RenderedDocument
from schemas.errors import OutputError
from tests import extractions as made
from tests.tools.figures import reading_back
from tests.tools.memo import reading
from tools.memo import cover as cover_module
from tools.memo.pages import DRAFT_MARK


def corrected() -> Extraction:
    """The twelve properties with one occupancy set by a person."""
    return made.pinned(made.portfolio12(), 0, 10, "occupancy", 0.773, was="87.3%")


def with_note(text: str) -> Extraction:
    """Two properties, the second with a note."""
    rows = made.properties()[:2]
    rows[0]["notes"], rows[1]["notes"] = "Sold with its land.", text
    return made.build(made.Sheet("offering_list", rows))


KINDS: dict[str, Callable[[], Extraction]] = {
    "properties": made.portfolio12,
    "rent roll": made.rent_roll,
    "loans": made.loan_tape,
    "pipeline": made.pipeline,
    "no names": made.bare,
    "hostile": made.hostile,
    "two currencies": made.currencies,
    "fifty": made.many_properties,
    "one": lambda: made.many_properties(1),
    "many": lambda: made.many_properties(130),
    "corrected": corrected,
    "troubled": made.troubled,
}


@cache
def standing(kind: str, emphasis: Emphasis = "income") -> RenderedDocument:
    """The memorandum of a kind of extraction, rendered once for all tests that only read it."""
    return reading.rendered(KINDS[kind](), emphasis)


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_read_back_is_registered_for_its_page(kind: str) -> None:
    """What a reader sees on a page is a registered figure or a quotation, but for footnotes and the page's number."""
    canvas, registry, _ = reading.laid_out(KINDS[kind]())
    texts = reading.page_texts(canvas.draft)
    for page, text in enumerate(texts, 1):
        if page > 1 and "What is in this memorandum" in text:
            continue  # the contents: page numbers, held to the outline by a test of its own
        strangers = registry.strangers(f"memo:{page}", reading.without_folio(text))
        assert not strangers, (page, strangers[:5])


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_on_a_page_is_a_figure(kind: str) -> None:
    """Tables, charts, notes, issues, rules: what is no figure only names a place or repeats the file."""
    extraction, document = KINDS[kind](), standing(kind)
    known, words = reading_back.known_at(document.figures), reading_back.texts_of(extraction)
    appendix = next(page for _, title, page in reading.outline(document.draft) if title.startswith("Appendix A"))
    for page, text in enumerate(reading.page_texts(document.draft), 1):
        if page == 2:
            continue  # the contents: page numbers, held to the outline by a test of its own
        lines = reading.without_folio(text).splitlines()
        if page >= appendix:  # its rows begin with the numbers of footnotes
            lines = [re.sub(r"^\d+ (?=\D|\d{4},)", "", line) for line in lines]
        left = reading_back.unexplained(reading.flat(" ".join(lines)), known[f"memo:{page}"], words)
        assert not left, (page, left[:5])


@pytest.mark.parametrize("kind", KINDS)
def test_every_figure_stands_on_the_pages_that_it_names(kind: str) -> None:
    """A figure's text is found on each page of its `where`."""
    document = standing(kind)
    texts = [reading.flat(text) for text in reading.page_texts(document.draft)]
    assert document.figures
    for figure in document.figures:
        for place in figure.where:
            page = int(place.removeprefix("memo:"))
            wanted = reading.flat(figure.text)
            assert wanted in texts[page - 1] or wanted in texts[min(page, len(texts) - 1)], (place, figure)


@pytest.mark.parametrize("kind", ["properties", "hostile", "many"])
def test_the_same_order_gives_the_same_bytes(kind: str) -> None:
    """Both editions are a function of deals, order and day."""
    first, second = (reading.rendered(KINDS[kind]()) for _ in range(2))
    assert (first.draft, first.final, first.figures) == (second.draft, second.final, second.figures)


def test_two_threads_at_once_give_the_same_bytes_as_one() -> None:
    """Nothing that documents share is changed by rendering one."""
    with ThreadPoolExecutor(2) as pool:
        made_at_once = list(pool.map(lambda kind: reading.rendered(KINDS[kind]()), ["properties", "hostile"] * 2))
    assert [one.draft_sha256 for one in made_at_once] == [
        standing(k).draft_sha256 for k in ("properties", "hostile")
    ] * 2


def test_vacant_space_gets_no_chapter_and_no_kind() -> None:
    """A rent roll's empty suites stand in the table; chapters are of leases."""
    document = standing("rent roll")
    titles = [title for level, title, _ in reading.outline(document.draft) if level == 1]
    assert "VACANT" not in titles
    assert any("VACANT" in text for text in reading.page_texts(document.draft))


def test_only_the_draft_is_marked_and_all_else_is_alike() -> None:
    """The final has no mark on any page; its text is the draft's without it."""
    document = standing("properties")
    drafts, finals = reading.page_texts(document.draft), reading.page_texts(document.final)
    assert document.draft_sha256 != document.final_sha256
    assert len(drafts) == len(finals) == document.pages
    assert all(DRAFT_MARK in text for text in drafts)
    assert not any("DRAFT" in text or "APPROVED" in text for text in finals)
    assert [reading.flat(text.replace(DRAFT_MARK, "")).strip() for text in drafts] == [
        reading.flat(text).strip() for text in finals
    ]


def test_contents_outline_and_page_numbers_agree() -> None:
    """Each line of the contents has the page of its bookmark, and leads there; each page says its number."""
    document = standing("properties")
    texts = reading.page_texts(document.draft)
    entries = [
        (title, page) for _, title, page in reading.outline(document.draft) if title not in ("Cover", "Contents")
    ]
    listed = reading.flat(texts[1])
    for title, _ in entries:
        assert title in listed
    numbers = [int(n) for n in re.findall(r"^(\d+)\s*$", texts[1], re.MULTILINE)]
    assert sorted(numbers) == sorted(page for _, page in entries)
    assert sorted(reading.link_targets(document.draft, 2)) == sorted(page for _, page in entries)
    for page, text in enumerate(texts[1:], 2):
        assert f"Page {page} of {document.pages}" in text
    titles = [title for title, _ in entries]
    for wanted in ("Executive summary", "Portfolio", "Data quality", "Method and sources"):
        assert wanted in titles


def test_each_mark_leads_to_appendix_a_and_back() -> None:
    """The links of a page with figures lead to appendix A, whose numbers lead back to that page."""
    document = standing("properties")
    places = {title: page for _, title, page in reading.outline(document.draft)}
    summary, appendix = places["Executive summary"], places["Appendix A: figures and their cells"]
    after = places["Appendix B: deals and their cells"]
    targets = reading.link_targets(document.draft, summary)
    assert targets
    assert all(appendix <= page <= after for page in targets)
    assert summary in reading.link_targets(document.draft, appendix)


def test_fonts_are_embedded_and_none_is_reportlabs_own() -> None:
    """Each font descriptor has its font file, and no base font is referred to."""
    draft = standing("properties").draft
    assert draft.count(b"/FontFile2") == draft.count(b"/Type /FontDescriptor") >= 5
    assert b"Helvetica" not in draft
    assert b"/Lang (en-US)" in draft
    assert b"/DisplayDocTitle true" in draft
    assert b"/Title (Project Tamarack)" in draft
    assert b"D:20261130000000" in draft


def test_emphasis_changes_the_order_and_the_lead() -> None:
    """Income leads with NOI and its greatest earner, price with price; the chapters follow."""
    income, price = standing("properties"), standing("properties", "price")
    first, second = ([reading.flat(t) for t in reading.page_texts(one.draft)] for one in (income, price))
    assert "Twelve properties earn $24.5M" in first[2]
    assert "Eleven of twelve properties are priced at $359.7M" in second[2]
    orders = [[title for level, title, _ in reading.outline(one.draft) if level == 1] for one in (income, price)]
    names = [row["deal_name"] for row in made.properties()]
    assert [title for title in orders[0] if title in names] != [title for title in orders[1] if title in names]
    assert orders[0].index("Bellwether Commons") < orders[0].index("Granite Fork Distribution Center")
    assert orders[1].index("Bellwether Commons") > orders[1].index("Granite Fork Distribution Center")


def test_missing_values_are_said_to_be_missing() -> None:
    """A price that reads TBD prints n/p with a footnote that quotes it, and counts as nothing, not as 0."""
    document = standing("properties")
    texts = [reading.flat(text) for text in reading.page_texts(document.draft)]
    missing = [figure for figure in document.figures if figure.label == "Larkspur Trade Park, asking price"]
    assert missing
    assert all(figure.value is None and figure.text == "n/p" for figure in missing)
    assert any("the cell reads “TBD”" in text for text in texts)
    assert any("Deals!F18 reads “TBD”" in text for text in texts)
    total = next(figure for figure in document.figures if figure.id == "t1.total.price")
    assert total.value == Decimal(359_700_000)


def test_a_persons_value_is_marked_and_explained() -> None:
    """The corrected occupancy carries a mark in the table, its story in appendix A, and the reason among the checks."""
    document = standing("corrected")
    texts = [reading.flat(text) for text in reading.page_texts(document.draft)]
    story = "Deals!J17 read 87.3%; set to 77.3% by an analyst, 28 Nov 2026"
    assert sum(story in text for text in texts) >= 2
    assert any("checked against the lease" in text for text in texts)
    assert any("77.3" in text and "Kestrel Point" in text for text in texts)
    assert any(figure.pinned and figure.text.startswith("77.3") for figure in document.figures)
    quiet = standing("properties")
    assert not any(figure.pinned for figure in quiet.figures)


def test_a_note_of_nine_thousand_letters_is_printed_whole() -> None:
    """A text taller than a page runs on over pages and loses no word."""
    note = " ".join(f"word{number}" for number in range(1200))
    assert len(note) > 9_000
    document = reading.rendered(with_note(note))
    whole = " ".join(reading.page_texts(document.draft))
    found = re.findall(r"\bword(\d+)\b", whole)
    assert found == [str(number) for number in range(1200)]
    assert "Value" in whole
    assert "continued" in whole


def test_a_note_without_a_space_is_printed_whole() -> None:
    """A single word as long as a page is broken where it must be."""
    document = reading.rendered(with_note("x7" * 4_500))
    whole = re.sub(r"\s", "", "".join(reading.page_texts(document.draft)))
    assert whole.count("x7") >= 4_400


def test_a_name_too_long_for_its_column_stands_in_full_in_an_appendix() -> None:
    """Two hundred letters are shortened in the table, and printed whole behind it."""
    rows = made.properties()
    rows[3]["deal_name"] = "Longest Name of All " + "and Longer " * 16 + "to the Last Letter"
    document = reading.rendered(made.build(made.Sheet("offering_list", rows)))
    texts = [reading.flat(text) for text in reading.page_texts(document.draft)]
    places = {title: page for _, title, page in reading.outline(document.draft)}
    assert rows[3]["deal_name"] in texts[places["Appendix C: texts in full"] - 1]
    assert "Longest Name of All and Longer" in texts[places["Table of properties"] - 1]


def test_hostile_text_is_printed_as_text() -> None:
    """Mark-up stays letters, controls and overrides vanish, and letters without a glyph are named, with their cells."""
    document = standing("hostile")
    whole = "\n".join(reading.page_texts(document.draft))
    assert "<b>&amp; {{7*7}}</b>" in whole
    assert '=HYPERLINK("http://x","y")' in whole
    assert not re.search("[\x00-\x08\x1b\u202e\u200b\ufffd]", whole)
    assert "[19 Arabic characters]" in whole
    assert "[13 Hebrew characters]" in whole
    assert "[14 Chinese characters]" in whole
    assert "U+05D1" in whole
    assert "'1'!A10" in whole
    assert "Bürohaus Straße Köln – Ümläüt" in whole


def test_a_thousand_deals_are_all_listed_once_with_repeated_heads() -> None:
    """The body has the greatest; appendix C has each, under a head on every page; chapters say that they are few."""
    document = reading.rendered(made.many_properties(1000))
    texts = [reading.flat(text) for text in reading.page_texts(document.draft)]
    places = {title: page for _, title, page in reading.outline(document.draft)}
    start = places["Appendix C: all properties"]
    listing = texts[start - 1 :]
    named = re.findall(r"Marlowe Terrace (\d+)\b", " ".join(listing))
    assert sorted(map(int, named)) == list(range(1, 1001))
    assert all("Property, continued" in text and "NOI $000" in text for text in listing[1:])
    assert "Total or weighted" in listing[-1]
    assert any("twelve greatest of 1,000 by NOI" in text for text in texts)
    assert document.pages < 60


def test_nothing_is_drawn_outside_the_margins() -> None:
    """On no page but the cover does text reach beyond the margins, nor do lines of text lie on one another."""
    for kind in ("properties", "loans", "hostile"):
        found = [(page, box) for page, box in reading.boxes(standing(kind).draft) if page > 1]
        for page, (left, bottom, right, top) in found:
            assert min(left - 53, 559 - right, bottom - 35, 765 - top) > 0, (kind, page)
        for page in {page for page, _ in found}:
            here = sorted((box for at, box in found if at == page), key=lambda box: -box[3])
            for number, (left, bottom, right, top) in enumerate(here):
                for other in here[number + 1 :]:
                    across = min(right, other[2]) - max(left, other[0])
                    up = min(top, other[3]) - max(bottom, other[1])
                    assert across < 1 or up < 2.5, (kind, page, other)


def test_a_bare_number_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that reaches a page without a figure fails the document, and names the page."""
    monkeypatch.setattr(cover_module, "DISCLAIMER", "Worth 9,876 to somebody.")
    with pytest.raises(OutputError, match="Page 1 prints '9,876'"):
        reading.rendered(made.portfolio12())


def test_an_extraction_without_deals_is_refused() -> None:
    """There is no memorandum of nothing."""
    with pytest.raises(OutputError, match="no deal"):
        reading.rendered(made.build(made.Sheet("other", [])))


def test_issues_are_listed_with_their_cells_up_to_a_bound() -> None:
    """The worst stand first; what is over the bound is counted and named as being in deals.xlsx."""
    extraction = made.portfolio12()
    many = tuple(replace(extraction.issues[0], cells=(f"Deals!Z{number}",)) for number in range(1, 201))
    worst = replace(extraction.issues[0], severity="error", cells=("Deals!ZZ9",), message="The worst of all.")
    extraction.issues = (*many, worst)
    texts = [reading.flat(text) for text in reading.page_texts(reading.rendered(extraction).draft)]
    whole = " ".join(texts)
    assert whole.index("The worst of all.") < whole.index("Deals!Z1 ")
    assert "81 more issues are in deals.xlsx" in whole


def test_a_number_more_would_be_noticed() -> None:
    """The reading test can fail: the register does not know a number that nobody gave it."""
    canvas, registry, _ = reading.laid_out(made.bare())
    text = reading.without_folio(reading.page_texts(canvas.draft)[2])
    assert registry.strangers("memo:3", text + " 77,777") == ["77,777"]
