"""Changes that make an honest file hostile: in its bytes, its zip directory, its XML, its records, its texts."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable
from random import Random

from tests.hostile.fuzz_seeds import seeds
from tests.hostile.markup_mutations import change_markup
from tests.hostile.raw_zip import Part, part, write_zip

NUMBERS = (
    *("0", "-1", "1", "2", "255", "256", "65535", "65536", "1048576", "1048577", "16384", "2147483647", "2147483648"),
    *(
        "4294967295",
        "99999999999999999999",
        "-99999",
        "0.5",
        "1e308",
        "1e309",
        "-1e309",
        "nan",
        "inf",
        "1e-400",
        "",
        " ",
    ),
    *("45000", "2958466", "60", "-0.0", "0x1F", "1_000", "1,000", "٣", "½", "+5", "١٢", "true", "1E5", "00"),
)
TEXTS = (
    *(
        "$1.2M",
        "12/31/9999",
        "2024-13-45",
        "31.02.2023",
        "0/0/0",
        "1/2/3",
        "$",
        "%",
        "-",
        "--",
        "()",
        "(5",
        "5)",
        "1e400%",
    ),
    *(
        "N/A",
        "TBD",
        "total",
        "Grand Total",
        "Subtotal:",
        "source: x",
        "#REF!",
        "=1+1",
        "@SUM(1)",
        "\t",
        "\u202e",
        "\u0000",
    ),
    *(
        "12-15",
        "1.250.000,00 €",
        "1 250,5",
        "5 1/2%",
        "1/0%",
        "€-",
        "1..2",
        "1,2,3",
        ",",
        ".",
        "1'000",
        "$Confidential",
    ),
    *(
        "cap rate",
        "price ($000s)",
        "(in millions)",
        "x" * 300,
        "e\u0301" * 40,
        "\ud7ff",
        "😀" * 9,
        "٪",
        "５％",
        "−5",
        "1–2",
    ),
    *("Jan-24", "Q3 2024", "24:61", "99:99:99", "1900-02-29", "12:00 PM", "MMXX", "2024", "1899", "2100", "0001-01-01"),
    *("approx. 5%", "~$5", "> 100", "5% - 6%", "$1.2M/$2.4M", "5bps", "500 bps", "1e5 sf", "12 units", "1/4", "one"),
)
REFS = ("A1", "XFD1048576", "A1048577", "ZZZ1", "A0", "a1", "", "A1:B2", "$A$1", "AAAA1", "A99999999", "B2", "C3")
FORMULAS = (
    *(
        "SUM(A1:A99)",
        "A1+",
        "((((",
        "1/0",
        "A1:A2",
        "IF(1,2",
        "SUM(A1:XFD1048576)",
        "Comps!A1",
        "'x'!A1",
        "2^2^2^2^2^9",
    ),
    *(
        "-" * 90 + "1",
        "ROUND(1,99999)",
        "PMT(0,0,0)",
        "1&2&3",
        "A1%%%",
        "TRUE+1",
        '"',
        "#REF!",
        "SUBTOTAL(9,A1:B9)",
        "AND()",
    ),
    *(
        "SUMPRODUCT(A1:B2,A1:B3)",
        "SUMPRODUCT()",
        "CONCATENATE()",
        "HYPERLINK()",
        "AVERAGE(Z1:Z9)",
        "(-8)^(1/3)",
        "1E308*10",
    ),
)
FORMATS = (
    "0.0%",
    "yyyy-mm-dd",
    "[h]:mm",
    "@",
    "#,##0,",
    "0.00E+00",
    "[$€-407]0",
    '"%"0',
    "\\%0",
    ";;;",
    "",
    "d/m",
    "General%",
)
MARKS = (
    "<",
    ">",
    "&",
    "]]>",
    "<!--",
    "-->",
    "<![CDATA[",
    "<?",
    "&#0;",
    "&lt;",
    "&x;",
    "&#xD800;",
    '"',
    "'",
    "</row>",
    "<row>",
)
Change = Callable[[Random, bytes], bytes]


def mutant(random: Random) -> tuple[str, bytes]:
    """A hostile file: the name of its seed, and its bytes after one to four changes."""
    name, data = random.choice(seeds())
    for _ in range(random.choice((1, 1, 2, 3, 4))):
        data = _change(random, name, data)
    return name, data


def _change(random: Random, name: str, data: bytes) -> bytes:
    if name.endswith(".csv"):
        return random.choice((change_text, change_text, change_bytes))(random, data)
    if name in ("page.xls", "archive.xls", "old.xls") and random.random() < 0.9:
        return change_markup(random, data, TEXTS + NUMBERS)
    if name.endswith(".xls"):
        return change_bytes(random, data)
    return change_bytes(random, data) if random.random() < 0.1 else change_package(random, data)


def change_bytes(random: Random, data: bytes) -> bytes:
    """Flips, drops, doubles, cuts or mixes bytes."""
    if not data:
        return random.randbytes(8)
    at = random.randrange(len(data))
    size = min(len(data) - at, random.choice((1, 1, 2, 4, 8, 64, 1024)))
    kind = random.randrange(8)
    if kind == 0:
        return data[:at] + random.randbytes(size) + data[at + size :]
    if kind == 1:
        return data[:at] + data[at + size :]
    if kind == 2:
        return data[:at] + data[at : at + size] * random.choice((2, 3, 50)) + data[at + size :]
    if kind == 3:
        return data[:at]
    if kind == 4:
        return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]
    if kind == 5:
        edge = random.choice((b"\0" * size, b"\xff" * size, b"\x7f" + b"\xff" * (size - 1), b"\x80" * size))
        return data[:at] + edge + data[at + size :]
    if kind == 6:
        return random.randbytes(size) + data
    return data[:at] + random.choice(seeds())[1][-size:] + data[at:]


def change_text(random: Random, data: bytes) -> bytes:
    """Changes a delimited text: a field, a mark, a line, its encoding."""
    text = data.decode("utf-8", "replace")
    lines = text.split("\n")
    at = random.randrange(len(lines))
    kind = random.randrange(8)
    if kind < 3:
        fields = re.split(r"([,;\t])", lines[at])
        fields[random.randrange(len(fields))] = random.choice(TEXTS + NUMBERS)
        lines[at] = "".join(fields)
    elif kind == 3:
        place = random.randrange(len(lines[at]) + 1)
        lines[at] = lines[at][:place] + random.choice("\",;\t|\r\0'\x1a\x1c\u2028= ") + lines[at][place:]
    elif kind == 4:
        lines.insert(random.randrange(len(lines)), lines[at])
    elif kind == 5:
        del lines[at]
    elif kind == 7:
        lines = [
            ",".join(f if random.random() > 0.3 else random.choice(TEXTS) for f in line.split(",")) for line in lines
        ]
    elif kind == 6:
        lines[at] = random.choice(("", lines[at] * 3, ",".join(TEXTS), "sep=" + random.choice(',;x\t"')))
    joined = random.choice(("\n", "\n", "\n", "\r", "\r\n")).join(lines)
    encoding = random.choice(
        ("utf-8",) * 8 + ("utf-16", "utf-16-le", "utf-8-sig", "cp1252", "utf-32", "cp037", "utf-7")
    )
    return joined.encode(encoding, "replace")


def change_package(random: Random, data: bytes) -> bytes:
    """Changes a part of a package, or which parts there are; bytes that are no package any more change as bytes."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            held = [(entry.filename, package.read(entry)) for entry in package.infolist()]
    except (
        zipfile.BadZipFile,
        zlib.error,
        NotImplementedError,
        RuntimeError,
        ValueError,
        LookupError,
        OSError,
        EOFError,
    ):
        return change_bytes(random, data)
    if not held:
        return change_bytes(random, data)
    parts = [part(name, body) for name, body in held]
    weights = [5 if re.search(r"sheet\d|content|workbook|strings|styles", name) else 1 for name, _ in held]
    at = random.choices(range(len(held)), weights)[0]
    name, body = held[at]
    if random.random() < 0.12:
        parts = _change_directory(random, parts, at)
    elif name.endswith(".bin") or random.random() < 0.08:
        parts[at] = part(name, change_records(random, body) if name.endswith(".bin") else change_bytes(random, body))
    else:
        parts[at] = part(name, change_xml(random, body))
    return write_zip(parts)


def _change_directory(random: Random, parts: list[Part], at: int) -> list[Part]:
    chosen, other = parts[at], random.choice(parts)
    kind = random.randrange(6)
    if kind == 0:
        return parts[:at] + parts[at + 1 :]
    if kind == 1:
        return [*parts, chosen]
    if kind == 2:
        changed = Part(
            random.choice((other.name, chosen.name.upper(), "../x", "", "/" + chosen.name)),
            chosen.packed,
            chosen.size,
            chosen.crc,
        )
    elif kind == 3:
        changed = Part(
            chosen.name, chosen.packed, random.choice((0, 1, chosen.size + 1, chosen.size * 2, 0xFFFFFFFF)), chosen.crc
        )
    elif kind == 4:
        changed = Part(chosen.name, other.packed, other.size, other.crc)
    else:
        changed = Part(
            chosen.name,
            chosen.packed,
            chosen.size,
            chosen.crc ^ 1,
            random.choice((0, 8, 9, 12, 14)),
            random.choice((0, 1, 8)),
        )
    return [*parts[:at], changed, *parts[at + 1 :]]


def change_records(random: Random, body: bytes) -> bytes:
    """Changes a part of binary records: mostly small numbers, which lengths and kinds are."""
    if body and random.random() < 0.5:
        at = random.randrange(len(body))
        return body[:at] + bytes([random.choice((0, 1, 7, 127, 128, 255, body[at] + 1 & 255))]) + body[at + 1 :]
    return change_bytes(random, body)


def change_xml(random: Random, body: bytes) -> bytes:
    """Changes a tag, an attribute or a text of an XML part."""
    text = body.decode("utf-8", "replace")
    kind = random.randrange(12)
    if kind < 4:
        text = _swap(
            random,
            text,
            r'(?<==")[^"]*(?=")',
            (*NUMBERS, *REFS, *FORMATS, "s", "str", "b", "e", "d", "n", "inlineStr", "shared", "array"),
        )
    elif kind < 7:
        pool = TEXTS + NUMBERS
        text = _swap(
            random, text, r"(?<=>)[^<]+(?=<)", tuple(each.replace("&", "&amp;").replace("<", "&lt;") for each in pool)
        )
    elif kind == 7:
        text = _swap(
            random, text, r"(?<=<f>)[^<]*(?=</f>)|<v>[^<]*</v>", tuple(f.replace("&", "&amp;") for f in FORMULAS)
        )
    elif kind == 8:
        text = _swap(
            random,
            text,
            r"<[^>]+>",
            ("", "<c/>", "<row/>", '<c r="A1"><v>1</v></c>', "<f>1+1</f>", "<is><t>x</t></is>", "<v/>"),
        )
    elif kind == 9:
        text = _double(random, text)
    elif kind == 10:
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(MARKS) + text[at:]
    else:
        text = random.choice((_prefixed, _recoded, _without_places, _hidden, _salted, _salted))(random, text)
    encoding = "utf-16" if 'encoding="UTF-16"' in text else "utf-8"
    return text.encode(encoding, "replace")


def _swap(random: Random, text: str, pattern: str, pool: tuple[str, ...]) -> str:
    """`text` with one match of `pattern` replaced by one of `pool`."""
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    match = random.choice(found)
    return text[: match.start()] + random.choice(pool) + text[match.end() :]


def _double(random: Random, text: str) -> str:
    """`text` with one element many times over."""
    found = list(re.finditer(r"<(\w+)\b[^>]*?(?:/>|>.*?</\1>)", text, re.DOTALL))
    if not found:
        return text
    match = random.choice(found)
    return text[: match.end()] + match[0] * random.choice((1, 3, 100)) + text[match.end() :]


def _prefixed(_: Random, text: str) -> str:
    """All elements under a prefix, as some writers have it."""
    return re.sub(r"<(/?)([A-Za-z])", r"<\1x:\2", text).replace("xmlns=", "xmlns:x=")


def _recoded(_: Random, text: str) -> str:
    return text.replace('encoding="UTF-8"', 'encoding="UTF-16"')


def _without_places(_: Random, text: str) -> str:
    return re.sub(r'(<(?:c|row)\b[^>]*?) r="[^"]*"', r"\1", text)


def _salted(random: Random, text: str) -> str:
    """A third of all texts and values changed."""

    def change(match: re.Match[str]) -> str:
        if random.random() > 0.3:
            return match[0]
        return random.choice(TEXTS + NUMBERS).replace("&", "&amp;").replace("<", "&lt;")

    return re.sub(r"(?<=<t>)[^<]+(?=</t>)|(?<=<v>)[^<]+(?=</v>)|(?<=preserve\">)[^<]+(?=</t>)", change, text)


def _hidden(random: Random, text: str) -> str:
    return _swap(
        random,
        text,
        r"<(?:row|col|sheet)\b",
        ('<row hidden="1"', '<col hidden="1"', '<sheet state="hidden"', '<row ht="0"'),
    )
