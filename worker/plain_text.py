"""Text that people send, as every database keeps it and every terminal and page can show it."""

from __future__ import annotations

import unicodedata


def plain_text(text: str) -> str:
    """The text with a blank for each control character and each half of a pair, and without blanks at its ends.

    Lines and tabs stay. PostgreSQL refuses NUL, and no database takes a lone surrogate.
    """
    return text if text.isprintable() else "".join(" " if _is_odd(char) else char for char in text).strip()


def is_plain(text: str) -> bool:
    """Whether `plain_text` would leave every character as it is."""
    return text.isprintable() or not any(map(_is_odd, text))


def _is_odd(char: str) -> bool:
    return char not in "\n\t" and unicodedata.category(char) in ("Cc", "Cs")
