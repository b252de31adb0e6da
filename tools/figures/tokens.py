"""The palette that the deck and the memorandum share, as hex RGB, and the names of their typefaces."""

from __future__ import annotations

INK, DEEP, PAPER, WHITE = "1B2530", "0E2440", "F4F2EE", "FFFFFF"
NAVY, COPPER, TEAL, GOLD = "16365C", "B0501A", "1C7C78", "E5B849"
SKY, SLATE, RULE, HAIR, LINK = "A9C9E4", "5A6572", "8A929B", "D8D5CE", "1D5F8A"

CHART = (NAVY, COPPER, TEAL, GOLD)
"""Colours of kinds, in this order and never more: a fifth kind goes into "Other". Apart for the colour-blind too."""
ON_CHART = (WHITE, WHITE, WHITE, INK)
"""The text colour that reads on each colour of CHART (contrast at least 5.0)."""
ROOFS = (SKY, "E0874C", "4DB5AE", GOLD)
"""CHART as drawn on the dark cover."""
ABOVE, BELOW = "6FA3CC", "DE8E57"
"""The strongest shades of a heat table: blue above the base, orange below it; ink reads on both."""
TILE_LIGHT, TILE_DARK = "E3EDF6", "8FB8DB"
"""The two ends of a map tile's shade."""

DECK_SERIF, DECK_SANS = "Georgia", "Calibri"
"""What a reader's machine has; Gelasio and Carlito have the same widths and are what is measured and embedded."""


def blend(start: str, end: str, part: float) -> str:
    """The hex colour `part` (0 to 1) of the way from `start` to `end`."""
    pairs = ((int(start[i : i + 2], 16), int(end[i : i + 2], 16)) for i in (0, 2, 4))
    return "".join(f"{round(a * (1 - part) + b * part):02X}" for a, b in pairs)
