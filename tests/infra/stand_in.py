"""Stands in for Terraform's providers, so that Terraform itself plans our files without a Google project or a network.

Terraform is told of a provider that already runs (TF_REATTACH_PROVIDERS) and speaks its plugin protocol, version 5, to
it. This one knows the google provider's schema and nothing of Google: a plan with it evaluates every expression, checks
every type and reference, and shows each resource with its values. What the real provider would compute is made up, as
`<name>.<attribute>`, so that a test can follow it.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
import msgpack

SERVICE = "tfplugin5.Provider"
_LIST = 2
"""The nesting of every block of the google provider, as the protocol numbers it."""


# --- protocol buffers, as far as they are used: a library would want the protocol's own description -------------


def varint(number: int) -> bytes:
    """A number as protocol buffers write it."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def part(number: int, value: bytes | str | bool | int) -> bytes:
    """One field of a message; nothing for what is empty, false or 0."""
    if isinstance(value, (bool, int)):
        return varint(number << 3) + varint(int(value)) if value else b""
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def parts(message: bytes) -> dict[int, bytes]:
    """The last of each length-delimited field of a message; numbers are skipped."""
    found: dict[int, bytes] = {}
    at = 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = number()
        size = number()
        if key & 7 == 2:
            found[key >> 3] = message[at : at + size]
            at += size
    return found


def unpacked(value: bytes) -> dict[str, Any]:
    """The object that a dynamic value of the protocol holds; what Terraform doesn't know yet is None."""
    return msgpack.unpackb(parts(value)[1], ext_hook=lambda *_: None)


# --- schemas -----------------------------------------------------------------------------------------------------


def block_of(arguments: dict[str, Any], attributes: dict[str, Any], blocks: dict[str, Any], depth: int = 0) -> bytes:
    """A schema's block, as the protocol has it. What can only be read is computed; so are `id` and `project`."""
    out = b""
    for name, about in arguments.items():
        if "block" not in about:
            computed = name in ("id", "project") and not about["required"]
            flags = part(4, about["required"]) + part(5, not about["required"]) + part(6, computed)
            flags += part(10, name.endswith("_wo"))
            out += part(2, part(1, name) + part(2, json.dumps(about["type"])) + flags)
        elif depth < 12 and name != "timeouts":
            inner = block_of(blocks[about["block"]], {}, blocks, depth + 1)
            limits = part(4, about["required"]) + part(5, not about["many"])
            out += part(3, part(1, name) + part(2, inner) + part(3, _LIST) + limits)
    for name, kind in attributes.items():
        if kind is not None and name not in arguments and not name.endswith("_input"):
            out += part(2, part(1, name) + part(2, json.dumps(kind)) + part(6, True))
    return out


def schema_of(entry: dict[str, Any], blocks: dict[str, Any]) -> bytes:
    """A resource's or data source's schema."""
    return part(2, block_of(entry["arguments"], entry["attributes"], blocks))


#: The random provider's part that our files use, by hand: it is too small to fetch bindings for.
RANDOM = {
    "random_password": {
        "arguments": {
            "length": {"required": True, "type": "number"},
            "special": {"required": False, "type": "bool"},
        },
        "attributes": {"result": "string"},
    }
}
PROVIDER: dict[str, Any] = {
    "project": {"required": False, "type": "string"},
    "region": {"required": False, "type": "string"},
    "default_labels": {"required": False, "type": ["map", "string"]},
}


class StandIn:
    """A provider that knows schemas, of which it serves `types` alone: all of them would take long to hand over."""

    def __init__(self, schema: dict[str, Any], types: set[str]) -> None:
        self._blocks = schema["blocks"]
        self._kinds = {
            "resource": {name: entry for name, entry in schema["resource"].items() if name in types},
            "data": {name: entry for name, entry in schema["data"].items() if name in types},
            "ephemeral": {name: entry for name, entry in schema.get("ephemeral", {}).items() if name in types},
        }

    def answer(self, method: str, request: bytes) -> bytes:
        """What one call of the protocol answers, as a message."""
        asked = parts(request)
        if method == "GetSchema":
            return self._schemas()
        if method == "PrepareProviderConfig":
            return part(1, asked[1])
        if method == "PlanResourceChange":
            return part(1, self._known("resource", asked[1].decode(), asked[3])) + part(5, True)
        if method == "ReadDataSource":
            return part(1, self._known("data", asked[1].decode(), asked[2]))
        if method == "OpenEphemeralResource":
            return part(3, self._known("ephemeral", asked[1].decode(), asked[2]))
        # Configuration is checked by Terraform against the schema; there is nothing to add.
        return b""

    def _schemas(self) -> bytes:
        out = part(1, part(2, block_of(PROVIDER, {}, self._blocks)))
        for number, kind in ((2, "resource"), (3, "data"), (8, "ephemeral")):
            for name, entry in self._kinds[kind].items():
                out += part(number, part(1, name) + part(2, schema_of(entry, self._blocks)))
        return out

    def _known(self, kind: str, type_: str, value: bytes) -> bytes:
        """A value of a type with what is computed made up, as JSON, which says all when everything is known."""
        given = unpacked(value)
        entry = self._kinds[kind][type_]
        name = given.get("name") or given.get("account_id") or given.get("secret_id") or type_
        for attribute, one in entry["attributes"].items():
            own = entry["arguments"].get(attribute)
            computed = own is None or (attribute in ("id", "project") and not own["required"])
            if computed and attribute in given and given[attribute] is None and isinstance(one, str):
                given[attribute] = {"string": f"{name}.{attribute}", "number": 1, "bool": True}[one]
        # What is only ever written is never given back.
        given.update({argument: None for argument in given if argument.endswith("_wo")})
        return part(2, json.dumps(given))


@contextmanager
def serving(**providers: StandIn) -> Iterator[dict[str, str]]:
    """The environment that has Terraform use these providers of hashicorp's, by name, as long as this lasts."""
    servers: list[grpc.Server] = []
    reattach: dict[str, Any] = {}
    for name, stand_in in providers.items():
        server = grpc.server(ThreadPoolExecutor(8), handlers=[_Handler(stand_in)])
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        servers.append(server)
        address = {"Network": "tcp", "String": f"127.0.0.1:{port}"}
        about = {"Protocol": "grpc", "ProtocolVersion": 5, "Pid": os.getpid(), "Test": True, "Addr": address}
        reattach[f"registry.terraform.io/hashicorp/{name}"] = about
    try:
        yield {"TF_REATTACH_PROVIDERS": json.dumps(reattach)}
    finally:
        stopped: list[threading.Event] = [server.stop(0) for server in servers]
        for event in stopped:
            event.wait()


class _Handler(grpc.GenericRpcHandler):
    """Hands each call of the provider's service, as bytes, to a stand-in."""

    def __init__(self, stand_in: StandIn) -> None:
        self._stand_in = stand_in

    def service(self, details: Any) -> Any:
        """The handler of one call; None for another service, which Terraform does without."""
        service, _, method = details.method.strip("/").partition("/")
        if service != SERVICE:
            return None
        return grpc.unary_unary_rpc_method_handler(lambda request, _: self._stand_in.answer(method, request))
