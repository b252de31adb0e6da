"""Prompts, read once at start and refused if anything about them is not as the manifest says."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from schemas import ids
from schemas.errors import OutputError

DIRECTORY = Path(__file__).parent
MANIFEST = "manifest.toml"
_PLACEHOLDER = re.compile(r"<<(\w+)>>")
_ADK_BRACES = re.compile(r"\{+\s*(artifact\.[^{}]*|(?:(?:app|user|temp):)?[A-Za-z_]\w*\??)\s*\}+")


class _Version(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sha256: str
    model: str
    settings: dict[str, Any] = Field(default_factory=dict[str, Any])


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid")

    default: str
    versions: dict[str, _Version]


@dataclass(frozen=True, slots=True)
class Prompt:
    """One version of a prompt, filled in: its text, generation settings and the model that it was written on."""

    prompt_id: str
    version: str
    sha256: str
    text: str
    settings: Mapping[str, Any]
    written_on: str


@dataclass(frozen=True, slots=True)
class PromptSet:
    """The prompts that a job speaks, one an agent. A job keeps `versions` and opens the same ones to its end."""

    prompts: Mapping[str, Prompt]

    @property
    def versions(self) -> dict[str, str]:
        """The version of each prompt, by id."""
        return {prompt_id: prompt.version for prompt_id, prompt in self.prompts.items()}


def load_prompts(
    values: Mapping[str, Mapping[str, str]],
    versions: Mapping[str, str] | None = None,
    *,
    directory: Path = DIRECTORY,
    produced: frozenset[str] = frozenset(),
) -> PromptSet:
    """The prompts named in `values`, filled with them; `versions` pins some, the manifest's default holds for the rest.

    `produced` are the state keys that ADK may find between braces. Raises OutputError for a missing manifest, prompt,
    version or file, a file that has changed, a placeholder without a value or a value without a placeholder, and
    braces that ADK would read as a state key that nothing produces.
    """
    manifest, pins = _manifest(directory), versions or {}
    return PromptSet(
        {name: _load(directory, manifest, name, pins.get(name), filled, produced) for name, filled in values.items()}
    )


def _manifest(directory: Path) -> dict[str, _Entry]:
    try:
        found = tomllib.loads((directory / MANIFEST).read_text(encoding="utf-8"))
        return {name: _Entry.model_validate(entry) for name, entry in found.items()}
    except OSError as missing:
        raise OutputError(
            "prompt.manifest", f"The prompt manifest cannot be read: {directory / MANIFEST}."
        ) from missing
    except (tomllib.TOMLDecodeError, ValidationError) as broken:
        raise OutputError("prompt.manifest", f"The prompt manifest is malformed: {broken}") from broken


def _load(
    directory: Path,
    manifest: Mapping[str, _Entry],
    name: str,
    pin: str | None,
    filled: Mapping[str, str],
    produced: frozenset[str],
) -> Prompt:
    entry = manifest.get(name)
    if entry is None:
        raise OutputError("prompt.missing", f"The prompt manifest does not know {name}.")
    version = pin or entry.default
    found, file = entry.versions.get(version), directory / name / f"{version}.md"
    if found is None or not file.is_file():
        raise OutputError(
            "prompt.missing", f"Prompt {name} has no version {version}; known: {', '.join(entry.versions)}."
        )
    data = file.read_bytes()
    if ids.sha256_hex(data) != found.sha256:
        raise OutputError(
            "prompt.changed",
            f"Prompt {name}/{version} has changed since its release; put its text back or release a new version.",
        )
    text = _fill(f"{name}/{version}", data.decode(), filled)
    _refuse_braces(f"{name}/{version}", text, produced)
    return Prompt(name, version, found.sha256, text, found.settings, found.model)


def _fill(label: str, template: str, values: Mapping[str, str]) -> str:
    asked = set(_PLACEHOLDER.findall(template))
    if asked != set(values):
        wrong = ", ".join(sorted(asked ^ set(values)))
        raise OutputError("prompt.placeholder", f"Prompt {label} and the values for it differ in: {wrong}.")
    return _PLACEHOLDER.sub(lambda match: values[match[1]], template).strip()


def _refuse_braces(label: str, text: str, produced: frozenset[str]) -> None:
    for match in _ADK_BRACES.finditer(text):
        key = match[1].strip()
        if key.rstrip("?") not in produced:
            raise OutputError(
                "prompt.braces",
                f"Prompt {label} has {match[0]}, which ADK would read as a state key; write it without braces.",
            )
