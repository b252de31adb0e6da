"""`dealwright up` and `serve` as processes: from a dropped file to delivered documents, and to the end."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import httpx
import psutil
import pytest
from google.cloud.pubsub_v1 import PublisherClient, SubscriberClient

from schemas import ids
from schemas.errors import DealwrightError, InputError, TransientError
from tests.cli.conftest import Line, write_few
from worker.adapters.clock import system_clock
from worker.adapters.google_clients import open_storage
from worker.commands.person import user_name
from worker.emulators import gcs, pubsub, stack
from worker.emulators.kept import Kept
from worker.emulators.leashed import Leashed, ServerError
from worker.links import read_pass

PATIENCE_S = 90
ROOT = Path(__file__).parents[2]


class Process:
    """A command line in a process of its own, whose lines are read as they come."""

    def __init__(self, folder: Path, *words: str, **env: str) -> None:
        surroundings = {**os.environ, "PYTHONPATH": str(ROOT), **env}
        command = [sys.executable, "-m", "worker.cli", *words]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=folder, env=surroundings, stdout=pipe, stderr=pipe, text=True)
        self._lines: Queue[str] = Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.said: list[str] = []

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip())

    def until(self, pattern: str) -> str:
        """What the pattern's group was in the first line that has it, from now on."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            with contextlib.suppress(Empty):
                self.said.append(self._lines.get(timeout=0.2))
                if found := re.search(pattern, self.said[-1]):
                    return found[1]
                continue
            if self.process.poll() is not None and self._lines.empty():
                break
        raise AssertionError(f"no {pattern} in {self.said}; {self.errors() if self.process.poll() is not None else ''}")

    def errors(self) -> str:
        """What it wrote to standard error, once it has ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read()

    def end(self, number: signal.Signals) -> int:
        """The exit code after a signal."""
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE_S)
        self._reader.join()
        while not self._lines.empty():
            self.said.append(self._lines.get())
        return code

    def close(self) -> None:
        """End it in any case."""
        with contextlib.suppress(psutil.NoSuchProcess):
            family = [*psutil.Process(self.process.pid).children(recursive=True), psutil.Process(self.process.pid)]
            for each in family:
                each.kill()
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            self._reader.join()
            stream.close()


@pytest.fixture
def started(tmp_path: Path) -> Iterator[list[Process]]:
    """Processes that are ended with the test."""
    made: list[Process] = []
    yield made
    for each in made:
        each.close()


def browser() -> httpx.Client:
    """Somebody with a browser on this machine."""
    return httpx.Client(trust_env=False, timeout=30)


def approve(client: httpx.Client, link: str) -> str:
    """Approve by the page of a link; the address of the page without its pass."""
    page = client.get(link)
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text))
    address = link.partition("?")[0]
    answer = client.post(f"{address}/decision", data={**fields, "action": "approve", "by": "Ann"})
    assert answer.status_code == 303, answer.text
    return address


def test_up_takes_a_dropped_file_to_delivered_documents(tmp_path: Path, started: list[Process]) -> None:
    """By the folder, the link and the page that it prints; Ctrl-C ends it with 0, and leaves no process behind."""
    up = Process(tmp_path, "up", "--port", "0")
    started.append(up)
    inbox = up.until(r"Drop workbooks into +(\S+)")
    pages = up.until(r"See them at +(\S+)")
    assert pages.startswith("http://127.0.0.1:")
    Path(inbox).mkdir(parents=True, exist_ok=True)
    (Path(inbox) / "empty.csv").touch()
    assert up.until(r"^(inbox/empty\.csv is empty)")
    shutil.copy(write_few(tmp_path), Path(inbox) / "few.csv")
    link = up.until(r"few\.csv waits for a decision: (\S+)")
    with browser() as client:
        assert "few.csv" in client.get(pages, follow_redirects=True).text
        client.cookies.clear()
        approve(client, link)
        place = up.until(r"few\.csv is delivered: (\S+)")
        fetched = client.get(f"{link.partition('?')[0]}/files/memo.pdf?{link.partition('?')[2]}").content
    delivered = {path.name: ids.sha256_hex(path.read_bytes()) for path in Path(place).iterdir()}
    assert set(delivered) == {"deck.pptx", "memo.pdf"}
    assert delivered["memo.pdf"] == ids.sha256_hex(fetched)
    family = psutil.Process(up.process.pid).children(recursive=True)
    assert up.end(signal.SIGINT) == 0, up.errors()
    assert up.said[-1].startswith("Stopped")
    assert [each for each in family if each.is_running() and each.status() != psutil.STATUS_ZOMBIE] == []


def test_serve_answers_until_it_is_told_to_stop(tmp_path: Path, started: list[Process]) -> None:
    """On a port of its own; with nothing set up, it is well and lets nobody in. SIGTERM ends it with 0.

    Whoever else wants its port meanwhile is told what to do.
    """
    serving = Process(tmp_path, "serve", "--port", "0", "--host", "127.0.0.1")
    started.append(serving)
    address = "http://" + serving.until(r"Listening on (\S+);")
    with browser() as client:
        answers = [client.get(f"{address}{path}").status_code for path in ("/healthz", "/readyz", "/", "/nothing")]
        assert answers == [200, 200, 403, 404]
        assert client.post(f"{address}/push", content=b"{}").status_code == 403
    port = address.rpartition(":")[2]
    second = Process(tmp_path, "serve", "--port", port, "--host", "127.0.0.1")
    started.append(second)
    assert second.process.wait(PATIENCE_S) == 2
    assert second.errors() == f"Port {port} of 127.0.0.1 can't be listened on; name another with --port.\n"
    assert serving.end(signal.SIGTERM) == 0, serving.errors()
    assert serving.said[-1].startswith("Stopped")


def test_a_link_to_all_jobs_is_printed_for_who_has_the_secret(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """For half a day, in this user's name; without an address or a secret, it is said what to set."""
    missing = line("serve", "--link")
    assert (missing.code, len(missing.sentences)) == (2, 1)
    monkeypatch.setenv("DEALWRIGHT_PUBLIC_URL", "https://deals.example/")
    monkeypatch.setenv("DEALWRIGHT_LINK_SECRET", "0123456789abcdef" * 2)
    address, _, token = line("serve", "--link").out.strip().partition("?pass=")
    assert address == "https://deals.example/enter"
    now = system_clock()
    granted = read_pass("0123456789abcdef" * 2, token, now)
    assert granted is not None
    assert (granted.job_id, granted.by) == ("", user_name())
    assert timedelta(hours=11) < granted.expires_at - now < timedelta(hours=13)


def test_what_is_on_a_leash_ends_with_whoever_holds_it(tmp_path: Path) -> None:
    """However that ends: kill -9 of the holder leaves neither the command nor what the command started."""
    grandchild = (
        "import subprocess, sys, time; p = subprocess.Popen(['sleep', '600']); print(p.pid, flush=True); p.wait()"
    )
    holder = (
        "import sys, time; from pathlib import Path; from worker.emulators.leashed import Leashed\n"
        f"Leashed([sys.executable, '-c', {grandchild!r}], Path({str(tmp_path / 'log')!r})); time.sleep(600)"
    )
    process = subprocess.Popen([sys.executable, "-c", holder], cwd=ROOT)
    log, end = tmp_path / "log", time.monotonic() + PATIENCE_S
    while not (log.exists() and log.read_text().endswith("\n")) and time.monotonic() < end:
        time.sleep(0.02)
    family = psutil.Process(process.pid).children(recursive=True)
    assert int(log.read_text()) in {each.pid for each in family}
    process.kill()
    process.wait()
    assert psutil.wait_procs(family, timeout=PATIENCE_S)[1] == []


def test_a_server_that_does_not_come_up_says_what_it_said(tmp_path: Path) -> None:
    """At once, when it has ended."""
    failing = Leashed([sys.executable, "-c", "raise SystemExit('no such option')"], tmp_path / "log")
    with pytest.raises(ServerError, match="did not come up: no such option"):
        failing.wait_for_port(1)


def ended(process: Leashed) -> Leashed:
    """The process, once it has ended."""
    end = time.monotonic() + PATIENCE_S
    while process.ended() is None and time.monotonic() < end:
        time.sleep(0.02)
    return process


def test_a_worker_that_is_killed_is_started_again(tmp_path: Path) -> None:
    """With a sentence that says how it ended and where its log is; the others never notice."""
    log = tmp_path / "worker-1.log"
    kept = Kept("worker 1", lambda: Leashed([sys.executable, "-c", "import time; time.sleep(600)"], log))
    first = kept.process
    try:
        assert kept.look(0) == ""
        while not (held := psutil.Process(first.pid).children()):
            time.sleep(0.02)
        held[0].kill()
        ended(first)
        assert kept.look(1) == f"worker 1 ended by signal 9 and is started again; its log: {log}"
        assert (kept.look(2), kept.process.ended(), kept.process is first) == ("", None, False)
    finally:
        kept.process.release()


def test_a_worker_that_ends_again_and_again_ends_it_all_with_a_sentence(tmp_path: Path) -> None:
    """One that names the log, and tears no piece out of it; deaths that are long ago don't count."""
    log = tmp_path / "worker-1.log"
    kept = Kept("worker 1", lambda: Leashed([sys.executable, "-c", "print('{json}'); raise SystemExit(3)"], log))
    for at in (0, 100, 101, 102):
        ended(kept.process)
        assert kept.look(at).startswith("worker 1 ended with exit code 3 and is started again")
    ended(kept.process)
    with pytest.raises(TransientError) as told:
        kept.look(103)
    sentence = "worker 1 ended 4 times within 60 s, at last with exit code 3; its log says why: "
    assert told.value.message == f"{sentence}{log}"


@pytest.mark.parametrize(("error", "left"), [(TransientError, ["gcs.log"]), (InputError, None), (None, None)])
def test_logs_outlast_a_fault_and_nothing_else_does(
    tmp_path: Path, error: type[DealwrightError] | None, left: list[str] | None
) -> None:
    """Neither does anything after an end that was asked for, or a start that could not be."""
    folder = tmp_path / "up"
    (folder / "postgres" / "data").mkdir(parents=True)
    for name in ("gcs.log", "link.secret"):
        (folder / name).write_text("x")
    stack.clear(folder, error)
    assert (sorted(each.name for each in folder.iterdir()) if folder.exists() else None) == left


class Results:
    """A subscription of somebody's to the results, from now on."""

    def __init__(self, project: str) -> None:
        self._client: Any = SubscriberClient()
        self._name = f"projects/{project}/subscriptions/somebodys"
        self._client.create_subscription(name=self._name, topic=f"projects/{project}/topics/dealwright-results")

    def until(self, last: str) -> set[str]:
        """The types of the events that were received, once that one is among them."""
        told: set[str] = set()
        while last not in told:
            for each in self._client.pull(
                subscription=self._name, max_messages=10, timeout=PATIENCE_S
            ).received_messages:
                told.add(json.loads(each.message.data)["type"])
                self._client.acknowledge(subscription=self._name, ack_ids=[each.ack_id])
        self._client.close()
        return told


@pytest.mark.long
def test_up_with_emulators_takes_an_uploaded_object_to_a_signed_download(
    tmp_path: Path,
    started: list[Process],
    pubsub_host: str,
    gcs_url: str,
    postgres_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Uploaded by Google's own client, told by a notification, worked on by two processes, fetched by a signed URL.

    What is told of the job on the way is received as every listener would, by Google's own client too.

    The fixtures say that the servers are here; it starts its own. Ctrl-C leaves no process and no folder.
    """
    up = Process(tmp_path, "up", "--emulators", "--port", "0")
    started.append(up)
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", up.until(r"PUBSUB_EMULATOR_HOST=(\S+)"))
    storage = up.until(r"STORAGE_EMULATOR_HOST=(\S+)")
    logs = Path(up.until(r"Logs +(\S+)"))
    shown = up.until(r"Other commands see it after +(.+)$")
    bucket = up.until(r"Upload to +gs://([\w-]+)/inbox/")
    results = Results("dealwright-up")
    objects = open_storage("dealwright-up", storage).bucket(bucket)
    objects.blob("inbox/harbor/few.csv").upload_from_filename(str(write_few(tmp_path)))
    objects.blob("inbox/harbor/empty.csv").upload_from_string(b"")
    workers = [each for each in psutil.Process(up.process.pid).children(recursive=True) if "work" in each.cmdline()[1:]]
    workers[-1].kill()
    assert Path(up.until(r"^worker \d ended by signal 9 and is started again; its log: (\S+)")).exists()
    assert up.until(r"^(empty\.csv is set aside: .* is empty \(0 bytes\))")
    link = up.until(r"few\.csv waits for a decision: (\S+)")
    with browser() as client:
        listing = ["sh", "-c", f'{shown}; exec "$@"', "sh", sys.executable, "-m", "worker.cli", "jobs", "--json"]
        listed = subprocess.run(listing, cwd=ROOT, stdout=subprocess.PIPE, check=True)
        assert sorted(each["filename"] for each in json.loads(listed.stdout)) == ["empty.csv", "few.csv"]
        address = approve(client, link)
        place = up.until(r"few\.csv is delivered: gs://(\S+)")
        for name, beginning in (("deck.pptx", b"PK"), ("memo.pdf", b"%PDF")):
            signed = client.get(f"{address}/files/{name}?{link.partition('?')[2]}").headers["location"]
            assert f"{place}{name}?X-Goog-Algorithm=GOOG4-RSA-SHA256" in signed
            assert "X-Goog-Signature" in signed
            assert client.get(signed).content.startswith(beginning)
    happened = ("job.quarantined", "deals.extracted", "documents.ready", "approval.requested", "deals.delivered")
    assert results.until("dealwright.deals.delivered.v1") == {f"dealwright.{each}.v1" for each in happened}
    family = psutil.Process(up.process.pid).children(recursive=True)
    assert len(family) > 5
    assert up.end(signal.SIGINT) == 0, up.errors()
    assert [each for each in family if each.is_running() and each.status() != psutil.STATUS_ZOMBIE] == []
    assert not logs.exists()


class Operator:
    """Somebody in another shell, who was given the settings that `up --emulators` tells of."""

    def __init__(self, folder: Path, shown: str) -> None:
        self._folder, self._shown = folder, shown

    def run(self, *words: str, patched: str = "pass") -> subprocess.CompletedProcess[str]:
        """What a command line came to; `patched` is run before it, in its process."""
        main = f"import sys; {patched}; from worker.cli import main; sys.exit(main(sys.argv[1:]))"
        command = ["sh", "-c", f'{self._shown}; exec "$@"', "sh", sys.executable, "-c", main, *words]
        surroundings = {**os.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.run(command, cwd=self._folder, env=surroundings, capture_output=True, text=True, check=False)

    def read(self, *words: str, patched: str = "pass") -> Any:
        """The document that a command line prints."""
        done = self.run(*words, "--json", patched=patched)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_an_operator_has_lost_and_given_up_messages_made_good(
    tmp_path: Path,
    started: list[Process],
    pubsub_host: str,
    gcs_url: str,
    postgres_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Workers that are killed over a job, a file that is none, a subscription that somebody deleted, dead letters."""
    up = Process(tmp_path, "up", "--emulators", "--port", "0")
    started.append(up)
    monkeypatch.setenv("PUBSUB_EMULATOR_HOST", up.until(r"PUBSUB_EMULATOR_HOST=(\S+)"))
    storage = up.until(r"STORAGE_EMULATOR_HOST=(\S+)")
    operator = Operator(tmp_path, up.until(r"Other commands see it after +(.+)$"))
    bucket = open_storage("dealwright-up", storage).bucket(up.until(r"Upload to +gs://([\w-]+)/inbox/"))
    few = write_few(tmp_path).read_bytes()
    assert operator.run("doctor").returncode == 0

    bucket.blob("inbox/killed.csv").upload_from_string(few)
    while not operator.read("jobs"):
        pass
    for each in psutil.Process(up.process.pid).children(recursive=True):
        if "work" in each.cmdline()[1:]:
            each.kill()
    up.until(r"(killed\.csv waits for a decision)")

    bucket.blob("inbox/bad.xlsx").upload_from_string(b"PK\x03\x04 no workbook")
    up.until(r"(bad\.xlsx is set aside)")
    (bad,) = operator.read("quarantine", "list")
    assert bad["reason"]["message"] in operator.run("quarantine", "show", bad["job_id"]).stdout
    assert operator.run("quarantine", "release", bad["job_id"]).stdout.endswith("again.\n")

    client: Any = SubscriberClient()
    name = "projects/dealwright-up/subscriptions/dealwright-uploads-worker"
    client.delete_subscription(subscription=name)
    for each in ("lost.csv", "given up.csv"):
        bucket.blob(f"inbox/{each}").upload_from_string(few)
    told = operator.run("doctor")
    assert (told.returncode, "dealwright-uploads-worker is missing" in told.stdout) == (2, True)
    client.create_subscription(name=name, topic="projects/dealwright-up/topics/dealwright-uploads")
    given_up = bucket.get_blob("inbox/given up.csv")
    told_of = {"bucketId": bucket.name, "objectId": given_up.name, "objectGeneration": str(given_up.generation)}
    payload = {key: getattr(given_up, key) for key in ("name", "generation", "size")} | {"bucket": bucket.name}
    publish = PublisherClient().publish
    dead = "projects/dealwright-up/topics/dealwright-dead"
    publish(dead, json.dumps(payload).encode(), eventType="OBJECT_FINALIZE", **told_of).result(PATIENCE_S)
    swept = operator.read("sweep", "--dead")
    assert [(each["about"], each["became"]) for each in swept["dead"]] == [("inbox/given up.csv", "opened")]
    assert (swept["found"], swept["awaited"]) == (0, 1)
    up.until(r"(given up\.csv waits for a decision)")
    assert operator.read("sweep", patched="import worker.lost_uploads as l; l.REISSUE_S = 0")["found"] == 1
    up.until(r"(lost\.csv waits for a decision)")
    assert up.end(signal.SIGINT) == 0, up.errors()


def test_a_missing_emulator_is_named_with_what_brings_it(
    tmp_path: Path, started: list[Process], postgres_url: str
) -> None:
    """In one sentence, before any is started."""
    up = Process(tmp_path, "up", "--emulators", "--port", "0", PUBSUB_EMULATOR_JAR=str(tmp_path / "none.jar"))
    started.append(up)
    assert up.process.wait(PATIENCE_S) == 2
    assert up.errors() == f"Pub/Sub's emulator can't be started (no emulator was found); {pubsub.HOW}.\n"


def test_the_stand_in_for_cloud_storage_is_told_what_to_notify() -> None:
    """One bucket, one prefix, one kind of event: as Terraform tells Google."""
    if gcs.find_program() is None:
        pytest.skip(gcs.HOW)
    words = gcs.command(gcs.Notifies("p", "uploads", "p-inbox", "inbox/"))(1)
    pairs = dict(pairwise(words))
    wanted = {"pubsub-project-id": "p", "pubsub-topic": "uploads", "bucket": "p-inbox", "list": "finalize"}
    assert {name: pairs[f"-event.{name}"] for name in wanted} == wanted
