"""A server on this machine that speaks OpenAI's chat completions over HTTP, for models that LiteLLM reaches."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.servers.gemini import Brain, GeminiStub, Reply


def message_reply(parts: list[dict[str, Any]], finish: str | None = None, tokens: int = 100) -> Reply:
    """A reply with these parts, given as Gemini words them; calls are numbered from 1 in each reply."""
    text = "".join(part.get("text", "") for part in parts) or None
    wanted = [part["functionCall"] for part in parts if "functionCall" in part]
    calls = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["args"])},
        }
        for number, call in enumerate(wanted, 1)
    ]
    message = {"role": "assistant", "content": text} | ({"tool_calls": calls} if calls else {})
    choice = {"index": 0, "message": message, "finish_reason": finish or ("tool_calls" if calls else "stop")}
    usage = {"prompt_tokens": tokens, "completion_tokens": 7, "total_tokens": tokens + 7}
    named = {"id": "c", "object": "chat.completion", "created": 1, "model": "stub-of-openai"}
    return Reply(200, named | {"choices": [choice], "usage": usage})


def as_gemini(body: Mapping[str, Any]) -> dict[str, Any]:
    """A request as Gemini would have been sent it."""
    contents: list[dict[str, Any]] = []
    names: dict[str, str] = {}
    for message in body["messages"]:
        if message["role"] == "system":
            continue
        if message["role"] == "tool":
            name, said = names[message["tool_call_id"]], json.loads(message["content"])
            part = {"functionResponse": {"name": name, "response": said}}
            if contents[-1]["role"] != "user":
                contents.append({"role": "user", "parts": []})
            contents[-1]["parts"].append(part)
            continue
        parts = [{"text": message["content"]}] if message.get("content") else []
        for call in message.get("tool_calls") or []:
            names[call["id"]] = call["function"]["name"]
            args = json.loads(call["function"]["arguments"])
            parts.append({"functionCall": {"name": call["function"]["name"], "args": args}})
        contents.append({"role": "model" if message["role"] == "assistant" else "user", "parts": parts})
    declared = [{"name": tool["function"]["name"]} for tool in body.get("tools") or []]
    return {"contents": contents, "tools": [{"functionDeclarations": declared}]}


class OpenAiStub(GeminiStub):
    """The server; `brain` decides as it does behind Gemini's stub."""

    def __init__(self, brain: Brain, *first: Reply) -> None:
        super().__init__(brain, first)
        self._think = brain

    def reply(self, body: Mapping[str, Any], size: int) -> Reply:
        """What the brain makes of a request."""
        return message_reply(self._think(as_gemini(body)), tokens=size // 4)
