"""The Terraform files against the google provider's own schema, without Terraform."""

from __future__ import annotations

from typing import Any

import pytest

from tests.infra import lint, provider
from tests.infra.planning import FOLDER

FILES = lint.read_folder(FOLDER)


def problems(schema: dict[str, Any], **changed: str) -> list[str]:
    """What is wrong with our files, some of them changed."""
    return list(lint.schema_problems(lint.read_module(FILES | changed), schema))


def test_the_schema_is_the_provider_that_our_files_ask_for(schema: dict[str, Any]) -> None:
    """The extract's version lies within the pin."""
    major, minor = schema["version"].split(".")[:2]
    assert f'version = "~> {major}.{minor}"' in FILES["versions.tf"]
    assert len(schema["resource"]) > 1_000


def test_the_provider_knows_all_that_our_files_use(schema: dict[str, Any]) -> None:
    """Types, arguments, blocks, attributes."""
    assert problems(schema) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        ("buckets.tf", '"google_storage_bucket" "role"', '"google_storage_buckt" "role"', "no such resource"),
        ("services.tf", 'data "google_project"', 'data "google_projekt"', "no such data"),
        ("buckets.tf", "force_destroy ", "force_destruction ", "unknown argument force_destruction"),
        ("pubsub.tf", "minimum_backoff ", "min_backoff ", "role.retry_policy: unknown argument min_backoff"),
        ("run.tf", "secret_key_ref {", "secret_ref {", "unknown argument secret_ref"),
        ("buckets.tf", '  payload_format     = "JSON_API_V1"\n', "", "missing argument payload_format"),
        ("pubsub.tf", 'ttl = ""', "", "missing argument ttl"),
        ("outputs.tf", '.role["inbox"].name', '.role["inbox"].nmae', "has no attribute nmae"),
        ("database.tf", "  length  = 40", "  lenght  = 40", "unknown argument lenght"),
    ],
)
def test_seeded_faults_are_found(schema: dict[str, Any], name: str, old: str, new: str, problem: str) -> None:
    """Each is told of, also inside blocks and dynamic blocks."""
    assert old in FILES[name], "the seed no longer fits the file"
    found = problems(schema, **{name: FILES[name].replace(old, new, 1)})
    assert any(problem in one for one in found), found


@pytest.mark.long
def test_fetching_the_schema_again_gives_the_same(schema: dict[str, Any]) -> None:
    """The pinned wheel is still to be had, and its hash is right."""
    assert provider.fetch() == schema
