"""What a job came to, told to people and to programs, and as an exit code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from schemas.errors import DealwrightError
from schemas.job import JobDetail
from worker.commands.terminal import error_document, tell, tell_table
from worker.decisions import DecisionOutcome, in_currencies
from worker.export import Exported, newest

SENDERS_FAULT = ("file.", "object.", "setting.")
"""Beginnings of the codes for which the sender must act, not we."""


def exit_code(detail: JobDetail) -> int:
    """0 delivered; 3 rejected, cancelled or waiting; quarantined: 2 for input that can't be used, else 1."""
    if detail.state == "completed":
        return 0
    if detail.state != "quarantined":
        return 3
    return 2 if detail.reason and detail.reason.code.startswith(SENDERS_FAULT) else 1


def fault_line(detail: JobDetail, log_file: Path) -> str:
    """What to say of a quarantined job; of a fault of ours, where the details are too."""
    return outcome_line(detail) + ("" if exit_code(detail) == 2 else f" The log is {log_file}.")


def outcome_line(detail: JobDetail) -> str:
    """One sentence on where the job stands, and how to go on."""
    job = detail.job_id[:12]
    if detail.state == "waiting":
        gate = next((ticket for ticket in reversed(detail.tickets) if ticket.kind == "approval"), None)
        until = f" until {gate.expires_at:%Y-%m-%d %H:%M} UTC" if gate and gate.expires_at else ""
        return f"Job {job} waits for a decision{until}: dealwright approve {job} (or changes, reject, cancel)."
    if detail.state == "quarantined" and detail.reason:
        back = f" Job {job} is set aside; once the cause is mended: dealwright replay {job}."
        return detail.reason.message + ("" if exit_code(detail) == 2 else back)
    if detail.state == "completed" and detail.delivered:
        return f"Job {job} is completed; its documents were delivered to {detail.delivered.place}."
    unread = detail.reason is not None and detail.reason.code.startswith("object.")
    return f"Job {job} is {detail.state}." + (f" {detail.reason.message}" if detail.reason and unread else "")


def pin_line(pin: Mapping[str, Any]) -> str:
    """A corrected value as people are told it: whose, where, what was in force until then and what is."""
    deal, place = pin.get("deal") or pin["deal_id"], pin.get("place") or pin.get("cell") or ""
    where = f" ({place})" if place and place != deal else ""
    pin = {"before": pin.get("was"), **pin}
    before, now = in_currencies(pin, _shown(pin, "before"), _shown(pin, "value"))
    return f"{deal}{where}: {pin['field']} {before} -> {now}"


def _shown(pin: Mapping[str, Any], which: str) -> str:
    """A pin's value as its field is written: percentages and amounts read at sight."""
    from tools.deals.dictionary import field_spec

    text, spec = pin.get(which), field_spec(str(pin["field"]))
    if not text:
        return "(none)"
    try:
        number = Decimal(str(text))
    except InvalidOperation:
        return str(text)
    if spec is not None and spec.type == "fraction":
        return f"{round(number * 100, 4).normalize():f}%"
    return f"{number:,f}" if spec is not None and spec.type in ("money", "number", "count") else str(text)


def first_decision(outcome: DecisionOutcome) -> str:
    """What to tell whoever comes after the first decision, or too late for any."""
    first = outcome.decision
    at = f"on {first.decided_at:%Y-%m-%d %H:%M} UTC"
    if first.verdict == "expired":
        return f"It expired {at}: nobody decided in time, and nothing was delivered."
    return f"It was decided before: {first.by} was first, {at}: {first.verdict.replace('_', ' ')}."


@dataclass(frozen=True, slots=True)
class Report:
    """What became of one file."""

    path: str
    code: int
    detail: JobDetail | None = None
    was: str | None = None
    exported: Exported | None = None
    error: DealwrightError | None = None

    def document(self) -> dict[str, Any]:
        """The report as JSON; a file that never became a job has only its error."""
        document: dict[str, Any] = {"file": self.path, "exit_code": self.code}
        if self.error is not None:
            return document | error_document(self.error.code, self.error.message)
        return document | ({"was": self.was} | job_plain(self.detail, self.exported) if self.detail else {})

    def brief(self) -> str:
        """What was read and made, in one line."""
        summary = (self.detail.deals_summary if self.detail else None) or {}
        severities = summary.get("issues", {}).get("by_severity", {})
        doubts = ", ".join(f"{count:,} {severity}{'s' if count > 1 else ''}" for severity, count in severities.items())
        read = f"{summary.get('deals', 0):,} deals" + (f" ({doubts})" if doubts else "")
        made = (
            "; ".join(f"{name}: {what}" for name, what in self.exported.files.items() if "." in name)
            if self.exported
            else ""
        )
        return f"{self.path}: {read}. {made}"


def job_plain(detail: JobDetail, exported: Exported | None) -> dict[str, Any]:
    """What programs want to know of a job that has come to rest."""
    return {
        "job_id": detail.job_id,
        "state": detail.state,
        "reason": detail.reason.model_dump(mode="json") if detail.reason else None,
        "out": str(exported.folder) if exported else None,
        "edition": exported.edition if exported else None,
        "files": sorted(exported.files) if exported else [],
        "summary": detail.deals_summary,
        "models": models(detail),
        "documents": [document.model_dump(mode="json") for document in newest(detail)],
        "decisions": [decision.model_dump(mode="json") for decision in detail.decisions],
        "delivered": detail.delivered.model_dump(mode="json") if detail.delivered else None,
    }


def tell_reports(reports: Sequence[Report], *, decided: bool = True) -> None:
    """Writes the table of what was made and where, and how each job stands.

    If documents were decided on (`decided`), it says also that this was done by rules, where it was.
    """
    made = [
        (report.path, report.exported.folder / name, what)
        for report in reports
        if report.exported
        for name, what in report.exported.files.items()
    ]
    if made:
        tell_table(("from", "made", "what"), made)
    for report in reports:
        if report.detail and report.code in (0, 3):
            tell(outcome_line(report.detail))
    done = [report.detail for report in reports if report.detail and report.code in (0, 3)]
    if decided and any(name.startswith("offline") for detail in done for name in models(detail)):
        tell("Decided offline, by rules; DEALWRIGHT_MODEL names a model to ask instead.")


def models(detail: JobDetail) -> list[str]:
    """The models that answered for the job, each once."""
    return sorted({str(stamp["model"]) for stage in detail.stages for stamp in stage.stamps if stamp.get("model")})
