"""Checks Terraform files without Terraform: against the google provider's schema, and against one another.

What it finds: types, arguments, blocks and attributes that the provider doesn't have; required ones that are missing;
variables, locals and resources that are named and not declared, or declared and not named. What it can't find: values
that Google would refuse, and whatever only Terraform's own evaluation shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import hcl2

META = frozenset({"count", "for_each", "provider", "lifecycle", "depends_on"})
"""What Terraform itself understands in every resource."""
EPHEMERAL = {
    "random_password": frozenset({"length", "special", "min_lower", "min_numeric", "min_special", "min_upper"})
}
"""The arguments of ephemeral resources, which the bindings leave out, by hand."""
_ADDRESS = re.compile(r"(?<![\w.\"])(data\.|ephemeral\.)?((?:google|random)_\w+)\.(\w+)(?:\[[^\]]*\])?(?:\.(\w+))?")
_NAME = re.compile(r"(?<![\w.])(var|local)\.(\w+)")

Schema = dict[str, Any]


@dataclass(frozen=True)
class Block:
    """One resource, data source or ephemeral resource: where it stands, what it is, and its body."""

    file: str
    kind: str
    type: str
    name: str
    body: dict[str, Any]

    @property
    def address(self) -> str:
        """What other blocks call it."""
        return f"{self.type}.{self.name}" if self.kind == "resource" else f"{self.kind}.{self.type}.{self.name}"


@dataclass
class Module:
    """A folder of Terraform files."""

    blocks: list[Block] = field(default_factory=list)
    variables: dict[str, dict[str, Any]] = field(default_factory=dict)
    outputs: dict[str, dict[str, Any]] = field(default_factory=dict)
    locals: dict[str, Any] = field(default_factory=dict)
    text: str = ""

    def of_type(self, kind: str) -> list[Block]:
        """The blocks of one type."""
        return [block for block in self.blocks if block.type == kind]


def bare(text: str) -> str:
    """A name or string as it is meant, without the quotes that the parser keeps."""
    return text.strip('"')


def read_module(files: dict[str, str]) -> Module:
    """The module that files (name to text) make up."""
    module = Module()
    for name, text in sorted(files.items()):
        module.text += "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#")) + "\n"
        parsed = parse(text)
        for kind in ("resource", "data", "ephemeral"):
            for type_, named in ((bare(t), n) for entry in parsed.get(kind, []) for t, n in entry.items()):
                if not type_.startswith("__"):
                    module.blocks += [Block(name, kind, type_, bare(own), body) for own, body in members(named)]
        for entry in parsed.get("variable", []):
            module.variables |= {bare(own): body for own, body in members(entry)}
        for entry in parsed.get("output", []):
            module.outputs |= {bare(own): body for own, body in members(entry)}
        for entry in parsed.get("locals", []):
            module.locals |= dict(members(entry))
    return module


@cache
def parse(text: str) -> dict[str, Any]:
    """One file as the parser gives it; the same text is parsed once, for parsing is slow."""
    return hcl2.loads(text)


def read_folder(folder: Path) -> dict[str, str]:
    """The Terraform files of a folder."""
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.tf")}


def members(body: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What a body holds, without the parser's own marks."""
    return ((key, value) for key, value in body.items() if not key.startswith("__"))


def schema_problems(module: Module, schema: Schema) -> Iterator[str]:
    """What the provider would refuse, and attributes that it doesn't have."""
    for block in module.blocks:
        where = f"{block.file}: {block.address}"
        if block.kind == "ephemeral":
            unknown = {key for key, _ in members(block.body)} - EPHEMERAL.get(block.type, frozenset()) - META
            yield from (f"{where}: unknown argument {key}" for key in sorted(unknown))
        elif block.type not in schema[block.kind]:
            yield f"{where}: the provider has no such {block.kind}"
        else:
            yield from _body_problems(block.body, schema[block.kind][block.type]["arguments"], schema, where)
    for match in _ADDRESS.finditer(module.text):
        kind, type_, name, attribute = (match[1] or "resource.")[:-1], match[2], match[3], match[4]
        known = schema.get(kind, {}).get(type_)
        if known and attribute and attribute not in known["attributes"]:
            yield f"{type_}.{name} has no attribute {attribute}"


def _body_problems(body: dict[str, Any], known: dict[str, Any], schema: Schema, where: str) -> Iterator[str]:
    given = set()
    for key, value in _arguments(body):
        given.add(key)
        if key not in known:
            yield f"{where}: unknown argument {key}"
        elif "block" in known[key]:
            inner = schema["blocks"][known[key]["block"]]
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, dict):
                    yield from _body_problems(one, inner, schema, f"{where}.{key}")
    missing = {key for key, about in known.items() if about["required"]} - given
    yield from (f"{where}: missing argument {key}" for key in sorted(missing))


def _arguments(body: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Arguments and blocks by name, the content of dynamic blocks as if they stood there."""
    for key, value in members(body):
        if bare(key) == "dynamic":
            for entry in value:
                yield from ((bare(name), dynamic["content"]) for name, dynamic in members(entry))
        elif bare(key) not in META:
            yield bare(key), value


def name_problems(module: Module) -> Iterator[str]:
    """What is named and not declared, or declared and not named."""
    used = {(match[1], match[2]) for match in _NAME.finditer(module.text)}
    declared = {("var", name) for name in module.variables} | {("local", name) for name in module.locals}
    yield from (f"{kind}.{name} is not declared" for kind, name in sorted(used - declared))
    yield from (f"{kind}.{name} is declared and never used" for kind, name in sorted(declared - used))
    addresses = {block.address for block in module.blocks}
    for match in _ADDRESS.finditer(module.text):
        address = f"{match[1] or ''}{match[2]}.{match[3]}"
        if address not in addresses:
            yield f"{address} is not declared"


def variable_problems(module: Module) -> Iterator[str]:
    """Variables without description or type, outputs without description."""
    for name, body in module.variables.items():
        yield from (f"var.{name} has no {key}" for key in ("description", "type") if key not in body)
    yield from (
        f"output.{name} has no description" for name, body in module.outputs.items() if "description" not in body
    )
