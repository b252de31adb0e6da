"""A reading in a fork of the command's own process: what comes back, and how it ends within its limits."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from dataclasses import dataclass

import pytest

from tools.isolation.apart import run_apart

HEAD = """
import os, signal, sys, time
from schemas.errors import InputError
from tools.isolation.apart import ForkFaultError, run_apart
def apart(function, memory_bytes=200_000_000, timeout_s=30.0):
    return run_apart(function, memory_bytes=memory_bytes, timeout_s=timeout_s, subject="deals.xlsx", on_progress=print)
"""


@dataclass(frozen=True)
class Ran:
    """How a process ended, and what it wrote."""

    code: int
    out: list[str]
    err: str


def run(body: str) -> Ran:
    """Runs `body` in a process whose standard streams are files, as a command's are."""
    script = HEAD + textwrap.dedent(body)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
    return Ran(done.returncode, done.stdout.splitlines(), done.stderr)


def test_a_fork_tells_writes_and_answers() -> None:
    """Its stages are told here, its output comes after them, and what it returns is the answer."""
    ran = run(
        """
        def read(tell):
            tell("opening")
            os.write(2, b"a library's words")
            tell(None)
            print("result", os.getpid() != parent)
            print("sentence", file=sys.stderr)
            return 2
        parent = os.getpid()
        sys.exit(apart(read))
        """
    )
    assert (ran.code, ran.out, ran.err) == (2, ["opening", "None", "result True"], "sentence\n")


@pytest.mark.parametrize(
    ("body", "code", "what"),
    [
        ("return len(bytearray(500_000_000))", "file.too_complex", "more than 200 MB of memory"),
        ("time.sleep(60)", "file.too_complex", "more than 0.5 s to read"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "file.poison", "signal 11"),
        ("os.write(2, b'memory allocation of 5 bytes failed'); os.abort()", "file.too_complex", "of memory"),
        ("raise InputError('file.empty', 'deals.xlsx is empty.')", "file.empty", "is empty"),
    ],
    ids=["memory", "time", "crash", "abort for want of memory", "refusal"],
)
def test_a_fork_that_does_not_answer_ends_in_one_sentence(body: str, code: str, what: str) -> None:
    """Memory, time, a crash of a library; a refusal comes through as it is."""
    ran = run(
        f"""
        def read(tell):
            {body}
        try:
            apart(read, timeout_s=0.5 if "sleep" in {body!r} else 30.0)
        except InputError as error:
            print(error.code)
            print(error.message)
        """
    )
    assert (ran.code, ran.out[0], ran.err) == (0, code, "")
    assert ran.out[1].startswith("deals.xlsx ")
    assert what in ran.out[1]


def test_writing_takes_the_time_that_it_takes() -> None:
    """Whoever pages through the output does not run into the limit of the reading."""
    ran = run(
        """
        def read(tell):
            tell(None)
            time.sleep(0.7)
            return 0
        sys.exit(apart(read, timeout_s=0.4))
        """
    )
    assert (ran.code, ran.out) == (0, ["None"])


def test_faults_of_ours_and_of_the_disk_come_through_as_such() -> None:
    """A fault without its text, which may quote cells, and an error of the system by its number."""
    ran = run(
        """
        def fail(tell):
            raise KeyError("a cell's text")
        def write(tell):
            raise BrokenPipeError(32, "Broken pipe")
        for read in (fail, write):
            try:
                apart(read)
            except (ForkFaultError, OSError) as error:
                print(type(error).__name__, error, "line" in str(getattr(error, "__notes__", "")))
        """
    )
    assert ran.out == ["ForkFaultError KeyError True", "BrokenPipeError [Errno 32] Broken pipe False"]


def test_ctrl_c_ends_the_fork_with_its_parent() -> None:
    """Nothing goes on reading behind the prompt."""
    ran = run(
        """
        def read(tell):
            tell(str(os.getpid()))
            time.sleep(60)
        def heard(said):
            global child
            child = int(said)
            raise KeyboardInterrupt
        try:
            run_apart(read, memory_bytes=10**8, timeout_s=30, subject="x", on_progress=heard)
        except KeyboardInterrupt:
            try:
                os.kill(child, 0)
            except ProcessLookupError:
                print("gone")
        """
    )
    assert ran.out == ["gone"]


def test_where_no_fork_can_be_made_the_reading_goes_on_here(capsys: pytest.CaptureFixture[str]) -> None:
    """With standard output that is no file, or with other threads, or on a system without forks."""
    told: list[object] = []

    def read(tell: object) -> int:
        assert callable(tell)
        tell("opening")
        return os.getpid()

    found = run_apart(read, memory_bytes=10**8, timeout_s=1, subject="x", on_progress=told.append)
    assert (found, told) == (os.getpid(), ["opening"])
