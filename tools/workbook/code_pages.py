"""Which code page the bytes of a text are likeliest written in, where neither a mark nor UTF-8 tells."""

from __future__ import annotations

import re
from collections.abc import Sequence

import chardet

#: What programs write for people of Latin letters: Excel's "CSV" is Windows's page of the place, and it has one for
#: Macintosh and one for DOS.
_LATIN = ("cp1252", "cp1250", "cp1254", "cp1257", "cp1258", "iso8859-2", "mac-roman", "cp850", "cp852", "cp437")
_OTHERS = (
    *("cp1251", "cp1253", "cp1255", "cp1256", "cp874", "koi8-r", "koi8-u", "cp866"),
    *("big5", "gb18030", "cp932", "euc-jp", "cp949"),
)
_HIGH = re.compile(rb"[\x80-\xff]")
_AMID_LETTERS = re.compile(rb"(?<=[A-Za-z])[\x80-\xff](?![\x80-\xff])|(?<![\x80-\xff])[\x80-\xff](?=[A-Za-z])")
#: Signs of cp1252 that texts in English hold, and which of them stand within a word or close to it.
_SIGNS = frozenset("€£¥¢§©®™°±²³¼½¾«»‘’“”–—…•·\xa0")
_SIGNS_TO_BLANKS = bytes.maketrans(blanked := "".join(sorted(_SIGNS)).encode("cp1252"), b" " * len(blanked))
_BESIDE_LETTERS = frozenset("²³©®™‘’“”«»–—…·\xa0")
#: Where cp1254 has Ğ, İ, Ş, ğ, ı and ş, cp1252 has letters of Icelandic, which has those of the second kind too.
_TURKISH, _ICELANDIC = frozenset("ÐÝÞðýþ"), frozenset("ÁÉÍÓÚÆáéíóúæ")
#: Words with a byte beyond ASCII, and how many of them are looked at.
_WORD = re.compile(rb"(?<![A-Za-z\x80-\xff'-])[A-Za-z'-]*+[\x80-\xff][A-Za-z\x80-\xff'-]*+")
_MOST_WORDS = 1000
_USUAL = ("cp1252", "mac-roman", "cp850", "cp1250", "cp1254")
#: Signs that stand around words, and within them.
_AROUND = "'-" + "".join(sorted(_SIGNS - set("€£¥¢§±")))
_WITHIN = frozenset("'-’\xad\xa0")
#: How capitals and small letters never follow one another where one of them is beyond ASCII.
_TURN = re.compile("aA|AAa")
_VOWELS = "aeiouyáéíóúàèäöüâêîôû"
#: What no language of the Latin alphabet has: signs that count as letters; one of Spanish before a consonant, one of
#: Polish before a vowel; those of Slovak beside a vowel or at a word's ends; one of German and of Czech at its start.
_ODD = re.compile(
    rf"[ˆ˜ˇﬁﬂƒªº¹ΩπµΣ∂∆∏]|ñ(?=[^{_VOWELS} ãõ])|Ñ(?=[B-DF-HJ-NP-TV-Z])|ń(?=[{_VOWELS}])|Ń(?=[AEIOU])"
    rf"|(?<![^\W_])(?:[ĺŕĹŔßÝ])|[ĺŕ](?=[{_VOWELS} ]|\Z)|(?<=[{_VOWELS}])[ĺŕ]|(?<=[a-z])[œæ](?=\Z| )"
)
_AMID_WORD = re.compile(r"[a-z][€£¥¢§©®™°±²³¼½¾«»“”…•][a-z]|\b[A-Z]¢[a-z]{3}")
#: Dashes amid Spanish names, where Macintosh has ñ and ó.
_SPANISH = re.compile(
    r"[cst]i—n\b|[A-Za-z]e—n(?![a-z./])|\b(?:C—rdo|L—pe|G—me)"
    r"|\b(?:Ca|Pe|Do|Espa|Mu|Nu|Pi|Ni|Se|Vi|Monta|Caba|Casta|Bri)–[aeo]"
)
#: Signs of money that cp1252 has letters for, which stand beside numbers and no letters.
_MONEY = {0x88: "cp1251", 0x9C: "cp850", 0xDB: "mac-roman"}
_ALONE = re.compile(
    rb"(?<![A-Za-z\x80-\xff])([\x88\x9c\xdb])(?![\x80-\xff]|(?!(?:m|mn|bn|k|ps[fm]|p[acw]m?)\b)[A-Za-z])"
)
_BESIDE_DIGITS = re.compile(rb"[\x88\x9c\xdb] ?[-(]?\d|\d ?[\x88\x9c\xdb]")


def likeliest_code_page(sample: bytes) -> str:
    """The name of the code page (as Python's codecs know it) of a text that is no UTF-8.

    Detectors weigh letters, and take a lone sign for a letter of some alphabet: so a text whose only bytes beyond
    ASCII are signs of cp1252 is that, and a page that differs from it in signs alone is it too. Bytes beyond ASCII
    that mostly stand one by one in words of plain letters are Latin; of their pages, one in which fewer words are odd
    than in what a detector finds is likelier.
    """
    windows = sample.decode("cp1252", "replace")
    signs_only = set(filter(_is_foreign, windows)) <= _SIGNS
    is_spanish = signs_only and _SPANISH.search(windows) is not None
    if signs_only and not is_spanish and not _AMID_WORD.search(windows):
        return "cp1252"
    if page := _page_of_money(sample):
        return page
    letters = sample.translate(_SIGNS_TO_BLANKS)
    high = len(_HIGH.findall(letters))
    is_latin = (
        signs_only or 2 * len(_AMID_LETTERS.findall(letters)) > high or len(b"".join(_WORD.findall(letters))) > 2 * high
    )
    pages = _LATIN if is_latin else _LATIN + _OTHERS
    found = chardet.detect(sample, include_encodings=pages)["encoding"] or "cp1252"
    if is_latin and _differ_in_signs(sample, windows, found):
        found = "cp1254" if _TURKISH & set(windows) and not _ICELANDIC & set(windows) else "cp1252"
    pages = (*_USUAL, found) if is_spanish else (found, *_USUAL)
    return _most_plausible(sample, pages) if is_latin else found


def _page_of_money(sample: bytes) -> str:
    """The page in which a sign of money is one that stands alone in all places, by numbers in some; "" without such."""
    alone = _ALONE.findall(sample)
    if len(set(alone)) != 1 or len(alone) < sample.count(alone[0]) or _BESIDE_DIGITS.search(sample) is None:
        return ""
    page = _MONEY[alone[0][0]]
    others = (word for word in _words(sample) if alone[0] not in word)
    return "" if any(_is_odd(word.decode(page, "replace")) for word in others) else page


def _words(sample: bytes) -> list[bytes]:
    return list(dict.fromkeys(_WORD.findall(sample)))[:_MOST_WORDS]


def _most_plausible(sample: bytes, pages: Sequence[str]) -> str:
    """The page in which the fewest words are odd; the first of several."""
    words = _words(sample)
    costs = [sum(_is_odd(word.decode(page, "replace")) for word in words) for page in pages]
    return pages[costs.index(min(costs))]


def _is_odd(word: str) -> bool:
    """Whether nobody writes a word so: a capital amid small letters, a sign amid letters, a letter where none is."""
    word = word.replace("l·l", "ll").replace("L·L", "LL")
    letters = "".join(c if c.isalpha() else " " for c in word)
    signs = letters.strip() and any(not c.isalpha() and c not in _WITHIN for c in word.strip(_AROUND))
    cases = "".join("A" if c.isupper() else "a" if c.islower() else c for c in letters)
    turns = any(not letters[at.start() : at.end()].isascii() for at in _TURN.finditer(cases))
    return bool(signs) or turns or _ODD.search(letters) is not None


def _is_foreign(letter: str) -> bool:
    return letter > "\x7f"


def _differ_in_signs(sample: bytes, windows: str, page: str) -> bool:
    """Whether a Latin page of one byte a letter reads only signs in another way than cp1252 does."""
    other = sample.decode(page, "replace")
    differing = [at for at, (one, two) in enumerate(zip(windows, other, strict=True)) if one != two]
    return all(windows[at] in _SIGNS and _stands_as_sign(windows, at) for at in differing)


def _stands_as_sign(text: str, at: int) -> bool:
    """Whether no letter follows what stands at `at`, nor comes before it if it is no mark that closes a word."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return not after.isalpha() and (text[at] in _BESIDE_LETTERS or not before.isalpha())
