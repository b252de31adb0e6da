"""The extraction stage on real workbooks: what tools answer, what is kept, and what the outcome is."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from google.genai import types

from agents import pause
from agents.extraction import agent
from agents.extraction.toolset import Toolset
from schemas import ids, state
from schemas.agent_answers import ExtractionTurn
from schemas.errors import InputError, OutputError
from tests.agents.books import HEADERS, deals, listing, workbook
from tests.agents.gemini import model_at, stub
from tests.agents.scripted import Scripted
from tests.agents.stage import StageRun, open_extraction
from tools.deals import archive
from tools.workbook.limits import DEFAULT_LIMITS, Limits

FINAL = ("set_model_response", {"status": "extracted", "deals": 3})


async def answers(stage: StageRun, name: str) -> list[dict[str, Any]]:
    """The answers of a tool, oldest first."""
    events = (await stage.session()).events
    found = [answer for event in events for answer in event.get_function_responses() if answer.name == name]
    return [dict(answer.response or {}) for answer in found]


async def calls(stage: StageRun) -> list[str]:
    """The tools called, in order."""
    return [call.name or "" for event in (await stage.session()).events for call in event.get_function_calls()]


async def stored(stage: StageRun) -> Any:
    """The extraction that the session's reference names."""
    ref = agent.result(await stage.session()).deals
    part = await stage.artifacts.load_artifact(**stage.key, filename=ref.artifact, version=ref.version)
    assert part
    assert part.inline_data
    assert ids.sha256_hex(part.inline_data.data or b"") == ref.sha256
    return archive.load(part.inline_data.data or b"")


async def test_a_workbook_becomes_an_artifact_of_deals_and_small_facts_in_state() -> None:
    """Inspected, extracted, answered, in three model calls; the table itself is no state."""
    stage = await open_extraction(listing(120), "comps.xlsx")
    assert await calls(stage) == ["inspect_workbook", "extract_deals", "set_model_response"]
    assert len(stage.stamps) == 3
    result = agent.result(await stage.session())
    assert (result.answer.status, result.answer.deals, result.summary["deals"]) == ("extracted", 120, 120)
    assert result.deals.artifact == f"deals/{result.deals.sha256}"
    extraction = await stored(stage)
    assert extraction.deal_count == 120
    assert extraction.source.artifact.startswith("user:uploads/")
    held = (await stage.session()).state
    assert sum(state.size_bytes(value) for value in held.values()) < 10_000
    assert held.get("deals:records") is None


async def test_a_small_workbooks_deals_are_in_state_too() -> None:
    """With number, name, price and cap rate, exactly."""
    stage = await open_extraction(listing(3), "comps.xlsx")
    records = (await stage.session()).state["deals:records"]
    assert [record["number"] for record in records] == [1, 2, 3]
    assert records[0] | {"deal_id": ""} == {
        "number": 1,
        "deal_id": "",
        "name": '"Granite Court 1"',
        "price": "3017313 USD",
        "cap_rate": "0.0453",
    }


@pytest.mark.parametrize("name", ["portfolio.xlsx", "rent_roll.xlsx", "loan_tape.xlsx", "pipeline.csv"])
async def test_the_samples_are_extracted(name: str) -> None:
    """By the offline planner, each within its tokens."""
    data = (Path(__file__).parents[1] / "samples" / name).read_bytes()
    stage = await open_extraction(data, name)
    assert agent.result(await stage.session()).answer.deals > 10
    assert stage.request_bytes // 4 <= 8_000


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "file.empty"), (b"no workbook at all \x00\x01", "file.not_workbook"), (b"<html><body>", "file.html")],
)
async def test_a_workbook_that_cannot_be_used_ends_as_its_senders_to_mend(data: bytes, code: str) -> None:
    """The code and the sentence come from the reader, never from the model."""
    stage = await open_extraction(data, "comps.xlsx")
    with pytest.raises(InputError) as raised:
        agent.result(await stage.session())
    assert raised.value.code == code
    assert raised.value.message.startswith("comps.xlsx ")
    (answer,) = await answers(stage, "inspect_workbook")
    assert (answer["status"], answer["code"]) == ("error", code)


async def test_a_workbook_without_deals_says_what_it_holds_instead() -> None:
    """Readable, but nothing to present."""
    rows = [["Monday", 21.5], ["Tuesday", 22.0], ["Wednesday", 19.5]]
    stage = await open_extraction(workbook([("Weather", ("Day", "Celsius"), rows)]), "weather.xlsx")
    with pytest.raises(InputError) as raised:
        agent.result(await stage.session())
    assert raised.value.code in {"file.no_deals", "file.no_table"}


async def test_limits_are_those_that_the_app_is_built_with() -> None:
    """A file over them is refused by the reader."""
    stage = await open_extraction(listing(5), "comps.xlsx", limits=Limits(file_bytes=100))
    with pytest.raises(InputError) as raised:
        agent.result(await stage.session())
    assert raised.value.code == "file.too_large"


def settle(*turn: tuple[str, dict[str, Any]]) -> Scripted:
    """A model that inspects, plays a turn, extracts and answers."""
    inspect = ("inspect_workbook", {"filename": "comps.xlsx"})
    return Scripted(script=[[inspect], list(turn), [("extract_deals", {"filename": "comps.xlsx"})], [FINAL]])


async def test_a_field_that_is_set_is_the_field_of_the_column() -> None:
    """Two settlements in one turn; neither is lost, both are in the extraction."""
    model = settle(
        ("set_column_field", {"table_id": "t1", "column": "I", "field": "notes"}),
        ("set_column_field", {"table_id": "t1", "column": "H", "field": "none"}),
    )
    stage = await open_extraction(listing(3), "comps.xlsx", model)
    assert await answers(stage, "set_column_field") == [{"status": "ok"}, {"status": "ok"}]
    columns = {column.place: column.field for column in (await stored(stage)).tables[0].columns}
    assert (columns["I"], columns["H"], columns["D"]) == ("notes", None, "asking_price")


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        ({"table_id": "t9", "column": "A", "field": "noi"}, {"table_id": ["t1"]}),
        ({"table_id": "t1", "column": "ZZ", "field": "noi"}, {"column": list("ABCDEFGHI")}),
        ({"table_id": "t1", "column": "I", "field": "magic"}, {"field": ["none"]}),
        ({"table_id": "t1", "column": "A", "field": 7}, {"field": ["none"]}),
        ({"table_id": ["t1"], "column": {}, "field": None}, {"table_id": ["t1"]}),
    ],
)
async def test_a_wrong_argument_is_answered_with_the_allowed_ones(
    arguments: dict[str, Any], allowed: dict[str, Any]
) -> None:
    """Of any type: a model may send anything."""
    stage = await open_extraction(listing(3), "comps.xlsx", settle(("set_column_field", arguments)))
    (answer,) = await answers(stage, "set_column_field")
    assert answer["status"] == "error"
    assert answer["allowed"] == allowed
    assert not state.read_family((await stage.session()).state, state.FIELD)


async def test_adjusted_bounds_are_the_bounds_of_the_table() -> None:
    """The agent cuts a table's rows anew; what it left out is a record no more."""
    bounds = {"table_id": "t1", "header_rows": [1], "first_row": 2, "last_row": 3}
    stage = await open_extraction(listing(5), "comps.xlsx", settle(("adjust_table", bounds)))
    table = (await stored(stage)).tables[0]
    assert (table.header_rows, table.first_row, table.last_row) == ((1,), 2, 3)
    assert list(table.records) == [2, 3]


@pytest.mark.parametrize(
    "wrong",
    [
        {"header_rows": [3], "first_row": 2, "last_row": 3},
        {"header_rows": [0], "first_row": 2, "last_row": 3},
        {"header_rows": [1], "first_row": 5, "last_row": 3},
        {"header_rows": ["x"], "first_row": 2, "last_row": 3},
        {"header_rows": None, "first_row": 2, "last_row": 3},
        {"header_rows": [1], "first_row": "two", "last_row": 3},
    ],
)
async def test_bounds_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    """With a sentence that says how they lie."""
    stage = await open_extraction(listing(5), "comps.xlsx", settle(("adjust_table", {"table_id": "t1"} | wrong)))
    (answer,) = await answers(stage, "adjust_table")
    assert answer["status"] == "error"
    assert not state.read_family((await stage.session()).state, state.BOUNDS)


async def test_an_ignored_table_gives_no_deals() -> None:
    """And the reason is kept with it."""
    book = workbook([("Listing", HEADERS, deals(4)), ("Old", (*HEADERS, "Year"), [[*row, 2001] for row in deals(9)])])
    stage = await open_extraction(
        book, "comps.xlsx", settle(("ignore_table", {"table_id": "t2", "reason": "last year's"}))
    )
    extraction = await stored(stage)
    assert extraction.deal_count == 4
    assert any("last year's" in issue.message for issue in extraction.issues)


async def test_settlements_before_an_inspection_are_refused() -> None:
    """There is nothing to check them against."""
    turn = [
        ("set_column_field", {"table_id": "t1", "column": "A", "field": "noi"}),
        ("show_deals", {"offset": 0, "limit": 2}),
    ]
    stage = await open_extraction(listing(3), "comps.xlsx", Scripted(script=[turn]))
    (answer,) = await answers(stage, "set_column_field")
    assert "inspect_workbook first" in answer["error"]
    (shown,) = await answers(stage, "show_deals")
    assert "extract_deals first" in shown["error"]


async def test_a_file_that_was_not_uploaded_is_answered_with_those_that_were() -> None:
    """Whatever the name asks for, only the session's uploads are opened."""
    turn = [("inspect_workbook", {"filename": "../../etc/passwd"}), ("extract_deals", {"filename": "other.xlsx"})]
    stage = await open_extraction(listing(3), "comps.xlsx", Scripted(script=[turn]))
    assert (await answers(stage, "inspect_workbook"))[0]["allowed"] == {"filename": ["comps.xlsx"]}
    assert (await answers(stage, "extract_deals"))[0]["allowed"] == {"filename": ["comps.xlsx"]}


async def test_deals_are_shown_with_their_cells_at_most_ten_at_a_time() -> None:
    """In full units, text in quotes."""
    stage = await open_extraction(listing(30), "comps.xlsx")
    await stage.run(agent.turn(ExtractionTurn(question="Show deals 5 to 25.")), invocation="second")
    (shown,) = await answers(stage, "show_deals")
    assert shown["total"] == 30
    assert [deal["number"] for deal in shown["deals"]] == list(range(5, 15))
    assert shown["deals"][0]["asking_price"] == '3086565 USD @"Listing"!D6'
    assert shown["deals"][0]["deal_name"].startswith('"')
    assert len(json.dumps(shown)) < 6_000


async def test_an_upload_inside_the_message_takes_the_same_road() -> None:
    """Bytes become an artifact, the request names it, and the agent goes to work."""
    stage = StageRun("extraction")
    await stage.open({})
    blob = types.Blob(data=listing(6), mime_type="application/vnd.ms-excel", display_name="mine.xlsx")
    await stage.run(types.Content(role="user", parts=[types.Part(inline_data=blob)]))
    assert agent.result(await stage.session()).answer.deals == 6


async def test_without_any_upload_the_agent_looks_and_gives_up() -> None:
    """A request that names no file: the uploads are listed first."""
    stage = StageRun("extraction")
    await stage.open({})
    await stage.run(agent.turn(ExtractionTurn(question="Extract it.")))
    assert await calls(stage) == ["list_uploads", "set_model_response"]
    with pytest.raises(OutputError, match="No workbook was uploaded"):
        agent.result(await stage.session())


async def test_the_same_upload_gives_the_same_deals_and_no_second_version() -> None:
    """A replayed extraction ends at the same artifact."""
    stage = await open_extraction(listing(8), "comps.xlsx")
    first = agent.result(await stage.session()).deals
    await stage.run(agent.turn(ExtractionTurn(filename="comps.xlsx")), invocation="again")
    assert agent.result(await stage.session()).deals == first
    assert await stage.artifacts.list_versions(**stage.key, filename=first.artifact) == [0]


async def test_heavy_work_leaves_the_event_loop_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another task runs on while a workbook is read."""
    from agents.extraction import reading

    held = asyncio.Event()
    loop = asyncio.get_running_loop()
    survey = reading.survey

    def slow(*arguments: Any) -> Any:
        done = asyncio.run_coroutine_threadsafe(asyncio.wait_for(held.wait(), 5), loop)
        done.result(timeout=5)
        return survey(*arguments)

    monkeypatch.setattr(reading, "survey", slow)

    async def release() -> None:
        held.set()

    await asyncio.gather(open_extraction(listing(3), "comps.xlsx"), release())
    assert held.is_set()


async def test_a_whole_extraction_is_held_over_http_and_sends_no_bytes_of_the_file() -> None:
    """With a settlement and its correction on the way."""
    with stub() as server:
        stage = await open_extraction(listing(12), "comps.xlsx", model_at(server))
    assert agent.result(await stage.session()).answer.deals == 12
    assert len(server.requests) == 3
    assert "inlineData" not in str(server.requests)
    assert pause.phase((await stage.session()).events) == "finished"


async def test_an_inspection_that_was_acted_on_is_left_out_of_later_requests() -> None:
    """It stays in the session; the model is told how to see it again."""
    with stub() as server:
        await open_extraction(listing(12), "comps.xlsx", model_at(server))
    shown = [json.dumps(body["contents"]).count("asking_price") for body in server.requests]
    assert shown == [0, 1, 0]


def test_no_tool_of_the_agent_reaches_outside_its_session() -> None:
    """Seven tools, and what they hold is the limits alone."""
    assert len(Toolset(DEFAULT_LIMITS).tools()) == 7
    assert set(Toolset.__dataclass_fields__) == {"limits"}
