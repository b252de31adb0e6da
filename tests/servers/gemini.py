"""A server on this machine that speaks Gemini's generateContent over HTTP, strict about what the real one refuses."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Brain = Callable[[Mapping[str, Any]], list[dict[str, Any]]]
Reply = tuple[int, dict[str, Any]]


def parts_reply(parts: list[dict[str, Any]], finish: str = "STOP", tokens: int = 100) -> Reply:
    """A reply with these parts, as the API words it."""
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": finish}
    usage = {"promptTokenCount": tokens, "candidatesTokenCount": 7, "totalTokenCount": tokens + 7}
    return 200, {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "stub-of-gemini"}


def finish_reply(finish: str) -> Reply:
    """A reply without content that ended for this reason."""
    return 200, {"candidates": [{"finishReason": finish}], "usageMetadata": {"promptTokenCount": 100}}


def error_reply(status: int, name: str) -> Reply:
    """A refusal of the API."""
    return status, {"error": {"code": status, "message": "no", "status": name}}


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
        handler = type("Handler", (_Handler,), {"stub": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    def __enter__(self) -> GeminiStub:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
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
            if self._first:
                return self._first.pop(0)
        if objections(body["contents"]):
            return error_reply(400, "INVALID_ARGUMENT")
        if self._brain is None:
            return parts_reply([])
        return parts_reply(self._brain(body), tokens=len(data) // 4)


class _Handler(BaseHTTPRequestHandler):
    stub: GeminiStub

    def do_POST(self) -> None:
        """Answers one call."""
        status, reply = self.stub.answer(self.path, self.rfile.read(int(self.headers["Content-Length"])))
        data = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Nothing: tests read `requests`."""
