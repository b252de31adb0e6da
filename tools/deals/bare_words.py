"""What rows are labelled with that stand below or between deals and are none."""

from __future__ import annotations

import re

_LONGEST = 80
_MEASURE = (
    r"(?:(?:market|fair|sale|list|listing|asking|purchase|unit|net|gross|capitali[sz]ed|dcf|income|cost|sales\s+comparison)\s+)*"
    r"(?:values?|prices?|pricing|rates?|cap(?:itali[sz]ation)?\s*(?:rates?)?|noi|net\s+operating\s+income|value\s+range|"
    r"price\s+range|ppsf|psf|worth)"
    r"(?:\s*(?:per|/)\s*(?:sf|sq\.?\s*ft\.?|square\s+foot|unit|key|door|acre|m2|sqm))?(?:\s+(?:conclusions?|indications?|rounded))?"
)
_OF_IT = (
    r"(?:(?:the|our|subject'?s?|subject\s+property'?s?|indicated|concluded|estimated|implied|reconciled|final|adjusted|apprais(?:ed|al)|"
    r"stabili[sz]ed|as[\s-]is|as[\s-]stabili[sz]ed|suggested|recommended|target|proposed|rounded|applied|selected|adopted)\s+)"
)
_CONCLUSION = re.compile(
    rf"{_OF_IT}*{_MEASURE}(?:\s*\([^)]*\))?|"
    rf"{_OF_IT}+(?:sf|size|gba|gla|rba|nra|units?|rent|area|square\s+feet)|"
    r"subject(?:\s+property)?|(?:value\s+)?conclusions?(?:\s+of\s+value)?|reconciliation|opinion\s+of\s+value|"
    r"(?:broker'?s?\s+)?(?:bov|bpo|opinion)|indications?(?:\s+of\s+value)?|rounded(?:\s+to)?|say|adopted",
    re.IGNORECASE,
)
_CONTACT = re.compile(
    r"(?:e-?mail|tel|phone|mobile|cell|fax|office|direct|main|[tmpfceod])?\W{0,3}"
    r"(?:[^\s@]{1,64}@[^\s@]+\.[a-z]{2,}|(?:\+?\d{1,3}[\s.-])?\(?\d{3}\)?[\s.\-/]{0,2}\d{3}[\s.-]\d{4}(?:\W*(?:x|ext).*)?|"
    r"\+\d{2,3}(?:[\s().-]{0,2}\d){7,12}|(?:https?://|www\.)\S+)",
    re.IGNORECASE,
)
_TYPE_WORDS = """retail office offices industrial multifamily multi-family residential apartments apartment hotel hotels
hospitality warehouse warehouses logistics flex land storage self-storage healthcare mixed-use single-family student
senior commercial nnn manufacturing"""
_WORDS_BESIDE = "medical life science sciences and & housing self mixed use properties assets deals buildings"
_TYPES, _BESIDE = frozenset(_TYPE_WORDS.split()), frozenset(_WORDS_BESIDE.split())


def is_conclusion(label: str) -> bool:
    """Whether a label names what comparables lead to, or a measure alone: Indicated Value, Cap Rate, Subject NOI."""
    return len(label) <= _LONGEST and _CONCLUSION.fullmatch(label.strip(" :")) is not None


def is_contact(value: object) -> bool:
    """Whether a cell holds a phone number, an address of mail or of the web, and nothing else."""
    return isinstance(value, str) and len(value) <= _LONGEST and _CONTACT.fullmatch(value.strip()) is not None


def is_property_type(label: str) -> bool:
    """Whether a label says a type of property and nothing else."""
    words = label.casefold().replace("/", " ").split()
    return bool(words) and all(w in _TYPES or w in _BESIDE for w in words) and any(w in _TYPES for w in words)
