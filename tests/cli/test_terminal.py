"""A person at a real terminal: the prompt, the keys, and what is left on the screen."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SPAWN = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"


def type_at_prompt(keys: bytes, *words: str) -> tuple[int, str]:
    """The exit code and the screen of a command line on a terminal, after `keys` were typed at its first prompt."""
    command = [sys.executable, "-c", SPAWN, sys.executable, "-m", "worker.cli", *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        screen = b""
        while b"later: " not in screen and (piece := process.stdout.read1(4096)):
            screen += piece
        process.stdin.write(keys)
        process.stdin.flush()
        screen += process.stdout.read()
        return process.wait(), screen.decode(errors="replace")


def record(folder: Path) -> dict[str, object]:
    """The exported record of the job."""
    found: dict[str, object] = json.loads((folder / "out" / "pipeline" / "job.json").read_text())
    return found


def test_y_signs_and_delivers(waiting: Path) -> None:
    """The drafts lie in the folder when the question comes, the final editions when it is answered."""
    code, screen = type_at_prompt(b"y\n", "process", "pipeline.csv")
    assert code == 0, screen
    assert "3 deals" in screen
    assert record(waiting)["state"] == "completed"


def test_one_ctrl_c_leaves_the_job_waiting(waiting: Path) -> None:
    """Exit 3 at the first key, and the line that finishes the job is on the screen."""
    code, screen = type_at_prompt(b"\x03", "process", "pipeline.csv")
    assert code == 3, screen
    assert f"dealwright approve {str(record(waiting)['job_id'])[:12]}" in screen
    assert "Traceback" not in screen


def test_inspect_draws_the_map(waiting: Path) -> None:
    """On a terminal a person sees rows, not JSON."""
    command = [sys.executable, "-c", SPAWN, sys.executable, "-m", "worker.cli", "inspect", "pipeline.csv"]
    screen = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
    assert "Hrrr" in screen
    assert "{" not in screen
