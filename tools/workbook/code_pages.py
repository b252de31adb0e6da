"""Which code page the bytes of a text are likeliest written in, where neither a mark nor UTF-8 tells."""

from __future__ import annotations

import re

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
_AMID_WORD = re.compile(r"[a-z][€£¥¢§©®™°±²³¼½¾«»“”…•][a-z]")


def likeliest_code_page(sample: bytes) -> str:
    """The name of the code page (as Python's codecs know it) of a text that is no UTF-8.

    Detectors weigh letters, and take a lone sign for a letter of some alphabet: so a text whose only bytes beyond
    ASCII are signs of cp1252 is that, and a page that differs from it in signs alone is it too. Bytes beyond ASCII
    that mostly stand one by one in words of plain letters are Latin; of their pages, one in which fewer words are odd
    than in what a detector finds is likelier.
    """
    windows = sample.decode("cp1252", "replace")
    if set(filter(_is_foreign, windows)) <= _SIGNS and not _AMID_WORD.search(windows):
        return "cp1252"
    letters = sample.translate(_SIGNS_TO_BLANKS)
    high = len(_HIGH.findall(letters))
    is_latin = 2 * len(_AMID_LETTERS.findall(letters)) > high or len(b"".join(_WORD.findall(letters))) > 2 * high
    pages = _LATIN if is_latin else _LATIN + _OTHERS
    found = chardet.detect(sample, include_encodings=pages)["encoding"] or "cp1252"
    if is_latin and _differ_in_signs(sample, windows, found):
        found = "cp1254" if _TURKISH & set(windows) and not _ICELANDIC & set(windows) else "cp1252"
    return _most_plausible(sample, found) if is_latin else found


def _most_plausible(sample: bytes, found: str) -> str:
    """The page in which the fewest words are odd; of several the one `found`, or the first of the usual ones."""
    words = list(dict.fromkeys(_WORD.findall(sample)))[:_MOST_WORDS]
    pages = (found, *_USUAL)
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
