"""What a model is told of each tool: a name, plain parameters, and a docstring that says all it needs."""

from __future__ import annotations

import inspect
import json
import re
import typing
from collections.abc import Sequence
from typing import Any

import pytest
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.function_tool import FunctionTool
from google.adk.tools.long_running_tool import LongRunningFunctionTool
from google.adk.tools.tool_context import ToolContext

from agents.build import declarations, tools_sha256
from agents.extraction.toolset import Toolset
from agents.presentation import toolset as presentation
from tools.workbook.limits import DEFAULT_LIMITS

PLAIN = {"string", "integer", "number", "boolean", "array"}
VAGUE = {"do", "data", "process", "run", "handle", "x", "arg", "args", "value", "input", "obj"}
MAX_PARAMETERS = 4
MAX_DECLARATION_BYTES = 900


def all_tools() -> list[BaseTool]:
    """Every tool that any agent sees."""
    return [*Toolset(DEFAULT_LIMITS).tools(), *presentation.tools()]


def faults(tool: BaseTool) -> list[str]:
    """What is wrong with a tool's description."""
    (declared,) = declarations([tool])
    assert isinstance(tool, FunctionTool)
    function, told = tool.func, str(declared.get("description", ""))
    properties: dict[str, Any] = declared.get("parameters_json_schema", {}).get("properties", {})
    doc = inspect.getdoc(function) or ""
    checks = {
        "a name of two plain words at least": re.fullmatch(r"[a-z]+(_[a-z]+)+", tool.name) and tool.name not in VAGUE,
        "async": inspect.iscoroutinefunction(function),
        "a first line that says what it does": re.match(r"[A-Z][a-z]+s\b[^\n]{8,}\.\n", doc + "\n"),
        "when to use it": re.search(r"^Use it ", doc, re.MULTILINE),
        "what it returns": "Returns:\n" in doc,
        "status among its answers": "status" in doc or "status" in told or _answers_status(function),
        "few parameters": len(properties) <= MAX_PARAMETERS,
        "plain types": all(schema.get("type") in PLAIN for schema in properties.values()),
        "no vague parameter": not VAGUE & set(properties),
        "a line for each parameter": all(re.search(rf"^ +{name}: \S", doc, re.MULTILINE) for name in properties),
        "the context unmentioned": "context" not in told.lower(),
        "the context not among its parameters": "tool_context" not in properties,
        "a dict as its answer": typing.get_type_hints(function)["return"] == dict[str, Any],
        "no default for what must be said": _required(function) == set(properties),
        "few words": len(json.dumps(declared)) <= MAX_DECLARATION_BYTES,
    }
    return [name for name, holds in checks.items() if not holds]


def _required(function: Any) -> set[str]:
    parameters = inspect.signature(function).parameters.values()
    return {p.name for p in parameters if p.default is p.empty and p.name not in {"tool_context", "self"}}


def _answers_status(function: Any) -> bool:
    return '"status": "ok"' in inspect.getsource(function)


@pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
def test_a_tool_is_described_as_a_model_reads_it(tool: BaseTool) -> None:
    """Name, signature and docstring are all that it knows."""
    assert faults(tool) == []


async def get(data: str, tool_context: ToolContext, more: dict[str, Any] | None = None) -> str:  # noqa: D417 bad on purpose
    """Gets things.

    Args:
        tool_context: The context.
    """
    del tool_context
    return data + str(more)


def test_the_lint_finds_what_is_wrong_with_a_bad_tool() -> None:
    """Each rule can fail."""
    assert set(faults(FunctionTool(func=get))) == {
        "a name of two plain words at least",
        "a first line that says what it does",
        "when to use it",
        "what it returns",
        "status among its answers",
        "plain types",
        "no vague parameter",
        "a line for each parameter",
        "the context unmentioned",
        "a dict as its answer",
        "no default for what must be said",
    }


def names(tools: Sequence[BaseTool]) -> list[str]:
    """The tools' names."""
    return [tool.name for tool in tools]


def test_each_agent_has_its_tools_and_no_others() -> None:
    """Extraction has none with an effect outside its session; presentation has hand-offs and nothing else."""
    assert names(Toolset(DEFAULT_LIMITS).tools()) == [
        "list_uploads",
        "inspect_workbook",
        "set_column_field",
        "adjust_table",
        "ignore_table",
        "extract_deals",
        "show_deals",
    ]
    assert names(presentation.tools()) == ["request_deck", "request_pdf", "request_approval"]
    assert all(isinstance(tool, LongRunningFunctionTool) for tool in presentation.tools())


def test_the_hash_of_the_tools_changes_with_a_docstring() -> None:
    """A tool's docstring is prompt text, so it is part of a call's stamp."""

    async def show_things(count: int) -> dict[str, Any]:
        """Shows things."""
        return {"count": count}

    first = tools_sha256((FunctionTool(func=show_things),))

    async def show_things(count: int) -> dict[str, Any]:
        """Shows some things."""
        return {"count": count}

    assert first != tools_sha256((FunctionTool(func=show_things),))
    assert tools_sha256(tuple(all_tools())) == tools_sha256(tuple(reversed(all_tools())))
