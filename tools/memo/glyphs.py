"""Text as the embedded fonts can draw it: what they lack is replaced in sight, never left as a box or a gap.

Accents that the fonts lack fall away, compatibility forms are written out (a circled one becomes `1`), and a run of
any other letters is named: `[four Hebrew characters]`. deals.xlsx keeps the text as it is; the chapter on data
quality names the cells.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from tools.figures.formats import count_word
from tools.figures.text import lacking, printable

SUBSTITUTES = {"\u2011": "-", "\u2010": "-", "₺": "TL ", "\u2044": "/", "\u3000": " ", "（": "(", "）": ")"}
SCRIPTS = {
    "CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean", "HEBREW": "Hebrew",
    "ARABIC": "Arabic", "THAI": "Thai", "DEVANAGARI": "Devanagari", "BENGALI": "Bengali", "TAMIL": "Tamil",
    "GEORGIAN": "Georgian", "ARMENIAN": "Armenian",
}  # fmt: skip
LONG = 60_000
"""Characters of one cell that are printed; a workbook's cell holds at most 32,767."""


def drawable(text: str) -> str:
    """`text` with nothing in it that the fonts cannot draw; equal to `text` almost always."""
    return text if text.isascii() and text.isprintable() else _substituted(text)


def unprinted(text: str) -> str:
    """The characters of `text` that `drawable` replaces, each once."""
    return "" if text.isascii() else lacking("".join(c for c in printable(text, LONG) if not _unseen(c)), "sans")


def in_serif(text: str) -> bool:
    """Whether the serif, which has the Latin letters alone, draws all of `text`."""
    return text.isascii() or not lacking(text, "serif", True)


@lru_cache(maxsize=4096)
def _substituted(text: str) -> str:
    kept = "".join(" " if char in "\t\n\r\u2028\u2029" else char for char in text if not _unseen(char))
    missing = _missing(kept)
    if not missing:
        return kept
    shown = "".join(_near(char) if char in missing else char for char in kept)
    foreign = _missing(shown)
    if not foreign:
        return shown
    pattern = f"[{re.escape(foreign)}]+(?: +[{re.escape(foreign)}]+)*"
    return re.sub(pattern, lambda found: _named(found.group()), shown)


def _missing(text: str) -> str:
    """What the fonts lack of `text`; a no-break space is drawn as a space."""
    return (lacking(text, "sans") + lacking(text, "sans", True)).replace("\u00a0", "")


def _unseen(char: str) -> bool:
    """Whether `char` is a control, a direction override, a joiner, a lone surrogate or none at all."""
    return char not in "\t\n\r" and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Cn")


def _near(char: str) -> str:
    """`char` by letters that the fonts have, or itself."""
    if char in SUBSTITUTES:
        return SUBSTITUTES[char]
    parts = unicodedata.normalize("NFKD", char).replace("\u2044", "/")
    bare = "".join(part for part in parts if not unicodedata.combining(part))
    return bare if bare and not lacking(bare, "sans") else "" if unicodedata.combining(char) else char


def _named(run: str) -> str:
    """A run of letters that no font here has, by number and script."""
    letters = [char for char in run if char != " "]
    script = SCRIPTS.get(unicodedata.name(letters[0], "").split(" ")[0].split("-")[0], "")
    kind = "character" if unicodedata.category(letters[0])[0] in "LM" else "symbol"
    return f"[{count_word(len(letters))} {script + ' ' if script else ''}{kind}{'' if len(letters) == 1 else 's'}]"
