"""The command line: `dealwright COMMAND …`; what fails ends in one sentence and an exit code, never in a traceback."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import cast

from schemas.errors import DealwrightError
from worker.commands.arguments import build_parser
from worker.commands.terminal import error_document, print_json, say

STOPPED = 130
"""Ctrl-C, as shells count it."""
READER_GONE = 141
"""Nobody reads standard output any more (`… | head`), as shells count it."""


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of one command line: 0 done, 1 our fault, 2 bad input, 3 rejected or waiting."""
    with contextlib.suppress(AttributeError):
        # A name that the terminal's encoding lacks is shown escaped; it must not end the work.
        cast("TextIOWrapper", sys.stdout).reconfigure(errors="backslashreplace")
    wants_json = "--json" in (argv if argv is not None else sys.argv[1:])
    try:
        arguments = build_parser().parse_args(argv)
        if arguments.log_json or arguments.logs:
            _log(to_screen=arguments.log_json)
        module, _, function = cast("str", arguments.run).partition(":")
        run = cast("Callable[[object], int]", getattr(import_module(module), function))
        code = run(arguments)
        sys.stdout.flush()
    except DealwrightError as error:
        code = _answer(error, wants_json)
    except KeyboardInterrupt:
        say("Stopped; what was finished is kept, and the same command goes on from there.")
        code = STOPPED
    except BrokenPipeError:
        # What is left in the buffer would raise again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = READER_GONE
    except Exception as error:  # noqa: BLE001  # the last place before the user: a crash is logged and told in a sentence
        code = _answer(_crash(error), wants_json)
    return code


def _log(*, to_screen: bool) -> None:
    """Log lines go to a file in the state folder unless asked for: they are no reading for a person at work."""
    from worker.log import LogFile, set_up_logs
    from worker.settings import load_settings

    set_up_logs(json_lines=True, stream=None if to_screen else LogFile(load_settings().log_file))


def _answer(error: DealwrightError, wants_json: bool) -> int:
    say(error.message)
    if wants_json:
        print_json(error_document(error.code, error.message))
    return error.exit_code


def _crash(error: Exception) -> DealwrightError:
    from worker.commands.crash import keep_crash

    return keep_crash(error)


if __name__ == "__main__":
    sys.exit(main())
