"""ADK's artifacts in a bucket; loaded only where ARTIFACTS names one."""

from __future__ import annotations

from typing import Any

from google.adk.artifacts.gcs_artifact_service import GcsArtifactService
from google.api_core import exceptions
from google.genai import types

from worker.adapters.google_clients import storage_options, storage_trouble

RACES = 10
"""How often a save begins anew: ADK itself tries ten numbers each time before it gives up."""


class BucketArtifacts(GcsArtifactService):
    """ADK's service, with the failures of Cloud Storage as ours, and saves that don't give up where many are made."""

    def __init__(self, bucket: str, project: str, endpoint: str | None) -> None:
        super().__init__(bucket, **storage_options(project, endpoint))

    async def save_artifact(self, **told: Any) -> int:
        """As ADK's; raises TransientError as storage_trouble does."""
        with storage_trouble(f"gs://{self.bucket_name}"):
            for _ in range(RACES - 1):
                try:
                    return await super().save_artifact(**told)
                except exceptions.PreconditionFailed:
                    continue
            return await super().save_artifact(**told)

    async def load_artifact(self, **told: Any) -> types.Part | None:
        """As ADK's; raises TransientError as storage_trouble does."""
        with storage_trouble(f"gs://{self.bucket_name}"):
            return await super().load_artifact(**told)

    async def list_versions(self, **told: Any) -> list[int]:
        """As ADK's; raises TransientError as storage_trouble does."""
        with storage_trouble(f"gs://{self.bucket_name}"):
            return await super().list_versions(**told)
