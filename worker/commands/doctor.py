"""`dealwright doctor`: whether this set-up can work, and what to do where it can't."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from schemas.errors import DealwrightError
from worker.commands.doctor_live import examine_live
from worker.commands.finding import Finding
from worker.commands.terminal import print_json, tell
from worker.settings import Settings, has_model_key, load_settings

ENOUGH_BYTES = 1_000_000_000
"""Free disk below which a large workbook may not fit: its upload, deals and documents, each version of them."""


def run(arguments: argparse.Namespace) -> int:
    """Prints a line a check; 2 if anything needs doing."""
    findings = [*examine()]
    if arguments.json:
        print_json({"ok": all(finding.ok for finding in findings), "checks": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            tell(finding.line())
    return 0 if all(finding.ok for finding in findings) else 2


def examine() -> Iterator[Finding]:
    """The findings, one after another; without settings there is nothing more to look at."""
    try:
        settings = load_settings()
    except DealwrightError as error:
        yield Finding("settings", False, error.message, "correct it in the environment")
        return
    yield Finding("settings", True, f"state in {settings.state_dir}")
    checks: tuple[tuple[str, Callable[[], Finding]], ...] = (
        ("database", lambda: _database(settings)),
        *_folders(settings),
        ("disk", lambda: _disk(settings)),
        ("model", lambda: _model(settings)),
        ("fonts", _fonts),
        ("prompts", _prompts),
    )
    for name, check in checks:
        try:
            yield check()
        except DealwrightError as error:
            yield Finding(name, False, error.message, "see README, When something is wrong")
    yield from examine_live(settings)


def _folders(settings: Settings) -> Iterator[tuple[str, Callable[[], Finding]]]:
    """The folders among the places; buckets are looked at where they are."""
    if not settings.artifacts.startswith("gs://"):
        yield "artifacts", lambda: _folder("artifacts", Path(settings.artifacts), "DEALWRIGHT_ARTIFACTS")
    if not settings.deliveries.startswith("gs://"):
        yield "delivery", lambda: _folder("delivery", settings.delivery_dir, "DEALWRIGHT_STATE_DIR")


def _nearest(place: Path) -> Path:
    return next(folder for folder in (place, *place.absolute().parents) if folder.exists())


def _folder(name: str, place: Path, setting: str) -> Finding:
    """A folder that isn't there yet is well if it can be made."""
    nearest = _nearest(place)
    ok = nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)
    made = "" if place.exists() else " (made on first use)"
    return Finding(
        name, ok, f"{place}{made}", "" if ok else f"{nearest} can't be written to: change its owner, or set {setting}"
    )


def _disk(settings: Settings) -> Finding:
    free = shutil.disk_usage(_nearest(settings.state_dir)).free
    do = "" if free >= ENOUGH_BYTES else f"make room: below {ENOUGH_BYTES / 1e9:.0f} GB a large job may fail"
    return Finding("disk", not do, f"{free / 1e9:,.1f} GB free", do)


def _database(settings: Settings) -> Finding:
    from worker.surroundings import set_up_fault, shown_url

    shown, place = shown_url(settings), Path(settings.database_url.partition("///")[2])
    if settings.database == "sqlite" and not place.exists():
        return _folder("database", place, "DEALWRIGHT_DATABASE_URL")
    try:
        missing = asyncio.run(_missing_migrations(settings))
    except Exception as error:
        told = set_up_fault(error, settings)
        if told is None:
            raise
        found, _, do = told.message.partition("; ")
        return Finding("database", False, found, do.rstrip("."))
    do = f"run dealwright migrate ({len(missing)} to apply)" if missing else ""
    return Finding("database", not missing, shown, do)


async def _missing_migrations(settings: Settings) -> list[str]:
    from worker.bootstrap import LEDGER_SCHEMA
    from worker.ledger.engine import make_engine
    from worker.ledger.migrate import pending, read_migrations

    engine = make_engine(settings.database_url, LEDGER_SCHEMA, pooled=False)
    try:
        found = await pending(engine)
    finally:
        await engine.dispose()
    return [step.name for step in (read_migrations() if found is None else found)]


def _model(settings: Settings) -> Finding:
    from agents.model import LITELLM, OFFLINE, build_model

    build_model(settings.model)
    if settings.model == OFFLINE:
        return Finding("model", True, "offline (the planner; set DEALWRIGHT_MODEL to use Gemini)")
    if settings.model.startswith(LITELLM):
        return Finding("model", True, f"{settings.model} (its provider's key is looked for at the first call)")
    if not has_model_key():
        return Finding("model", False, f"{settings.model}, and no key for it", "set GOOGLE_API_KEY, or unset the model")
    return Finding("model", True, settings.model)


def _fonts() -> Finding:
    """The fonts that text is measured with and that the PDF embeds."""
    from tools.figures.text import FAMILIES, Face, ems, font_path

    faces: tuple[Face, ...] = ("sans", "serif")
    looks = ((False, False), (True, False), (False, True))
    styles: list[tuple[Face, bool, bool]] = [(face, bold, italic) for face in faces for bold, italic in looks]
    for face, bold, italic in styles:
        path = font_path(face, bold, italic)
        try:
            ems("Cap rate 5.50%", face, bold, italic)
        except Exception as error:  # noqa: BLE001  # fontTools raises what it likes on a damaged file
            return Finding(
                "fonts",
                False,
                f"{path.name} can't be read ({type(error).__name__})",
                "restore tools/fonts from the project",
            )
    return Finding("fonts", True, ", ".join(FAMILIES.values()))


def _prompts() -> Finding:
    from agents.registry import open_prompts

    versions = open_prompts().versions
    return Finding("prompts", True, ", ".join(f"{name} {version}" for name, version in sorted(versions.items())))
