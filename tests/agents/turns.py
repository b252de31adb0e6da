"""Contents of requests, built by hand: what an agent was asked, called and was answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from google.genai import types

Exchange = tuple[str, Mapping[str, Any], Mapping[str, Any]]


def contents(request: str, *turns: Sequence[Exchange]) -> list[types.Content]:
    """A request, then turns: each the calls that the model made at once, with their answers."""
    found = [types.Content(role="user", parts=[types.Part(text=request)])]
    for turn in turns:
        calls = [types.FunctionCall(name=name, args=dict(args)) for name, args, _ in turn]
        answers = [types.FunctionResponse(name=name, response=dict(answer)) for name, _, answer in turn]
        found.append(types.Content(role="model", parts=[types.Part(function_call=call) for call in calls]))
        found.append(types.Content(role="user", parts=[types.Part(function_response=answer) for answer in answers]))
    return found
