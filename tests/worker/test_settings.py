"""Settings are read whole, and refused in one sentence."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from schemas.errors import InputError
from worker.adapters.adk import Shelf, open_artifacts
from worker.addresses import shown
from worker.settings import Settings, load_settings
from worker.topology import read_topology


def test_everything_lies_in_the_state_folder_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the folder in which the command runs."""
    monkeypatch.chdir(tmp_path)
    settings = load_settings()
    assert settings.state_dir == tmp_path / ".dealwright"
    assert settings.database_url == f"sqlite:///{tmp_path}/.dealwright/dealwright.db"
    assert settings.artifacts == f"{tmp_path}/.dealwright/artifacts"
    assert settings.delivery_dir == tmp_path / ".dealwright" / "delivered"
    assert (settings.model, settings.database) == ("offline", "sqlite")


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """By name; numbers are numbers, empty means not set, the driver is ours to know."""
    monkeypatch.setenv("DEALWRIGHT_DATABASE_URL", "postgresql://u:secret@db/x")
    monkeypatch.setenv("DEALWRIGHT_MAX_ATTEMPTS", "7")
    monkeypatch.setenv("DEALWRIGHT_MODEL", "")
    settings = load_settings()
    assert (settings.database_url, settings.max_attempts) == ("postgresql+asyncpg://u:secret@db/x", 7)
    assert (settings.model, settings.database) == ("offline", "postgresql")


def test_a_leading_tilde_is_home_in_every_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No shell reads a file of settings; a folder named `~` would hold what nobody finds."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("STATE_DIR", "ARTIFACTS", "INBOX", "DELIVERIES"):
        monkeypatch.setenv(f"DEALWRIGHT_{name}", f"~/{name.lower()}")
    monkeypatch.setenv("DEALWRIGHT_DATABASE_URL", "sqlite:///~/deals.db")
    settings = load_settings()
    assert settings.state_dir == tmp_path / "state_dir"
    assert (settings.artifacts, settings.inbox) == (f"{tmp_path}/artifacts", f"{tmp_path}/inbox")
    assert settings.delivery_dir == tmp_path / "deliveries" / "delivered"
    assert settings.database_url == f"sqlite:///{tmp_path}/deals.db"
    assert settings.is_inbox(f"{tmp_path}/inbox")
    monkeypatch.setenv("DEALWRIGHT_INBOX", "~")
    assert load_settings().inbox == str(tmp_path)


def test_a_tilde_elsewhere_is_a_name_as_any_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only the first letter means home, and `./~` doesn't."""
    monkeypatch.chdir(tmp_path)
    settings = load_settings(inbox="./~/in", artifacts="a/~b", database_url="postgresql://u@db/~x")
    assert (settings.inbox, settings.artifacts) == ("./~/in", "a/~b")
    assert settings.database_url == "postgresql+asyncpg://u@db/~x"


def test_what_is_written_in_a_home_is_never_taken_for_an_upload_either(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """However each of the two places is written."""
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(InputError, match=r"^DEALWRIGHT_ARTIFACTS must not have"):
        load_settings(inbox="~/in", artifacts=f"{tmp_path}/in/inbox")


@pytest.mark.parametrize(("slots", "pool", "good"), [(2, None, True), (8, 10, True), (8, 9, False), (14, None, False)])
def test_a_pool_has_a_connection_for_each_slot_and_for_what_goes_on_beside(
    monkeypatch: pytest.MonkeyPatch, slots: int, pool: int | None, good: bool
) -> None:
    """To PostgreSQL; SQLite's are files."""
    monkeypatch.setenv("DEALWRIGHT_SLOTS", str(slots))
    if pool is not None:
        monkeypatch.setenv("DEALWRIGHT_POOL_SIZE", str(pool))
    load_settings()
    monkeypatch.setenv("DEALWRIGHT_DATABASE_URL", "postgresql://u@db/x")
    if good:
        load_settings()
        return
    with pytest.raises(InputError, match="DEALWRIGHT_POOL_SIZE must be at least DEALWRIGHT_SLOTS and 2 more"):
        load_settings()


def test_a_password_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings turn up in logs and crashes; the database's address doesn't."""
    monkeypatch.setenv("DEALWRIGHT_DATABASE_URL", "postgresql://u:secret@db/x")
    assert "secret" not in repr(load_settings())


def test_what_the_test_run_sets_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """`DEALWRIGHT_REQUIRE` belongs to it."""
    plain = load_settings()
    monkeypatch.setenv("DEALWRIGHT_REQUIRE", "postgres")
    assert load_settings() == plain


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("MAX_ATEMPTS", "3", "DEALWRIGHT_MAX_ATEMPTS is no setting"),
        ("MAX_ATTEMPTS", "many", "DEALWRIGHT_MAX_ATTEMPTS must be a whole number, such as 5, and is 'many'"),
        ("MAX_ATTEMPTS", "2.5", "must be a whole number"),
        ("LEASE_S", "soon", "must be a number, such as 60"),
        ("LEASE_S", "inf", "must be at most 86400"),
        ("MAX_ATTEMPTS", "0", "DEALWRIGHT_MAX_ATTEMPTS must be at least 1"),
        ("HEARTBEAT_S", "30", "DEALWRIGHT_LEASE_S must be at least three times DEALWRIGHT_HEARTBEAT_S"),
        ("MAX_INFLATED_BYTES", "5", "DEALWRIGHT_MAX_INFLATED_BYTES must not be less than DEALWRIGHT_MAX_FILE_BYTES"),
        ("POOL_SIZE", "0", "DEALWRIGHT_POOL_SIZE must be at least 1"),
        ("DATABASE_URL", "mysql://db/x", "DEALWRIGHT_DATABASE_URL must begin with"),
        ("DATABASE_URL", "postgresql://u:x@h:notaport/x", "DEALWRIGHT_DATABASE_URL must be an address whose port"),
        ("DATABASE_URL", "postgresql://u:x@h:70000/x", "a port of at most 65535"),
        ("DATABASE_URL", "postgresql://u:SECRET@WORD@h/x", "DEALWRIGHT_DATABASE_URL must have %40 for each @"),
        ("DATABASE_URL", "postgresql://u:x@h/x?channel_binding=SECRET", "must have nothing behind its ? but"),
        ("DATABASE_URL", "sqlite:///", "DEALWRIGHT_DATABASE_URL must name a file"),
        ("DATABASE_URL", "sqlite:///:memory:", "must name a file, such as sqlite:///deals.db"),
        ("DATABASE_URL", "sqlite:///file:x?mode=memory&uri=true", "must name a file"),
        ("INBOX", "https://u:SECRET@WORD@h/in", "and is 'https://u:***@h/in'"),
        ("PUBLIC_URL", "http://deals.example", "DEALWRIGHT_PUBLIC_URL must begin with https://, or with http:// and"),
        ("PUBLIC_URL", "https://[deals", "DEALWRIGHT_PUBLIC_URL must be an address"),
        ("PUBLIC_URL", "https://deals.example:notaport", "DEALWRIGHT_PUBLIC_URL must be an address"),
        ("ARTIFACTS", "s3://bucket", "DEALWRIGHT_ARTIFACTS must be a folder"),
        ("INBOX", "~no-such-user/in", "DEALWRIGHT_INBOX begins with ~, and there is no such home; write"),
        ("STATE_DIR", "~no-such-user", "DEALWRIGHT_STATE_DIR begins with ~"),
        ("DATABASE_URL", "sqlite:///~no-such-user/a.db", "DEALWRIGHT_DATABASE_URL begins with ~"),
        ("PRICES", "cheap", 'of a million tokens a model, such as {"gemini'),
        ("PRICES", '{"m": {"input": -1, "output": 2}}', "and has something else at m → input; correct"),
        ("TRANSPORT", "kafka", "DEALWRIGHT_TRANSPORT must be 'inprocess' or 'pubsub', and is 'kafka'"),
        ("LOG_JSON", "perhaps", "DEALWRIGHT_LOG_JSON must be true or false, and is 'perhaps'"),
        ("INBOX", "gs:/b", "DEALWRIGHT_INBOX must be a folder, or a bucket as gs://name, and is 'gs:/b'; correct"),
        ("ARTIFACTS", "gs:b", "DEALWRIGHT_ARTIFACTS must be a folder, or a bucket as gs://name"),
        ("DELIVERIES", "GS:/b", "DEALWRIGHT_DELIVERIES must be a folder, or a bucket as gs://name"),
        ("POOL_SIZE", "1_0", "DEALWRIGHT_POOL_SIZE must be a whole number, such as 15, and is '1_0'"),
        ("LEASE_S", "1_0", "DEALWRIGHT_LEASE_S must be a number, such as 60, and is '1_0'"),
        ("SLOTS", "٣", "DEALWRIGHT_SLOTS must be a whole number"),
        ("EXTRACT_MEMORY_BYTES", "5", "must be at least 100000000, such as 2000000000, and is '5'"),
        ("INBOX_PREFIX", ".drop/", "none with a dot or '-' first, each with a / behind it, such as inbox/, and is"),
        ("DELIVERY_PREFIX", "../out/", "DEALWRIGHT_DELIVERY_PREFIX must be the path of a folder inside"),
    ],
)
def test_a_wrong_setting_is_named_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    """Unknown names, values that are none, and values that are at odds with one another."""
    monkeypatch.setenv(f"DEALWRIGHT_{name}", value)
    with pytest.raises(InputError) as refused:
        load_settings()
    assert refused.value.code.startswith("setting.")
    assert words in refused.value.message
    assert "\n" not in refused.value.message
    assert "SECRET" not in refused.value.message
    assert "WORD" not in refused.value.message


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://u:SECRET@WORD@127.0.0.1:1/x", "postgresql://u:***@127.0.0.1:1/x"),
        (
            "postgresql://u:SE/C?RET@127.0.0.1/x?password=SECRET&ssl=prefer",
            "postgresql://u:***@127.0.0.1/x?password=***&ssl=prefer",
        ),
        ("postgresql://u@127.0.0.1:1/x", "postgresql://u@127.0.0.1:1/x"),
        ("sqlite:////a/b.db", "sqlite:////a/b.db"),
    ],
)
def test_an_address_is_shown_without_any_of_its_password(url: str, told: str) -> None:
    """A password may hold an @ that nobody wrote as %40, and stand behind the ?."""
    assert shown(url) == told


def test_addresses_that_people_have_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """As hosts of databases give them, with PostgreSQL's own word for encryption; pages of this machine need none."""
    monkeypatch.setenv("DEALWRIGHT_DATABASE_URL", "postgres://u:a%40b@[::1]:5432/x?sslmode=require")
    for url in ("http://127.0.0.1:8080", "http://localhost", "https://deals.example/desk/"):
        monkeypatch.setenv("DEALWRIGHT_PUBLIC_URL", url)
        assert load_settings().database_url == "postgresql+asyncpg://u:a%40b@[::1]:5432/x?ssl=require"


@pytest.mark.parametrize("port", ["abc", "-1", "70000", "80.5"])
def test_a_port_of_the_platform_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, port: str) -> None:
    """Nobody would knock where we listened instead; what is empty is not set."""
    monkeypatch.setenv("PORT", port)
    with pytest.raises(InputError, match=f"^PORT must be a whole number, at most 65535, and is '{port}'; correct"):
        load_settings()
    monkeypatch.setenv("PORT", "")
    assert load_settings().port == 8080


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({}, None),
        ({"INBOX": "."}, None),
        ({"INBOX": ".dealwright"}, None),
        ({"INBOX": "/srv", "STATE_DIR": "/srv/inbox/.dealwright"}, None),
        ({"INBOX": "gs://deals", "DELIVERIES": "gs://deals", "ARTIFACTS": "gs://deals"}, None),
        ({"INBOX": "in", "DELIVERIES": "in", "ARTIFACTS": "in"}, None),
        ({"INBOX": "gs://deals", "DELIVERIES": "gs://deals/", "DELIVERY_PREFIX": "inbox/out/"}, "DELIVERY_PREFIX"),
        ({"INBOX": "gs://deals", "DELIVERIES": "gs://deals-2", "DELIVERY_PREFIX": "inbox/out/"}, None),
        ({"INBOX": "gs://deals", "ARTIFACTS": "gs://deals/", "INBOX_PREFIX": "dealwright/"}, "ARTIFACTS"),
        ({"INBOX": "in", "ARTIFACTS": "in/inbox/kept"}, "ARTIFACTS"),
        ({"INBOX": "in", "ARTIFACTS": "out/../in/./inbox"}, "ARTIFACTS"),
        ({"INBOX": "in", "ARTIFACTS": "link/inbox"}, "ARTIFACTS"),
        ({"INBOX": "link", "DELIVERIES": "in/inbox"}, "DELIVERIES"),
        ({"INBOX": "in", "ARTIFACTS": "in/inboxes"}, None),
        ({"INBOX": ".", "STATE_DIR": "inbox"}, "STATE_DIR"),
        ({"INBOX": "link/..", "STATE_DIR": "inbox/state"}, "STATE_DIR"),
        ({"INBOX": "in", "DATABASE_URL": "sqlite:///in/inbox/deals.db"}, "DATABASE_URL"),
        ({"INBOX": ".dealwright", "INBOX_PREFIX": "delivered/"}, "INBOX and DEALWRIGHT_INBOX_PREFIX"),
        ({"INBOX": ".dealwright/delivered"}, "INBOX"),
        ({"INBOX": "out/delivered", "DELIVERIES": "out"}, "DELIVERIES"),
    ],
)
def test_what_is_written_is_never_taken_for_an_upload(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, given: dict[str, str], wrong: str | None
) -> None:
    """Documents that were delivered would be jobs, and theirs again; what is hidden is no upload."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "link").symlink_to("in")
    for name, value in given.items():
        monkeypatch.setenv(f"DEALWRIGHT_{name}", value)
    if wrong is None:
        load_settings()
        return
    with pytest.raises(
        InputError, match=rf"^DEALWRIGHT_{wrong} must not have .* \((/|gs:).*\); correct the setting\.$"
    ):
        load_settings()


def test_the_shelf_of_artifacts_lies_where_no_upload_may(tmp_path: Path) -> None:
    """Below its folder, ADK chooses where."""
    saving = Shelf(open_artifacts(str(tmp_path))).save("desk", "scope", "facts", b"{}", "application/json")
    asyncio.run(saving)
    (shelf,) = tmp_path.iterdir()
    with pytest.raises(InputError, match=r"^DEALWRIGHT_ARTIFACTS must not have"):
        load_settings(artifacts=str(tmp_path), inbox=str(tmp_path), inbox_prefix=f"{shelf.name}/")


@pytest.mark.parametrize(("prefix", "good"), [("delivered/", False), ("uploads/", True)])
def test_a_prefix_that_leads_to_our_own_files_is_named_where_nothing_else_is_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, prefix: str, good: bool
) -> None:
    """As `up` has it, whose inbox lies in the state folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DEALWRIGHT_INBOX_PREFIX", prefix)
    plain = load_settings()
    if good:
        load_settings(inbox=str(plain.state_dir))
        return
    with pytest.raises(InputError, match=r"^DEALWRIGHT_INBOX_PREFIX must not have uploads taken"):
        load_settings(inbox=str(plain.state_dir))


def test_settings_do_not_change(tmp_path: Path) -> None:
    """What was checked at the start holds to the end."""
    settings = Settings(state_dir=tmp_path)
    with pytest.raises(ValueError, match="frozen"):
        settings.max_attempts = 3


def test_a_job_is_set_aside_before_its_message_is_given_up() -> None:
    """Attempts that fail and workers that die over a job each cost a delivery; the topology says how many there are."""
    most = read_topology().fewest_deliveries
    plain = Settings.model_fields
    assert plain["max_attempts"].default + plain["max_lost_leases"].default < most / 2
    with pytest.raises(InputError, match="Pub/Sub gives a message up"):
        load_settings(transport="pubsub", project="acme-deals", max_attempts=most - 3, max_lost_leases=3)
    assert load_settings(transport="pubsub", project="acme-deals", max_attempts=most - 4, max_lost_leases=3)
    assert load_settings(max_attempts=most)
