"""Results are placed whole or not at all, and never over what isn't ours."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from schemas.errors import InputError, TransientError
from worker.placing import SEAL_MARK, check_place, folders_for, placed

OURS = frozenset({"deals.json", "deck.pptx", "job.json", "DRAFT.txt"})


def fill(folder: Path, names: dict[str, str]) -> None:
    """Write one text a name."""
    for name, text in names.items():
        (folder / name).write_text(text)


def test_a_new_folder_appears_in_one_move(tmp_path: Path) -> None:
    """Until the block ends there is nothing at its place."""
    with placed(tmp_path / "a" / "out", OURS) as partial:
        fill(partial, {"deals.json": "1", "job.json": "2"})
        assert not (tmp_path / "a" / "out").exists()
    assert {path.name for path in (tmp_path / "a" / "out").iterdir()} == {"deals.json", "job.json"}
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["out"]


def test_a_failure_leaves_nothing_and_changes_nothing(tmp_path: Path) -> None:
    """The folder of the run before stays as it was."""
    fill(tmp_path, {})
    with placed(tmp_path / "out", OURS) as partial:
        fill(partial, {"job.json": "old"})
    with pytest.raises(ZeroDivisionError), placed(tmp_path / "out", OURS) as partial:
        fill(partial, {"job.json": "new", "deals.json": str(1 // 0)})
    assert (tmp_path / "out" / "job.json").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_place_that_only_says_it_can_be_written_to_is_refused_before_any_work() -> None:
    """Root may write everywhere, and /proc takes no folder all the same."""
    for place in ("/proc/x", "/proc/x/deeper"):
        with pytest.raises(InputError, match="choose another --out") as refused:
            check_place(Path(place), OURS)
        assert refused.value.code == "out.place"


def test_a_disk_without_room_is_told_as_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any work as after it: another --out is not what helps, and the input is not what is wrong."""

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", full)
    for act in (lambda: check_place(tmp_path / "out", OURS), lambda: placed(tmp_path / "out", OURS).__enter__()):
        with pytest.raises(TransientError, match="make room on that disk") as refused:
            act()
        assert (refused.value.code, refused.value.exit_code) == ("disk.full", 1)


def test_files_of_others_stay_and_our_stale_ones_go(tmp_path: Path) -> None:
    """A draft's mark must not outlive the draft; a user's notes must outlive everything."""
    out = tmp_path / "out"
    out.mkdir()
    fill(out, {"notes.txt": "mine", "DRAFT.txt": "draft", "deck.pptx": "draft", "job.json": "old"})
    with placed(out, OURS) as partial:
        fill(partial, {"deck.pptx": "final", "job.json": "new"})
    assert {path.name: path.read_text() for path in out.iterdir()} == {
        "notes.txt": "mine",
        "deck.pptx": "final",
        "job.json": "new",
    }


def test_a_file_in_the_way_is_refused_before_any_work(tmp_path: Path) -> None:
    """So nobody waits for results that can't be written."""
    fill(tmp_path, {"taken": ""})
    for place in (tmp_path / "taken", tmp_path / "taken" / "deeper"):
        with pytest.raises(InputError, match="choose another --out"):
            check_place(place, OURS)
    check_place(tmp_path / "new" / "deeper", OURS)
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_a_users_file_of_the_same_name_is_never_replaced(tmp_path: Path) -> None:
    """A folder that we filled has our seal, or an unfinished folder beside it where the filling was cut short."""
    out = tmp_path / "out"
    out.mkdir()
    fill(out, {"deals.json": "mine", "job.json": '{"schema": "mine"}'})
    with pytest.raises(InputError, match=r"not from dealwright"):
        check_place(out, OURS)
    fill(out, {"job.json": f'{{"schema": "{SEAL_MARK}"}}'})
    check_place(out, OURS)
    (out / "job.json").unlink()
    left = tmp_path / f".out.{2**22 + 1}.part"
    left.mkdir()
    check_place(out, OURS)
    with placed(out, OURS) as partial:
        fill(partial, {"job.json": "new"})
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(
    ("files", "out", "folders"),
    [
        (["a/comps.xlsx"], None, ["out/comps"]),
        (["a/comps.xlsx"], "here", ["here"]),
        (["a/comps.xlsx", "b/comps.csv", "c.csv"], "here", ["here/comps", "here/comps-2", "here/c"]),
        (["esc\x1b[2J.csv"], None, ["out/esc_[2J"]),
        (["comps.xlsx", "comps-2.xlsx", "x/comps.csv"], None, ["out/comps", "out/comps-2", "out/comps-3"]),
    ],
)
def test_each_file_has_a_folder_of_its_own(files: list[str], out: str | None, folders: list[str]) -> None:
    """One file's results go to --out itself, several files' to a folder each, named for the file."""
    assert folders_for(files, out) == [Path(folder) for folder in folders]
