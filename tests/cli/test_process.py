"""`dealwright process`: from files to results in a folder, once for each file, whatever else happens."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from tests.cli.bad_files import KINDS
from tests.cli.conftest import Line

RESULTS = {"deals.json", "deals.xlsx", "deck.pptx", "memo.pdf", "figures.json", "job.json"}


def names(folder: Path) -> set[str]:
    """The names in a folder."""
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_cannot_be_used_ends_in_2_one_sentence_and_no_results(
    kind: str, line: Line, folder: Path, bad_files: dict[str, str]
) -> None:
    """Whether the command line or the pipeline finds it out, there is one sentence, and `--out` stays absent."""
    ran = line("process", bad_files[kind], "--out", "results", "--approve", "yes")
    assert ran.code == 2
    assert len(ran.sentences) == 1
    assert Path(bad_files[kind]).name in ran.err
    assert ran.out == ""
    assert not (folder / "results").exists()
    aside = [job["reason"]["message"] for job in line("jobs", "--json").document]
    assert aside in ([], [ran.err.rstrip("\n")])


def test_a_signed_file_leaves_all_results_and_says_where(line: Line, folder: Path, few: Path) -> None:
    """The default place is out/<name of the file>; the delivered documents are the exported ones."""
    ran = line("process", few, "--approve", "yes")
    assert ran.code == 0, ran.err
    out = folder / "out" / "pipeline"
    assert names(out) == RESULTS
    assert all(name in ran.out for name in RESULTS)
    record = json.loads((out / "job.json").read_text())
    assert (record["state"], record["edition"]) == ("completed", "final")
    assert [decision["verdict"] for decision in record["decisions"]] == ["approved"]
    delivered = Path(record["delivered"]["place"])
    for name in ("deck.pptx", "memo.pdf"):
        assert (delivered / name).read_bytes() == (out / name).read_bytes()
    assert record["stages"][0]["stamps"][0]["prompt_sha256"]
    assert record["timings"]["job_s"] > 0


def test_json_of_a_signed_file_is_one_document(line: Line, waiting: Path) -> None:
    """Nothing else on standard output; progress goes to standard error."""
    ran = line("process", "pipeline.csv", "--approve", "yes", "--json", "--out", "results")
    document = ran.document
    assert (document["exit_code"], document["state"], document["was"]) == (0, "completed", "continued")
    assert set(document["files"]) == RESULTS
    assert document["summary"]["deals"] == 3
    assert document["models"]
    assert "delivering" in ran.err


def test_figures_json_lists_each_printed_number_with_cells_and_places(line: Line, signed: Path) -> None:
    """Both documents feed one list: a number that both print is listed once, with all its places."""
    figures = json.loads((signed / "figures.json").read_text())["figures"]
    places = {place.partition(":")[0] for figure in figures for place in figure["where"]}
    assert places == {"deck", "memo"}
    assert any({place.partition(":")[0] for place in figure["where"]} == {"deck", "memo"} for figure in figures)
    assert all(figure["derivation"] for figure in figures)


def test_several_files_get_a_folder_each_and_bad_ones_none(
    line: Line, folder: Path, few: Path, bad_files: dict[str, str]
) -> None:
    """One bad file stops no other; `--json` prints an array in the files' order, and the worst code counts."""
    files = (bad_files["html"], few)
    ran = line("process", *files, "--out", "results", "--approve", "yes", "--json")
    assert ran.code == 2
    assert [document["exit_code"] for document in ran.document] == [2, 0]
    assert names(folder / "results") == {"pipeline"}


def test_without_a_terminal_asking_means_later(line: Line, waiting: Path) -> None:
    """A script never hangs at a prompt; the folder holds drafts and says so."""
    folder = waiting
    ran = line("process", "pipeline.csv", "--out", "results")
    assert ran.code == 3
    assert names(folder / "results") == RESULTS | {"DRAFT.txt"}
    assert "dealwright approve" in ran.out
    assert json.loads((folder / "results" / "job.json").read_text())["edition"] == "draft"
    assert "waits for a decision" in (folder / "results" / "DRAFT.txt").read_text()


def test_the_same_file_again_is_the_same_job_and_fresh_is_another(line: Line, finished: Path) -> None:
    """Results are written again with a line that says so; `--fresh` starts anew and gives the same bytes."""
    again = line("process", "pipeline.csv", "--approve", "yes", "--json")
    fresh = line("process", "pipeline.csv", "--approve", "yes", "--json", "--fresh", "--out", "fresh")
    assert again.document["was"] == "finished"
    assert "processed before" in again.err
    assert (fresh.code, fresh.document["was"]) == (0, "new")
    assert fresh.document["job_id"] != again.document["job_id"]
    for name in ("deck.pptx", "memo.pdf", "deals.xlsx"):
        assert (finished / "fresh" / name).read_bytes() == (finished / "out" / "pipeline" / name).read_bytes()


def test_a_place_that_cannot_be_written_is_refused_before_any_work(line: Line, folder: Path, few: Path) -> None:
    """No job is opened for results that have nowhere to go."""
    (folder / "taken").write_text("")
    ran = line("process", few, "--out", "taken", "--approve", "yes")
    assert (ran.code, len(ran.sentences)) == (2, 1)
    assert not (folder / ".dealwright").exists()


def test_a_fault_of_ours_ends_in_1_and_says_where_the_log_is(
    line: Line, folder: Path, few: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job is set aside, the screen shows one sentence, the log has the traceback, and no result is left."""

    def fail(*arguments: object) -> object:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr("worker.handlers.render.render", fail)
    monkeypatch.setenv("DEALWRIGHT_MAX_ATTEMPTS", "1")
    ran = line("process", few, "--out", "results", "--approve", "yes")
    assert ran.code == 1
    assert "Traceback" not in ran.err
    assert "dealwright replay" in ran.sentences[-1]
    assert str(folder / ".dealwright" / "dealwright.log") in ran.sentences[-1]
    logged = (folder / ".dealwright" / "dealwright.log").read_text()
    assert "ZeroDivisionError" in logged
    assert "render.py" in logged
    assert not (folder / "results").exists()
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    job_id = line("jobs", "--json").document[0]["job_id"]
    known = line("process", few, "--out", "results")
    assert (known.code, "processed before" in known.err) == (1, False)
    assert "was set aside before" in known.sentences[0]
    again = line("replay", job_id)
    assert again.code == 3, again.err
    assert "waits for a decision" in again.out
    assert names(folder / "results") == RESULTS | {"DRAFT.txt"}
    assert line("approve", job_id).code == 0
    assert names(folder / "results") == RESULTS


def test_results_hold_no_name_of_whoever_signed_but_in_the_record(signed: Path) -> None:
    """The final edition has no approver in its bytes; the record has."""
    by = json.loads((signed / "job.json").read_text())["decisions"][0]["by"]
    deck = zipfile.ZipFile(io.BytesIO((signed / "deck.pptx").read_bytes()))
    text = b"".join(deck.read(name) for name in deck.namelist() if name.endswith(".xml"))
    assert f">{by}<".encode() not in text
