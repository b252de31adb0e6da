"""The command line's words: each command, its options, and the function that runs it, named but not yet imported."""

from __future__ import annotations

import argparse
from typing import NoReturn

from schemas.errors import InputError
from worker.commands.terminal import put, require_output
from worker.placing import at_home

EPILOG = """\
exit codes: 0 done; 1 a fault of ours, or of what we stand on; 2 input that can't be used, with a sentence that says
            what to do; 3 rejected, cancelled or still waiting; 130 and 143 stopped by Ctrl-C and SIGTERM.
A JOB is its id, or the first letters of it as long as they name one job."""


class Parser(argparse.ArgumentParser):
    """A parser that answers a wrong line with one sentence, as every other bad input is answered."""

    def print_help(self, file: object = None) -> None:  # noqa: ARG002  # as argparse has it
        """Write the help as every result is written: argparse says nothing of an output that takes none."""
        require_output()
        put(self.format_help().rstrip())

    def error(self, message: str) -> NoReturn:
        """Raise InputError `line.wrong`."""
        raise InputError("line.wrong", f"{self.prog}: {message}; see {self.prog} --help.")


class _Version(argparse.Action):
    """Prints the version, which is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version

        require_output()
        put(f"dealwright {version('dealwright')}")
        parser.exit()


def job_id(text: str) -> str:
    """The beginning of a job's id; raises ArgumentTypeError for nothing at all."""
    if not text.strip():
        raise argparse.ArgumentTypeError("give a job's id, or the first letters of it")
    return text


def sha256(text: str) -> str:
    """The first digits of a hash, in small letters; raises ArgumentTypeError for too few, or for what is none."""
    if not 8 <= len(text) <= 64 or not set(text.lower()) <= set("0123456789abcdef"):
        raise argparse.ArgumentTypeError("give the first 8 digits or more of a hash that the approval binds")
    return text.lower()


def port(text: str) -> int:
    """A port, 0 for any that is free; raises ArgumentTypeError for what can't be one."""
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError("a port is a number up to 65535")
    return int(text)


EVERYWHERE = "0.0.0.0"  # noqa: S104  a service is there for other machines, and shows nothing without a pass


def build_parser() -> Parser:
    """The parser of the whole command line; `run` of its answer names the function, as `module:function`."""
    parser = Parser(
        prog="dealwright", description=_DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and end")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    _add_reading(commands)
    _add_jobs(commands)
    _add_decisions(commands)
    _add_services(commands)
    _add_quarantine(commands)
    _add_upkeep(commands)
    return parser


_DESCRIPTION = (
    "From a workbook of deals to checked, cell-cited records, an editable deck and a PDF that a person has approved."
)
_Commands = argparse._SubParsersAction  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # argparse gives no public name


def _command(commands: _Commands[Parser], name: str, run: str, text: str, *, json: bool = True) -> Parser:
    parser = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    parser.set_defaults(
        run=f"worker.commands.{run}", json=False, logs=not run.startswith(("extract", "inspect", "doctor"))
    )
    if json:
        parser.add_argument(
            "--json", action="store_true", help="print one JSON document on standard output, nothing else"
        )
    parser.add_argument("--log-json", action="store_true", help="log to standard error as JSON lines")
    return parser


def _add_reading(commands: _Commands[Parser]) -> None:
    process = _command(commands, "process", "process:run", "take files all the way to an approved deck and PDF")
    process.add_argument("files", nargs="+", metavar="FILE")
    process.add_argument(
        "--out",
        metavar="DIR",
        type=at_home,
        help="where the results go (default: out/<name of the file>; of several: DIR/<name>)",
    )
    process.add_argument(
        "--approve",
        choices=("ask", "yes", "later"),
        default="ask",
        help="who signs: ask here (default), yes is your signature, later waits",
    )
    process.add_argument("--fresh", action="store_true", help="start a new job even if this file was processed before")
    extract = _command(
        commands, "extract", "extract:run", "read the deals of one file: no agent, nothing kept", json=False
    )
    extract.add_argument("file", metavar="FILE")
    form = extract.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the extraction document on standard output")
    form.add_argument(
        "--xlsx", metavar="OUT", type=at_home, help="write the records to a workbook, each value beside its cell"
    )
    inspect = _command(commands, "inspect", "inspect:run", "show what each row of a file was taken for", json=False)
    inspect.add_argument("files", nargs="+", metavar="FILE")
    inspect.add_argument("--jsonl", action="store_true", help="one JSON document a line (as without a terminal)")


def _add_jobs(commands: _Commands[Parser]) -> None:
    _command(commands, "jobs", "jobs:run_jobs", "list the jobs, newest first")
    show = _command(commands, "show", "jobs:run_show", "tell a job's stages, tickets, decisions and hashes")
    show.add_argument("job", metavar="JOB", type=job_id)


def _add_decisions(commands: _Commands[Parser]) -> None:
    for name, text in _DECISIONS.items():
        parser = _command(commands, name, f"decide:run_{name}", text)
        parser.add_argument("job", metavar="JOB", type=job_id)
        if name in ("approve", "changes", "reject"):
            parser.add_argument(
                "--comment", metavar="TEXT", required=name != "approve", default="", help="kept with the decision"
            )
        if name == "approve":
            parser.add_argument(
                "--sha256",
                metavar="DIGITS",
                type=sha256,
                help="sign only the documents with this hash (default: those whose drafts were written here last)",
            )
        parser.add_argument(
            "--out", metavar="DIR", type=at_home, help="where the results go (default: where they went before)"
        )
        if name == "changes":
            parser.add_argument(
                "--set",
                action="append",
                default=[],
                metavar="DEAL.FIELD=VALUE",
                help="correct a value; DEAL is a row ('Comps!12'), a number in the documents ('#12'), a name or an id",
            )
            parser.add_argument(
                "--reason", action="append", default=[], metavar="TEXT", help="why, for each --set or one for all"
            )
            parser.add_argument("--emphasis", choices=("income", "price"), help="what the documents lead with")


_DECISIONS = {
    "approve": "sign a waiting job: its documents are delivered",
    "changes": "ask for changes to a waiting job: new documents are made",
    "reject": "refuse a waiting job: nothing is delivered",
    "cancel": "end a job that hasn't finished",
    "replay": "take a quarantined job up again where it stopped",
}


def _add_services(commands: _Commands[Parser]) -> None:
    work = _command(commands, "work", "work:run", "take what uploads and jobs bring, until told to stop", json=False)
    work.add_argument(
        "--only",
        action="append",
        choices=("uploads", "work", "renders"),
        help="take from this topic only (may be repeated); with Pub/Sub, so that roles scale apart",
    )

    up = _command(commands, "up", "up:run", "run it all on this machine, with a folder to drop files into", json=False)
    up.add_argument("--port", type=port, metavar="N", help="where the pages are (default: DEALWRIGHT_PORT or later)")
    up.add_argument(
        "--emulators", action="store_true", help="with Pub/Sub, Cloud Storage and PostgreSQL, each started here"
    )
    serve = _command(commands, "serve", "serve:run", "take pushed messages, and show people the pages", json=False)
    serve.add_argument("--port", type=port, metavar="N", help="where to listen (default: DEALWRIGHT_PORT)")
    serve.add_argument("--host", default=EVERYWHERE, metavar="ADDRESS", help="on which address (default: on all)")
    serve.add_argument("--link", action="store_true", help="print a link to all jobs, good for 12 hours, and end")


def _add_quarantine(commands: _Commands[Parser]) -> None:
    text = "list, show and release the jobs that were set aside"
    parser = commands.add_parser("quarantine", help=text, description=text[0].upper() + text[1:] + ".")
    inner = parser.add_subparsers(dest="what", metavar="WHAT", required=True, parser_class=Parser)
    _command(inner, "list", "quarantine:run_list", "list the jobs that are set aside, and why")
    show = _command(inner, "show", "quarantine:run_show", "tell all about one of them")
    show.add_argument("job", metavar="JOB", type=job_id)
    release = _command(inner, "release", "quarantine:run_release", "take jobs up again where they stopped")
    release.add_argument("jobs", nargs="+", metavar="JOB", type=job_id)


def _add_upkeep(commands: _Commands[Parser]) -> None:
    sweep = _command(commands, "sweep", "sweep:run", "issue anew what got lost, and do what is overdue")
    sweep.add_argument("--dead", action="store_true", help="look at the dead letters first, and take them away")
    _command(commands, "migrate", "upkeep:run_migrate", "bring the database to this version's tables")
    _command(commands, "doctor", "doctor:run", "check settings, database, folders, queues, rights, clocks, model")
    bench = _command(commands, "bench", "bench:run", "measure beside the bare libraries, in one run")
    bench.add_argument("what", choices=("extract", "deck", "memo", "job", "tokens"))
    bench.add_argument("file", nargs="?", metavar="FILE", help="measure on this file (default: one made for it)")
    bench.add_argument("--rows", type=int, metavar="N", help="records of the file that is made")
    bench.add_argument("--columns", type=int, metavar="N", default=20, help="its columns (extract; default 20)")
    bench.add_argument(
        "--runs", type=int, metavar="N", default=5, help="how many runs the median is taken of (default 5)"
    )
    bench.add_argument(
        "--memory", action="store_true", help="peak memory too, each side in a process of its own (extract)"
    )
    test = _command(commands, "test", "upkeep:run_test", "run the tests (./dealwright test, in a clone)", json=False)
    test.add_argument("--long", action="store_true", help="everything, with every kill point")
