"""A collector of traces: takes what OTLP over HTTP brings, and keeps it."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass
class Collector:
    """Where it listens, and the spans that came."""

    url: str
    raw: list[bytes] = field(default_factory=list)

    @property
    def spans(self) -> list[Span]:
        """All spans, in the order in which they began."""
        told = [ExportTraceServiceRequest.FromString(each) for each in self.raw]
        found = [
            span for each in told for of in each.resource_spans for inside in of.scope_spans for span in inside.spans
        ]
        return sorted(found, key=lambda span: span.start_time_unix_nano)


@contextmanager
def collecting() -> Generator[Collector]:
    """A collector on a port of its own."""
    collector = Collector("")

    class Take(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["content-length"]))
            collector.raw.append(gzip.decompress(data) if self.headers.get("content-encoding") == "gzip" else data)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Take) as server:
        collector.url = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield collector
        server.shutdown()
