"""A function in a child process costs what it may and no more, and whatever becomes of it is told in one sentence."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn

import psutil
import pytest

from schemas.errors import InputError, OutputError, TransientError
from tests.hostile import calls
from tools.isolation import child, messages
from tools.isolation.child import run_child, run_limited
from tools.isolation.fork_client import ForkClient

ROOT = Path(__file__).resolve().parents[2]
MEMORY = 600_000_000
GONE_S = 5.0


def limited(function: Callable[..., Any], *args: Any, timeout_s: float = 20, **more: Any) -> Any:
    """What `function` returns in a child with room enough, reading a file called deals.xlsx."""
    return run_limited(function, *args, memory_bytes=MEMORY, timeout_s=timeout_s, subject="deals.xlsx", **more)


def gone(*pids: int) -> bool:
    """Whether the processes end soon; one whose parent died first may then wait for the system to bury it."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            ended = os.pidfd_open(pid)
            try:
                if not select.select([ended], [], [], GONE_S)[0]:
                    return False
            finally:
                os.close(ended)
    return True


@pytest.fixture
def readers() -> Iterator[ForkClient]:
    """A fork server of this test's own."""
    own = ForkClient("tests.hostile.calls", "warm_up")
    yield own
    own.stop()


def test_a_result_comes_back_as_it_was() -> None:
    """Our dataclasses and plain values survive the way."""
    assert limited(calls.region, "Comps") == calls.region("Comps")


def test_progress_is_told_in_order_before_the_result() -> None:
    """Each step arrives once."""
    told: list[int] = []
    assert limited(calls.tell_steps, 50, on_progress=told.append) == 50
    assert told == list(range(1, 51))


def test_a_refusal_is_handed_over_whole() -> None:
    """Family, code, sentence and cells are those of the child's error."""
    with pytest.raises(InputError) as refused:
        limited(calls.refuse)
    assert (refused.value.code, refused.value.cells) == ("file.truncated", ("Comps!A1",))
    assert refused.value.message == "deals.xlsx is cut short; send it again."


@pytest.mark.parametrize("function", [calls.hoard, calls.hoard_numbers, calls.hoard_and_blame])
def test_memory_over_the_limit_is_told_as_such(function: Callable[[int], Any]) -> None:
    """However the memory was taken, and even where a wrapper blames the file."""
    with pytest.raises(InputError, match=r"deals\.xlsx needs more than 600 MB of memory to read; save ") as refused:
        limited(function, 2 * MEMORY)
    assert refused.value.code == "file.too_complex"


def test_memory_within_the_limit_is_no_matter() -> None:
    """The limit is no smaller than it says."""
    assert limited(calls.hoard, MEMORY // 3) == MEMORY // 3 // 1_000_000


@pytest.mark.parametrize("function", [calls.abort_as_out_of_memory, calls.fall_to_the_kernel])
def test_a_death_for_want_of_memory_is_told_as_such(function: Callable[[], Any]) -> None:
    """A library that aborts when memory is short, and the kernel that kills, mean the same to the sender."""
    with pytest.raises(InputError) as refused:
        limited(function)
    assert refused.value.code == "file.too_complex"


@pytest.mark.parametrize("function", [calls.spin, calls.sleep_deaf])
def test_time_over_the_limit_ends_the_child(function: Callable[..., Any]) -> None:
    """Busy or deaf, it is gone when the sentence is told, and nothing is left of it."""
    pids: list[int] = []
    started = time.monotonic()
    with pytest.raises(InputError, match=r"deals\.xlsx needs more than 0\.4 s to read; save ") as refused:
        limited(function, timeout_s=0.4, on_progress=pids.append)
    assert refused.value.code == "file.too_complex"
    assert time.monotonic() - started < 2
    assert not psutil.pid_exists(pids[0])


def test_what_a_child_started_ends_with_it() -> None:
    """The whole group is killed."""
    pids: list[tuple[int, int]] = []
    with pytest.raises(InputError):
        limited(calls.start_another, timeout_s=0.5, on_progress=pids.append)
    assert gone(*pids[0])


@pytest.mark.parametrize(
    ("function", "args", "how"),
    [
        (calls.overrun_stack, (), "signal 11"),
        (calls.abort, (), "signal 6"),
        (calls.leave, (3,), "exit 3"),
        (calls.leave, (0,), "exit 0"),
    ],
)
def test_a_crash_names_the_file_that_caused_it(function: Callable[..., Any], args: tuple[Any, ...], how: str) -> None:
    """A file that kills its reader is poison, and the sentence says which file, how, and what to do."""
    with pytest.raises(InputError) as refused:
        limited(function, *args)
    assert refused.value.code == "file.poison"
    assert refused.value.message.startswith(f"deals.xlsx makes the reader crash ({how}); open it in Excel")


def test_an_error_of_ours_is_told_without_the_text_of_a_cell() -> None:
    """Its type and frames serve whoever mends it; its text, which may quote a file, stays in the child."""
    with pytest.raises(OutputError) as told:
        limited(calls.quote_a_cell, "tenant of suite 12")
    assert told.value.code == "reader.fault"
    assert "TypeError" in told.value.message
    assert "quote_a_cell" in "".join(told.value.__notes__)
    assert "suite 12" not in told.value.message + "".join(told.value.__notes__)


def test_nothing_of_a_child_reaches_our_output(capfd: pytest.CaptureFixture[str]) -> None:
    """Neither prints nor a crash's last words."""
    limited(calls.write_noise, "noise " * 100)
    for function in (calls.overrun_stack, calls.abort_as_out_of_memory):
        with pytest.raises(InputError):
            limited(function)
    assert capfd.readouterr() == ("", "")


def test_a_child_inherits_nothing_that_it_could_give_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting, file, thread, event loop, agent, database or cloud library of its parent is in it."""
    monkeypatch.setenv("DEALWRIGHT_SECRET", "hush")
    keep = socket.create_server(("127.0.0.1", 0))
    with keep:
        found = limited(calls.surroundings)
    assert "hush" not in str(found["environment"])
    assert set(found["environment"]) <= {"LC_ALL", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "LC_CTYPE"}
    assert (found["threads"], found["tasks"], found["group"]) == (1, 1, True)
    assert len(found["files"]) <= 5
    assert not {"google", "sqlalchemy", "asyncpg", "asyncio", "agents", "worker", "pytest"} & set(found["modules"])
    assert tuple(found["core"]) == (0, 0)


def test_a_child_cannot_fill_the_disk(tmp_path: Path) -> None:
    """Whoever takes over a reader writes no large file."""
    with pytest.raises(OutputError, match="OSError"):
        limited(calls.write_file, str(tmp_path / "large"), 10_000_000)
    assert (tmp_path / "large").stat().st_size <= 65_536


def test_a_value_that_would_run_code_here_is_refused() -> None:
    """An answer is ours or plain; unpickling it calls nothing else."""
    with pytest.raises(OutputError) as told:
        limited(calls.set_trap)
    assert told.value.code == "reader.fault"
    assert "an answer that is none" in told.value.message
    assert not Path("/tmp/dealwright-trap").exists()


class Call:
    """A value that is unpickled by a call of `function`."""

    def __init__(self, function: Callable[..., Any], *args: Any) -> None:
        self.reduced = (function, args)

    def __reduce__(self) -> tuple[Any, ...]:
        """The call."""
        return self.reduced


@pytest.mark.parametrize(
    "value",
    [
        Call(os.system, "true"),
        Call(eval, "1"),
        Call(getattr, Path, "unlink"),
        Call(run_limited, print, 1),
        Call(bytearray, 10**9),
        Call(subprocess.run, ["true"]),
        Path("/tmp"),
    ],
)
def test_an_answer_may_hold_no_foreign_class_or_function(value: object) -> None:
    """What a child that was taken over could send."""
    near, far = socket.socketpair()
    with near, far:
        messages.send(far, messages.RESULT, value)
        with pytest.raises(messages.BrokenAnswerError):
            messages.receive(near, time.monotonic() + 5, 10_000)


def test_an_answer_may_not_be_larger_than_its_reader_allows() -> None:
    """A length is believed only within bounds; garbage is no answer."""
    near, far = socket.socketpair()
    with near, far:
        messages.send(far, messages.RESULT, "x" * 200)
        with pytest.raises(messages.BrokenAnswerError):
            messages.receive(near, time.monotonic() + 5, 100)
    for said in (b"!" * 50, pickle.dumps(1)[::-1], pickle.dumps(1) * 2, b""):
        near, far = socket.socketpair()
        with near, far:
            far.sendall(b"r" + len(said).to_bytes(8, "little") + said + bytes(8) * bool(said))
            with pytest.raises(messages.BrokenAnswerError):
                messages.receive(near, time.monotonic() + 5, 100)


@pytest.mark.parametrize("kept", [0, 1, 5, 9, 20, 2_000_000, 3_000_009])
def test_an_answer_cut_short_is_none(kept: int) -> None:
    """Wherever the child was killed."""
    near, far = socket.socketpair()
    with near, ThreadPoolExecutor(1) as pool:
        whole = _sent("x" * 3_000_000)
        sending = pool.submit(far.sendall, whole[:kept])
        sending.add_done_callback(lambda _: far.close())
        assert messages.receive(near, time.monotonic() + 5, 10_000_000) is None
    assert len(whole) > 3_000_009


def _sent(value: object) -> bytes:
    """The bytes of an answer."""
    near, far = socket.socketpair()
    with near, ThreadPoolExecutor(1) as pool:
        sending = pool.submit(messages.send, far, messages.RESULT, value)
        sending.add_done_callback(lambda _: far.close())
        return b"".join(iter(lambda: near.recv(1 << 20), b""))


def test_a_result_that_cannot_be_handed_over_is_a_fault_of_ours() -> None:
    """No file is to blame for it."""
    with pytest.raises(OutputError) as told:
        limited(calls.hand_over_a_lock)
    assert told.value.code == "reader.fault"


def test_a_function_without_a_name_is_no_call_for_a_child() -> None:
    """A lambda can't be imported elsewhere."""
    with pytest.raises(ValueError, match="imported by name"):
        limited(lambda: 1)


def test_a_complaint_of_the_listener_ends_the_child() -> None:
    """An error raised while progress is told passes through, and the child does not go on unheard."""
    pids: list[int] = []

    def listen(pid: int) -> NoReturn:
        pids.append(pid)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        limited(calls.spin, on_progress=listen)
    assert gone(*pids)


def test_many_children_run_at_once() -> None:
    """From as many threads as ask, each with its own answer."""
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda n: limited(calls.region, f"Sheet {n}").sheet, range(24)))
    assert made == [f"Sheet {n}" for n in range(24)]


def test_children_die_with_a_killed_server_and_the_next_call_works(readers: ForkClient) -> None:
    """Losing the server is nobody's fault but ours: the same file may be tried again."""
    servers: list[psutil.Process] = []

    def listen(pid: int) -> None:
        servers.append(psutil.Process(pid))
        servers[0].parent().kill()

    outcome = run_child(calls.spin, memory_bytes=MEMORY, timeout_s=20, on_progress=listen, readers=readers)
    assert outcome.end == "lost"
    assert gone(servers[0].pid)
    assert run_child(calls.region, "A", memory_bytes=MEMORY, timeout_s=20, readers=readers).value == calls.region("A")


def test_stopping_the_server_frees_whoever_waits(monkeypatch: pytest.MonkeyPatch, readers: ForkClient) -> None:
    """A worker that shuts down need not wait for a slow file, and blames no file for it."""
    monkeypatch.setattr(child, "run_child", lambda *a, **k: run_child(*a, **k, readers=readers))
    pids: list[int] = []

    def listen(pid: int) -> None:
        pids.append(pid)
        threading.Thread(target=readers.stop).start()

    with pytest.raises(TransientError) as told:
        limited(calls.spin, on_progress=listen)
    assert told.value.code == "reader.lost"
    assert gone(*pids)


ORPHAN = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may have ignored it
sys.path.insert(0, sys.argv[1])
from tests.hostile import calls
from tools.isolation.child import READERS, run_limited
def tell(pid):
    print(pid, READERS._process.pid, flush=True)
run_limited(calls.sleep_deaf, memory_bytes=600_000_000, timeout_s=60, on_progress=tell)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_nothing_outlives_a_parent_that_dies(number: signal.Signals) -> None:
    """However it dies, its server and children are gone soon after."""
    with subprocess.Popen(
        [sys.executable, "-c", ORPHAN, str(ROOT)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as parent:
        assert parent.stdout is not None
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert len(pids) == 2
        parent.send_signal(number)
        parent.wait(10)
    assert gone(*pids)


FORKED = """
import os, sys
sys.path.insert(0, sys.argv[1])
from tests.hostile import calls
from tools.isolation.child import run_limited
def sheet(name):
    return run_limited(calls.region, name, memory_bytes=600_000_000, timeout_s=60).sheet
print(sheet("parent"), flush=True)
if os.fork() == 0:
    print(sheet("fork"), flush=True)
    sys.exit(0)
os.wait()
print(sheet("parent"), flush=True)
"""


def test_a_fork_of_the_parent_has_children_of_its_own() -> None:
    """Workers that fork share no server by accident, and neither ends the other's."""
    command = [sys.executable, "-W", "error", "-c", FORKED, str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split() == ["parent", "fork", "parent"]
    assert (done.returncode, done.stderr) == (0, "")
