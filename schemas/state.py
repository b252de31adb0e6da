"""Session state: which keys there are, who may write each, and how much goes in.

Keys are `<namespace>:<name>`. State holds references and small facts; whatever is big is an artifact. ADK writes the
whole of it again with every event, which is why it is capped.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from schemas.agent_answers import ApprovalAnswer, DealsRef, ExtractionAnswer, PresentationAnswer, RenderAnswer
from schemas.errors import OutputError
from schemas.workbook import TableBounds

T = TypeVar("T")
VALUE_BYTES = 32_768
SESSION_BYTES = 262_144
_NO_DATABASE_TAKES = re.compile("[\x00\ud800-\udfff]")

OWNERS: dict[str, str] = {
    "upload": "agents.uploads",
    "workbook": "agents.extraction.toolset",
    "deals": "agents.extraction.toolset",
    "deck": "agents.pause",
    "memo": "agents.pause",
    "approval": "agents.pause",
}
"""The one module that writes a namespace; final answers (`deals:answer`, `approval:answer`) ADK writes itself."""


class UploadRef(BaseModel):
    """An upload of the session: its artifact and version, and the name that people know it by."""

    model_config = ConfigDict(frozen=True)

    artifact: str
    version: int = Field(ge=0)
    filename: str


class TableNote(BaseModel):
    """What later calls are checked against: a table's columns, where its records lie, what was asked."""

    model_config = ConfigDict(frozen=True)

    columns: tuple[str, ...]
    candidates: dict[str, tuple[str, ...]] = Field(default_factory=dict[str, tuple[str, ...]])
    first_row: int
    last_row: int


class Refusal(BaseModel):
    """Why a workbook cannot be used: an input error's stable code, its sentence, its cells."""

    model_config = ConfigDict(frozen=True)

    code: str
    message: str
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StateKey(Generic[T]):
    """A key with the type of its value; `at` names a member of a family, `workbook:field` + `t1.G`."""

    name: str
    adapter: TypeAdapter[T]

    def at(self, *parts: str) -> StateKey[T]:
        """The member of this family that `parts` name."""
        return StateKey(f"{self.name}.{'.'.join(parts)}", self.adapter)

    @property
    def namespace(self) -> str:
        """The part before the colon."""
        return self.name.partition(":")[0]


UPLOAD = StateKey("upload:file", TypeAdapter(UploadRef))
WORKBOOK = StateKey("workbook:current", TypeAdapter(UploadRef))
TABLES = StateKey("workbook:tables", TypeAdapter(dict[str, TableNote]))
FIELD = StateKey("workbook:field", TypeAdapter(str))
BOUNDS = StateKey("workbook:bounds", TypeAdapter(TableBounds))
IGNORED = StateKey("workbook:ignored", TypeAdapter(str))
REFUSED = StateKey("workbook:refused", TypeAdapter(Refusal))
DEALS_REF = StateKey("deals:ref", TypeAdapter(DealsRef))
DEALS_SUMMARY = StateKey("deals:summary", TypeAdapter(dict[str, Any]))
DEALS_ISSUES = StateKey("deals:issues", TypeAdapter(list[dict[str, Any]]))
DEALS_RECORDS = StateKey("deals:records", TypeAdapter(list[dict[str, Any]]))
EXTRACTION_ANSWER = StateKey("deals:answer", TypeAdapter(ExtractionAnswer))
DECK_REF = StateKey("deck:ref", TypeAdapter(RenderAnswer))
MEMO_REF = StateKey("memo:ref", TypeAdapter(RenderAnswer))
DECISION = StateKey("approval:decision", TypeAdapter(ApprovalAnswer))
PRESENTATION_ANSWER = StateKey("approval:answer", TypeAdapter(PresentationAnswer))


class Readable(Protocol):
    """A session's state, or a plain dict."""

    def get(self, key: str, default: Any = None, /) -> Any:
        """The value under `key`."""
        ...


class Writable(Readable, Protocol):
    """ADK's tracked state."""

    def __setitem__(self, key: str, value: Any, /) -> None: ...

    def to_dict(self) -> dict[str, Any]:
        """All keys and values."""
        ...


def read(state: Readable, key: StateKey[T]) -> T | None:
    """The value under `key`, or None; raises OutputError for a value that is not of the key's type."""
    found = state.get(key.name)
    if found is None:
        return None
    try:
        return key.adapter.validate_python(found)
    except ValueError as broken:
        raise OutputError("state.type", f"Session state {key.name} does not hold what it should.") from broken


def read_family(state: Mapping[str, Any], key: StateKey[T]) -> dict[tuple[str, ...], T]:
    """All members of a family, by the parts that name them."""
    prefix = key.name + "."
    return {
        tuple(name.removeprefix(prefix).split(".")): key.adapter.validate_python(value)
        for name, value in state.items()
        if name.startswith(prefix) and value is not None
    }


def write(state: Writable, owner: str, key: StateKey[T], value: T | None) -> None:
    """Puts `value` under `key`; None clears it.

    Raises OutputError if `owner` (a module's `__name__`) does not own the namespace, the value or the whole session
    would be over its cap, or the value holds what a database refuses (NaN, infinity, NUL, half a surrogate pair).
    """
    plain = _plain(owner, key, value)
    others = {name: held for name, held in state.to_dict().items() if name != key.name}
    if size_bytes(others) + size_bytes({key.name: plain}) > SESSION_BYTES:
        raise OutputError("state.session_size", f"Session state would be over {SESSION_BYTES} bytes with {key.name}.")
    state[key.name] = plain


def values(owner: str, found: Mapping[StateKey[Any], Any]) -> dict[str, Any]:
    """`found` as plain state, checked as `write` checks; for state that goes with a message."""
    return {key.name: _plain(owner, key, value) for key, value in found.items()}


def initial(found: Mapping[StateKey[Any], Any]) -> dict[str, Any]:
    """`found` as the state that a session is created with: nobody's write, so size and contents alone are checked."""
    return {key.name: _checked(key, value) for key, value in found.items()}


def _plain(owner: str, key: StateKey[Any], value: object) -> Any:
    if OWNERS.get(key.namespace) != owner:
        raise OutputError("state.owner", f"{owner} wrote {key.name}, which is not its own.")
    return _checked(key, value)


def _checked(key: StateKey[Any], value: object) -> Any:
    if value is None:
        return None
    # Looked at before it is made JSON, which would turn a number that is none into a missing one.
    refused = next(_unstorable(key.adapter.dump_python(value)), None)
    if refused:
        raise OutputError("state.value", f"Session state {key.name} would hold {refused}.")
    plain = key.adapter.dump_python(value, mode="json")
    if size_bytes(plain) > VALUE_BYTES:
        raise OutputError("state.value_size", f"Session state {key.name} would be over {VALUE_BYTES} bytes.")
    return plain


def size_bytes(value: object) -> int:
    """How many bytes `value` takes as JSON; raises ValueError for NaN, infinity or half a surrogate pair."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode())


def storable(value: T) -> T:
    """`value` without the characters that no database takes; strings, lists and mappings are looked through."""
    if isinstance(value, str):
        return cast("T", _NO_DATABASE_TAKES.sub("", value))
    if isinstance(value, Mapping):
        held = cast("Mapping[object, object]", value)
        return cast("T", {storable(name): storable(inner) for name, inner in held.items()})
    return cast("T", [storable(inner) for inner in cast("list[object]", value)]) if isinstance(value, list) else value


def _unstorable(value: object) -> Iterator[str]:
    if isinstance(value, float) and not math.isfinite(value):
        yield "a number that is none"
    elif isinstance(value, str) and _NO_DATABASE_TAKES.search(value):
        yield "a character that no database takes"
    elif isinstance(value, Mapping):
        for name, held in cast("Mapping[object, object]", value).items():
            yield from _unstorable(name)
            yield from _unstorable(held)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for held in cast("Iterable[object]", value):
            yield from _unstorable(held)
