"""The locks: exact, hashed, free of addresses, and in step with pyproject.toml."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests import lock as maker
from tests.architecture import source

REQUIREMENT = re.compile(r"^(?P<name>[a-z0-9][a-z0-9._-]*)==(?P<version>[^\s;\\]+)(?P<marker> ;[^\\]+)?(?P<rest>.*)$")


def pins(name: str) -> dict[tuple[str, str], tuple[str, int]]:
    """A lock's packages: name and marker to version and number of hashes."""
    found: dict[tuple[str, str], tuple[str, int]] = {}
    text = (source.ROOT / name).read_text(encoding="utf-8")
    for entry in re.split(r"\n(?=\S)", text.replace("\\\n", "")):
        match = REQUIREMENT.match(entry)
        if match:
            key = (match["name"], (match["marker"] or "").strip(" ;"))
            found[key] = (match["version"], entry.count("--hash=sha256:"))
        else:
            assert entry.startswith("#"), f"{name} holds something that is no pinned package: {entry[:60]}"
    return found


@pytest.mark.parametrize("name", maker.LOCKS)
def test_each_package_is_pinned_and_hashed(name: str) -> None:
    """Nothing is left to the day of the install."""
    assert len(pins(name)) > 80
    assert all(hashes > 0 for _, hashes in pins(name).values())


@pytest.mark.parametrize("name", maker.LOCKS)
def test_no_lock_names_an_index_or_an_address(name: str) -> None:
    """A lock installs from whatever index a machine is set to."""
    text = (source.ROOT / name).read_text(encoding="utf-8")
    assert not re.findall(r"\w+://|--index|--extra-index|--find-links|--trusted-host| @ |^-[a-z]", text, re.MULTILINE)


@pytest.mark.parametrize("name", maker.LOCKS)
def test_each_lock_was_made_from_the_dependency_lists_as_they_are(name: str) -> None:
    """A changed list without a new lock fails here: run tests/lock.py."""
    project = tomllib.loads((source.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    first_line = (source.ROOT / name).read_text(encoding="utf-8").splitlines()[0]
    assert first_line.split()[-1] == maker.dependency_digest(project, maker.LOCKS[name])


def test_a_changed_dependency_list_changes_the_digest() -> None:
    """The digest sees a changed bound, a new test tool, and another Python."""
    project = {"requires-python": ">=3.11", "dependencies": ["a>=1"], "optional-dependencies": {"dev": ["b"]}}
    digests = {maker.dependency_digest(project, ("dev",))}
    for change in (
        {"dependencies": ["a>=2"]},
        {"optional-dependencies": {"dev": ["b", "c"]}},
        {"requires-python": ">=3.12"},
    ):
        digests.add(maker.dependency_digest({**project, **change}, ("dev",)))
    assert len(digests) == 4


def test_tests_run_on_the_versions_that_ship() -> None:
    """Whatever the runtime lock pins, the development lock pins alike."""
    runtime, development = pins("requirements.lock"), pins("requirements-dev.lock")
    assert {key: development.get(key) for key in runtime} == runtime
