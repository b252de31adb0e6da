"""Cloud Storage: uploads read at their generation, and approved documents delivered, each once.

All calls block, and may be made from any thread. Nothing is overwritten and nothing deleted: whoever runs this needs
the rights to look at objects and to create them, and no others.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from google.api_core import exceptions
from google.auth.exceptions import TransportError

from schemas import ids
from schemas.errors import ConflictError, InputError, TransientError
from worker.adapters.google_clients import STORAGE_RETRY, STORAGE_TIMEOUT_S, storage_trouble
from worker.ports import Listed

MEDIA_TYPES = {
    "pdf": "application/pdf",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}
LONGEST_LINK_S = 7 * 24 * 3600
"""For how long a signed link may be good at most; Cloud Storage sets it."""
_PATIENCE: dict[str, Any] = {"timeout": STORAGE_TIMEOUT_S, "retry": STORAGE_RETRY}


class GcsObjects:
    """Uploads in buckets, as ports.Objects wants them; `client` is a Cloud Storage client."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def read(self, bucket: str, name: str, generation: int, limit_bytes: int) -> bytes:
        """The bytes of that generation; one that is stored compressed (`Content-Encoding: gzip`) is made whole.

        Raises InputError `object.gone`, `object.superseded`, `file.empty`, or `file.too_large` by what the store says,
        before a byte is read; TransientError as storage_trouble does.
        """
        blob = self._client.bucket(bucket).blob(name, generation=generation)
        with storage_trouble(f"gs://{bucket}/{name}"):
            try:
                blob.reload(**_PATIENCE)
                _check_size(name, blob.size, limit_bytes)
                data = blob.download_as_bytes(raw_download=True, **_PATIENCE)
            except exceptions.NotFound as gone:
                raise self._why_gone(bucket, name, generation) from gone
        return _inflate(name, data, limit_bytes) if blob.content_encoding == "gzip" else data

    def _why_gone(self, bucket: str, name: str, generation: int) -> InputError:
        there = self._client.bucket(bucket).get_blob(name, **_PATIENCE)
        if there is None or int(there.generation) < generation:
            return InputError("object.gone", f"{name} was deleted before it was read; upload it again.")
        newer = ids.job_id_of_object(bucket, name, int(there.generation))[:12]
        told = f"{name} was written over before it was read; the newer upload of that name is job {newer}"
        return InputError("object.superseded", f"{told}, and nothing is to be done.")

    def listed(self, bucket: str, prefix: str, after: str, limit: int) -> list[Listed]:
        """The first `limit` objects below the prefix whose names come after `after`, as ports.ListsObjects wants them.

        One request for up to 999; names are compared byte by byte. Raises TransientError as storage_trouble does.
        """
        # What the store is told to start with it tells of too.
        most = limit + 1 if after else limit
        with storage_trouble(f"the list of gs://{bucket}/{prefix}"):
            blobs = self._client.list_blobs(
                bucket,
                prefix=prefix,
                start_offset=after or None,
                max_results=most,
                fields="items(name,generation,size,timeCreated),nextPageToken",
                **_PATIENCE,
            )
            found = [Listed(blob.name, int(blob.generation), int(blob.size), blob.time_created) for blob in blobs]
        return [each for each in found if each.name != after][:limit]


def _check_size(name: str, size_bytes: int, limit_bytes: int) -> None:
    if size_bytes > limit_bytes:
        told = f"{name} has {size_bytes:,} bytes and the limit is {limit_bytes:,}"
        raise InputError("file.too_large", f"{told}; split it, or raise DEALWRIGHT_MAX_FILE_BYTES.")
    if not size_bytes:
        raise InputError("file.empty", f"{name} is empty (0 bytes); export it again and upload that.")


def _inflate(name: str, data: bytes, limit_bytes: int) -> bytes:
    """What was compressed for storing, never more of it than the limit; bytes that are not what they say stay so."""
    try:
        whole = zlib.decompressobj(wbits=31).decompress(data, limit_bytes + 1)
    except zlib.error:
        return data
    _check_size(name, len(whole), limit_bytes)
    return whole


class GcsDeliveries:
    """Approved documents in a bucket below a prefix, as ports.Deliveries wants them: one folder a job.

    `signing` gives the arguments by which a link is signed (google_clients.link_signer).
    """

    def __init__(self, client: Any, bucket: str, prefix: str, signing: Callable[[], Mapping[str, Any]]) -> None:
        self._bucket = client.bucket(bucket)
        self._root = f"gs://{bucket}/"
        self._prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
        self._signing = signing

    def deliver(self, job_id: str, files: Mapping[str, bytes]) -> str:
        """The place that now holds `files`, by name: those that are there already with the same bytes stay untouched.

        Raises ConflictError `delivery.changed` where other bytes have a name; TransientError as storage_trouble does.
        """
        place = f"{self._prefix}{job_id}/"
        with storage_trouble(f"{self._root}{place}"):
            for name, data in files.items():
                self._put(place + name, data)
        return self._root + place

    def _put(self, name: str, data: bytes) -> None:
        if self._holds(name, data):
            return
        media_type = MEDIA_TYPES.get(name.rpartition(".")[2], "application/octet-stream")
        try:
            self._bucket.blob(name).upload_from_string(
                data, content_type=media_type, if_generation_match=0, **_PATIENCE
            )
        except (exceptions.PreconditionFailed, exceptions.Forbidden):
            # Somebody was first, or we were and did not hear of it: without the right to delete that may be a 403.
            if not self._holds(name, data):
                raise

    def _holds(self, name: str, data: bytes) -> bool:
        there = self._bucket.get_blob(name, **_PATIENCE)
        if there is None:
            return False
        if there.size != len(data) or there.download_as_bytes(raw_download=True, **_PATIENCE) != data:
            told = f"{self._root}{name} holds other bytes than those that were approved"
            raise ConflictError("delivery.changed", f"{told}; move it away, then replay the job.")
        return True

    def signed_url(self, place: str, name: str, valid_s: float) -> str:
        """A link by which whoever has it may download a delivered file, for so many seconds, seven days at most.

        Raises TransientError `store.refused` where Google signs for this account and isn't let, and as storage_trouble
        does; InputError `store.unsigned` for a person's account.
        """
        blob = self._bucket.blob(f"{place.removeprefix(self._root)}{name}")
        with storage_trouble(f"a signed link to {place}{name}"), _signing_trouble():
            return blob.generate_signed_url(
                version="v4",
                expiration=timedelta(seconds=min(valid_s, LONGEST_LINK_S)),
                response_disposition=f'attachment; filename="{ids.safe_name(name)}"',
                **self._signing(),
            )


@contextmanager
def _signing_trouble() -> Generator[None]:
    """The library raises one error for whatever Google answers but a signature; a right that lacks is in its text."""
    try:
        yield
    except TransportError as error:
        if "PERMISSION_DENIED" not in str(error):
            raise
        told = "Google refused to sign links for us; give this service account"
        raise TransientError("store.refused", f"{told} roles/iam.serviceAccountTokenCreator on itself.") from error
