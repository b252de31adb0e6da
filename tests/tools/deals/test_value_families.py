"""Families of values by field: what each member means, nasty ones beside plain ones."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.tools.deals.books import issues, listed, read, read_csv, values

A, B, C = 1_200_000, 2_500_000, 3_750_000
D = dt.date
#: Header, field, what the cells hold, the values, and the codes that must be said of them.
FAMILIES: dict[str, tuple[str, str, list[object], list[object], str]] = {
    "negatives": (
        "NOI",
        "noi",
        [900_000, "(1,200)", "-1,200", "1,200-", "$(1,200)", "−1,200", "($1,200)", 800_000],
        [900_000, -1200, -1200, -1200, -1200, -1200, -1200, 800_000],
        "",
    ),
    "signs before and behind": (
        "Asking Price",
        "asking_price",
        ["$1,200,000", "1,200,000 USD", "US$1.2m", "1200000 $", "USD 1,200,000"],
        [A] * 5,
        "",
    ),
    "magnitudes": (
        "Asking Price",
        "asking_price",
        ["$1.2M", "1.2 million", "1,200k", "$1,200 K", "1.2mm", "1.2mn"],
        [A] * 6,
        "value.magnitude",
    ),
    "indian groups": (
        "Asking Price",
        "asking_price",
        ["₹12,00,000", "Rs. 12,00,000", "Rs 0.12 Cr", "12 lakh"],
        [A] * 4,
        "",
    ),
    "swiss groups": (
        "Asking Price",
        "asking_price",
        ["1'200'000", "CHF 1'200'000.--", "1’200’000.00", "CHF 1.2 Mio."],
        [A] * 4,
        "",
    ),
    "commas for decimals": (
        "Asking Price",
        "asking_price",
        ["1.200.000,00 €", "€ 1.200.000,-", "1,2 Mio. €", "1 200 000,00 €"],
        [A] * 4,
        "",
    ),
    "marks of approximation": (
        "Asking Price",
        "asking_price",
        ["~$1.2M", "c. $1.2m", "approx $1,200,000", "$1.2M+", "$1,200,000 +/-", "Est. $1.2M"],
        [A] * 6,
        "value.approximate",
    ),
    "words beside": (
        "Asking Price",
        "asking_price",
        ["$1,200,000 OBO", "$1,200,000 (firm)", "$1,200,000, net", "$1,200,000"],
        [A] * 4,
        "value.qualified",
    ),
    "no price yet": (
        "Asking Price",
        "asking_price",
        [A, "TBD", "POA", "Call for Offers", "$Confidential", "Price on application", "VB", "N/A", "-", "auf Anfrage"],
        [A] + [None] * 9,
        "value.placeholder",
    ),
    "ranges": (
        "Asking Price",
        "asking_price",
        [A, "$1.2M - $1.5M", "1,200,000 to 1,500,000", "$1.2-$1.5 million"],
        [A, None, None, None],
        "value.range",
    ),
    "ranges alone": (
        "Asking Price",
        "asking_price",
        ["$1.2M - $1.5M", "$2M - $3M", "$4M - $5M"],
        [None] * 3,
        "value.range",
    ),
    "prose": (
        "Asking Price",
        "asking_price",
        [A, B, "see the memo", "1.2M or 1.5M", "2nd round bids"],
        [A, B, None, None, None],
        "value.unparsed",
    ),
    "errors and truth": (
        "Asking Price",
        "asking_price",
        [A, "#REF!", True, B, "#DIV/0!"],
        [A, None, None, B, None],
        "value.error value.boolean",
    ),
    "scientific": ("Asking Price", "asking_price", ["1.2E+06", "1.2e6", 1.2e6], [A] * 3, ""),
    "a thousand off": (
        "Asking Price",
        "asking_price",
        [A, B, C, A, B, C, A, B, 1200],
        [A, B, C, A, B, C, A, B, 1200],
        "slip.thousandfold",
    ),
    "rents with their basis": (
        "Rent PSF",
        "rent_psf",
        ["$24.00 NNN", "$24.00/SF/yr", "$2.00/SF/mo", "24.00 FS", "24 psf", 24],
        [24] * 6,
        "value.qualified value.converted",
    ),
    "rents of another unit": (
        "Rent PSF",
        "rent_psf",
        [24, 25.5, "€258.334/m²", "5 MW"],
        [24, 25.5, 24.0, None],
        "value.converted value.unparsed",
    ),
    "monthly rents": (
        "Monthly Rent",
        "rent_monthly",
        ["$12,500/mo", "12,500 per month", 12_500, "150,000/yr"],
        [12_500, 12_500, 12_500, None],
        "value.unit",
    ),
    "covers": (
        "DSCR",
        "dscr",
        ["1.25x", "1.25:1", 1.25, "1.25 to 1", "1,25x", "NAP"],
        [1.25] * 5 + [None],
        "value.placeholder",
    ),
    "sizes": (
        "Building SF",
        "building_sf",
        ["12,500 SF", "12.5k SF", "±12,500", "12,500 RSF", "12,500 GLA", 12_500, "12,500 square feet"],
        [12_500] * 7,
        "",
    ),
    "acres": (
        "Land Acres",
        "land_acres",
        [1.5, "1.5 AC", "1 1/2", "1-1/2", "1½", "65,340 SF", "±1.5 acres"],
        [1.5] * 7,
        "value.converted",
    ),
    "terms": (
        "Lease Term (months)",
        "lease_term_months",
        [60, "60 months", "5 years", "60 mos.", "5 yrs.", "MTM"],
        [60] * 5 + [None],
        "value.unparsed",
    ),
    "rates that float": (
        "Interest Rate",
        "interest_rate",
        ["6.50%", "6.50% fixed", "SOFR + 250", "6 1/2%", "Prime + 1"],
        [0.065, 0.065, None, 0.065, None],
        "value.unparsed",
    ),
    "occupancies in words": (
        "Occupancy",
        "occupancy",
        ["95%", "95% leased", 0.95, "95.0 %", "fully leased"],
        [0.95] * 4 + [None],
        "value.unparsed",
    ),
    "years": (
        "Year Built",
        "year_built",
        [1974, "1974", "c. 1974", 1974.0, "1974/1998", "UC", 0, D(1974, 1, 1), 1974],
        [1974, 1974, 1974, 1974, 1974, None, None, 1974, 1974],
        "value.qualified value.unparsed value.zero",
    ),
    "days by name": (
        "Lease Expiry",
        "lease_expiry",
        [
            "30 June 2025",
            "June 30, 2025",
            "30-Jun-25",
            "30th of June 2025",
            "30. Juni 2025",
            "30 juin 2025",
            "30 de junio de 2025",
        ],
        [D(2025, 6, 30)] * 7,
        "",
    ),
    "days by numbers": (
        "Lease Expiry",
        "lease_expiry",
        ["2025-06-30", "6/30/2025", "20250630", "2025/06/30", "2025-06-30T00:00:00Z", 45838],
        [D(2025, 6, 30)] * 6,
        "date.serial",
    ),
    "typos in days": (
        "Lease Expiry",
        "lease_expiry",
        [
            "6/30/2025",
            "6/31/2025",
            "2025-02-30",
            "Jnue 30, 2025",
            "June 30, 20255",
            "31/13/2025",
            "7/1/2026",
            "8/1/2026",
            "9/1/2027",
            "1/1/2028",
            "1/2/2028",
        ],
        [
            D(2025, 6, 30),
            None,
            None,
            None,
            None,
            None,
            D(2026, 7, 1),
            D(2026, 8, 1),
            D(2027, 9, 1),
            D(2028, 1, 1),
            D(2028, 1, 2),
        ],
        "value.unparsed",
    ),
    "parts of days": (
        "Lease Expiry",
        "lease_expiry",
        ["2025-06-30", "Q3 2025", "June 2025", "2025", "H1 2026", "mid 2025"],
        [D(2025, 6, 30)] + [None] * 5,
        "date.partial",
    ),
    "the day first": (
        "Lease Expiry",
        "lease_expiry",
        ["03/04/2025", "13/04/2025", "05/06/2025"],
        [D(2025, 4, 3), D(2025, 4, 13), D(2025, 6, 5)],
        "",
    ),
    "the month first": (
        "Lease Expiry",
        "lease_expiry",
        ["03/04/2025", "04/13/2025", "05/06/2025"],
        [D(2025, 3, 4), D(2025, 4, 13), D(2025, 5, 6)],
        "",
    ),
    "either first": (
        "Lease Expiry",
        "lease_expiry",
        ["03/04/2025", "04/13/2025", "13/06/2025"],
        [None, D(2025, 4, 13), D(2025, 6, 13)],
        "date.mixed",
    ),
    "nothing tells": (
        "Lease Expiry",
        "lease_expiry",
        ["03/04/2025", "05/06/2025"],
        [D(2025, 3, 4), D(2025, 5, 6)],
        "date.ambiguous",
    ),
    "dots put the day first": (
        "Lease Expiry",
        "lease_expiry",
        ["03.04.2025", "05.06.2025"],
        [D(2025, 4, 3), D(2025, 6, 5)],
        "date.day_first",
    ),
    "dots with the month first": (
        "Lease Expiry",
        "lease_expiry",
        ["03.04.2025", "05.26.2025"],
        [D(2025, 3, 4), D(2025, 5, 26)],
        "",
    ),
    "days half turned by a program": (
        "Lease Expiry",
        "lease_expiry",
        [D(2025, 4, 3), D(2025, 6, 5), "13/04/2025", "28/02/2026"],
        [D(2025, 4, 3), D(2025, 6, 5), D(2025, 4, 13), D(2026, 2, 28)],
        "date.swapped",
    ),
    "postal codes": (
        "Zip",
        "postal_code",
        ["02134", 2134, "02134-1001", 21_341_001, "10001"],
        ["02134", "02134", "02134-1001", "02134-1001", "10001"],
        "id.padded",
    ),
    "suites": (
        "Suite",
        "suite",
        ["100", "3-4", "1E5", "2/3", 100.0, "001", D(2025, 3, 4)],
        ["100", "3-4", "1E5", "2/3", "100", "001", "2025-03-04"],
        "text.date",
    ),
    "tenants": (
        "Tenant",
        "tenant",
        ["NA", "NULL", "7-Eleven", "None", "Quill LLC", "--", "Fern  Grocers"],
        ["NA", "NULL", "7-Eleven", "None", "Quill LLC", None, "Fern Grocers"],
        "",
    ),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_each_member_of_a_family_is_read_or_said_to_be_none(family: str) -> None:
    """Value by value, with the codes of what was found on the way."""
    header, field, held, wanted, codes = FAMILIES[family]
    extraction = listed(held, header)
    for found, value in zip(values(extraction, field), wanted, strict=True):
        assert found == (pytest.approx(value, rel=1e-5) if isinstance(value, float) else value)
    assert set(codes.split()) <= {issue.code for issue in extraction.issues}


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_is_missing_in_silence(family: str) -> None:
    """Each cell that gives no value is named by an issue, and its raw value stays."""
    header, field, held, wanted, _ = FAMILIES[family]
    extraction = listed(held, header)
    named = {cell for issue in extraction.issues for cell in issue.cells}
    texts = field in ("tenant", "suite", "postal_code")
    missing = [f"Deals!E{at + 2}" for at, value in enumerate(wanted) if value is None and held[at] is not None]
    assert texts or set(missing) <= named
    raws = next(column for column in extraction.tables[0].columns if column.field == field).raws
    assert [str(raw) for raw in raws if not isinstance(raw, (dt.date, float))] == [
        str(value) for value, raw in zip(held, raws, strict=True) if not isinstance(raw, (dt.date, float))
    ]


def test_ids_and_postal_codes_that_a_program_wrote_as_decimals_are_put_right() -> None:
    """In a CSV file, where all of them end in .0."""
    text = "Loan ID,Property,Zip,State,Loan Balance\n381.0,Heron,2134.0,MA,100000\n1502.0,Cedar,10001.0,NY,200000\n"
    extraction = read_csv(text)
    assert values(extraction, "source_id") == ["381", "1502"]
    assert values(extraction, "postal_code") == ["02134", "10001"]
    assert len(issues(extraction, "id.decimal")) == 2


def test_the_way_with_numbers_tells_which_of_day_and_month_comes_first() -> None:
    """A table that writes 1.234,50 puts the day first where its dates do not tell."""
    text = "Objekt;Ort;Kaufpreis;Kaufdatum\nHafen;Kiel;1.250.000,50;03/04/2025\nLinde;Ulm;950.000,00;05/06/2025\n"
    extraction = read_csv(text)
    assert values(extraction, "close_date") == [D(2025, 4, 3), D(2025, 6, 5)]
    assert issues(extraction, "date.day_first")


def test_phone_numbers_are_no_ids_and_no_amounts() -> None:
    """Whether they stand as text or as numbers."""
    for held in ("(212) 555-0100", "212-555-0100", 2_125_550_100, "+1 212 555 0100"):
        rows = [["Property", "City", "Units", "Contact Phone", "Sale Price"]]
        rows += [[f"P{i}", "Reno", 3 + i, held, A] for i in range(4)]
        phone = next(c for c in read(rows).tables[0].columns if c.header == "Contact Phone")
        assert phone.field is None


@pytest.mark.parametrize("header", ["Currency", "CCY", "Deal Currency", "Währung"])
def test_a_column_of_currencies_gives_each_deal_its_own(header: str) -> None:
    """By code or sign, in the column's scale; what is blank follows most."""
    rows = [["Company", header, "Deal Value (m)", "Stage", "City"], ["Alpha AG", "EUR", 12.5, "LOI", "Kiel"]]
    rows += [
        ["Beta Ltd", "GBP", 8.0, "IOI", "Leeds"],
        ["Gamma SA", "€", 20, "LOI", "Lyon"],
        ["Delta SA", None, 30, "LOI", "Nice"],
    ]
    found = [deal.fields["deal_value"] for deal in read(rows).deals()]
    assert [(one.value, one.currency) for one in found] == [
        (12_500_000, "EUR"),
        (8_000_000, "GBP"),
        (20_000_000, "EUR"),
        (30_000_000, "EUR"),
    ]


@pytest.mark.parametrize("held", ["1985/2015", "1985 / 2015", "1985 (R 2015)", "1985; ren. 2015", "1985-2015", "1985"])
def test_a_column_of_two_years_gives_the_year_of_its_header(held: str) -> None:
    """Built and renovated in one cell: the first is when it was built; a dash may be a span, which stays open."""
    assert values(listed([held] * 4, "Yr Blt/Renov"), "year_built") == [1985] * 4
    assert values(listed([1985, 1990, 1995, 2001, held], "Year Built"), "year_built")[-1] == (
        None if held == "1985-2015" else 1985
    )


def test_a_rent_by_the_month_is_no_million() -> None:
    """(m) is millions in a value, and no scale in a rent."""
    assert values(listed([4.5, 5.5], "Asking Price (m)"), "asking_price") == [4_500_000, 5_500_000]
    assert values(listed([4_500, 5_500], "Monthly Rent (m)"), "rent_monthly") == [4_500, 5_500]


@pytest.mark.parametrize(("text", "area"), [("22k SF", 22_000), ("5k", 53_820), ("5k sqm", 53_820), ("5,000", 53_820)])
def test_an_area_with_its_magnitude_keeps_its_unit_under_a_header_of_another(text: str, area: float) -> None:
    """Thousands of square feet or metres in a column headed sqm: the magnitude is the value's own, the unit too."""
    rows = [[f"Alder {n}", 2_400_000 + 977 * n, 1_750 + 13 * n] for n in range(4)]
    extraction = read([["Property", "Price", "Building Area (sqm)"], *rows, ["Birch", 3_100_000, text]])
    assert values(extraction, "building_sf")[-1] == pytest.approx(area, rel=1e-4)


@pytest.mark.parametrize("header", ["NOI Year ²", "NOI ²", "Year ²", "Price ¹", "Cap rate Year ③"])
def test_signs_that_are_digits_to_some_break_no_header(header: str) -> None:
    """Raised and circled digits count as digits, but no number can be made of them."""
    rows = [[f"Alder {n}", "Tulsa", 2_400_000 + 977 * n, 150_000 + 13 * n] for n in range(4)]
    assert read([["Property", "City", "Price", header], *rows, ["Cedar", "Tulsa", "²", "③"]]).deal_count == 5
