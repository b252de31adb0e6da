"""A listener for webhooks: a real HTTP server of this process that keeps what it is sent and answers as it is told."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Post:
    """What came: the path, the headers by their names in small letters, the body."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def message_id(self) -> str:
        """The id of what is told."""
        return self.headers["webhook-id"]


class Server(ThreadingHTTPServer):
    """Takes as many calls at a moment as a test makes."""

    request_queue_size = 128


@dataclass
class Listener:
    """`statuses` are answered one after another, the last one for ever; while `free` is not set, nothing is.

    Each answer asks to be left alone as `retry_after` says, if it says anything.
    """

    statuses: list[int] = field(default_factory=lambda: [200])
    retry_after: str = ""
    posts: list[Post] = field(default_factory=list[Post])
    free: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.free.set()
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                listener.posts.append(Post(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                listener.free.wait(20)
                self.send_response(listener.statuses.pop(0) if len(listener.statuses) > 1 else listener.statuses[0])
                self.send_header("location", "/elsewhere")
                if listener.retry_after:
                    self.send_header("retry-after", listener.retry_after)
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"ok")

            def log_message(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]  # whatever would be logged
                return

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/deals"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def close(self) -> None:
        """End it, and its port with it."""
        self.free.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
