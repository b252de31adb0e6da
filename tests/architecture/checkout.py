"""A tiny project around a copy of the real launcher: two locks of one-file packages, all found without a network."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from tests.architecture import source

PYPROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "dealwright"
version = "0"
"""
#: Builds an editable install as the real back end does: a path file that points at the folder.
BACKEND = """\
import os, zipfile

def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    name = "dealwright-0-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as wheel:
        wheel.writestr("dealwright.pth", os.getcwd())
        wheel.writestr("dealwright-0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: dealwright\\nVersion: 0\\n")
        wheel.writestr("dealwright-0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\n")
        wheel.writestr("dealwright-0.dist-info/RECORD", "")
    return name
"""
COMMAND_LINE = """\
import json, sys
import tiny
print(json.dumps({"arguments": sys.argv[1:], "tiny": tiny.VERSION, "prefix": sys.prefix}))
"""
SUITE = """\
import sys
import tiny_test
print("suite", sys.argv[1:])
"""


def build_wheel(folder: Path, name: str, version: str) -> str:
    """Put a package of one module into a folder of wheels; the line of a lock that pins it."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        info = f"{name}-{version}.dist-info"
        wheel.writestr(f"{name}.py", f"VERSION = {version!r}\n")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@dataclass(frozen=True)
class Checkout:
    """The tiny project in `root`, its wheels and an empty home beside it."""

    root: Path
    wheels: Path

    @classmethod
    def make(cls, folder: Path) -> Checkout:
        """A new one, never run."""
        made = cls(folder / "project", folder / "wheels")
        for path in (made.root / "worker", made.root / "tests", made.wheels, folder / "home"):
            path.mkdir(parents=True)
        shutil.copy(source.ROOT / "dealwright", made.root / "dealwright")
        (made.root / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
        (made.root / "backend.py").write_text(BACKEND, encoding="utf-8")
        (made.root / "worker" / "cli.py").write_text(COMMAND_LINE, encoding="utf-8")
        (made.root / "tests" / "run.py").write_text(SUITE, encoding="utf-8")
        made.pin("1.0")
        return made

    def copy_to(self, folder: Path) -> Checkout:
        """The same one in another place, its environment ready there too."""
        copied = Checkout(folder / "project", folder / "wheels")
        shutil.copytree(self.root.parent, folder, symlinks=True, dirs_exist_ok=True)
        stamp = copied.stamp()
        stamp["root"] = str(copied.root)
        copied.stamp_path.write_text(json.dumps(stamp), encoding="utf-8")
        for path_file in (copied.root / ".venv").rglob("dealwright.pth"):
            path_file.write_text(str(copied.root), encoding="utf-8")
        return copied

    @property
    def stamp_path(self) -> Path:
        """Where the launcher keeps its stamp."""
        return self.root / ".venv" / "dealwright-stamp.json"

    def stamp(self) -> dict[str, object]:
        """The stamp as it is."""
        return json.loads(self.stamp_path.read_text(encoding="utf-8"))

    def pin(self, version: str) -> None:
        """Make both locks name this version of the tiny package; the development lock has a test tool too."""
        line = build_wheel(self.wheels, "tiny", version)
        (self.root / "requirements.lock").write_text(line, encoding="utf-8")
        tool = build_wheel(self.wheels, "tiny_test", "1.0").replace("tiny_test", "tiny-test")
        (self.root / "requirements-dev.lock").write_text(line + tool, encoding="utf-8")

    def env(self, **changed: str) -> dict[str, str]:
        """The surroundings of a run: pip finds the wheels and nothing else, the home is empty."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
        own = {"HOME": str(self.root.parent / "home"), "PIP_CONFIG_FILE": os.devnull, "PIP_NO_CACHE_DIR": "1"}
        return kept | own | {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels)} | changed

    def start(
        self, *arguments: str, prelude: str = "", cwd: Path | None = None, **changed: str
    ) -> subprocess.Popen[str]:
        """The launcher as a process; `prelude` is Python that runs first inside it, to feign another Python."""
        feign = f"import sys, runpy\n{prelude}\nsys.argv = {['dealwright', *arguments]!r}\n"
        feign += f"runpy.run_path({str(self.root / 'dealwright')!r}, run_name='__main__')"
        command = [sys.executable, "-c", feign] if prelude else [str(self.root / "dealwright"), *arguments]
        pipe = subprocess.PIPE
        env = self.env(**changed)
        return subprocess.Popen(
            command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True
        )

    def run(self, *arguments: str, prelude: str = "", cwd: Path | None = None, **changed: str) -> Run:
        """The launcher run to its end."""
        return self.end(self.start(*arguments, prelude=prelude, cwd=cwd, **changed))

    @staticmethod
    def end(process: subprocess.Popen[str]) -> Run:
        """What a started launcher came to, waited for."""
        out, err = process.communicate()
        return Run(process.returncode, out, err)


@dataclass(frozen=True)
class Run:
    """What one run of the launcher came to."""

    status: int
    out: str
    err: str
