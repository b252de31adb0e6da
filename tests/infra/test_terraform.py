"""The Terraform files by themselves: their form, their names, and the names of ours that they use."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
import structlog

from tests.infra import lint
from tests.infra.planning import FOLDER
from tests.infra.provider import ROOT
from worker.commands.arguments import build_parser
from worker.log import set_up_logs
from worker.settings import PREFIX, Settings

FILES = lint.read_folder(FOLDER)
RUNBOOK = (ROOT / "infra" / "runbook.md").read_text(encoding="utf-8")
#: Rights that no account of a service is given on anything.
TOO_MUCH = re.compile(r"roles/(owner|editor|viewer|[\w.]*[aA]dmin\w*|iam\.serviceAccountUser|storage\.objectUser)\b")


@pytest.fixture(scope="module")
def module() -> lint.Module:
    """Our files."""
    return lint.read_module(FILES)


def seeded(name: str, old: str, new: str) -> lint.Module:
    """Our files with a fault in one of them."""
    assert old in FILES[name], "the seed no longer fits the file"
    return lint.read_module(FILES | {name: FILES[name].replace(old, new, 1)})


def test_files_are_formatted_as_terraform_formats_them(terraform: str) -> None:
    """`terraform fmt` has nothing to change."""
    command = [terraform, "fmt", "-check", "-diff", "-recursive", str(FOLDER)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_whatever_is_named_is_declared_and_the_other_way_round(module: lint.Module) -> None:
    """Variables, locals, resources and data sources."""
    assert list(lint.name_problems(module)) == []


def test_variables_and_outputs_say_what_they_are(module: lint.Module) -> None:
    """A description and a type for each."""
    assert len(module.variables) > 15
    assert list(lint.variable_problems(module)) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        ("versions.tf", "var.region", "var.place", "var.place is not declared"),
        ("pubsub.tf", "local.pubsub_agent", "local.agent", "local.agent is not declared"),
        ("secrets.tf", "google_sql_user.dealwright.name", "google_sql_user.admin.name", "google_sql_user.admin is not"),
        ("pubsub.tf", "data.google_storage_project", "data.google_storage_any", "data.google_storage_any"),
        ("variables.tf", 'variable "labels"', 'variable "tags"', "var.tags is declared and never used"),
        ("locals.tf", "uses_model ", "has_model ", "local.has_model is declared and never used"),
    ],
)
def test_seeded_names_are_found(name: str, old: str, new: str, problem: str) -> None:
    """Each misspelling is told of."""
    assert any(problem in found for found in lint.name_problems(seeded(name, old, new)))


def test_no_right_is_wider_than_a_role_needs() -> None:
    """No basic role, no administrator, nowhere; no grant that takes away what others gave."""
    for name, text in FILES.items():
        assert not TOO_MUCH.search(text), name
        assert not re.search(r'resource "google_\w+_iam_(binding|policy)"', text), name
    assert TOO_MUCH.search('role = "roles/storage.admin"')
    assert TOO_MUCH.search('role = "roles/editor"')


def test_versions_are_pinned(module: lint.Module) -> None:
    """Terraform's and each provider's."""
    text = FILES["versions.tf"]
    providers = {block.type.partition("_")[0] for block in module.blocks}
    assert providers == set(re.findall(r'source  = "hashicorp/(\w+)"', text))
    assert text.count('version = "~> ') == len(providers)
    assert "required_version" in text


def test_every_setting_that_is_handed_to_a_role_is_one_that_it_knows() -> None:
    """A name that Settings lacks would stop each role at its start."""
    block = re.search(r"  settings = merge\((.*?)\n  \)\n", FILES["run.tf"], re.DOTALL)
    assert block
    handed = set(re.findall(r"\b([A-Z][A-Z_]+)\s*=", block[1]))
    handed |= set(re.findall(rf'"{PREFIX}([A-Z_]+)"', FILES["run.tf"]))
    assert len(handed) > 8
    assert handed - {name.upper() for name in Settings.model_fields} == set()


def test_whoever_is_told_of_the_webhook_reads_its_secret() -> None:
    """Every role that opens the ledger is told the address, and refuses to start without the secret beside it."""
    readers = dict(re.findall(r"([\w-]+)\s+= \{ readers = (\[[^\]]*\]) \}", FILES["secrets.tf"]))
    assert json.loads(readers["webhook-secret"]) == json.loads(readers["database-url"])


def subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands of a parser, by name."""
    found: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found |= action.choices
    return found


def test_each_role_is_a_command_line_that_is_understood() -> None:
    """What the pools, services and jobs are started with, parsed as the command line parses it."""
    known = subcommands(build_parser())
    lists = [json.loads(found) for found in re.findall(r"\[\"[^\]]*\]", FILES["run.tf"])]
    lines = [[word for word in found if word != "--log-json"] for found in lists]
    lines = [line for line in lines if line and line[0] in known]
    assert {line[0] for line in lines} == {"work", "serve", "migrate", "sweep", "doctor"}
    for line in lines:
        build_parser().parse_args([*line, "--log-json"])


def test_the_runbook_names_only_commands_that_exist() -> None:
    """Each `dealwright …` in it is a command, and a subcommand where the command has some."""
    named = re.findall(r"`dealwright ([a-z]+)(?: ([a-z]+))?[^`]*`", RUNBOOK)
    assert len(named) > 15
    commands = subcommands(build_parser())
    for command, sub in named:
        assert command in commands, command
        inner = subcommands(commands[command])
        assert not inner or sub in inner, f"{command} {sub}"


def test_counted_lines_are_lines_that_the_workers_log() -> None:
    """Each alert on a log line is on one that some code of ours writes, with the label it is told apart by."""
    counted = re.findall(r'line = "(\w+)", label = (?:"(\w+)"|null)', FILES["alerts.tf"])
    assert len(counted) == 5
    sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "worker").rglob("*.py")))
    for line, label in counted:
        calls = re.findall(rf'log\.\w+\(\s*"{line}"(.*?)\)\n', sources, re.DOTALL)
        assert calls, f"nothing logs {line}"
        assert not label or all(f"{label}=" in call for call in calls), f"{line} has no {label}"


def test_alerts_look_for_a_lines_name_where_the_log_puts_it() -> None:
    """The field is taken from a line as it is written."""
    (field,) = re.findall(r'log_field = "jsonPayload\.(\w+)"', FILES["alerts.tf"])
    stream = StringIO()
    before = structlog.get_config()
    try:
        set_up_logs(json_lines=True, stream=stream)
        structlog.get_logger("test").info("name_of_the_line", code="a.b")
    finally:
        structlog.configure(**before)
    written = json.loads(stream.getvalue().splitlines()[-1])
    assert written[field] == "name_of_the_line"
    assert written["code"] == "a.b"


def headings(text: str) -> set[str]:
    """The anchors that a page's headings have."""
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def links(text: str) -> Iterator[tuple[str, str]]:
    """Where a page links to: file and anchor, either of them maybe empty."""
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" not in target:
            yield target.partition("#")[0], target.partition("#")[2]


def test_each_alert_has_its_section_in_the_runbook() -> None:
    """Whoever is woken finds what to do."""
    sections = set(re.findall(r'section\s*= "([\w-]+)"', FILES["alerts.tf"]))
    sections |= set(re.findall(r"section `([\w-]+)`", FILES["alerts.tf"]))
    assert len(sections) >= 8
    assert sections <= headings(RUNBOOK)


@pytest.mark.parametrize("page", sorted((ROOT / "infra").rglob("*.md")), ids=lambda page: page.name)
def test_links_between_the_pages_lead_somewhere(page: Any) -> None:
    """Files and headings are there."""
    for file, anchor in links(page.read_text(encoding="utf-8")):
        target = (page.parent / file) if file else page
        assert target.exists(), file
        assert not anchor or anchor in headings(target.read_text(encoding="utf-8")), anchor
