"""Orders for documents, and documents as rendered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from schemas import ids
from schemas.figures import Figure

DocumentKind = Literal["deck", "memo"]
Emphasis = Literal["income", "price"]
EDITIONS = ("draft", "final")
MEDIA_TYPES: dict[str, str] = {
    "deck": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "memo": "application/pdf",
}
FILE_NAMES: dict[str, str] = {"deck": "deck.pptx", "memo": "memo.pdf"}


class DocumentOrder(BaseModel):
    """What an agent asks for: a title, and whether income or price leads. With the deals' hash it fixes every byte."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: DocumentKind
    title: str = Field(min_length=1, max_length=120)
    emphasis: Emphasis = "income"


@dataclass(frozen=True, slots=True)
class RenderedDocument:
    """One document in both editions, from one plan: the draft (marked) and the final (no mark, nobody's name in it)."""

    kind: DocumentKind
    draft: bytes
    final: bytes
    pages: int
    figures: tuple[Figure, ...]

    @property
    def draft_sha256(self) -> str:
        """The hash of what a reviewer downloads."""
        return ids.sha256_hex(self.draft)

    @property
    def final_sha256(self) -> str:
        """The hash of what would be delivered."""
        return ids.sha256_hex(self.final)
