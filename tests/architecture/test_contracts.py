"""The import contracts and banned calls: kept by a clean tree, broken by each planted violation."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.architecture import source

BIN = Path(sys.executable).parent
#: A module and the import planted in it, for each contract. Imports for type checkers count: that is how cycles begin.
PLANTS = {
    "layers": ("tools/table.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import agents.model\n"),
    "schemas-pure": ("schemas/deal.py", "import openpyxl\n"),
    "tools-no-cloud": ("tools/table.py", "import sqlalchemy.ext.asyncio\n"),
    "agents-no-infra": ("agents/model.py", "import starlette\n"),
    "agents-apart": ("agents/extraction/agent.py", "import agents.presentation.agent\n"),
    "worker-inside": ("worker/adapters/files.py", "import worker.handlers.upload\n"),
    "adapters-outside": ("worker/ledger/tickets.py", "import agents.model\n"),
}


def contract_config() -> str:
    """The project's own contracts, as the text of a configuration file."""
    text = (source.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    start = text.index("[tool.importlinter]")
    return text[start:]


def contracts() -> list[dict[str, object]]:
    """The project's contracts as read."""
    return tomllib.loads(contract_config())["tool"]["importlinter"]["contracts"]


def skeleton(folder: Path) -> Path:
    """A small clean tree that has every module the contracts name."""
    config = contract_config()
    named = set(re.findall(r'"((?:schemas|tools|agents|worker)(?:\.\w+)*)"', config))
    for module in sorted(named | {name.rpartition(".")[0] for name in named} - {""}):
        package = folder / module.replace(".", "/")
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").touch()
    for path in [*(plant[0] for plant in PLANTS.values()), "agents/presentation/agent.py", "worker/handlers/upload.py"]:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).touch()
    for path in ("worker/dispatch", "worker/handlers"):
        (folder / path).mkdir(parents=True, exist_ok=True)
        (folder / path / "__init__.py").touch()
    (folder / "pyproject.toml").write_text(config, encoding="utf-8")
    return folder


def verdicts(folder: Path) -> dict[str, str]:
    """What import-linter says of a tree: contract name to KEPT or BROKEN."""
    command = [str(BIN / "lint-imports"), "--no-logo", "--no-cache"]
    env = {"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin", "COLUMNS": "200"}
    done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, text=True, check=False)
    return dict(re.findall(r"^(.+?) (KEPT|BROKEN)", done.stdout, re.MULTILINE))


def test_a_clean_tree_keeps_every_contract(tmp_path: Path) -> None:
    """The contracts don't cry wolf."""
    assert verdicts(skeleton(tmp_path)) == {str(contract["name"]): "KEPT" for contract in contracts()}


def test_every_contract_has_a_planted_violation() -> None:
    """A new contract without a plant would be one that nobody saw break."""
    assert {str(contract["id"]) for contract in contracts()} == set(PLANTS)


@pytest.mark.parametrize("identity", PLANTS)
def test_a_planted_import_breaks_its_contract(tmp_path: Path, identity: str) -> None:
    """Each violation is found by the contract that is there for it."""
    folder = skeleton(tmp_path)
    path, line = PLANTS[identity]
    (folder / path).write_text(line, encoding="utf-8")
    name = next(str(contract["name"]) for contract in contracts() if contract["id"] == identity)
    assert verdicts(folder)[name] == "BROKEN"


@pytest.mark.parametrize(
    ("path", "code", "banned"),
    [
        ("agents/model.py", "import os\n\nhome = os.environ\n", True),
        ("worker/outbox.py", "import os\n\nhome = os.getenv('HOME')\n", True),
        ("worker/outbox.py", "from datetime import UTC, datetime\n\nnow = datetime.now(UTC)\n", True),
        ("schemas/ids.py", "from uuid import uuid4\n\nfresh = uuid4()\n", True),
        ("tools/deals/check.py", "import time\n\nnow = time.time()\n", True),
        ("agents/model.py", "from google.cloud import storage\n\nclient = storage.Client\n", True),
        ("worker/settings.py", "import os\n\nhome = os.environ\n", False),
        ("worker/adapters/clock.py", "from datetime import UTC, datetime\n\nnow = datetime.now(UTC)\n", False),
        ("worker/adapters/gcs.py", "from google.cloud import storage\n\nclient = storage.Client\n", False),
    ],
)
def test_environment_clock_and_cloud_are_reached_in_their_one_place(path: str, code: str, banned: bool) -> None:
    """Elsewhere the linter refuses the call."""
    command = [str(BIN / "ruff"), "check", "--select", "TID251", "--stdin-filename", path, "-"]
    done = subprocess.run(command, cwd=source.ROOT, input=code, stdout=subprocess.PIPE, text=True, check=False)
    assert ("TID251" in done.stdout) == banned
    assert done.returncode == int(banned)
