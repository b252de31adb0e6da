"""`dealwright doctor` and `dealwright migrate`: what is wrong with a set-up, and what to do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Line


def findings(line: Line) -> dict[str, dict[str, object]]:
    """What doctor says, by the name of the check."""
    return {check["name"]: check for check in line("doctor", "--json").document["checks"]}


def test_a_new_folder_is_well_and_stays_empty(line: Line, folder: Path) -> None:
    """Looking makes nothing: no database, no folder."""
    ran = line("doctor")
    assert ran.code == 0, ran.out
    assert ran.out.count("ok ") == len(ran.out.splitlines()) == 8
    assert not [*folder.iterdir()]


def test_a_wrong_setting_is_found_and_named(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else can be looked at then."""
    monkeypatch.setenv("DEALWRIGHT_LEASE_S", "-1")
    found = findings(line)
    assert [*found] == ["settings"]
    assert "LEASE_S" in str(found["settings"]["found"])


def test_a_database_that_is_down_is_found_without_its_password(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """The address is shown, the password is not, and what to do stands beside it."""
    monkeypatch.setenv("DEALWRIGHT_DATABASE_URL", "postgresql://desk:secret@127.0.0.1:1/deals")
    ran = line("doctor")
    assert ran.code == 2
    assert "secret" not in ran.out
    assert "start the server" in ran.out


def test_a_file_that_is_no_database_is_found_and_not_called_a_server(line: Line, folder: Path) -> None:
    """What to do differs from that of a server that is down."""
    (folder / ".dealwright").mkdir()
    (folder / ".dealwright" / "dealwright.db").write_text("garbage" * 100)
    found = findings(line)["database"]
    assert found["ok"] is False
    assert "no SQLite database" in str(found["found"])
    assert "move it away" in str(found["do"])


def test_a_gemini_model_without_a_key_is_found(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a job meets it; any of the client's own ways to a key will do."""
    for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_ENTERPRISE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DEALWRIGHT_MODEL", "gemini-2.5-flash")
    assert "GOOGLE_API_KEY" in str(findings(line)["model"]["do"])
    monkeypatch.setenv("GEMINI_API_KEY", "k")
    assert findings(line)["model"]["ok"] is True


def test_an_unmigrated_database_is_found_and_migrate_mends_it(
    line: Line, monkeypatch: pytest.MonkeyPatch, postgres_url: str
) -> None:
    """`doctor` counts what is missing, `migrate` applies it, and says so again when there is nothing left."""
    monkeypatch.setenv("DEALWRIGHT_DATABASE_URL", postgres_url)
    assert "dealwright migrate" in str(findings(line)["database"]["do"])
    assert line("migrate", "--json").document["applied"]
    assert findings(line)["database"]["ok"] is True
    assert "up to date" in line("migrate").out


def test_an_artifacts_folder_that_is_a_file_is_found(line: Line, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the setting to change."""
    (folder / "taken").write_text("")
    monkeypatch.setenv("DEALWRIGHT_ARTIFACTS", str(folder / "taken" / "artifacts"))
    assert "DEALWRIGHT_ARTIFACTS" in str(findings(line)["artifacts"]["do"])


def test_a_missing_font_and_a_changed_prompt_are_found(
    line: Line, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both would spoil documents in silence."""
    monkeypatch.setattr("tools.figures.text.font_path", lambda *_: folder / "missing.ttf")
    monkeypatch.setattr("agents.prompts.load.ids.sha256_hex", lambda _: "0" * 64)
    from tools.figures import text

    text._advances.cache_clear()
    text.ems.cache_clear()
    found = findings(line)
    assert (found["fonts"]["ok"], found["prompts"]["ok"]) == (False, False)
    assert "extraction" in str(found["prompts"]["found"])


def test_a_name_that_is_no_model_is_found(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a job meets it."""
    monkeypatch.setenv("DEALWRIGHT_MODEL", "gpt")
    assert findings(line)["model"]["ok"] is False


def test_a_model_behind_litellm_without_litellm_is_found(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that brings it."""
    monkeypatch.setitem(sys.modules, "agents.litellm_model", None)
    monkeypatch.setenv("DEALWRIGHT_MODEL", "litellm/openai/gpt-4o")
    found = findings(line)["model"]
    assert found["ok"] is False
    assert "pip install 'dealwright[litellm]'" in str(found)
