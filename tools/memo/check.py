"""A memorandum's own checks: what fails them is never offered for approval."""

from __future__ import annotations

from schemas.errors import OutputError
from tools.figures.registry import FigureRegistry
from tools.memo.canvas import MemoCanvas


def check(canvas: MemoCanvas, registry: FigureRegistry) -> None:
    """Raises OutputError for a number that nobody registered for its page."""
    for page, texts in sorted(canvas.drawn.items()):
        strangers = registry.strangers(f"memo:{page}", "\n".join(texts))
        if strangers:
            raise OutputError(
                "memo.stranger",
                f"Page {page} of the memorandum prints {strangers[0]!r}, which is no registered figure.",
            )
