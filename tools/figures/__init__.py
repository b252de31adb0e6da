"""Figures: what documents say about an extraction, computed, printed in one style, and registered."""
