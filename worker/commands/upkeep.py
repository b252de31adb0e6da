"""`dealwright migrate`, and what `dealwright test` says without the launcher."""

from __future__ import annotations

import argparse
import asyncio

from schemas.errors import InputError
from worker.commands.terminal import print_json, tell
from worker.settings import load_settings


def run_migrate(arguments: argparse.Namespace) -> int:
    """Applies what is missing, and names it."""
    from worker.bootstrap import migrate_database

    applied = asyncio.run(migrate_database(load_settings()))
    if arguments.json:
        print_json({"applied": applied})
    else:
        tell(f"Applied: {', '.join(applied)}." if applied else "The database is up to date.")
    return 0


def run_test(arguments: argparse.Namespace) -> int:
    """The tests need the development lock, which the launcher installs."""
    words = "./dealwright test --long" if arguments.long else "./dealwright test"
    raise InputError(
        "line.wrong",
        f"The tests are run by the launcher, which brings their tools; run {words} in the project's folder.",
    )
