"""Parts that declare entities, nest without end, or are no XML that a workbook needs."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from tests.hostile import ooxml
from tests.hostile.bomb import Bomb
from tests.hostile.raw_zip import part, repeated

PARTS: dict[str, str] = {
    "content types": "[Content_Types].xml",
    "package relations": "_rels/.rels",
    "workbook": "xl/workbook.xml",
    "workbook relations": "xl/_rels/workbook.xml.rels",
    "sheet": "xl/worksheets/sheet1.xml",
    "styles": "xl/styles.xml",
    "strings": "xl/sharedStrings.xml",
}
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
DOCTYPE = f'<!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]>'
DAMAGED = ("file.truncated", "file.unsafe", "file.not_workbook")


def styles(body: str) -> str:
    """A style sheet."""
    return f'{ooxml.HEAD}<styleSheet xmlns="{ooxml.MAIN}">{body}</styleSheet>'


def honest(name: str) -> str:
    """The XML of part `name` in an honest workbook."""
    body = {
        "xl/worksheets/sheet1.xml": ooxml.deals_sheet(),
        "xl/styles.xml": styles('<cellXfs count="1"><xf/></cellXfs>'),
        "xl/sharedStrings.xml": f'{ooxml.HEAD}<sst xmlns="{ooxml.MAIN}"><si><t>x</t></si></sst>',
    }
    for each in ooxml.parts({"Comps": ""}):
        if each.name == name and name not in body:
            return zlib.decompress(each.packed, -15).decode()
    return body[name]


def changed(name: str, change: Callable[[str], str | bytes]) -> bytes:
    """An honest workbook whose part `name` is changed."""
    return ooxml.book({"Comps": ooxml.deals_sheet()}, {name: change(honest(name))})


def declaring(doctype: str, use: str = "") -> Callable[[str], str]:
    """Puts `doctype` before the root element, and `use` at the end of its contents."""

    def change(text: str) -> str:
        head, root = text.split("\n", 1)
        body, tag = root[: root.rindex("</")], root[root.rindex("</") :]
        return f"{head}\n{doctype}{body}{use}{tag}"

    return change


def encoded(encoding: str) -> Callable[[str], bytes]:
    """Declares entities in an encoding in which no ASCII search finds them."""

    def change(text: str) -> bytes:
        said = declaring(DOCTYPE)(text).replace("UTF-8", encoding)
        return said.encode(encoding)

    return change


def external(address: str) -> Callable[[str], str]:
    """Declares an entity and a document type that lie at `address`, and uses them."""
    doctype = f'<!DOCTYPE x SYSTEM "{address}" [<!ENTITY e SYSTEM "{address}"><!ENTITY % p SYSTEM "{address}">%p;]>'
    return declaring(doctype, "&e;")


def hidden(before: str) -> Callable[[str], str]:
    """Declares entities behind something that looks like the root element."""
    return declaring(before + DOCTYPE)


def deep(name: str, depth: int) -> bytes:
    """A part whose elements nest `depth` deep."""
    return changed(name, declaring("", "<a>" * depth + "</a>" * depth))


def late_doctype() -> bytes:
    """Entities declared behind twenty megabytes of comment."""
    head = (ooxml.HEAD + "<!--").encode()
    tail = ("-->" + DOCTYPE + ooxml.deals_sheet().split("\n", 1)[1]).encode()
    return ooxml.book({"Comps": repeated("xl/worksheets/sheet1.xml", head, b"-" * 0 + b"x" * 1000, 20_000, tail)})


def wide_attributes(count: int) -> bytes:
    """An element with `count` attributes."""
    many = "".join(f' a{n}="1"' for n in range(count))
    return changed("xl/workbook.xml", lambda text: text.replace("<sheets>", f"<sheets{many}>"))


def many_styles(count: int) -> Callable[[str], str]:
    """A style sheet with `count` cell formats, each with a number format of its own."""
    formats = "".join(f'<numFmt numFmtId="{200 + n}" formatCode="0.0&quot;{n}&quot;"/>' for n in range(count))
    cells = "".join(f'<xf numFmtId="{200 + n}" fontId="{n}"/>' for n in range(count))
    fonts = "<font><b/></font>" * count
    body = f"<numFmts>{formats}</numFmts><fonts>{fonts}</fonts><cellXfs>{cells}</cellXfs>"
    return lambda _: styles(body)


def long_format(size: int) -> bytes:
    """A number format of `size` characters, on the cells of a deal."""
    code = "[$$-409]" * (size // 8) + "0"
    style = styles(
        f'<numFmts><numFmt numFmtId="200" formatCode="{code}"/></numFmts><cellXfs><xf/><xf numFmtId="200"/></cellXfs>'
    )
    body = ooxml.deals_sheet().replace('<c r="C2">', '<c r="C2" s="1">').replace('<c r="C3">', '<c r="C3" s="1">')
    return ooxml.book({"Comps": body}, {"xl/styles.xml": style})


def strange_numbers() -> bytes:
    """Style numbers, ids and counts that are negative, huge or no numbers."""
    huge = "99999999999999999999"
    style = styles(
        f'<numFmts count="4294967295"><numFmt numFmtId="-1" formatCode="0"/><numFmt numFmtId="{huge}" formatCode="0"/>'
        '</numFmts><cellXfs count="4294967295"><xf numFmtId="-5" fontId="-5"/>'
        f'<xf numFmtId="{huge}" fontId="{huge}"/></cellXfs>'
    )
    body = (
        ooxml.deals_sheet().replace('<c r="C2">', '<c r="C2" s="4294967295">').replace('<c r="C3">', '<c r="C3" s="1">')
    )
    return ooxml.book({"Comps": body}, {"xl/styles.xml": style})


def negative_style() -> bytes:
    """A style number below zero, in a sheet that is walked because it holds a comment."""
    body = ooxml.deals_sheet(before="<!-- -->").replace('<c r="C2">', '<c r="C2" s="-99999">')
    return ooxml.book({"Comps": body}, {"xl/styles.xml": styles("<cellXfs><xf/><xf/></cellXfs>")})


BOMBS = (
    *(
        Bomb(f"entities in the {label}", lambda name=name: changed(name, declaring(DOCTYPE, "&l9;")))
        for label, name in PARTS.items()
    ),
    *(
        Bomb(
            f"entities in attributes of the {label}",
            lambda name=name: changed(
                name, lambda text: declaring(DOCTYPE)(text).replace('xmlns="', 'x="&l9;" xmlns="', 1)
            ),
        )
        for label, name in PARTS.items()
    ),
    *(
        Bomb(f"external entities in the {label}", lambda name=name: changed(name, external("file:///etc/passwd")))
        for label, name in PARTS.items()
    ),
    *(
        Bomb(
            f"entities in {encoding}",
            lambda encoding=encoding: changed("xl/worksheets/sheet1.xml", encoded(encoding)),
            codes=DAMAGED,
        )
        for encoding in ("UTF-16", "UTF-16-LE", "UTF-16-BE", "UTF-32", "cp037", "UTF-7")
    ),
    *(
        Bomb(
            f"entities in {encoding} strings",
            lambda encoding=encoding: changed("xl/sharedStrings.xml", encoded(encoding)),
            codes=DAMAGED,
        )
        for encoding in ("UTF-16", "UTF-16-BE", "cp037")
    ),
    *(
        Bomb(f"entities behind a {what}", lambda before=before: changed("xl/workbook.xml", hidden(before)))
        for what, before in (
            ("comment", "<!-- <a> -->"),
            ("instruction", "<?x <a ?>"),
            ("long comment", f"<!--{'-=' * 9000}-->"),
        )
    ),
    Bomb("entities behind 20 MB of comment", late_doctype, codes=DAMAGED),
    *(
        Bomb(
            f"deep elements in the {label}",
            lambda name=name: deep(name, 100_000),
            deals=2,
        )
        for label, name in PARTS.items()
    ),
    Bomb("a million attributes", lambda: wide_attributes(1_000_000), codes=DAMAGED, long=True),
    Bomb("65,000 cell formats", lambda: changed("xl/styles.xml", many_styles(65_000)), deals=2),
    Bomb("a number format of 8 MB", lambda: long_format(8_000_000)),
    Bomb("a number format of 800,000 letters", lambda: long_format(800_000), deals=2),
    Bomb("strange style numbers", strange_numbers, deals=2),
    Bomb("a negative style number", negative_style, deals=2),
    Bomb(
        "a sheet that is no XML",
        lambda: ooxml.book({"Comps": part("xl/worksheets/sheet1.xml", b"\x00\xff" * 50_000)}),
        codes=DAMAGED,
    ),
)
