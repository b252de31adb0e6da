"""Prompts are versioned files: whatever is not as the manifest says stops the start with a clear sentence."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from agents import registry
from agents.prompts.load import DIRECTORY, PromptSet, load_prompts
from schemas.errors import OutputError


def write_prompts(folder: Path, text: str, *, sha256: str | None = None, manifest: str | None = None) -> Path:
    """A folder with one prompt, `greet`, in one version."""
    (folder / "greet").mkdir()
    (folder / "greet" / "v1.md").write_text(text, encoding="utf-8")
    digest = sha256 or hashlib.sha256(text.encode()).hexdigest()
    entry = f'[greet]\ndefault = "v1"\n[greet.versions.v1]\nsha256 = "{digest}"\nmodel = "m"\n'
    (folder / "manifest.toml").write_text(manifest or entry, encoding="utf-8")
    return folder


def load(
    folder: Path, versions: dict[str, str] | None = None, produced: frozenset[str] = frozenset(), **values: str
) -> PromptSet:
    """The prompts of a folder, `greet` filled with `values`."""
    return load_prompts({"greet": values}, versions, directory=folder, produced=produced)


def refusal(folder: Path, versions: dict[str, str] | None = None, **values: str) -> tuple[str, str]:
    """The code and the sentence that a folder is refused with."""
    with pytest.raises(OutputError) as refused:
        load(folder, versions, **values)
    return refused.value.code, refused.value.message


def test_the_shipped_prompts_load_and_say_their_version_hash_and_settings() -> None:
    """What a job's stamps name."""
    prompts = registry.open_prompts()
    assert prompts.versions == {"extraction": "v1", "presentation": "v1", "summary": "v1"}
    for prompt in prompts.prompts.values():
        file = DIRECTORY / prompt.prompt_id / f"{prompt.version}.md"
        assert prompt.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
        assert prompt.settings["temperature"] == 0.0
        assert prompt.written_on
        assert "<<" not in prompt.text


def test_every_prompt_file_is_in_the_manifest() -> None:
    """A file that nothing names would never be spoken and never be checked."""
    prompts = registry.open_prompts()
    files = {path.relative_to(DIRECTORY).as_posix() for path in DIRECTORY.rglob("*.md")}
    assert files == {f"{name}/{version}.md" for name, version in prompts.versions.items()}


def test_a_filled_prompt_holds_the_values(tmp_path: Path) -> None:
    """Placeholders are written in doubled angle brackets."""
    prompts = load(write_prompts(tmp_path, "Hello <<name>>, <<name>> & <<other>>.\n"), name="A\\1", other="B")
    assert prompts.prompts["greet"].text == "Hello A\\1, A\\1 & B."


def test_a_pinned_version_is_the_one_that_is_loaded(tmp_path: Path) -> None:
    """A job that opened under v1 speaks v1 to its end, whatever the default is by then."""
    folder = write_prompts(tmp_path, "one")
    (folder / "greet" / "v2.md").write_text("two", encoding="utf-8")
    digest = hashlib.sha256(b"two").hexdigest()
    manifest = (folder / "manifest.toml").read_text().replace('"v1"', '"v2"')
    manifest += f'[greet.versions.v2]\nsha256 = "{digest}"\nmodel = "m"\n'
    (folder / "manifest.toml").write_text(manifest, encoding="utf-8")
    assert load(folder).prompts["greet"].text == "two"
    assert load(folder, {"greet": "v1"}).prompts["greet"].text == "one"


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    """A released version never changes."""
    folder = write_prompts(tmp_path, "Hello.")
    (folder / "greet" / "v1.md").write_text("Hello!", encoding="utf-8")
    code, sentence = refusal(folder)
    assert code == "prompt.changed"
    assert "greet/v1" in sentence
    assert "new version" in sentence


def test_a_missing_version_or_file_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    """By pin, and where the manifest names a file that is gone."""
    folder = write_prompts(tmp_path, "Hello.")
    assert refusal(folder, {"greet": "v9"}) == ("prompt.missing", "Prompt greet has no version v9; known: v1.")
    (folder / "greet" / "v1.md").unlink()
    assert refusal(folder)[0] == "prompt.missing"


def test_a_prompt_or_a_manifest_that_is_missing_is_refused(tmp_path: Path) -> None:
    """With its name or its place."""
    assert refusal(tmp_path)[0] == "prompt.manifest"
    folder = write_prompts(tmp_path, "Hello.", manifest="[other]\n")
    assert refusal(folder)[0] == "prompt.manifest"
    (folder / "manifest.toml").write_text('[other]\ndefault = "v1"\nversions = {}\n', encoding="utf-8")
    assert refusal(folder) == ("prompt.missing", "The prompt manifest does not know greet.")
    (folder / "manifest.toml").write_text("[", encoding="utf-8")
    assert refusal(folder)[0] == "prompt.manifest"


def test_a_placeholder_without_a_value_and_a_value_without_a_placeholder_are_refused(tmp_path: Path) -> None:
    """Either way prompt and code have grown apart."""
    folder = write_prompts(tmp_path, "Hello <<name>>.")
    assert refusal(folder) == ("prompt.placeholder", "Prompt greet/v1 and the values for it differ in: name.")
    assert "other" in refusal(folder, name="A", other="B")[1]


@pytest.mark.parametrize(
    "braces", ["{name}", "{name?}", "{{name}}", "{ name }", "{user:tier}", "{app:x?}", "{artifact.report}"]
)
def test_braces_that_adk_reads_as_a_state_key_are_refused(tmp_path: Path, braces: str) -> None:
    """An example in braces fails every call, or leaks state into the prompt."""
    folder = write_prompts(tmp_path, f"Say: Hello {braces}.")
    code, sentence = refusal(folder)
    assert code == "prompt.braces"
    assert braces in sentence


@pytest.mark.parametrize("text", ['{"tier": "gold"}', "{deals:summary}", "{}", "{a b}"])
def test_braces_that_adk_leaves_alone_are_allowed(tmp_path: Path, text: str) -> None:
    """JSON examples and our own state keys stay as they are written."""
    assert load(write_prompts(tmp_path, text)).prompts["greet"].text == text


def test_a_state_key_that_something_produces_is_allowed(tmp_path: Path) -> None:
    """The lint asks for a producer, it does not forbid state."""
    folder = write_prompts(tmp_path, "Hello {name}.")
    assert load(folder, produced=frozenset({"name"})).prompts["greet"].text == "Hello {name}."
