"""The launcher: one command on a new machine, at once the second time, a clear sentence for each thing in its way."""

from __future__ import annotations

import ast
import importlib.machinery
import importlib.util
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from tests.architecture import source
from tests.architecture.checkout import Checkout, Run

NO_NETWORK = {"PIP_NO_INDEX": "0", "PIP_FIND_LINKS": "", "PIP_INDEX_URL": "http://127.0.0.1:9/"}


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Checkout, list[Run]]:
    """A tiny project after two first runs that were started at once, and what each said."""
    checkout = Checkout.make(tmp_path_factory.mktemp("first"))
    both = [checkout.start("process", "a b.xlsx", "--json") for _ in range(2)]
    return checkout, [Checkout.end(process) for process in both]


@pytest.fixture
def ready(first: tuple[Checkout, list[Run]], tmp_path: Path) -> Checkout:
    """A tiny project of the test's own, set up already."""
    return first[0].copy_to(tmp_path)


@pytest.fixture
def launcher(ready: Checkout) -> ModuleType:
    """The launcher as a module, set to a tiny project that is ready."""
    path = str(ready.root / "dealwright")
    loader = importlib.machinery.SourceFileLoader("launcher", path)
    spec = importlib.util.spec_from_loader("launcher", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_first_run_sets_up_and_goes_on_to_the_command(first: tuple[Checkout, list[Run]]) -> None:
    """It says what it does on standard error; standard output is the command's alone, arguments whole."""
    checkout, runs = first
    for run in runs:
        assert run.status == 0, run.err
        assert json.loads(run.out)["arguments"] == ["process", "a b.xlsx", "--json"]
    assert checkout.stamp()["root"] == str(checkout.root)


def test_two_first_runs_at_once_make_one_environment(first: tuple[Checkout, list[Run]]) -> None:
    """One makes it, saying so; the other waits, then both go on."""
    said = sorted(run.err for run in first[1])
    assert said[0] == "dealwright: another set-up is running here; waiting for it\n"
    assert "first run: making .venv" in said[1]
    assert "ready after" in said[1]


def test_first_run_leaves_the_test_tools_out(first: tuple[Checkout, list[Run]]) -> None:
    """`process` installs what the product needs, nothing else."""
    assert list((first[0].root / ".venv").rglob("tiny.py"))
    assert not list((first[0].root / ".venv").rglob("tiny_test.py"))


def test_second_run_says_nothing_and_starts_no_pip(ready: Checkout) -> None:
    """With pip taken out of the environment the run is as before."""
    for pip in (ready.root / ".venv" / "lib").glob("*/site-packages/pip"):
        shutil.rmtree(pip)
    run = ready.run("jobs")
    assert (run.status, run.err) == (0, "")
    assert json.loads(run.out)["arguments"] == ["jobs"]


def test_the_folder_where_the_user_stands_does_not_matter(ready: Checkout, tmp_path: Path) -> None:
    """A folder named worker there, or one on PYTHONPATH, never takes the place of ours; a link to us works."""
    stray = tmp_path / "stray"
    (stray / "worker").mkdir(parents=True)
    (stray / "worker" / "cli.py").write_text("raise SystemExit('the wrong one')\n", encoding="utf-8")
    (stray / "link").symlink_to(ready.root / "dealwright")
    run = ready.run("jobs", cwd=stray, PYTHONPATH=str(stray))
    linked = subprocess.run([stray / "link"], env=ready.env(), stdout=subprocess.PIPE, check=False)
    assert (run.status, run.err) == (0, "")
    assert linked.returncode == 0


def test_test_adds_the_test_tools_and_runs_the_suite(ready: Checkout) -> None:
    """The development lock is installed over the runtime's, and a plain command afterwards has nothing to do."""
    run = ready.run("test", "--long", "-k", "one")
    assert (run.status, run.out) == (0, "suite ['--long', '-k', 'one']\n"), run.err
    assert "requirements-dev.lock" in run.err
    assert ready.run("jobs").err == ""
    assert ready.run("test").err == ""


def test_up_with_emulators_brings_the_servers_that_it_starts(ready: Checkout) -> None:
    """They come with the test tools; `up` alone needs none of them."""
    assert ready.run("up").err == ""
    run = ready.run("up", "--port", "0", "--emulators")
    assert json.loads(run.out)["arguments"] == ["up", "--port", "0", "--emulators"], run.err
    assert "requirements-dev.lock" in run.err


def test_changed_lock_updates_the_environment(ready: Checkout) -> None:
    """The next run brings what the lock names now, whatever pip's other settings say."""
    ready.pin("1.1")
    run = ready.run("jobs", PIP_TARGET=str(ready.root / "elsewhere"), PIP_USER="1")
    assert json.loads(run.out)["tiny"] == "1.1", run.err
    assert "requirements.lock has changed: updating .venv" in run.err
    assert ready.run("jobs").err == ""


def test_without_a_network_the_old_environment_lives_on(ready: Checkout) -> None:
    """A changed lock that can't be fetched ends in one sentence; put back, it works as before."""
    before = (ready.root / "requirements.lock").read_text(encoding="utf-8")
    ready.pin("1.1")
    run = ready.run("jobs", **NO_NETWORK)
    assert (run.status, run.out) == (1, "")
    assert "the package index can't be reached" in run.err
    assert "Traceback" not in run.err
    (ready.root / "requirements.lock").write_text(before, encoding="utf-8")
    assert ready.run("jobs", **NO_NETWORK).status == 0


def test_half_made_environment_is_mended(ready: Checkout) -> None:
    """What a killed set-up left is made anew by the next run."""
    ready.stamp_path.unlink()
    for module in (ready.root / ".venv").rglob("tiny.py"):
        module.unlink()
    run = ready.run("jobs")
    assert run.status == 0, run.err
    assert "half-made" in run.err
    assert ready.run("jobs").err == ""


@pytest.mark.parametrize(
    ("feigned", "words"),
    [
        ("import os; os.geteuid = lambda: 4_294_000_000", "belongs to"),
        ("import os; os.access = lambda *_: False", "can't be written to by you"),
    ],
)
def test_an_environment_that_is_not_ours_is_left_alone(ready: Checkout, feigned: str, words: str) -> None:
    """While it is whole anybody may use it; once it must change, whoever may not change it is told what to do."""
    assert ready.run("jobs", prelude=feigned).status == 0
    before = ready.stamp_path.read_bytes()
    ready.pin("1.1")
    run = ready.run("jobs", prelude=feigned)
    assert (run.status, run.out, len(run.err.splitlines())) == (1, "", 1)
    assert words in run.err
    assert "Have its owner run the same command" in run.err
    assert ready.stamp_path.read_bytes() == before
    assert ready.run("jobs").status == 0


def test_a_project_that_cannot_be_written_to_says_so_at_the_first_run(tmp_path: Path) -> None:
    """Before anything is fetched."""
    checkout = Checkout.make(tmp_path)
    run = checkout.run("jobs", prelude="import os; os.access = lambda *_: False")
    assert (run.status, len(run.err.splitlines())) == (1, 1)
    assert str(checkout.root) in run.err
    assert not (checkout.root / ".venv").exists()


@pytest.mark.parametrize("fault", ["absent", "cut", "other root", "other python", "no python"])
def test_a_stamp_that_does_not_fit_means_not_ready(launcher: ModuleType, ready: Checkout, fault: str) -> None:
    """A moved folder, an upgraded Python, a stamp cut short: each is seen before anything starts."""
    assert launcher.is_ready("requirements.lock")
    stamp = ready.stamp()
    if fault == "absent":
        ready.stamp_path.unlink()
    elif fault == "cut":
        ready.stamp_path.write_text(json.dumps(stamp)[:20], encoding="utf-8")
    elif fault == "no python":
        (ready.root / ".venv" / "bin" / "python").unlink()
    else:
        ready.stamp_path.write_text(json.dumps({**stamp, fault.split()[1]: "elsewhere"}), encoding="utf-8")
    assert not launcher.is_ready("requirements.lock")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("NewConnectionError: Failed to establish a new connection", "index can't be reached"),
        ("Temporary failure in name resolution; Could not find a version", "index can't be reached"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", "not the one that the lock names"),
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("ERROR: No matching distribution found for tiny==9", "lacks a package"),
        ("something else", r"What it said last:\n  something else"),
    ],
)
def test_each_fault_of_pip_has_its_sentence(launcher: ModuleType, said: str, sentence: str) -> None:
    """One sentence says what and what to do; what is not known is shown as it was said."""
    command = [sys.executable, "-c", f"print({said!r}); raise SystemExit(1)"]
    with pytest.raises(launcher.SetUpError, match=sentence):
        launcher.run_step(command)


def test_wrong_hash_stops_the_set_up(ready: Checkout) -> None:
    """A package whose bytes are not the lock's is never installed."""
    ready.pin("1.1")
    lock = ready.root / "requirements.lock"
    lock.write_text(lock.read_text(encoding="utf-8")[:-9] + "00000000\n", encoding="utf-8")
    run = ready.run("jobs")
    assert run.status == 1
    assert "not the one that the lock names" in run.err


def test_old_python_is_told_so(tmp_path: Path) -> None:
    """The sentence names both versions, and nothing is made."""
    checkout = Checkout.make(tmp_path)
    run = checkout.run("jobs", prelude="sys.version_info = (3, 9, 1)", PATH="")
    assert run.status == 1
    assert "Python 3.11 or later is needed, and this is 3.9" in run.err
    assert not (checkout.root / ".venv").exists()


def test_old_python_hands_over_to_a_newer_one(tmp_path: Path) -> None:
    """Where a newer Python is on the PATH under its own name, that one goes on."""
    checkout = Checkout.make(tmp_path)
    newer = tmp_path / "bin" / "python3.12"
    newer.parent.mkdir()
    newer.write_text('#!/bin/sh\necho newer "$2"\n', encoding="utf-8")
    newer.chmod(0o755)
    run = checkout.run("jobs", prelude="sys.version_info = (3, 9, 1)", PATH=str(newer.parent))
    assert (run.status, run.out) == (0, "newer jobs\n")


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_missing_venv_module_names_debians_package(tmp_path: Path, module: str) -> None:
    """Debian ships both modules apart from Python itself."""
    checkout = Checkout.make(tmp_path)
    run = checkout.run("jobs", prelude=f"sys.modules[{module!r}] = None")
    assert run.status == 1
    assert "apt-get install python3-venv" in run.err
    assert not (checkout.root / ".venv").exists()


def test_old_pythons_can_read_the_launcher() -> None:
    """Its syntax is Python 3.7's at most, so that an old one gets as far as the sentence."""
    text = (source.ROOT / "dealwright").read_text(encoding="utf-8")
    ast.parse(text, feature_version=(3, 7))
    assert 'f"' not in text


@pytest.mark.long
@pytest.mark.timeout(900)
def test_real_first_run_on_a_new_machine(tmp_path: Path) -> None:
    """From a copy of the project and an empty home to the command line's help; the second start adds little."""
    root, home = tmp_path / "project", tmp_path / "home"
    home.mkdir()
    for path in source.tracked_files():
        target = root / path.relative_to(source.ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    env = Checkout(root, tmp_path).env(HOME=str(home), PIP_NO_INDEX="0", PIP_FIND_LINKS="")
    command = [root / "dealwright", "--help"]
    made = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    assert "process" in made.stdout
    started = time.monotonic()
    again = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (again.returncode, again.stderr) == (0, "")
    assert time.monotonic() - started < 5
