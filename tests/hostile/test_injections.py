"""Text that gives orders is data: records are the same, no tool does anything else, and what is hidden stays out."""

from __future__ import annotations

import datetime as dt
import io
import json
import re
import zipfile
from collections.abc import AsyncGenerator, Iterator
from functools import cache
from typing import Any

import openpyxl
import pypdfium2
import pytest
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from pptx import Presentation
from pydantic import Field

from agents.extraction import agent, view
from schemas.deal import Extraction
from schemas.documents import DocumentOrder
from tests.agents.scripted import Scripted, Turn
from tests.agents.stage import StageRun, open_extraction
from tests.hostile import injections
from tests.hostile.injections import MARK, Injection
from tools.deals import archive
from tools.deals.extract import extract
from tools.deals.summary import summarise
from tools.deals.survey import survey
from tools.deals.workbook_out import deals_xlsx
from tools.deck.render import render_deck
from tools.memo.render import render_memo
from worker import cli

QUOTED = re.compile(r'"[^"]*"')
BY_NAME = [pytest.param(each, id=each.name) for each in injections.INJECTIONS]


def records(made: Extraction, besides: frozenset[str] = frozenset()) -> dict[str, tuple[object, ...]]:
    """Address to field and value of every cell of every deal, besides those that were attacked."""
    found: dict[str, tuple[object, ...]] = {}
    for deal in made.deals():
        for name, value in (*deal.fields.items(), *deal.extra.items()):
            address = (value.cell or "").rpartition("!")[2]
            if address not in besides:
                found[address] = (deal.row, name, value.value, value.currency)
    return found


@cache
def honest() -> Extraction:
    """The reading of the workbook that nobody attacked."""
    return extract(injections.honest(), "comps.xlsx")


def strings(value: object) -> Iterator[str]:
    """Every text in plain values, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, held in value.items():
            yield from (*strings(key), *strings(held))
    elif isinstance(value, list | tuple | set | frozenset):
        for held in value:
            yield from strings(held)


def shown(injection: Injection) -> tuple[Extraction, list[object]]:
    """The reading, and all that a model is shown of the file by the tools."""
    data, name = injection.data(), injection.filename
    seen, made = survey(data, name), extract(data, name)
    deals = [view.deal_answer(number, deal) for number, deal in enumerate(made.deals(), 1)]
    return made, [view.survey_answer(seen), view.extraction_answer(made), deals]


def test_the_corpus_has_as_many_attacks_as_it_promises() -> None:
    """Forty at least, each of its own name, each holding the word that gives it away, one in three unseen by people."""
    assert len({each.name for each in injections.INJECTIONS}) == len(injections.INJECTIONS) >= 40
    assert len(injections.HIDDEN) >= 15
    for each in injections.INJECTIONS:
        with zipfile.ZipFile(io.BytesIO(each.data())) as package:
            held = b"".join(package.read(entry) for entry in package.infolist())
        assert MARK.encode() in held + each.filename.encode()


@pytest.mark.parametrize("injection", BY_NAME)
def test_the_records_of_an_attacked_workbook_are_the_same(injection: Injection) -> None:
    """Deals, places, fields and values, but for the cell attacked; a model sees the text in quotes, or not at all."""
    made, answers = shown(injection)
    assert made.deal_count == len(injections.NAMES)
    besides = injection.cells | {f"H{n}" for n in range(3, 10)}
    assert records(made, besides) == records(honest(), besides)
    for text in strings(answers):
        assert text.isprintable()
        assert MARK not in QUOTED.sub("", text)
        assert not (injection.hidden and MARK in text)
    if injection.hidden:
        assert MARK not in json.dumps(summarise(made))
        assert MARK not in str(list(made.deals()))


class Listening(Scripted):
    """The offline planner, with all that it was ever told in `heard`."""

    script: list[Turn] = Field(default=[])
    heard: list[str] = Field(default=[])

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """The planner's turn, once the request is noted down."""
        self.heard.append(llm_request.model_dump_json())
        async for response in super().generate_content_async(llm_request, stream):
            yield response


async def outcome(data: bytes, filename: str, model: Scripted | None = None) -> tuple[list[tuple[str, Any]], StageRun]:
    """The tools that the agent called, file names aside, and its stage."""
    stage = await open_extraction(data, filename, model)
    events = (await stage.session()).events
    called = [
        (call.name or "", {key: value for key, value in (call.args or {}).items() if key != "filename"})
        for event in events
        for call in event.get_function_calls()
    ]
    return called, stage


def combined(chosen: tuple[Injection, ...]) -> bytes:
    """One workbook with all attacks of a kind that do not stand in one another's way."""
    book = injections.honest_book()
    for each in chosen:
        if each.change is not None:
            each.change(book)
    return injections.saved(book)


async def check_stage(data: bytes, filename: str, *, hidden: bool) -> None:
    """The agent does on an attacked file what it does on the honest one, and hears no hidden text."""
    expected, _ = await outcome(injections.honest(), "comps.xlsx")
    model = Listening()
    called, stage = await outcome(data, filename[:200], model)
    assert len(model.heard) >= 3
    assert [name for name, _ in called] == [name for name, _ in expected]
    session = await stage.session()
    ref = agent.result(session).deals
    assert ref is not None
    part = await stage.artifacts.load_artifact(**stage.key, filename=ref.artifact)
    assert part is not None
    assert part.inline_data is not None
    assert archive.load(part.inline_data.data or b"").deal_count == len(injections.NAMES)
    if hidden:
        assert MARK not in "".join(model.heard)


async def test_hidden_orders_reach_no_model_and_no_log(capfd: pytest.CaptureFixture[str]) -> None:
    """All hidden places at once, through the whole extraction stage."""
    chosen = tuple(each for each in injections.HIDDEN if each.change is not None and "column of" not in each.name)
    await check_stage(combined(chosen), "comps.xlsx", hidden=True)
    said = capfd.readouterr()
    assert MARK not in said.out + said.err


async def test_shown_orders_change_no_call_and_reach_no_log(capfd: pytest.CaptureFixture[str]) -> None:
    """All places at once that a person sees."""
    orders = tuple(
        each for each in injections.VISIBLE if each.name.startswith("order") and "C5" not in each.cells | {""}
    )
    await check_stage(combined(orders), "comps.xlsx", hidden=False)
    said = capfd.readouterr()
    assert MARK not in said.out + said.err


@pytest.mark.long
@pytest.mark.parametrize("injection", BY_NAME)
async def test_each_attack_alone_changes_no_call(injection: Injection) -> None:
    """Through the whole extraction stage."""
    await check_stage(injection.data(), injection.filename, hidden=injection.hidden)


TEXTS = (*injections.MARKUP, *injections.FORMULAS, *injections.SCRIPTS, ("order", injections.ORDER))


@cache
def attacked() -> Extraction:
    """Deals that have each hostile text for a name, a city and a note, the number of the text in front or behind."""
    book = injections.honest_book()
    sheet = book.worksheets[0]
    for at, (_, text) in enumerate(TEXTS):
        number = 4 + at
        for column, value in enumerate(
            (f"{text} M{at:02}", f"{text} C{at:02}", 1_000_000, 60_000, 0.06, 0.9, f"{text} N{at:02}"), 1
        ):
            target = sheet.cell(number, column)
            target.value = value
            if isinstance(value, str):
                target.data_type = "s"
    return extract(injections.saved(book), f"{injections.ORDER}.xlsx")


def order(kind: Any) -> DocumentOrder:
    """An order for a document whose title is an attack too."""
    return DocumentOrder(kind=kind, title="<b>Sold</b> =1+1 \u202e{x}", emphasis="income")


def test_the_attacked_deals_are_all_there() -> None:
    """What the documents are tried on has every hostile text, as it was."""
    made = attacked()
    names = [str(deal.fields["deal_name"].raw) for deal in made.deals()]
    assert [name.strip() for name in names] == [
        f"{text} M{at:02}".replace("\r\n", "\n").strip() for at, (_, text) in enumerate(TEXTS)
    ]


def test_deals_xlsx_holds_hostile_text_as_text() -> None:
    """No formula, no link, no relation to elsewhere; every text is there, marked where it could pass for a formula."""
    data = deals_xlsx(attacked())
    book = openpyxl.load_workbook(io.BytesIO(data))
    cells = [each for sheet in book.worksheets for line in sheet.iter_rows() for each in line if each.value is not None]
    assert not [each for each in cells if each.data_type == "f" or each.hyperlink]
    texts = [str(each.value) for each in cells]
    for at in range(len(TEXTS)):
        assert any(text.endswith(f"M{at:02}") for text in texts)
    led = [each for each in cells if isinstance(each.value, str) and each.value.startswith(("=", "+", "-", "@", "\t"))]
    assert led
    assert all(each.quotePrefix for each in led)
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert not [name for name in package.namelist() if b"External" in package.read(name)]


def test_the_deck_holds_hostile_text_as_text() -> None:
    """It opens, has no link and no script, and names the deals whose names are markup."""
    deck = render_deck(attacked(), order("deck"), dt.date(2026, 1, 31)).final
    slides = Presentation(io.BytesIO(deck)).slides
    said = "\n".join(
        shape.text_frame.text for slide in slides for shape in _shapes(slide.shapes) if shape.has_text_frame
    )
    said += "\n".join(
        box.text
        for slide in slides
        for shape in slide.shapes
        if shape.has_table
        for line in shape.table.rows
        for box in line.cells
    )
    assert "<b>Sold</b> =1+1" in said
    assert {
        f"M{at:02}" for at, (label, _) in enumerate(TEXTS) if label in {"equals", "dde", "at", "unclosed markup"}
    } <= set(re.findall(r"M\d\d", said))
    with zipfile.ZipFile(io.BytesIO(deck)) as package:
        for name in package.namelist():
            body = package.read(name)
            assert b'TargetMode="External"' not in body
            assert b"hlinkClick" not in body


def _shapes(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        yield from _shapes(shape.shapes) if hasattr(shape, "shapes") else (shape,)


def test_the_memo_holds_hostile_text_as_text() -> None:
    """It opens, has no script, form or outside link, and prints markup as it is written."""
    memo = render_memo(attacked(), order("memo"), dt.date(2026, 1, 31)).final
    document = pypdfium2.PdfDocument(memo)
    said = " ".join("\n".join(page.get_textpage().get_text_bounded() for page in document).split())
    assert "<b>Sold</b> =1+1" in said
    assert "<script>fetch" in said
    assert "/c calc" in said
    for word in (b"/JavaScript", b"/URI", b"/Launch", b"/EmbeddedFile", b"/AcroForm"):
        assert word not in memo


@pytest.mark.parametrize("command", ["inspect", "extract"])
def test_no_text_of_a_file_moves_the_terminal(
    command: str, tmp_path: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Escapes in cells, headers and the file's name are shown harmless, as text and as JSON."""
    monkeypatch.chdir(tmp_path)
    escape = "\x1b[2J\x1b]8;;http://x.invalid\x07\u202e"
    path = tmp_path / f"a{escape.replace('/', '_')}.csv"
    lines = [f"Property,City,Asking Price,NOI,Cap Rate,{escape}Notes"]
    lines += [f"{escape}Elm {n},Springfield,{n}000000,60000,6%,{escape}" for n in range(1, 6)]
    path.write_text("\n".join(lines), encoding="utf-8")
    for more in ([], ["--json" if command == "extract" else "--jsonl"]):
        cli.main([command, str(path), *more])
        said = capsys.readouterr()
        assert not set(said.out + said.err) & {"\x1b", "\x07"}
