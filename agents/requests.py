"""Requests to a model: what they offer, and how big they are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, cast

from google.adk.models.llm_request import LlmRequest
from google.genai import types
from pydantic import BaseModel

from schemas.agent_answers import ModelCallStamp


def tools_in(request: LlmRequest) -> list[types.Tool]:
    """The tools of a request as ADK puts them there: declarations, never functions."""
    offered = cast("list[object]", request.config.tools or [])
    return [tool for tool in offered if isinstance(tool, types.Tool)]


def declared_tools(request: LlmRequest) -> set[str]:
    """The names of the tools that a request offers."""
    tools = tools_in(request)
    return {declared.name or "" for tool in tools for declared in tool.function_declarations or []}


def size_of(request: LlmRequest) -> int:
    """The bytes of a request's body as Gemini's client sends it: contents, instruction, tools and settings."""
    body: dict[str, Any] = {"contents": [_plain(content) for content in request.contents]}
    config = request.config
    if config.system_instruction:
        body["systemInstruction"] = {"parts": [{"text": config.system_instruction}], "role": "user"}
    if tools := tools_in(request):
        body["tools"] = [_plain(tool) for tool in tools]
    body["generationConfig"] = {"temperature": config.temperature, "maxOutputTokens": config.max_output_tokens}
    return len(json.dumps(body, default=str).encode())


def _plain(value: BaseModel) -> Mapping[str, Any]:
    return value.model_dump(mode="json", exclude_none=True, by_alias=True)


def tokens_in(size_bytes: int) -> int:
    """The tokens that stand for a request's bytes where no model counts them: a quarter."""
    return size_bytes // 4


def request_tokens(stamps: Iterable[ModelCallStamp]) -> int:
    """The tokens of all requests that `stamps` are of, by their bytes: what a stage or a job costs to ask."""
    return tokens_in(sum(stamp.request_bytes for stamp in stamps))
