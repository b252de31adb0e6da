"""A site over a real App on a state folder of the test's own, asked as a browser or Pub/Sub would ask it."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth import jwt
from google.auth.crypt import RSASigner

from tests.worker.conftest import Ahead, app, clock, waiting, waiting_state, workbook
from worker.adapters.drops import FolderDrop
from worker.adapters.oidc import PushGuard
from worker.adapters.transport import InProcessTransport
from worker.app import App
from worker.breaker import Breaker
from worker.http.site import Site, build_site
from worker.jobs import show_job
from worker.links import DECISIONS, Pass, sign, subject_of
from worker.pulling import Work
from worker.settings import Settings

__all__ = ["app", "clock", "waiting", "waiting_state", "workbook"]
SECRET = "0123456789abcdef" * 2
AUDIENCE, PUSHER = "dealwright-push", "pusher@project.iam.gserviceaccount.com"


class Keys:
    """What Google's address for keys answers, with a key that is thrown away; it counts how often it is asked."""

    def __init__(self) -> None:
        self.signer, public = make_signer("k1")
        self.status, self.headers, self.asked = 200, {"Cache-Control": "public, max-age=20000"}, 0
        self.data = f'{{"k1": {public!r}}}'.replace("'", '"').encode()

    def __call__(self, url: str, method: str = "GET", **more: Any) -> Keys:
        """The answer."""
        assert url.startswith("https://www.googleapis.com/")
        self.asked += 1
        return self


def make_signer(key_id: str) -> tuple[RSASigner, str]:
    """What signs as Google would, and the key to check it with."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return RSASigner(key, key_id), public.decode()


@pytest.fixture(scope="session")
def shared_keys() -> Keys:
    """A key for all tests: making one takes a while."""
    return Keys()


@pytest.fixture
def keys(shared_keys: Keys) -> Keys:
    """The keys, not asked for yet."""
    shared_keys.status, shared_keys.asked = 200, 0
    return shared_keys


def token_of(signer: RSASigner, **changes: Any) -> str:
    """A token as Google sends it beside a pushed message, with `changes` to what it claims; None takes a claim out."""
    now = int(time.time())
    claims = {"iss": "https://accounts.google.com", "aud": AUDIENCE, "email": PUSHER, "email_verified": True}
    claims |= {"sub": "1", "iat": now, "exp": now + 3600, **changes}
    return jwt.encode(signer, {name: value for name, value in claims.items() if value is not None}).decode()


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    """A folder that uploads are taken from."""
    return tmp_path / "bucket"


@pytest.fixture
def settings(tmp_path: Path, inbox: Path) -> Settings:
    """Settings with everything that the site can have."""
    return Settings(
        state_dir=tmp_path / "state",
        inbox=str(inbox),
        link_secret=SECRET,
        push_audience=AUDIENCE,
        push_service_account=PUSHER,
        slots=1,
        max_change_rounds=1,
    )


@pytest.fixture
def site(app: App, settings: Settings, keys: Keys, inbox: Path) -> Site:
    """The site, with a worker whose messages stay where they are until the test hands them on."""
    queue = InProcessTransport(slots=settings.slots)
    worker = Work(replace(app, publish=queue.publish_inside, breaker=Breaker(app.clock)))
    queue.subscribe(worker.take)
    queue.pause()
    guard = PushGuard(settings.push_audience, settings.push_service_account, keys)
    return Site(worker, queue, guard, SECRET, FolderDrop(inbox, settings.inbox_prefix))


@pytest_asyncio.fixture
async def browser(site: Site) -> AsyncGenerator[httpx.AsyncClient]:
    """Somebody who asks the site, with cookies of their own."""
    transport = httpx.ASGITransport(build_site(site), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://site") as client:
        yield client
    await site.queue.close()


async def gate_pass(site: Site, job_id: str, /, **changes: Any) -> str:
    """A pass to the job's gate, with `changes`."""
    detail = await show_job(site.app, job_id)
    gate = [each for each in detail.tickets if each.kind == "approval"][-1]
    until = site.app.clock() + timedelta(hours=1)
    told = {"job_id": job_id, "ticket_id": gate.ticket_id, "subject": subject_of(gate.subject), "actions": DECISIONS}
    return sign(SECRET, Pass.model_validate({**told, "expires_at": until, **changes}))


def overview_pass(clock: Ahead, **changes: Any) -> str:
    """A pass to all jobs."""
    told = {"actions": (*DECISIONS, "upload"), "by": "ann", "expires_at": clock() + timedelta(hours=1)}
    return sign(SECRET, Pass.model_validate({**told, **changes}))
