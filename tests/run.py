"""Runs the whole suite for `./dealwright test [--long] [arguments for pytest]`: the static checks, then pytest.

Each static check gets one line, and its output when it fails. pytest comes last, so that its own closing line ends
what is printed; only failed static checks are named once more after it. The exit status is 0 only if everything passed.
"""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
CHECKS = {
    "ruff check": ["ruff", "check", "--quiet"],
    "ruff format": ["ruff", "format", "--check", "--quiet"],
    "import contracts": ["lint-imports", "--no-logo"],
    "pyright strict": ["basedpyright"],
}
#: Two processes: the suite's time is promised for two cores, and the tests share one database server.
PYTEST = ["-n", "2", "--dist", "worksteal"]


@dataclass(frozen=True)
class Check:
    """A static check that runs beside the others."""

    name: str
    started: float
    process: subprocess.Popen[str]

    def report(self) -> bool:
        """Wait for its end and print its line; whether it passed."""
        output, _ = self.process.communicate()
        passed = self.process.returncode == 0
        print(f"{self.name}: {'ok' if passed else 'FAILED'} ({time.monotonic() - self.started:.1f} s)", flush=True)
        if not passed:
            print(output, flush=True)
        return passed


def start(name: str, command: list[str]) -> Check:
    """A check that has been started."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [str(BIN / command[0]), *command[1:]],
        cwd=ROOT,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=pipe,
        stderr=subprocess.STDOUT,
    )
    return Check(name, time.monotonic(), process)


def main(arguments: list[str]) -> int:
    """The exit status of the checks and of pytest: 0 if all passed."""
    long = "--long" in arguments
    selection = [] if long else ["-m", "not long and not bench"]
    checks = [start(name, command) for name, command in CHECKS.items()]
    failed = [check.name for check in checks if not check.report()]
    rest = [argument for argument in arguments if argument != "--long"]
    pytest = subprocess.run([sys.executable, "-m", "pytest", *PYTEST, *selection, *rest], cwd=ROOT, check=False)
    if failed:
        print(f"Failed before the tests: {', '.join(failed)}.", file=sys.stderr, flush=True)
    return pytest.returncode or int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
