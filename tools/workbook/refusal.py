"""The sentences with which a file is refused."""

from __future__ import annotations

from schemas.errors import InputError

_LONGEST_NAME = 120


def shown_name(filename: str) -> str:
    """`filename` as it may be printed: no control characters, no line breaks, of bounded length."""
    plain = "".join(c if c.isprintable() else "?" for c in filename)
    return plain if len(plain) <= _LONGEST_NAME else plain[: _LONGEST_NAME - 1] + "…"


def refusal(code: str, filename: str, what: str, remedy: str) -> InputError:
    """The error that names the file, what is wrong with it and what to do."""
    return InputError(code, f"{shown_name(filename)} {what}; {remedy}.")


def encrypted(filename: str) -> InputError:
    """For a file behind a password."""
    return refusal(
        "file.encrypted", filename, "is password-protected", "save a copy without the password and send that"
    )


def truncated(filename: str) -> InputError:
    """For a file that breaks off or whose parts do not fit together."""
    return refusal(
        "file.truncated", filename, "is cut short or damaged", "open it in Excel, save it again and send the new copy"
    )


def lost_sheet(filename: str, sheet: str) -> InputError:
    """For a workbook that lists a sheet which is not in the file."""
    what = f"is damaged: it lists a sheet {shown_name(sheet)!r} that is not in it"
    return refusal("file.truncated", filename, what, "open it in Excel, save it again and send the new copy")


def unsafe(filename: str, why: str) -> InputError:
    """For a file whose reading would cost more than the limits allow; `why` begins with a verb."""
    return refusal(
        "file.unsafe", filename, f"is not opened: it {why}", "save the sheets with the deals as a new workbook"
    )


def not_workbook(filename: str, what: str) -> InputError:
    """For a file of another kind; `what` begins with a verb."""
    return refusal("file.not_workbook", filename, what, "save the table as .xlsx or .csv and send that")


def web_page(filename: str, what: str) -> InputError:
    """For HTML under a workbook's name; `what` begins with a verb."""
    return refusal("file.html", filename, what, "open it in Excel, save it as .xlsx and send that")
