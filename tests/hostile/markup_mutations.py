"""Changes to pages, web archives and XML that is a file of its own."""

from __future__ import annotations

import re
from random import Random

TAGS = (
    *("<table>", "</table>", "<tr>", "</tr>", "<td>", "</td>", "<th rowspan=3>", "<td colspan=0>", "<col span=99>"),
    *("<td rowspan=99999999 colspan=99999999>", "<td x:num=1e999>", "<td x:num='' x:err=''>", "<td sdval=x sdnum=;>"),
    *("<b>", "</b>", "<br>", "<p>", "</p>", "<div hidden>", "</div>", "<style>", "</style>", "<script>", "<xml>"),
    *("<!--", "-->", "<![if x]>", "<![endif]>", "<?x", "<!DOCTYPE x [<!ENTITY a 'b'>]>", "&a;", "&#0;", "&#x110000;"),
    *("<Row>", "</Row>", '<Row ss:Index="0">', '<Row ss:Index="1048577">', "<Cell/>", '<Cell ss:Index="16385"/>'),
    *("<Worksheet>", "</Worksheet>", "<Style/>", '<Cell ss:Formula="=RC"/>', "<Data/>", "\0", "<![CDATA[x]]>", "<"),
    *("<x:Name>a</x:Name>", "\r\n\r\n", "------=_NextPart_01\r\n", "=3D=\r\n", "=ZZ", "<meta charset=utf-7>", ">"),
)
VALUES = (
    *("", "0", "-1", "1", "2", "1000", "65535", "99999999999999999999", "1e308", "nan", "x", "٣", "display:none"),
    *("mso-number-format:'", 'mso-number-format:"\\0022\\"', "font:bold", "price", "rate day", "RC[-1]", "Number"),
    *("DateTime", "Boolean", "Error", "Percent", "s", "utf-16", "base64", "Short Date", "[h]:mm", "yyyy"),
)


def change_markup(random: Random, data: bytes, texts: tuple[str, ...]) -> bytes:
    """Changes a tag, an attribute, a text or the encoding of a text of markup."""
    text = data.decode("utf-8", "replace")
    kind = random.randrange(8)
    if kind < 2:
        text = _swapped(
            random, text, r"""(?<==)("[^"<>]*"|'[^'<>]*'|\w+)(?=[\s>/])""", [f'"{each}"' for each in VALUES]
        )
    elif kind < 4:
        text = _swapped(random, text, r"(?<=>)[^<]+(?=<)", list(texts))
    elif kind == 4:
        text = _swapped(random, text, r"<[^<>]+>", ["", *TAGS])
    elif kind == 5:
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(TAGS) * random.choice((1, 1, 2, 60)) + text[at:]
    elif kind == 6:
        found = list(re.finditer(r"<(\w+)\b[^<>]*>[^<]*(?:<(?!/\1)[^<]*){0,40}</\1>", text))
        if found:
            match = random.choice(found)
            text = text[: match.end()] + match[0] * random.choice((1, 3, 40)) + text[match.end() :]
    encoding = random.choice(("utf-8",) * 9 + ("utf-16", "cp1252", "utf-8-sig", "utf-16-le")) if kind == 7 else "utf-8"
    return text.encode(encoding, "replace")


def _swapped(random: Random, text: str, pattern: str, pool: list[str]) -> str:
    """`text` with one match of `pattern` replaced by one of `pool`."""
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    match = random.choice(found)
    return text[: match.start()] + random.choice(pool) + text[match.end() :]
