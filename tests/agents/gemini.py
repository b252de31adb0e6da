"""The planner's rules behind the Gemini stub: it decides from the HTTP body alone, as the real model would."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.adk.models.base_llm import BaseLlm
from google.genai import types

from agents.extraction import plan as extraction
from agents.model import build_model
from agents.patience import Patience
from agents.planner import read_turn
from agents.presentation import plan as presentation
from tests.servers.gemini import Brain, GeminiStub, Reply

PLANS = {"extract_deals": extraction.decide, "request_approval": presentation.decide}


def think(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The parts of the reply to a request's body; a request without tools is one for a summary."""
    names = {tool["name"] for tools in body.get("tools", []) for tool in tools["functionDeclarations"]}
    plan = next((found for name, found in PLANS.items() if name in names), None)
    if plan is None:
        return [{"text": "Deals were shown, several of them, at various prices."}]
    contents = [types.Content.model_validate(content) for content in body["contents"]]
    return [{"functionCall": {"name": call.name, "args": dict(call.args)}} for call in plan(read_turn(contents))]


def stub(*first: Reply, brain: Brain = think) -> GeminiStub:
    """A server that gives the replies in `first` and then thinks."""
    return GeminiStub(brain, first)


def model_at(server: GeminiStub, attempts: int = 4, timeout_s: float = 30.0) -> BaseLlm:
    """The product's own Gemini model, asking this server and waiting next to nothing between tries."""
    patience = Patience(attempts, 0.01, timeout_s)
    return build_model("gemini-2.5-flash", api_key="none", base_url=server.url, patience=patience)
