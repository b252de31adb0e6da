"""What currency a sign, a code or a number format shows; signs that several currencies share stay as they are."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from tools.deals.words import WORDS

CODES = "|".join(WORDS.currency_codes)
"""The ISO codes as one alternative of a pattern."""
#: MSEK and TEUR are a million kronor and a thousand euros.
_CODE = re.compile(rf"(?<![A-Za-z])[MTK]?({CODES})(?![A-Za-z])")
_BY_LENGTH = tuple(sorted(WORDS.currency_signs.items(), key=lambda pair: -len(pair[0])))
_MARKS = tuple((sign, code) for sign, code in _BY_LENGTH if not sign.isalpha())
_WORDS = {sign: code for sign, code in _BY_LENGTH if sign.isalpha()}
_LETTERED = _WORDS | {sign: sign for sign in WORDS.shared_signs if sign.isalpha() and sign.capitalize() not in _WORDS}
_SPELT = {form: code for sign, code in _LETTERED.items() for form in (sign, sign.capitalize())}
_WORD = re.compile(
    r"(?<![^\W_])(?:" + "|".join(re.escape(form) for form in sorted(_SPELT, key=len, reverse=True)) + r")(?![^\W_])"
)
SIGNS = "|".join(re.escape(sign) for sign, _ in _BY_LENGTH if not sign.isalpha()) + r"|US \$|\bRs\.?|\bkr\.?"
"""The signs, and the shared ones of letters, likewise."""
_CODES = dict(zip(WORDS.currency_codes, WORDS.currency_codes, strict=True))
_NAMED = {**_LETTERED, **WORDS.currency_names, **WORDS.currency_signs, **_CODES}
_EXACT = {sign.casefold(): code for sign, code in _NAMED.items()}
_IN_FORMAT = re.compile(r"\[\$([^\]-]*)(?:-([0-9A-Za-z_-]+))?\]")
_BRACKETED = re.compile(r"\[[^\]]*\]")
_LANGUAGE = 0xFFFF


def currency_in(text: str) -> str | None:
    """The ISO code of the currency that `text` names by code or sign, a shared sign such as `kr` itself, or None.

    A bare $ is USD.
    """
    if match := _CODE.search(text):
        return match[1]
    if code := next((code for sign, code in _MARKS if sign in text), None):
        return code
    return _SPELT[match[0]] if (match := _WORD.search(text)) else None


def currency_of_sign(sign: str) -> str | None:
    """What `sign` and nothing else stands for, in small letters or large: as `currency_in`."""
    plain = sign.strip().casefold()
    return _EXACT.get(plain) or _EXACT.get(plain.rstrip("."))


def is_shared(code: str | None) -> bool:
    """Whether `code` is no ISO code but a sign that stands for several currencies."""
    return code is not None and not (len(code) == 3 and code.isascii() and code.isupper())


def settled(code: str | None, hints: Iterable[str | None]) -> str | None:
    """`code`, or for a sign that several currencies share the first of `hints` that is one of these, else None."""
    if not is_shared(code):
        return code
    return next((hint for hint in hints if hint and hint in WORDS.shared_signs.get(str(code), ())), None)


def currency_of_format(number_format: str) -> str | None:
    """The currency in a number format such as `[$€-407] #,##0`, a shared sign itself, or None.

    The locale in it says which currency a shared sign means: `[$$-1009]` is in Canadian dollars. It is a language
    identifier of [MS-LCID] (its lower 16 bits) or a language tag; words.toml gives the currency of each.
    """
    if not number_format:
        return None
    for match in _IN_FORMAT.finditer(number_format):
        if match[1].strip() and (code := _of_locale(match[1].strip(), match[2] or "")):
            return code
    bare = _BRACKETED.sub("", number_format)
    return currency_in(bare.replace('"', "").replace("\\", ""))


def _of_locale(sign: str, locale: str) -> str | None:
    """The currency of a sign with the locale beside it: the locale's where it uses that sign or we don't know it."""
    stands_for = currency_of_sign(sign) or currency_in(sign)
    code = _currency_at(locale)
    if stands_for is None:
        return code or (sign if any(unicodedata.category(letter) == "Sc" for letter in sign) else None)
    return code if code in WORDS.shared_signs.get(sign.casefold().rstrip("."), ()) else stands_for


def _currency_at(locale: str) -> str | None:
    """The currency of a locale, given in hexadecimal digits or as a language tag; None where we know none."""
    if len(locale) <= 8 and re.fullmatch("[0-9A-Fa-f]+", locale):
        return WORDS.locale_currencies.get(f"{int(locale, 16) & _LANGUAGE:04x}")
    return WORDS.locale_currencies.get(locale.casefold())
