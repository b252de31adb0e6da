"""Writes the four samples anew: `python -m tests.samples.make_samples [FOLDER]`; the same facts give the same cells.

The workbooks are what an analyst would send, faults included, and were not written to please the reader: title rows, spans over a
second header row, thousands, subtotals as Excel saves them (formula and value), a price to be determined, percentages as
fractions, points and text in one column, a hidden row that its subtotal still counts, notes under the table.
`portfolio.xlsx` and `rent_roll.xlsx` hold formulas with the values that Excel would have saved; those of `loan_tape.xlsx`
have none, as when a library wrote the file.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import xlsxwriter
from openpyxl.styles import Font

from tests.samples import facts

FOLDER = Path(__file__).parent
SAVED_AT = datetime(2026, 10, 2, 9, 30)


@dataclass
class Totals:
    """Where a section's rows lie, and what its columns add up to, hidden rows included."""

    first: int
    sums: dict[str, float] = field(default_factory=dict)

    def add(self, column: str, amount: float | None) -> None:
        """Count `amount` into `column`'s sum; a missing one adds nothing."""
        self.sums[column] = self.sums.get(column, 0) + (amount or 0)


class Sheet:
    """A sheet of an XlsxWriter workbook, addressed as people do, with formats made once."""

    def __init__(self, book: Any, name: str) -> None:
        self.book, self.sheet = book, book.add_worksheet(name)
        self.formats: dict[Any, Any] = {}

    def style(self, **properties: Any) -> Any:
        """The workbook's format with `properties`."""
        key = tuple(sorted(properties.items()))
        if key not in self.formats:
            self.formats[key] = self.book.add_format(properties)
        return self.formats[key]

    def put(self, cell: str, value: Any, **properties: Any) -> None:
        """Write `value` to `cell`; a pair is a formula and the value that Excel saved for it."""
        form = self.style(**properties) if properties else None
        if isinstance(value, tuple):
            self.sheet.write_formula(cell, value[0], form, value[1])
        elif isinstance(value, date):
            self.sheet.write_datetime(cell, datetime(value.year, value.month, value.day), form)
        elif isinstance(value, str):
            self.sheet.write_string(cell, value, form)
        else:
            self.sheet.write(cell, value, form)


def new_book(path: Path) -> Any:
    """An XlsxWriter workbook at `path` whose properties never change."""
    book = xlsxwriter.Workbook(path)
    book.set_properties({"created": SAVED_AT, "author": "Harborlight Acquisitions"})
    return book


# ---- portfolio ------------------------------------------------------------------------------------------------------
SPANS = {"B7:G7": "Property", "H7:L7": "Physical", "M7:P7": "Financials ($000s)", "Q7:R7": "Anchor lease"}
HEADS = ["#", "Property", "Address", "City", "St.", "Zip", "Type", "SF", "Units", "Yr Built", "Occ.", "Asking Price",
         "NOI (TTM)", "Cap Rate", "Price / SF", "Tenant", "Lease Exp.", "Broker"]  # fmt: skip
MONEY, CAP, OCC, DAY = "#,##0.0_);(#,##0.0)", "0.00%", "0%", "mm/dd/yyyy"


def portfolio(path: Path) -> None:
    """Fifty properties in five sections with subtotals, one more in a hidden row, a look-up sheet behind."""
    book = new_book(path)
    page = Sheet(book, "Portfolio")
    portfolio_head(page)
    dice, row, number, ends = random.Random(1885), 9, 0, []
    for region, lines in facts.PROPERTIES.items():
        page.put(f"B{row}", region, bold=True, bg_color="#E7E6E6")
        totals = Totals(row + 1)
        for line in lines.splitlines():
            row, number = row + 1, number + (not line.startswith(facts.HIDDEN))
            property_row(page, row, number, line.split("|"), dice, totals)
        row += 1
        subtotal(page, row, f"Subtotal - {region}", totals)
        ends.append((row, totals))
        row += 2
    grand_total(page, row, ends)
    for offset, note in enumerate(NOTES, start=2):
        page.put(f"B{row + offset}", note, italic=offset > 2, font_size=9)
    lookups(Sheet(book, "Lookups"))
    book.close()


NOTES = (
    "Notes:",
    "(1) Asking prices are broker guidance; TBD where the seller has not set one.",
    "(2) NOI is trailing twelve months to June 2026, before reserves; n/a where statements are outstanding.",
    "(3) Occupancy as reported by the property manager, not verified.",
    "Prepared by Harborlight Acquisitions for discussion only. Not an offer.",
)


def portfolio_head(page: Sheet) -> None:
    page.put("B2", "Harborlight Property Trust", bold=True, font_size=16)
    page.put("B3", "Acquisition candidates - Fund IV", bold=True)
    page.put("B4", "As of September 30, 2026  |  $ in 000s except per SF")
    page.put("M4", "CONFIDENTIAL", bold=True, font_color="#C00000")
    head = {"bold": True, "align": "center", "bottom": 1}
    for span, text in SPANS.items():
        page.sheet.merge_range(span, text, page.style(**head))
    for offset, text in enumerate(HEADS):
        page.put(f"{chr(66 + offset)}8", text, bold=True, text_wrap=True, bottom=2)
    page.sheet.set_column("A:A", 2)
    page.sheet.set_column("C:D", 30)
    page.sheet.freeze_panes(8, 3)


def property_row(page: Sheet, row: int, number: int, words: list[str], dice: random.Random, totals: Totals) -> None:
    name, address, city, state, postal, kind, tenant, broker = words
    hidden = name == facts.HIDDEN
    sf, units, price, noi = facts_of(kind, dice)
    for column, amount in {"I": sf, "J": units, "M": price, "N": noi}.items():
        totals.add(column, amount)
    texts = {"C": name, "D": address, "E": city, "F": state, "G": postal, "H": kind, "S": broker}
    for column, text in texts.items():
        page.put(f"{column}{row}", text)
    page.put(f"B{row}", "w/d" if hidden else number)
    page.put(f"I{row}", sf, num_format="#,##0")
    page.put(f"J{row}", units)
    page.put(f"K{row}", dice.randint(1962, 2021))
    page.put(f"M{row}", price, num_format=MONEY)
    page.put(f"N{row}", noi, num_format=MONEY)
    page.put(f"O{row}", (f"=N{row}/M{row}", noi / price), num_format=CAP)
    page.put(f"P{row}", (f"=M{row}*1000/I{row}", price * 1000 / sf), num_format="$#,##0.00")
    page.put(f"Q{row}", tenant or None)
    occupancy_and_lease(page, row, kind, tenant, dice)
    for column, value in odd_cells(number, hidden, noi, totals, price).items():
        page.put(f"{column}{row}", value)
    if hidden:
        page.sheet.set_row(row - 1, None, None, {"hidden": True})


def facts_of(kind: str, dice: random.Random) -> tuple[int, int | None, float, float]:
    """Area (SF), units, price and income ($000s) of a property of `kind`."""
    (low, high), psf, caps = facts.MARKET[kind]
    sf = dice.randrange(low, high, 50)
    units = round(sf / 870) if kind == "Multifamily" else 512 if kind == "Self Storage" else None
    price = round(sf * dice.uniform(*psf) / 1000 / 25) * 25.0
    return sf, units, price, round(price * dice.uniform(*caps), 1)


def occupancy_and_lease(page: Sheet, row: int, kind: str, tenant: str, dice: random.Random) -> None:
    occupancy = 0.0 if tenant == "Vacant" else dice.randint(78, 100) / 100
    written: Any = f"{occupancy:.0%}" if row % 17 == 0 else round(occupancy * 100) if row % 13 == 0 else occupancy
    page.put(f"L{row}", written, **({"num_format": OCC} if written == occupancy else {}))
    if tenant and tenant != "Vacant":
        expiry: Any = date(dice.randint(2026, 2036), dice.randint(1, 12), 28)
        several = tenant.startswith("Various")
        page.put(f"R{row}", "Various" if several else expiry, num_format=DAY)


def odd_cells(number: int, hidden: bool, noi: float, totals: Totals, price: float) -> dict[str, Any]:
    """What somebody typed over the regular cells of property `number`; a sum leaves out what is no number any more."""
    if hidden:
        return {}
    if number == 17:
        totals.add("M", -price)
        return {"M": "TBD", "O": "n/a", "P": "n/a"}
    if number == 30:
        totals.add("N", -noi)
        return {"N": "n/a", "O": "n/a"}
    return {6: {"O": "6.50%"}, 12: {"I": None, "K": "1974/1998"}, 21: {"O": 7.25}, 26: {"R": "6/30/2029"},
            35: {"O": 0.059}, 41: {"R": "MTM"}}.get(number, {})  # fmt: skip


def subtotal(page: Sheet, row: int, label: str, totals: Totals) -> None:
    style = {"bold": True, "top": 1}
    page.put(f"C{row}", label, **style)
    for column, form in {"I": "#,##0", "J": "#,##0", "M": MONEY, "N": MONEY}.items():
        formula = f"=SUM({column}{totals.first}:{column}{row - 1})"
        page.put(f"{column}{row}", (formula, round(totals.sums[column], 1)), num_format=form, **style)
    page.put(f"O{row}", (f"=N{row}/M{row}", totals.sums["N"] / totals.sums["M"]), num_format=CAP, **style)


def grand_total(page: Sheet, row: int, ends: list[tuple[int, Totals]]) -> None:
    style = {"bold": True, "top": 6}
    page.put(f"C{row}", "TOTAL PORTFOLIO", **style)
    sums = {column: sum(totals.sums[column] for _, totals in ends) for column in ("I", "M", "N")}
    for column, form in {"I": "#,##0", "M": MONEY, "N": MONEY}.items():
        formula = "=" + "+".join(f"{column}{at}" for at, _ in ends)
        page.put(f"{column}{row}", (formula, round(sums[column], 1)), num_format=form, **style)
    page.put(f"O{row}", (f"=N{row}/M{row}", sums["N"] / sums["M"]), num_format=CAP, **style)


def lookups(page: Sheet) -> None:
    page.put("A1", "Type", bold=True)
    page.put("B1", "Code", bold=True)
    page.put("D1", "Region", bold=True)
    page.put("E1", "Desk", bold=True)
    for row, kind in enumerate(facts.MARKET, start=2):
        page.put(f"A{row}", kind)
        page.put(f"B{row}", "".join(word[0] for word in kind.split()).ljust(2, "X"))
    for row, region in enumerate(facts.PROPERTIES, start=2):
        page.put(f"D{row}", region)
        page.put(f"E{row}", f"Acquisitions {region.split()[0]}")


# ---- rent roll ------------------------------------------------------------------------------------------------------
ROLL_HEADS = ["Suite", "Tenant", "Area (RSF)", "% of Bldg", "From", "To", "Months", "Monthly", "Annual", "PSF", "Next Step",
              "Step", "Deposit"]  # fmt: skip


def rent_roll(path: Path) -> None:
    """Three buildings of one business park, with vacant suites, subtotals, and a summary under them."""
    book = new_book(path)
    page = Sheet(book, "Rent Roll")
    roll_head(page)
    row, ends = 7, []
    for building, lines in facts.SUITES.items():
        page.put(f"A{row}", building, bold=True, italic=True)
        totals = Totals(row + 1)
        suites = [line.split("|") for line in lines.splitlines()]
        building_sf = sum(area(words) for words in suites)
        for words in suites:
            row += 1
            suite_row(page, row, words, building_sf, row + len(suites) - suites.index(words), totals)
        row += 1
        roll_total(page, row, "Building total", totals, None)
        ends.append((row, totals))
        row += 2
    roll_total(page, row, "Park total", None, ends)
    summary(page, row + 3, row, ends)
    book.close()


def area(words: list[str]) -> int:
    """The area (SF) in a suite's words."""
    return int(words[2].replace(",", ""))


def roll_head(page: Sheet) -> None:
    page.sheet.merge_range("A1:M1", "FOUNDRY ROW BUSINESS CENTER", page.style(bold=True, align="center", font_size=14))
    page.sheet.merge_range("A2:M2", "Commercial Rent Roll", page.style(align="center"))
    page.put("A3", "Effective date: 9/30/2026")
    page.put("K3", "Run 10/01/2026 08:14")
    head = page.style(bold=True, align="center", bg_color="#D9E1F2")
    page.sheet.merge_range("E5:G5", "Lease Term", head)
    page.sheet.merge_range("H5:J5", "Base Rent", head)
    page.sheet.merge_range("K5:L5", "Escalation", head)
    for offset, text in enumerate(ROLL_HEADS):
        page.put(f"{chr(65 + offset)}6", text, bold=True, bg_color="#D9E1F2")
    page.sheet.set_column("B:B", 26)


def suite_row(page: Sheet, row: int, words: list[str], building_sf: int, total_row: int, totals: Totals) -> None:
    suite, tenant, _, first, last, monthly, step_on, step, deposit = words
    sf, rent = area(words), float(monthly or 0)
    for column, amount in {"C": sf, "H": rent, "I": rent * 12}.items():
        totals.add(column, amount)
    page.put(f"A{row}", suite)
    page.put(f"B{row}", tenant)
    page.put(f"C{row}", sf, num_format="#,##0")
    page.put(f"D{row}", (f"=C{row}/C{total_row}", sf / building_sf), num_format="0.0%")
    if not first:
        return
    begin, end = date.fromisoformat(first), date.fromisoformat(last)
    page.put(f"E{row}", begin, num_format="m/d/yy")
    page.put(f"F{row}", end, num_format="m/d/yy")
    page.put(f"G{row}", (end.year - begin.year) * 12 + end.month - begin.month + (end.day >= begin.day))
    page.put(f"H{row}", rent, num_format="$#,##0.00")
    page.put(f"I{row}", (f"=H{row}*12", rent * 12), num_format="$#,##0")
    if sf:
        page.put(f"J{row}", (f"=I{row}/C{row}", rent * 12 / sf), num_format="$0.00")
    page.put(f"K{row}", date.fromisoformat(step_on) if step_on[:2] == "20" else step_on or None, num_format="m/d/yy")
    page.put(f"L{row}", step or None)
    page.put(f"M{row}", deposit or None)


def roll_total(page: Sheet, row: int, label: str, totals: Totals | None, ends: list[tuple[int, Totals]] | None) -> None:
    page.put(f"A{row}", label, bold=True)
    for column, form in {"C": "#,##0", "H": "$#,##0.00", "I": "$#,##0"}.items():
        if totals is not None:
            formula, amount = f"=SUM({column}{totals.first}:{column}{row - 1})", totals.sums[column]
        else:
            formula = "=" + "+".join(f"{column}{at}" for at, _ in ends or [])
            amount = sum(one.sums[column] for _, one in ends or [])
        page.put(f"{column}{row}", (formula, amount), bold=True, top=1, num_format=form)


def summary(page: Sheet, row: int, total_row: int, ends: list[tuple[int, Totals]]) -> None:
    whole = sum(totals.sums["C"] for _, totals in ends)
    vacant = sum(area(line.split("|")) for lines in facts.SUITES.values() for line in lines.splitlines() if "|VACANT|" in line)
    page.put(f"B{row}", "Total area (RSF)")
    page.put(f"C{row}", (f"=C{total_row}", whole), num_format="#,##0")
    page.put(f"B{row + 1}", "Vacant area (RSF)")
    page.put(f"C{row + 1}", vacant, num_format="#,##0")
    page.put(f"B{row + 2}", "Occupancy")
    page.put(f"C{row + 2}", (f"=1-C{row + 1}/C{row}", 1 - vacant / whole), num_format="0.0%")
    page.put(f"A{row + 4}", "MTM = month to month. CPI = index, capped at 4%. FMV = fair market value at renewal.")


# ---- loan tape ------------------------------------------------------------------------------------------------------
TAPE_HEADS = ["LOAN_ID", "PROP_NAME", "PROP_TYPE", "CITY", "ST", "PROGRAM", "ORIG_DT", "MAT_DT", "ORIG_BAL", "CUR_BAL", "APPR_VAL",
              "INT_RATE", "RATE_TYPE", "LTV", "NOI_UW", "ANNUAL_DS", "DSCR", "OCC_PCT", "DLQ_STATUS"]  # fmt: skip
TYPE_NAMES = {"IN": "Industrial", "RT": "Retail", "OF": "Office", "MO": "Medical office", "FX": "Flex", "MF": "Multifamily"}


def loan_tape(path: Path) -> None:
    """Twenty-eight loans under coded heads, with ratios as formulas that nothing has computed yet."""
    book = openpyxl.Workbook()
    tape: Any = book.active
    tape.title = "Tape_0926"
    tape.append(TAPE_HEADS)
    dice = random.Random(1907)
    for number, line in enumerate(facts.LOANS.splitlines()):
        tape.append(loan(number, line.split("|"), dice))
        row = tape.max_row
        for column, form in {"G": "yyyy-mm-dd", "I": "#,##0.00", "J": "#,##0.00", "K": "#,##0", "N": "0.0%", "Q": "0.00x"}.items():
            tape[f"{column}{row}"].number_format = form.replace("x", '"x"')
    last = tape.max_row
    tape.append([])
    tape.append(["TOTAL", None, None, None, None, None, None, None, f"=SUM(I2:I{last})", f"=SUM(J2:J{last})", f"=SUM(K2:K{last})"])
    for cell in (*tape[1], *tape[last + 2]):
        cell.font = Font(bold=True)
    codes = book.create_sheet("Codes")
    codes.append(["PROP_TYPE", "MEANING"])
    for pair in TYPE_NAMES.items():
        codes.append(pair)
    book.properties.created = book.properties.modified = SAVED_AT
    book.save(path)


def loan(number: int, words: list[str], dice: random.Random) -> list[Any]:
    """A loan's cells; every fifth maturity is text, two loans miss an appraisal, one is delinquent."""
    name, kind, city, state, program = words
    row = number + 2
    value = dice.randrange(60, 520) * 100_000
    original = round(value * dice.uniform(0.52, 0.74), -4)
    current = round(original * dice.uniform(0.88, 1.0), 2)
    rate, began = round(dice.uniform(4.1, 7.4), 3), date(dice.randint(2018, 2025), dice.randint(1, 12), 1)
    due: Any = date(began.year + dice.choice((5, 7, 10)), began.month, 1)
    service = round(original * (rate / 100 + 0.0135), 2)
    due = f"{due:%m/%d/%Y}" if number % 5 == 3 else due
    appraisal = None if number in (5, 22) else value
    return [
        100_240 + number * 7, name, kind, city, state, program, began, due, original, current, appraisal, rate,
        "FLT" if program == "BALANCE SHEET" else "FIX", f"=J{row}/K{row}" if appraisal else "NAP", round(service * dice.uniform(1.15, 1.9), 2),
        service, f"=O{row}/P{row}", dice.randint(81, 100), "30" if number == 18 else "C",
    ]  # fmt: skip


def pipeline(path: Path) -> None:
    """The pipeline as exported: semicolons, quotes, a byte order mark, Windows line ends, dates of three kinds."""
    path.write_bytes(b"\xef\xbb\xbf" + facts.PIPELINE.replace("\n", "\r\n").encode())


SAMPLES = {"portfolio.xlsx": portfolio, "rent_roll.xlsx": rent_roll, "loan_tape.xlsx": loan_tape, "pipeline.csv": pipeline}

if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    for file_name, write in SAMPLES.items():
        write(target / file_name)
