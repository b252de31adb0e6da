"""The command line: `dealwright COMMAND …`; what fails ends in one sentence and an exit code, never in a traceback."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import cast

from schemas.errors import DealwrightError, TransientError
from worker.commands.arguments import build_parser
from worker.commands.stopping import Stop, stoppable
from worker.commands.terminal import OUTPUT, error_document, flush_output, let_go, print_json, require_output, say

STOPPED, TERMINATED = 130, 143
"""Ctrl-C and SIGTERM, as shells count them."""
READER_GONE = 141
"""Nobody reads standard output any more (`… | head`), as shells count it."""
SERVING = frozenset({"serve", "up", "work"})
KEEPING_NOTHING = frozenset({"bench", "doctor", "extract", "inspect", "jobs", "show"})
"""They begin anew each time."""


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of one command line: 0 done, 1 our fault, 2 bad input, 3 rejected or waiting."""
    with contextlib.suppress(AttributeError):
        # A name that the terminal's encoding lacks is shown escaped; it must not end the work.
        cast("TextIOWrapper", sys.stdout).reconfigure(errors="backslashreplace")
    with stoppable() as stop:
        code = _told(argv, stop)
    try:
        flush_output()
    except OSError:
        let_go(sys.stdout)
        code = code or READER_GONE
    return code


def _told(argv: Sequence[str] | None, stop: Stop) -> int:
    wants_json = "--json" in (argv if argv is not None else sys.argv[1:])
    try:
        code = _run(argv)
    except DealwrightError as error:
        code = _answer(error, wants_json)
    except KeyboardInterrupt:
        say(_stopped((argv if argv is not None else sys.argv[1:])[:1]))
        code = STOPPED
    except BrokenPipeError:
        let_go(sys.stdout)
        code = READER_GONE
    except Exception as error:  # noqa: BLE001  # the last place before the user: a crash is logged and told in a sentence
        code = _answer(_meaning(error), wants_json)
    return TERMINATED if stop.terminated else code


def _stopped(command: Sequence[str]) -> str:
    if KEEPING_NOTHING.intersection(command):
        return "Stopped."
    return "Stopped; what was finished is kept, and the same command goes on from there."


def _run(argv: Sequence[str] | None) -> int:
    try:
        arguments = build_parser().parse_args(argv)
    except SystemExit:
        # After --help and --version.
        flush_output()
        raise
    if _prints(arguments):
        require_output()
    if arguments.log_json or arguments.logs:
        _watch(to_screen=arguments.log_json, serving=arguments.command in SERVING)
    module, _, function = cast("str", arguments.run).partition(":")
    run = cast("Callable[[object], int]", getattr(import_module(module), function))
    code = run(arguments)
    flush_output()
    return code


def _prints(arguments: argparse.Namespace) -> bool:
    """Whether what it is run for goes to standard output: not what a service does, nor what a file is named for."""
    return getattr(arguments, "link", arguments.command not in SERVING) and not getattr(arguments, "xlsx", None)


def _watch(*, to_screen: bool, serving: bool) -> None:
    """Log lines go to a file in the state folder unless asked for: they are no reading for a person at work.

    Spans are made of what a service does, for their ids in its log, and by any command that is told where to send them.
    """
    from worker.log import LogFile, set_up_logs
    from worker.settings import export_patience_s, load_settings, on_cloud_run, traces_wanted

    settings = load_settings()
    to_screen = to_screen or settings.log_json or on_cloud_run()
    set_up_logs(json_lines=True, stream=None if to_screen else LogFile(settings.log_file), project=settings.project)
    if serving or traces_wanted():
        from worker.adapters.spans import make_tracer, otlp_exporter
        from worker.tracing import make_spans

        make_spans(make_tracer(otlp_exporter(export_patience_s()) if traces_wanted() else None))


def _answer(error: DealwrightError, wants_json: bool) -> int:
    say(error.message)
    if wants_json:
        with contextlib.suppress(OSError):
            print_json(error_document(error.code, error.message))
    return error.exit_code


def _meaning(error: Exception) -> DealwrightError:
    """What to tell of an error that nobody caught: what is wrong around us, or where its traceback was put."""
    if isinstance(error, OSError) and error.filename == OUTPUT:
        words = f"Standard output can't be written ({error.strerror}); make room where it goes, or send it elsewhere."
        return TransientError("out.unwritable", words)
    from worker.commands.crash import keep_crash
    from worker.settings import load_settings
    from worker.surroundings import set_up_fault

    told = None
    with contextlib.suppress(DealwrightError):
        told = set_up_fault(error, load_settings())
    return told or keep_crash(error)


if __name__ == "__main__":
    sys.exit(main())
