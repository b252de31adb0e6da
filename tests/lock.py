"""Makes the two locks anew: `python tests/lock.py [--upgrade]`, with uv on the PATH.

The locks are universal (any system, Python 3.11 or later), carry a hash for each file, and name no index and no
address, so that plain pip installs them from whatever index a machine is set to. The first line of each holds a digest
of the dependency lists that it was made from; tests/architecture/test_locks.py compares it with pyproject.toml.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
#: Lock file name to the optional lists that it takes in beside the runtime's.
LOCKS = {"requirements.lock": ("setup",), "requirements-dev.lock": ("setup", "dev")}


def dependency_digest(project: dict[str, Any], extras: tuple[str, ...]) -> str:
    """Digest (16 hex digits) of the dependency lists in a `[project]` table that one lock is made from."""
    optional = project["optional-dependencies"]
    lists = [project["requires-python"], project["dependencies"], *(optional[extra] for extra in extras)]
    return hashlib.sha256(json.dumps(lists).encode()).hexdigest()[:16]


def compile_lock(name: str, upgrade: bool) -> None:
    """Write one lock; the development lock takes the runtime lock's versions as they are."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    command = ["uv", "pip", "compile", "-q", "--universal", "--python-version", "3.11", "--generate-hashes"]
    command += ["--no-emit-index-url", "--no-annotate", "--no-header", "pyproject.toml", "-o", name]
    command += [part for extra in LOCKS[name] for part in ("--extra", extra)]
    command += ["--upgrade"] if upgrade else []
    command += ["-c", "requirements.lock"] if name != "requirements.lock" else []
    subprocess.run(command, cwd=ROOT, check=True)
    lock = ROOT / name
    header = f"# made by tests/lock.py from dependency lists {dependency_digest(project, LOCKS[name])}\n"
    lock.write_text(header + lock.read_text(encoding="utf-8"), encoding="utf-8")


if __name__ == "__main__":
    for lock_name in LOCKS:
        compile_lock(lock_name, upgrade="--upgrade" in sys.argv[1:])
