"""A server on this machine that speaks Gemini's generateContent over HTTP, strict about what the real one refuses."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Brain = Callable[[Mapping[str, Any]], list[dict[str, Any]]]
Manner = Literal["whole", "half", "reset", "silent", "dripping"]
"""How a reply is sent: as it should be, cut in the middle, not at all but a reset or silence, or never done."""


@dataclass(frozen=True)
class Reply:
    """A reply to one call: `body` as JSON, or bytes as they are."""

    status: int
    body: Mapping[str, Any] | bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    manner: Manner = "whole"


def parts_reply(parts: list[dict[str, Any]], finish: str = "STOP", tokens: int = 100) -> Reply:
    """A reply with these parts, as the API words it."""
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": finish}
    usage = {"promptTokenCount": tokens, "candidatesTokenCount": 7, "totalTokenCount": tokens + 7}
    return Reply(200, {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "stub-of-gemini"})


def call_reply(name: str, args: Any, finish: str = "STOP", **more: Any) -> Reply:
    """A reply with one call."""
    return parts_reply([{"functionCall": {"name": name, "args": args, **more}}], finish)


def finish_reply(finish: str) -> Reply:
    """A reply without content that ended for this reason."""
    return Reply(200, {"candidates": [{"finishReason": finish}], "usageMetadata": {"promptTokenCount": 100}})


def blocked_reply(reason: str) -> Reply:
    """A reply that says that the prompt was blocked."""
    return Reply(200, {"promptFeedback": {"blockReason": reason}, "usageMetadata": {"promptTokenCount": 100}})


def error_reply(status: int, name: str, message: str = "no", retry_s: float | None = None) -> Reply:
    """A refusal of the API, with a RetryInfo if it says when to come back."""
    error: dict[str, Any] = {"code": status, "message": message, "status": name}
    if retry_s is not None:
        kind = "type.googleapis.com/google.rpc.RetryInfo"
        error["details"] = [{"@type": kind, "retryDelay": f"{retry_s}s"}]
    return Reply(status, {"error": error})


def broken_reply(manner: Manner) -> Reply:
    """A reply that doesn't come as it should."""
    return Reply(200, parts_reply([{"text": "never read"}]).body, manner=manner)


def objections(contents: list[Mapping[str, Any]]) -> list[str]:
    """What the API refuses about a request's turns: the order of roles, calls not answered in their order."""
    bad = [] if contents and contents[0]["role"] == "user" else ["the first turn is not the user's"]
    for at, content in enumerate(contents):
        calls = [part["functionCall"]["name"] for part in content["parts"] if "functionCall" in part]
        answers = [part["functionResponse"]["name"] for part in content["parts"] if "functionResponse" in part]
        before = contents[at - 1] if at else None
        if before and before["role"] == content["role"] == "model":
            bad.append(f"two turns of the model in a row at {at}")
        if calls:
            after = contents[at + 1]["parts"] if at + 1 < len(contents) else []
            answered = [part["functionResponse"]["name"] for part in after if "functionResponse" in part]
            if calls != answered:
                bad.append(f"calls {calls} at {at} are answered by {answered}")
        if answers and not (before and any("functionCall" in part for part in before["parts"])):
            bad.append(f"answers at {at} follow no call")
    return bad + ([] if contents and contents[-1]["role"] == "user" else ["the last turn is not the user's"])


class GeminiStub:
    """The server; `first` are the replies it gives before `brain` answers. It keeps every request's body."""

    def __init__(self, brain: Brain | None = None, first: Iterable[Reply] = ()) -> None:
        self._brain = brain
        self._first = list(first)
        self._lock = threading.Lock()
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.sizes: list[int] = []
        self.times: list[float] = []
        self.closing = threading.Event()
        handler = type("Handler", (_Handler,), {"stub": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    def __enter__(self) -> GeminiStub:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def give(self, *replies: Reply) -> None:
        """Replies to give before it thinks again."""
        with self._lock:
            self._first += replies

    def answer(self, path: str, data: bytes) -> Reply:
        """The next reply; 400 for what the real API refuses."""
        body = json.loads(data)
        with self._lock:
            self.requests.append(body)
            self.paths.append(path)
            self.sizes.append(len(data))
            self.times.append(time.monotonic())
            if self._first:
                return self._first.pop(0)
        return self.reply(body, len(data))

    def reply(self, body: Mapping[str, Any], size: int) -> Reply:
        """What the API says to a request: a refusal, or what the brain makes of it."""
        if objections(body["contents"]):
            return error_reply(400, "INVALID_ARGUMENT")
        return parts_reply(self._brain(body) if self._brain else [], tokens=size // 4)


class _Handler(BaseHTTPRequestHandler):
    stub: GeminiStub

    def do_POST(self) -> None:
        """Answers one call."""
        reply = self.stub.answer(self.path, self.rfile.read(int(self.headers["Content-Length"])))
        data = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        if reply.manner == "silent":
            self.stub.closing.wait()
        elif reply.manner == "reset":
            # Closing with this option and unread bytes on the way sends a reset in place of an end.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        else:
            self._send(reply, data)
        self.close_connection = reply.manner != "whole"

    def _send(self, reply: Reply, data: bytes) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if reply.manner == "dripping":
            while not self.stub.closing.wait(0.05):
                self.wfile.write(b" ")
                self.wfile.flush()
            return
        self.wfile.write(data[: len(data) // 2] if reply.manner == "half" else data)

    def handle_one_request(self) -> None:
        """One request; that whoever asked has gone is none of the server's faults."""
        try:
            super().handle_one_request()
        except (ConnectionError, ValueError):  # ValueError: its file was closed with the connection
            self.close_connection = True

    def finish(self) -> None:
        """Closes what is still open."""
        with contextlib.suppress(OSError, ValueError):
            super().finish()

    def log_message(self, *_: object) -> None:
        """Nothing: tests read `requests`."""
