"""What the tests of infra/ share: the provider's schema, and the plans that Terraform makes with it."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest

from tests.conftest import miss
from tests.infra import planning, provider


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    """The google provider's schema; skips, or fails where it is required, if it was not fetched."""
    if not provider.EXTRACT.exists():
        miss("provider-schema", f"run `.venv/bin/{provider.COMMAND}`, which fetches 67 MB once")
    return json.loads(provider.EXTRACT.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def terraform() -> str:
    """Terraform's place; skips, or fails where it is required, if it isn't there."""
    return shutil.which("terraform") or miss("terraform", "install Terraform 1.11 or later, from its maker")


@pytest.fixture(scope="session")
def pull_plan(terraform: str, schema: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> planning.Plan:
    """What is made with nothing said but what must be."""
    return planning.plan(schema, tmp_path_factory.mktemp("pull"))


@pytest.fixture(scope="session")
def push_plan(terraform: str, schema: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> planning.Plan:
    """What is made with everything that is optional."""
    return planning.plan(
        schema,
        tmp_path_factory.mktemp("push"),
        uploads_delivery="push",
        kms_key="projects/acme-deals/locations/europe-west1/keyRings/deals/cryptoKeys/dealwright",
        webhook_url="https://hooks.acme.example/deals",
        web={"invokers": ["group:approvers@acme.example"], "public_url": "https://deals.acme.example"},
        keep_artifacts_days=400,
        settings={"MAX_FILE_BYTES": "50000000"},
    )
