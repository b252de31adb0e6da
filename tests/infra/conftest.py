"""What the tests of infra/ share: the provider's schema, and the plans that Terraform makes with it."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from typing import Any

import pytest

from tests.conftest import SERVERS, miss
from tests.infra import planning, provider


@pytest.fixture(scope="session")
def schema(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The google provider's schema; skips if it was not fetched, and fetches it where it is required."""
    if not provider.EXTRACT.exists() and "provider-schema" in os.environ.get("DEALWRIGHT_REQUIRE", "").split(","):
        with (request.config.stash[SERVERS] / "provider-schema.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return read_extract() or provider.fetch()
    return read_extract() or miss("provider-schema", f"run `.venv/bin/{provider.COMMAND}`, which fetches 67 MB once")


def read_extract() -> dict[str, Any] | None:
    """The schema as it was fetched, or None if it wasn't."""
    return json.loads(provider.EXTRACT.read_text(encoding="utf-8")) if provider.EXTRACT.exists() else None


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
        web={"invokers": ["group:approvers@acme.example"], "iap": True, "public_url": "https://deals.acme.example"},
        keep_artifacts_days=400,
        settings={"MAX_FILE_BYTES": "50000000"},
    )
