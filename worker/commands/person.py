"""Who sits at the command line, and what they say when they are asked."""

from __future__ import annotations

import os
import pwd
import sys

from schemas.documents import Emphasis
from worker.commands.terminal import printable, say
from worker.decisions import Correction, Said


def user_name() -> str:
    """The name of the command line's user, as the system knows it, for the record of decisions."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid {os.getuid()}"


def ask(prompt: str) -> str:
    """One line from the keyboard, without its ends; "" if there is none. Standard output is left alone."""
    sys.stderr.write(printable(prompt))
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def ask_for_decision(job_id: str, by: str) -> Said | None:
    """What the person says to a gate; None for later."""
    while True:
        answer = ask("Approve? y deliver, c ask for changes, r reject, l later: ").lower()[:1]
        if answer == "y":
            return Said("approved", by)
        if answer in ("l", ""):
            return None
        if answer == "r":
            reason = ask("Why? ")
            if reason:
                return Said("rejected", by, reason)
        if answer == "c":
            return _ask_for_changes(by)
        say(f"Please answer y, c, r or l; job {job_id[:12]} waits.")


def _ask_for_changes(by: str) -> Said:
    comment = ask("What should change? ")
    corrections: list[Correction] = []
    while assignment := ask("A value to correct, such as #3.noi=450000 (Enter for none): "):
        corrections.append(Correction(assignment, ask("Why? ") or comment))
    lead = ask("Lead with income or price (Enter: as it is): ").lower()
    emphasis: Emphasis | None = "income" if lead == "income" else "price" if lead == "price" else None
    return Said("changes_requested", by, comment, tuple(corrections), emphasis)
