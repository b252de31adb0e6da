"""Has Terraform plan our files against the stand-in, and reads the plan."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.infra import lint, stand_in
from tests.infra.provider import ROOT

FOLDER = ROOT / "infra" / "terraform"
VARIABLES = {
    "project": "acme-deals",
    "region": "europe-west1",
    "image": f"registry.example/dealwright@sha256:{'0' * 64}",
    "notification_channels": ["projects/acme-deals/notificationChannels/1"],
}
"""What has no default, and values that are good."""


class PlanError(Exception):
    """Terraform refused; the text is all that it said."""


@dataclass(frozen=True)
class Plan:
    """What would be made, with the values that it would have."""

    resources: list[dict[str, Any]]
    outputs: dict[str, Any]
    failed_checks: list[str]

    def of_type(self, kind: str) -> dict[str, dict[str, Any]]:
        """The values of the resources of one type, by address without the type."""
        found = (one for one in self.resources if one["type"] == kind and one["mode"] == "managed")
        return {one["address"].partition(".")[2]: one["values"] for one in found}


@cache
def _types() -> frozenset[str]:
    return frozenset(block.type for block in lint.read_module(lint.read_folder(FOLDER)).blocks)


def plan(schema: dict[str, Any], home: Path, **variables: Any) -> Plan:
    """The plan of our files with these variables over the good ones, made in an empty folder `home`; or PlanError."""
    folder = home / "infra" / "terraform"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns(".terraform*", "*.tfstate*", "*.tfvars"))
    shutil.copy(FOLDER.parent / "topology.yaml", folder.parent)
    (folder / "backend_override.tf").write_text('terraform {\n  backend "local" {}\n}\n')
    (folder / "test.auto.tfvars.json").write_text(json.dumps(VARIABLES | variables))
    random = {"resource": {}, "data": {}, "ephemeral": stand_in.RANDOM, "blocks": {}}
    google, types = stand_in.StandIn(schema, set(_types())), set(_types())
    with stand_in.serving(google=google, random=stand_in.StandIn(random, types)) as attached:
        _terraform(folder, attached, "init", "-input=false", "-no-color")
        _terraform(folder, attached, "plan", "-input=false", "-no-color", "-out=made")
        shown = json.loads(_terraform(folder, attached, "show", "-json", "made"))
    checks = [one for one in shown.get("checks", []) if one["address"]["kind"] == "check" and one["status"] != "pass"]
    return Plan(
        resources=shown["planned_values"]["root_module"]["resources"],
        outputs={name: one.get("value") for name, one in shown["planned_values"]["outputs"].items()},
        failed_checks=[one["address"]["name"] for one in checks],
    )


def _terraform(folder: Path, attached: dict[str, str], *arguments: str) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1"}
    command = ["terraform", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment | attached, capture_output=True, text=True, timeout=60, check=False
    )
    if done.returncode:
        raise PlanError(done.stdout + done.stderr)
    return done.stdout
