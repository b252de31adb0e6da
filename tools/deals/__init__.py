"""Deals out of tables: what columns mean, what values are, and whether they agree."""

from tools.deals.version import RULES_VERSION

__all__ = ["RULES_VERSION"]
