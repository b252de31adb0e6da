"""The readings in a child process are the readings themselves, at a small price, and leave nothing behind."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from schemas.errors import InputError
from schemas.workbook import Overrides
from tests.hostile import fuzz_seeds
from tools.deals.extract import extract
from tools.deals.survey import survey
from tools.isolation import extraction
from tools.isolation.child import READERS
from tools.workbook.limits import Limits
from tools.workbook.structure import structure

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "tests/samples"
FILES = [(path.name, path.read_bytes()) for path in sorted(SAMPLES.glob("*.*")) if path.suffix in {".xlsx", ".csv"}]
FILES += fuzz_seeds.seeds()
PRICE_S = 0.15


def open_files() -> list[str]:
    """The numbers of this process's open files; listing them opens none that stays."""
    return sorted(entry.name for entry in Path("/proc/self/fd").iterdir())


@pytest.mark.parametrize(("name", "data"), FILES, ids=[name for name, _ in FILES])
def test_each_reading_is_the_same_in_a_child(name: str, data: bytes) -> None:
    """Structure, survey and extraction of every sample and of each format, value by value."""
    assert extraction.structure_limited(data, name) == structure(data, name)
    assert extraction.survey_limited(data, name) == survey(data, name)
    assert extraction.extract_limited(data, name, artifact="a") == extract(data, name, artifact="a")


def test_what_was_settled_and_the_limits_reach_the_child() -> None:
    """Overrides change what is read, limits what is refused."""
    name, data = FILES[0]
    settled = Overrides(ignored={"t1": "not ours"})
    made = extraction.extract_limited(data, name, overrides=settled)
    assert made == extract(data, name, overrides=settled)
    assert made != extract(data, name)
    assert extraction.survey_limited(data, name, overrides=settled) == survey(data, name, overrides=settled)
    for refused in (extraction.extract_limited, extraction.survey_limited, extraction.structure_limited):
        with pytest.raises(InputError, match=r"is larger than 10 bytes") as told:
            refused(data, name, limits=Limits(file_bytes=10))
        assert told.value.code == "file.too_large"
        with pytest.raises(InputError) as told:
            refused(data, name, limits=Limits(timeout_s=0.0001))
        assert told.value.code == "file.too_complex"


def test_many_readings_leave_no_file_and_no_process() -> None:
    """Refused, read or cut short: what a reading opened is closed."""
    name, data = fuzz_seeds.seeds()[2]
    extraction.survey_limited(data, name)
    before = open_files()
    for number in range(48):
        if number % 3:
            extraction.survey_limited(data, name)
            continue
        with pytest.raises(InputError):
            extraction.survey_limited(data, name, limits=Limits(timeout_s=0.0001) if number % 2 else Limits(cells=1))
    assert open_files() == before
    server = READERS._process
    assert server is not None
    # A child that has answered ends by itself, a moment after its answer.
    children, give_up_at = Path(f"/proc/{server.pid}/task/{server.pid}/children"), time.monotonic() + 10
    while children.read_text(encoding="ascii").split():
        assert time.monotonic() < give_up_at


LIGHT = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from tools.isolation import extraction
data = Path(sys.argv[2]).read_bytes()
for reading in (extraction.structure_limited, extraction.survey_limited, extraction.extract_limited):
    reading(data, "deals.xlsx")
print(*{"numpy", "openpyxl", "lxml", "python_calamine"} & set(sys.modules))
"""


def test_whoever_has_files_read_in_a_child_loads_no_reader() -> None:
    """An idle worker stays small: what comes back are values, and the libraries stay where they are used."""
    command = [sys.executable, "-W", "error", "-c", LIGHT, str(ROOT), str(SAMPLES / "portfolio.xlsx")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [], "")


@pytest.mark.bench
def test_a_child_costs_little_beside_a_small_reading() -> None:
    """Once the fork server is warm: the median of twenty, beside the same reading in this process."""
    name, data = FILES[0]
    times: dict[str, list[float]] = {"child": [], "here": []}
    extraction.extract_limited(data, name)
    for _ in range(20):
        for label, call in (("child", extraction.extract_limited), ("here", extract)):
            started = time.perf_counter()
            call(data, name)
            times[label].append(time.perf_counter() - started)
    price = statistics.median(times["child"]) - statistics.median(times["here"])
    print(f"a child costs {price * 1000:.0f} ms beside {statistics.median(times['here']) * 1000:.0f} ms of reading")
    assert price < PRICE_S
