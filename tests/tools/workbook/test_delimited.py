"""Delimited text: encodings, delimiters, quotes, and values that stay text."""

from __future__ import annotations

import time

import pytest

from schemas.errors import InputError
from tests.tools.workbook.books import opened
from tools.workbook.limits import Limits
from tools.workbook.open import open_workbook

LINES = ["Objekt;Größe;Preis", "Elm Höfe;1.200,5;€ 3", "Öst–Park;900;€ 4", "Café;77;€ 5"]
ROWS = [line.split(";") for line in LINES]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_common_encodings_are_found(encoding: str) -> None:
    """With a byte order mark and without."""
    assert opened("\r\n".join(LINES).encode(encoding), "x.csv").rows == ROWS


@pytest.mark.parametrize("lines", [1, 4, 60])
@pytest.mark.parametrize(
    ("encoding", "head", "row"),
    [
        ("cp1251", "Название,Город,Цена", "Торговый центр Северный,Казань,1200"),
        ("koi8-r", "Название,Город,Цена", "Торговый центр Северный,Казань,1200"),
        ("cp1250", "Adresa,Město,Cena", "Náměstí Svobody,Plzeň,1200"),
        ("cp1252", "Objekt,Fläche m²,Preis", "Hof am Weiher,Größe,£1200"),
        ("mac-roman", "Objekt,Fläche,Preis", "Hof am Weiher,Schönblick,1200"),
        ("cp1253", "Διεύθυνση,Πόλη,Τιμή", "Λεωφόρος Θάλασσας,Θεσσαλονίκη,1200"),
        ("cp1254", "Adres,Şehir,Fiyat", "Bağ Caddesi,Beşiktaş,1200"),
        ("cp1255", "כתובת,עיר,מחיר", "רחוב הים,תל אביב,1200"),
        ("cp1256", "العنوان,المدينة,السعر", "شارع البحر,الرياض,1200"),
        ("cp1257", "Adrese,Pilsēta,Cena", "Jūras iela,Liepāja,1200"),
        ("big5", "地址,城市,價格", "忠孝東路,台北,1200"),
        ("gb18030", "地址,城市,价格", "长安街,北京,1200"),
        ("shift_jis", "住所,都市,価格", "丸の内,東京,1200"),
        ("euc-kr", "주소,도시,가격", "강남대로,서울,1200"),
    ],
)
def test_a_code_page_is_found_by_its_letters(encoding: str, head: str, row: str, lines: int) -> None:
    """However few they are."""
    text = "\n".join([head, *([row] * lines)])
    sheet = opened(text.encode(encoding), "x.csv")
    assert sheet.rows[:2] == [head.split(","), row.split(",")]
    assert sheet.code_page


@pytest.mark.parametrize(
    "sign", ["€ 100", "£100", "Tenant’s choice", "12–14 Main", "5½%", "per m²", "“Elm”", "1\xa0200"]
)
def test_a_lone_sign_is_no_letter_of_another_alphabet(sign: str) -> None:
    """Files in English have little else."""
    assert opened(f"Deal,Value\nElm,{sign}\nOak,5\n".encode("cp1252"), "x.csv").rows[1] == ["Elm", sign]
    assert opened(f"Deal,Value\nCafé,{sign}\nOak,5\n".encode("cp1252"), "x.csv").rows[1] == ["Café", sign]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_found(delimiter: str) -> None:
    """By how evenly they cut the lines, though other marks stand in the values."""
    rows = [["Deal", "Price", "Note"], ["Elm, west", "1;2", "a"], ["Oak, east", "3", "b"], ["Ash", "4", "c|d"]]
    quoted = "\n".join(delimiter.join(f'"{v}"' if delimiter in v else v for v in row) for row in rows)
    assert opened(quoted.encode(), "x.csv").rows == rows


def test_a_line_that_names_the_delimiter_is_followed_and_no_row() -> None:
    """What a spreadsheet program writes on top for itself."""
    assert opened(b"sep=;\nA;B\n1,5;2\n", "x.csv").rows == [["A", "B"], ["1,5", "2"]]


def test_values_stay_text_and_blanks_are_nothing() -> None:
    """Whether 02134 is a number is not for the reader to say."""
    assert opened(b"Zip,Code,Empty\n02134,1E5,\nNA,3-4,   \n", "x.csv").rows == [
        ["Zip", "Code", "Empty"],
        ["02134", "1E5", None],
        ["NA", "3-4", None],
    ]


def test_line_breaks_and_quotes_inside_quotes_are_kept() -> None:
    """A quoted value may hold anything."""
    assert opened(b'A,B\n"two\nlines","say ""hi"", he said"\n', "x.csv").rows[1] == ["two\nlines", 'say "hi", he said']


def test_rows_of_unlike_length_are_padded_with_nothing() -> None:
    """A short line is missing its last values."""
    assert opened(b"A,B,C\n1\n1,2,3\n", "x.csv").rows == [["A", "B", "C"], ["1", None, None], ["1", "2", "3"]]


def test_one_column_of_text_is_a_sheet_of_one_column() -> None:
    """No delimiter at all."""
    assert opened(b"Name\nElm\nOak\n", "x.txt").rows == [["Name"], ["Elm"], ["Oak"]]


def test_a_file_of_more_cells_than_allowed_is_refused() -> None:
    """The same limit as for workbooks."""
    with pytest.raises(InputError, match=r"x\.csv .* more than 5 cells") as refused:
        open_workbook(b"a,b,c\n1,2,3\n", "x.csv", Limits(cells=5))
    assert refused.value.code == "file.unsafe"


UNCLOSED = {
    "nowhere": ('"Oak House,5,OH', ["Oak House", "5", "OH"]),
    "in the middle": ('Oak,"House 5,OH', ["Oak", "House 5", "OH"]),
    "after a sound one": ('"Oak, Inc.","House 5,OH', ["Oak, Inc.", "House 5", "OH"]),
    "doubled": ('"Oak ""House,5,OH', ['Oak "House', "5", "OH"]),
    "in the last field": ('Oak,5,"OH', ["Oak", "5", "OH"]),
    "alone": ('"', [None, None, None]),
}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "tail", [["Fir,7,MI"], ['"Fir, Inc.",7,MI'], ["Ash,6,MI", '"Fir, Inc.","7",MI', "Elm,1,2"], []]
)
@pytest.mark.parametrize(("line", "fields"), UNCLOSED.values(), ids=UNCLOSED)
def test_a_quote_that_never_closes_swallows_no_line(
    line: str, fields: list[str | None], tail: list[str], end: str
) -> None:
    """Every line is a row, whatever comes after: sound quotes, none, or nothing."""
    rows = opened(end.join(["A,B,C", "1,2,3", line, *tail, ""]).encode(), "x.csv").rows
    assert rows[:2] == [["A", "B", "C"], ["1", "2", "3"]]
    assert rows[2:3] == [fields]
    assert [row[0] for row in rows[3:]] == [
        text.split(",")[0].strip('"') + ", Inc." * (text[0] == '"') for text in tail
    ]


def test_many_quotes_that_never_close_cost_no_more_than_their_lines() -> None:
    """Twenty thousand lines, each with a quote of its own."""
    began = time.process_time()
    rows = opened("\n".join(["A,B", *(f'"Elm {n},{n}' for n in range(20_000))]).encode(), "x.csv").rows
    assert (len(rows), [row[1] for row in rows[-2:]]) == (20_001, ["19998", "19999"])
    assert time.process_time() - began < 5


def test_line_breaks_in_sound_quotes_are_kept_beside_one_that_never_closes() -> None:
    """A value over two lines stays one, before and after."""
    text = 'A,B\n"one\ntwo",3\n"Oak,4\n"five\nsix",7\n'
    assert opened(text.encode(), "x.csv").rows == [["A", "B"], ["one\ntwo", "3"], ["Oak", "4"], ["five\nsix", "7"]]


def test_fields_that_are_kept_as_text_by_a_formula_lose_its_marks() -> None:
    """="02134" is how programs write text that must stay as it is; other formulas stay what they are."""
    text = (
        'Name,Zip,Price\nAlpha,="02134",="1000000"\nBeta,"=""02135""","=1+1"\nGamma,="A ""B""",=X1\nDelta,="",=-12.5\n'
    )
    sheet = opened(text.encode(), "deals.csv")
    assert sheet.rows[1:] == [
        ["Alpha", "02134", "1000000"],
        ["Beta", "02135", "=1+1"],
        ["Gamma", 'A "B"', "=X1"],
        ["Delta", None, "-12.5"],
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_quotes_behind_a_delimiter_and_a_blank_are_quotes(delimiter: str) -> None:
    """Where a file writes them so throughout, values hold delimiters, line breaks and no marks."""
    lines = [["Deal", "City", "Price"], ['"Elm"', '"Reno{}NV"', '"4{}000"'], ['"Oak"', '"two\nlines"', '"say ""hi"""']]
    text = "\n".join(f"{delimiter} ".join(line) for line in lines).format(delimiter, delimiter)
    rows = opened(text.encode(), "x.csv").rows
    assert [[str(value).strip() for value in row] for row in rows] == [
        ["Deal", "City", "Price"],
        ["Elm", f"Reno{delimiter}NV", f"4{delimiter}000"],
        ["Oak", "two\nlines", 'say "hi"'],
    ]


def test_quotes_behind_a_blank_that_close_amid_a_value_belong_to_it() -> None:
    """A name in quotes at the start of a note is no quoted value."""
    rows = opened(b'Deal, Note\nElm, "The Yard" site\nOak, "North" end\n', "x.csv").rows
    assert [str(row[1]).strip() for row in rows[1:]] == ['"The Yard" site', '"North" end']


@pytest.mark.parametrize("note", ["Lorem ipsum dolor: " * 520, "1/" * 5000])
def test_long_notes_cost_no_more_than_their_letters(note: str) -> None:
    """A few hundred rows of ten thousand letters each."""
    began = time.process_time()
    rows = opened(("Deal,Note\n" + f"Elm,{note}\n" * 300).encode(), "x.csv").rows
    assert len(rows) == 301
    assert rows[300][1] == note
    assert time.process_time() - began < 2


@pytest.mark.parametrize("at", [0, 1, 70_000, 131_071, 131_072, 200_000])
@pytest.mark.parametrize(("size", "fits"), [(131_072, True), (131_073, False)])
def test_a_field_is_as_long_as_the_parser_takes(at: int, size: int, fits: bool) -> None:
    """Wherever in the file it stands."""
    text = "a" * (at // 2) + "," + "b" * (at - at // 2) + "\n" + "x" * size + ",1\n"
    if fits:
        assert opened(text.encode(), "x.csv").rows[1] == ["x" * size, "1"]
        return
    with pytest.raises(InputError, match="a cell of more than 131,072 characters"):
        opened(text.encode(), "x.csv")


def test_more_rows_than_a_sheet_has_are_refused() -> None:
    """Before they are split where nothing is quoted, else once there are as many."""
    for line in (b"1\n", b'"1"\n'):
        with pytest.raises(InputError, match=r"more than .* 1,048,576 rows"):
            opened(line * 1_048_577 + b"1", "x.csv")


def test_empty_fields_up_to_the_last_column_of_a_sheet_are_no_columns() -> None:
    """What programs write of a sheet with a format in its last column; as many with values are no table."""
    sheet = opened(b"\n".join(line + b"," * 16_380 for line in (b"A,B,C", b"1,2,3")), "x.csv")
    assert (sheet.rows[1][:4], sheet.height) == (["1", "2", "3", None], 2)
    with pytest.raises(InputError, match="2,048 columns"):
        opened(b"A" + b",x" * 3000 + b"\n", "x.csv")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_few_bytes_of_another_encoding_turn_no_other_letter(mark: bytes) -> None:
    """They are read in cp1252, and where they stand is kept."""
    text = mark + "Name,Ort\nStraße,Köln\n–,".encode() + b"Caf\xe9 \x80\x81\n"
    sheet = opened(text, "x.csv")
    assert sheet.rows == [["Name", "Ort"], ["Straße", "Köln"], ["–", "Café €\ufffd"]]
    assert (sheet.strays_read, sheet.code_page) == (((3, 1),), "")


@pytest.mark.parametrize("text", ["Name;Ort\n“CAFÉ”;Orléans\n", "Name;Ort\nÉ®;«ÉLYSÉ» 5\nVésinet;Béziers\n"])
def test_signs_behind_capital_letters_are_no_utf8(text: str) -> None:
    """In cp1252 some of these are a sequence of UTF-8 by chance."""
    assert opened(text.encode("cp1252"), "x.csv").rows == [line.split(";") for line in text.split("\n")[:-1]]


@pytest.mark.parametrize(
    ("encoding", "texts"),
    [
        ("cp1252", ["Peña Plaza", "Müller Haus"]),
        ("cp1252", ["Peña Nieto", "Über Haus"]),
        ("cp1252", ["PEÑA", "MÜLLER"]),
        ("cp1252", ["Nuñoa", "Coruña"]),
        ("cp1252", ["Åre", "Växjö", "Örebro"]),
        ("cp1252", ["São João", "Évora"]),
        ("cp1252", ["Col·legi", "Badalona"]),
        ("cp1252", ["Köln Höfe", "“Smart” Place"]),
        ("cp1250", ["Łódź Plac", "Kraków"]),
        ("cp1250", ["PAWEŁ", "Łódź"]),
        ("cp1250", ["Kraków", "Gdańsk"]),
        ("cp1250", ["Plzeň", "Děčín"]),
        ("cp1250", ["Győr", "Pécs"]),
        ("cp1254", ["İstanbul", "Beşiktaş"]),
        ("cp1257", ["Rīga", "Liepāja"]),
        ("cp850", ["Straße Höfe", "Köln"]),
        ("cp850", ["Peña", "León"]),
        ("mac-roman", ["Straße Höfe", "Köln"]),
        ("mac-roman", ["Café Élysée", "Montréal"]),
        ("mac-roman", ["Cañon City", "Elm Court"]),
        ("mac-roman", ["León", "Concepción"]),
        ("cp850", ["Córdoba", "Elm Court"]),
        ("cp1252", ["Dallas–Fort Worth", "sold—see note"]),
        ("cp1252", ["office–apartment", "price—n/a"]),
        ("cp1252", ["Building C—rented", "Suite 2–4"]),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_two_names_tell_the_code_page(encoding: str, texts: list[str], end: str) -> None:
    """Whatever ends the lines: a page in which words have capitals, signs or letters where none are is not it."""
    rows = [["Deal", "Rent"], *([text, "12"] for text in texts)]
    assert opened(end.join(map(",".join, rows)).encode(encoding), "x.csv").rows == rows


@pytest.mark.parametrize(("encoding", "sign"), [("cp850", "£"), ("mac-roman", "€"), ("cp1251", "€"), ("cp1252", "£")])
@pytest.mark.parametrize("shown", ["{}1200000", "{} 1.200", "950 {}", "-{}5", "({}12)", "{}1.2m"])
def test_a_sign_of_money_tells_the_code_page(encoding: str, sign: str, shown: str) -> None:
    """Where it is all that is beyond ASCII: no letter of other pages stands by numbers."""
    rows = [["Deal", f"Price ({sign})", f"{sign}m"], ["Elm", shown.format(sign), "1"], ["Oak", shown.format(sign), "2"]]
    text = "".join(f"{';'.join(row)}\n" for row in rows)
    assert opened(text.encode(encoding), "x.csv").rows == rows


@pytest.mark.parametrize(("encoding", "word"), [("cp1252", "œuf"), ("cp1250", "ś.p. Łódź")])
def test_letters_that_are_signs_of_money_elsewhere_stay_letters(encoding: str, word: str) -> None:
    """Beside letters, and where other words would be odd."""
    rows = [["Deal", "Rent"], [word, "12"]]
    assert opened("\n".join(map(",".join, rows)).encode(encoding), "x.csv").rows == rows
