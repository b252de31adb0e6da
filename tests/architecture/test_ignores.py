"""Every rule switched off has its reason beside it, and the rules that the project leans on stay on."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.architecture import source

#: What silences a check on one line; its reason follows in the same comment.
SILENCER = re.compile(
    r"#\s*(?:noqa\b(?::\s*[A-Z]+\d+(?:\s*,\s*[A-Z]+\d+)*)?|type:\s*ignore(?:\[[^]]*\])?|pyright:\s*ignore(?:\[[^]]*\])?)"
)
#: What silences a check for a file; pyright allows nothing after it, so its reason is the comment on the next line.
FILE_SILENCER = re.compile(r"#\s*pyright:\s*\w+\s*=")


def says_why(text: str) -> bool:
    """Whether a piece of a comment holds at least two words."""
    return len(re.findall(r"\w{2,}", text)) >= 2


def reasonless(text: str) -> list[int]:
    """Lines of a file that silence a check without saying why."""
    found: list[int] = []
    lines = dict(source.comments(text))
    for line, comment in lines.items():
        match = SILENCER.search(comment)
        if match and not says_why(comment[match.end() :]):
            found.append(line)
        after = lines.get(line + 1, "")
        if FILE_SILENCER.match(comment) and not (FILE_SILENCER.match(after) or says_why(after)):
            found.append(line)
    return found


def test_every_silenced_check_says_why_beside_it() -> None:
    """Two words at least; a bare `noqa` or `type: ignore` is a defect."""
    files = [path for path in source.tracked_files() if path.suffix == ".py" or path.name == "dealwright"]
    bare = [
        f"{path.relative_to(source.ROOT)}:{line}"
        for path in files
        for line in reasonless(path.read_text(encoding="utf-8"))
    ]
    assert not bare, "\n".join(bare)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("x = 1  # noqa: S608\n", [1]),
        ("x = 1  # noqa: S608, S301  # the name is one of ours\n", []),
        ("x = 1  # type: ignore[attr-defined]\n", [1]),
        ("x = 1  # pyright: ignore[reportAny]\n", [1]),
        ("# pyright: reportUnknownMemberType=false\n", [1]),
        ("# pyright: reportUnknownMemberType=false\n# the library has no types\n", []),
        ("x = '# noqa'\n", []),
    ],
)
def test_a_bare_silencer_is_found_and_a_reasoned_one_passes(line: str, found: list[int]) -> None:
    """The check itself, on one line each."""
    assert reasonless(line) == found


def test_every_rule_switched_off_in_the_configuration_says_why() -> None:
    """In `ignore` and in the exceptions per file, each rule stands on a line of its own with a comment."""
    text = (source.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    sections = [part for part in re.split(r"^(?=\[)", text, flags=re.MULTILINE) if part.startswith("[tool.ruff.lint")]
    ignores = sections[0].split("ignore = [", 1)[1].split("]", 1)[0]
    exceptions = next(part for part in sections if part.startswith("[tool.ruff.lint.per-file-ignores]"))
    lines = [line for line in (ignores + exceptions).splitlines() if re.match(r'\s+"[A-Z]+\d*"|"[^"]+" = \["', line)]
    assert len(lines) > 10
    assert not [line for line in lines if len(re.findall(r"\w{2,}", line.partition("#")[2])) < 2]


def test_the_rules_that_the_project_leans_on_are_on() -> None:
    """Docstrings, types, banned calls, blind excepts, unsafe calls; strict types; warnings as errors."""
    tool = tomllib.loads((source.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    lint = tool["ruff"]["lint"]
    assert {"ANN", "B", "BLE", "C90", "D", "PT", "S", "SIM", "TID", "UP"} <= set(lint["select"])
    assert not {"D100", "D101", "D102", "D103", "D104", "TID251", "BLE001"} & set(lint["ignore"])
    assert tool["pyright"]["typeCheckingMode"] == "strict"
    assert set(tool["pyright"]["include"]) == set(source.PACKAGES)
    assert "error" in tool["pytest"]["ini_options"]["filterwarnings"]
