"""What the stages of deals are called, where they head the deals of a list."""

from __future__ import annotations

import re

_LONGEST = 60
_WORDS = (
    "leads?|prospects?|prospecting|new|inbound|sourc(?:ed|ing)|screening|screened|review(?:ing)?|qualified|tracking|"
    "watch ?list|underwriting|underwritten|uw|lois?|bids?|bidding|offers?|offered|negotiat(?:ing|ions?)|psa|pursuits?|"
    "pursuing|due diligence|dd|escrow|contract|contracts|awarded|committed|approved|closing|closed|won|lost|dead|"
    "passed|withdrawn|terminated|dropped|hold|active|inactive|pending|sold|available|listed|open|live|current|pipeline|"
    "proposals?|qualification|early stage|late stage|marketing|monitoring|rejected|declined|signed|executed|funded|"
    "acquired|acquisitions?|dispositions?|sales?|potential|probable|possible|targets?|completed|expired"
)
_BESIDE = (
    r"under|in|on|out|submitted|accepted|stage|phase|status|deals?|the|of|to|be|for|and|not|yet|final|round|"
    r"[1-9]\d?|[a-e]"
)
_ALL_STAGES = re.compile(rf"\W*(?:(?:{_WORDS}|{_BESIDE})\b\W*)+", re.IGNORECASE)
_STAGE = re.compile(rf"\b(?:{_WORDS})\b", re.IGNORECASE)


def is_stage(label: str) -> bool:
    """Whether a label names the stage of deals, and nothing else: LOI, Under Contract, 3. Closed Deals."""
    return len(label) <= _LONGEST and _ALL_STAGES.fullmatch(label) is not None and speaks_of_stage(label)


def speaks_of_stage(label: str) -> bool:
    """Whether one of the words of a label names a stage."""
    return _STAGE.search(label) is not None
