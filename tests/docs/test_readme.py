"""What README says is so: its commands run, its tables are the program's own, its paths exist."""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest

from tools.deals.dictionary import read_dictionary
from tools.deals.extract import extract
from tools.deals.pins import read_pin
from tools.deals.survey import surveyed_structure
from tools.workbook.structure import structure_document
from worker.cli import main
from worker.commands.arguments import build_parser
from worker.commands.map import map_lines
from worker.settings import Settings

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LAUNCHED = re.compile(r"^\./dealwright (.+)$", re.MULTILINE)
ELSEWHERE = ("test", "process deals.xlsx", "up", "up --emulators")
"""Lines that the suite can't run inside itself: the suite, the one that needs Gemini and a file of the reader's, and
those that run until they are stopped, which tests/cli/test_up.py starts as processes."""


def blocks(language: str) -> list[str]:
    """The code blocks of README in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def rows(head: str) -> list[list[str]]:
    """The rows of the table whose head begins with `head`, each as its cells."""
    lines = README[README.index(f"| {head} |") :].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


COMMANDS = [line for block in blocks("console") for line in LAUNCHED.findall(block) if line not in ELSEWHERE]


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that holds what a clone holds for README's lines: the samples."""
    shutil.copytree(ROOT / "tests" / "samples", tmp_path / "tests" / "samples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("line", COMMANDS[1:])
def test_each_further_command_line_of_the_readme_works(line: str, clone: Path) -> None:
    """Word for word, with the launcher's part taken as done."""
    assert main(shlex.split(line)) == 0


def test_the_first_command_leaves_what_the_readme_lists(clone: Path) -> None:
    """Every file of the table, in the folder that it names."""
    assert main(shlex.split(COMMANDS[0])) == 0
    listed = {cells[0].strip("`") for cells in rows("file")}
    assert {path.name for path in (clone / "out" / "portfolio").iterdir()} == listed


def test_the_commands_table_is_the_parsers() -> None:
    """No command is left out, none is promised that isn't there."""
    told = {word for cells in rows("command") for word in re.findall(r"`([a-z]+)", cells[0])}
    subparsers = next(action for action in build_parser()._actions if action.dest == "command")
    assert subparsers.choices is not None
    assert told == set(subparsers.choices)


def test_the_settings_table_is_the_settings_own() -> None:
    """Every setting with its default; one that has none says so, or that it derives from the state folder."""
    told = {cells[0].strip("`"): cells[1].strip("`").replace(",", "") for cells in rows("setting")}
    fields = {name.upper(): field.default for name, field in Settings.model_fields.items()}
    assert set(told) == set(fields)
    for name, default in fields.items():
        assert told[name] == str(default) or (default == "" and (told[name] == "none" or "state folder" in told[name]))


def test_the_corrections_of_the_readme_are_taken(clone: Path) -> None:
    """On the sample that its first command reads, which they name deals of."""
    sample = Path("tests/samples/portfolio.xlsx")
    extraction = extract(sample.read_bytes(), sample.name)
    told = [text for text in re.findall(r"`'([^'`]+=[^'`]*)'`", README) if not text.startswith("DEAL")]
    pins = [read_pin(extraction, text, "why", "ann", "2026-03-01", extraction.tables[0].table_id) for text in told]
    assert {pin.field for pin in pins} == {"cap_rate", "units", "asking_price"}
    assert pins[0].deal_id == pins[1].deal_id  # the row and the number that stand beside one another


def test_the_map_of_the_readme_is_what_inspect_draws(clone: Path) -> None:
    """Line for line."""
    path = "tests/samples/portfolio.xlsx"
    found, survey = surveyed_structure(Path(path).read_bytes(), "portfolio.xlsx")
    assert [*map_lines({**structure_document(found), "file": path}, survey)] == blocks("text")[0].splitlines()


def test_every_path_that_the_readme_names_exists() -> None:
    """Folders of the layout, files to edit, pictures to look at."""
    named = re.findall(r"`((?:tests|tools|schemas|agents|worker)/[\w./-]*)`", README)
    named += re.findall(r"\]\(([^)#:]+)\)", README) + re.findall(r'src="([^":]+)"', README)
    named += [line.split()[0] for line in blocks("text")[1].splitlines()]
    assert len(named) > 9
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_field_of_the_readme_is_one_that_the_dictionary_takes() -> None:
    """A table more in the file, and the field is known: no code."""
    own = (ROOT / "tools" / "deals" / "fields.toml").read_text(encoding="utf-8")
    name = next(iter(tomllib.loads(blocks("toml")[0])["fields"]))
    assert name not in read_dictionary(own).fields
    assert read_dictionary(own + blocks("toml")[0]).fields[name].synonyms


def test_sentences_stand_on_lines_of_their_own() -> None:
    """One sentence a line, so that changes are read sentence by sentence."""
    prose = re.sub(r"^```.*?^```$", "", README, flags=re.MULTILINE | re.DOTALL)
    lines = [line for line in prose.splitlines() if line and not line.startswith(("|", "#", "<", "!"))]
    assert [line for line in lines if re.search(r"[a-z]\. [A-Z]", line)] == []
