"""A memorandum's own checks: what fails them is never offered for approval."""

from __future__ import annotations

from schemas.errors import OutputError
from tools.figures.registry import FigureRegistry
from tools.memo.canvas import MemoCanvas
from tools.memo.flow import Marks
from tools.memo.styles import FACES, font_name


def check(canvas: MemoCanvas, registry: FigureRegistry, marks: Marks) -> None:
    """Raises OutputError for what a reader must never meet.

    That is: a number that nobody registered for its page, a program's leftovers (`None`, `nan`) that the file does not
    say itself, a footnote that is printed nowhere, a font that is not embedded, an edition that is cut short.
    """
    for page, texts in sorted(canvas.drawn.items()):
        place, text = f"memo:{page}", "\n".join(texts)
        for stranger in registry.strangers(place, text):
            raise OutputError("memo.stranger", f"Page {page} prints {stranger!r}, which is no registered figure.")
        for left in registry.leftovers(place, text):
            raise OutputError("memo.leftover", f"Page {page} prints {left!r}, which looks left behind by a program.")
    lost = set(range(1, len(marks.figures) + 1)) - canvas.marked
    if lost:
        raise OutputError("memo.mark", f"Footnote {min(lost)} of appendix A is printed nowhere.")
    foreign = canvas.fonts - {font_name(face) for face in FACES}
    if foreign:
        raise OutputError("memo.font", f"The font {min(foreign)} is not one that is embedded.")
    for edition in (canvas.draft, canvas.final):
        if not edition.startswith(b"%PDF-") or not edition.rstrip().endswith(b"%%EOF") or canvas.pages < 2:
            raise OutputError("memo.cut", "The memorandum ends before its end.")
