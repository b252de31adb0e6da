"""Settings: the one place where the environment is read, checked whole before anything starts."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from schemas.errors import InputError
from schemas.webhooks import fault_of_address, key_of
from tools.workbook.limits import Limits
from worker.addresses import LAST_PORT, fault_of_database, fault_of_pages, shown, with_driver
from worker.kept_apart import misplaced
from worker.placing import at_home

PREFIX = "DEALWRIGHT_"
TESTS_ONLY = frozenset({"REQUIRE"})
"""Names under our prefix that belong to the test run, and so are known here though never read."""


class Price(BaseModel):
    """What a model costs for a million tokens that it is given, and for a million that it writes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: Decimal = Field(ge=0)
    output: Decimal = Field(ge=0)
    currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$")


SPARE_CONNECTIONS = 2
"""What a pool must have beside one connection a slot: for heartbeats, and for upkeep."""
SECRET_LENGTH = 32
"""Characters that a secret must have at least: of hex digits, these are 128 bits."""
_PRICES: TypeAdapter[dict[str, Price]] = TypeAdapter(dict[str, Price])


class Settings(BaseSettings):
    """What the environment may say, as `DEALWRIGHT_<NAME>`; sizes in bytes, times in seconds."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid", env_ignore_empty=True)

    state_dir: Path = Field(default=Path(".dealwright"), validate_default=True)
    database_url: str = Field(default="", repr=False)  # may hold a password
    pool_size: int = Field(default=15, ge=1, le=1000)
    artifacts: str = ""
    inbox: str = ""
    inbox_prefix: str = Field(default="inbox/", pattern=r"^(\w[\w.-]*/)*$")
    deliveries: str = ""
    delivery_prefix: str = Field(default="delivered/", pattern=r"^\w[\w.-]*(/\w[\w.-]*)*/$")
    model: str = Field(default="offline", min_length=1)
    prices: Annotated[dict[str, Price], NoDecode] = {}

    transport: Literal["inprocess", "pubsub"] = "inprocess"
    project: str = ""
    slots: int = Field(default=2, ge=1, le=64)
    stop_grace_s: float = Field(default=8, ge=0, le=600)
    log_json: bool = False
    metrics_port: int = Field(default=0, ge=0, le=LAST_PORT)

    port: int = Field(default=8080, ge=0, le=LAST_PORT)
    webhook_url: str = Field(default="", repr=False)  # may hold a token
    webhook_secret: str = Field(default="", repr=False)
    public_url: str = ""
    link_secret: str = Field(default="", repr=False)
    push_audience: str = ""
    push_service_account: str = ""

    max_file_bytes: int = Field(default=100_000_000, gt=0)
    max_inflated_bytes: int = Field(default=2_000_000_000, gt=0)
    max_ratio: int = Field(default=200, gt=1)
    max_entries: int = Field(default=5_000, gt=0)
    max_cells: int = Field(default=25_000_000, gt=0)
    max_sheets: int = Field(default=500, gt=0)
    extract_memory_bytes: int = Field(default=2_000_000_000, ge=100_000_000)
    extract_timeout_s: float = Field(default=300, gt=0, le=86_400)

    lease_s: float = Field(default=60, gt=0, le=86_400)
    heartbeat_s: float = Field(default=15, gt=0, le=86_400)
    max_attempts: int = Field(default=5, ge=1)
    max_lost_leases: int = Field(default=3, ge=1)
    approval_ttl_s: float = Field(default=7 * 24 * 3600, gt=0, le=10 * 365 * 24 * 3600)
    max_change_rounds: int = Field(default=10, ge=0)
    max_model_calls: int = Field(default=25, ge=1)
    max_tokens: int = Field(default=200_000, ge=1)

    @field_validator("prices", mode="before")
    @classmethod
    def _read_prices(cls, value: object) -> object:
        """Prices come as JSON from the environment."""
        try:
            return _PRICES.validate_json(value) if isinstance(value, str) else value
        except ValidationError as broken:
            example = '{"gemini-2.5-flash": {"input": 1, "output": 4, "currency": "USD"}}'
            first = broken.errors(include_url=False)[0]
            wrong = ", and has something else at " + " → ".join(map(str, first["loc"])) if first["loc"] else ""
            must = "must be JSON: the prices, 0 or more, of a million tokens a model, such as"
            raise ValueError(f"{PREFIX}PRICES {must} {example}{wrong}") from broken

    @field_validator("*", mode="before")
    @classmethod
    def _read_number(cls, value: object, info: ValidationInfo) -> object:
        """Numbers are written as people write them: Python's underscores and other scripts' digits are none."""
        kind: Any = cls.model_fields[info.field_name or ""].annotation
        if kind in (int, float) and isinstance(value, str) and ("_" in value or not value.isascii()):
            raise PydanticCustomError("int_parsing" if kind is int else "float_parsing", "no number")
        return value

    @model_validator(mode="before")
    @classmethod
    def _place(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Everything that has no place of its own lies in the state folder."""
        folder = Path(_from_home("state_dir", values, ".dealwright")).absolute()
        url = _from_home("database_url", values, f"sqlite:///{folder / 'dealwright.db'}")
        artifacts = _from_home("artifacts", values, str(folder / "artifacts"))
        deliveries = _from_home("deliveries", values, str(folder))
        inbox = _from_home("inbox", values, "")
        places = {"state_dir": folder, "artifacts": artifacts, "deliveries": deliveries, "inbox": inbox}
        # Platforms that run containers say by this name where they will knock.
        port = os.environ.get("PORT", "") or "8080"
        if not (port.isascii() and port.isdecimal() and int(port) <= LAST_PORT):
            raise ValueError(f"PORT must be a whole number, at most {LAST_PORT}, and is {port[:60]!r}")
        return {"port": port, **values, **places, "database_url": with_driver(url)}

    @model_validator(mode="after")
    def _agree(self) -> Settings:
        """Each value may be good and two of them still be at odds."""
        if self.lease_s < 3 * self.heartbeat_s:
            raise ValueError(
                "DEALWRIGHT_LEASE_S must be at least three times DEALWRIGHT_HEARTBEAT_S,"
                " or one late heartbeat loses the lease"
            )
        if self.max_inflated_bytes < self.max_file_bytes:
            raise ValueError("DEALWRIGHT_MAX_INFLATED_BYTES must not be less than DEALWRIGHT_MAX_FILE_BYTES")
        for name in ("artifacts", "deliveries", "inbox"):
            place = getattr(self, name)
            strange = re.match(r"gs:|\w{2,}:/", place, re.IGNORECASE) or "://" in place
            if strange and not re.fullmatch(r"gs://[a-z0-9][a-z0-9._-]{1,220}/?", place):
                told = f"must be a folder, or a bucket as gs://name, and is {shown(place)[:60]!r}"
                raise ValueError(f"DEALWRIGHT_{name.upper()} {told}")
        if self.transport == "pubsub" and not self.project:
            raise ValueError("DEALWRIGHT_TRANSPORT=pubsub needs DEALWRIGHT_PROJECT, the Google project of its topics")
        if self.public_url and (fault := fault_of_pages(self.public_url)):
            raise ValueError(f"DEALWRIGHT_PUBLIC_URL must {fault}")
        if bool(self.push_audience) != bool(self.push_service_account):
            raise ValueError("DEALWRIGHT_PUSH_AUDIENCE and DEALWRIGHT_PUSH_SERVICE_ACCOUNT need one another")
        if self.link_secret and len(self.link_secret) < SECRET_LENGTH:
            raise ValueError(f"DEALWRIGHT_LINK_SECRET must have {SECRET_LENGTH} characters at least, drawn at random")
        if fault := fault_of_database(self.database_url):
            raise ValueError(f"DEALWRIGHT_DATABASE_URL must {fault}")
        return self

    @model_validator(mode="after")
    def _connect(self) -> Settings:
        """What is in hand leaves a connection to the heartbeats that keep its leases."""
        if self.database == "postgresql" and self.pool_size < self.slots + SPARE_CONNECTIONS:
            words = f"must be at least DEALWRIGHT_SLOTS and {SPARE_CONNECTIONS} more"
            raise ValueError(f"DEALWRIGHT_POOL_SIZE {words}, or heartbeats wait for what is in hand")
        return self

    @model_validator(mode="after")
    def _keep_apart(self) -> Settings:
        """What we write is never taken for an upload."""
        folder = Path(".dealwright").absolute()
        placed = {"artifacts": self.state_dir / "artifacts", "deliveries": self.state_dir, "inbox": self.state_dir}
        placed |= {"state_dir": folder, "database_url": f"sqlite:///{self.state_dir / 'dealwright.db'}"}
        fields = Settings.model_fields
        prefixes = {name: fields[name].default for name in ("inbox_prefix", "delivery_prefix")}
        if fault := misplaced(self, {name: str(value) for name, value in (placed | prefixes).items()}):
            raise ValueError(fault)
        return self

    @model_validator(mode="after")
    def _count_first(self) -> Settings:
        """A job is set aside before Pub/Sub gives its message up: a dead letter has no reason and no way back."""
        if self.transport != "pubsub":
            return self
        # Read where it matters: other processes need no topology.
        from worker.topology import read_topology

        most = read_topology().fewest_deliveries
        if self.max_attempts + self.max_lost_leases >= most:
            words = "DEALWRIGHT_MAX_ATTEMPTS and DEALWRIGHT_MAX_LOST_LEASES together must be less than"
            raise ValueError(f"{words} the {most} deliveries after which Pub/Sub gives a message up")
        return self

    @model_validator(mode="after")
    def _listen(self) -> Settings:
        """What is posted to the webhook is signed, and read by nobody on the way."""
        if not self.webhook_url:
            return self
        if not self.webhook_secret:
            raise ValueError("DEALWRIGHT_WEBHOOK_URL needs DEALWRIGHT_WEBHOOK_SECRET, by which posts are signed")
        if (fault := fault_of_address(self.webhook_url)) is not None:
            raise ValueError(f"DEALWRIGHT_WEBHOOK_URL must {fault}")
        try:
            key_of(self.webhook_secret)
        except ValueError as broken:
            how = "such as: echo whsec_$(head -c 32 /dev/urandom | base64)"
            words = "DEALWRIGHT_WEBHOOK_SECRET must be whsec_ and the base64 of 24 to 64 random bytes"
            raise ValueError(f"{words}, {how}") from broken
        return self

    @property
    def database(self) -> Literal["sqlite", "postgresql"]:
        """Which database DATABASE_URL names."""
        return "sqlite" if self.database_url.startswith("sqlite") else "postgresql"

    def is_inbox(self, bucket: str) -> bool:
        """Whether uploads are taken from that bucket or folder; a message may name any."""
        return bool(self.inbox) and bucket == bucket_of(self.inbox)

    @property
    def limits(self) -> Limits:
        """What a file may cost, and its reading."""
        return Limits(
            file_bytes=self.max_file_bytes,
            inflated_bytes=self.max_inflated_bytes,
            ratio=self.max_ratio,
            entries=self.max_entries,
            cells=self.max_cells,
            sheets=self.max_sheets,
            memory_bytes=self.extract_memory_bytes,
            timeout_s=self.extract_timeout_s,
        )

    @property
    def log_file(self) -> Path:
        """The file that the command line logs to."""
        return self.state_dir / "dealwright.log"

    @property
    def delivery_dir(self) -> Path:
        """The folder that delivered documents go to, one folder a job inside."""
        return Path(self.deliveries) / self.delivery_prefix.rstrip("/")


def bucket_of(place: str) -> str:
    """The name of the bucket that a place (`gs://name`) is, or the folder's path."""
    return place.removeprefix("gs://").rstrip("/")


def on_cloud_run() -> bool:
    """Whether this process is a service, a job or a worker pool there, by the names that Cloud Run sets."""
    return any(os.environ.get(name) for name in ("K_SERVICE", "CLOUD_RUN_JOB", "CLOUD_RUN_WORKER_POOL"))


def traces_wanted() -> bool:
    """Whether the environment says where traces go; all names in `OTEL_` are otherwise OpenTelemetry's to read."""
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    return any(os.environ.get(f"OTEL_EXPORTER_OTLP_{name}ENDPOINT") for name in ("", "TRACES_"))


def export_patience_s() -> float | None:
    """How long an export of spans may take: short, since a command waits for it at its end; None if OTEL_ says it."""
    told = any(os.environ.get(f"OTEL_EXPORTER_OTLP_{name}TIMEOUT") for name in ("", "TRACES_"))
    return None if told else 3.0


def emulators() -> tuple[str | None, str | None]:
    """Where emulators of Pub/Sub and Cloud Storage are, by the names that Google's own tools use; None for Google."""
    return os.environ.get("PUBSUB_EMULATOR_HOST") or None, os.environ.get("STORAGE_EMULATOR_HOST") or None


def inherited() -> dict[str, str]:
    """The environment, for processes that are started with it."""
    return dict(os.environ)


def _from_home(name: str, values: Mapping[str, Any], default: str) -> str:
    """The place that `name` gives, or `default`; what begins with ~ lies in a home, and no shell has said so before."""
    given = str(values.get(name) or default)
    scheme = given[: re.match(r"(sqlite[+\w]*:///)?", given).end()]  # pyright: ignore[reportOptionalMemberAccess]  # matches all
    place = at_home(given.removeprefix(scheme))
    if place.startswith("~"):
        told = f"begins with ~, and there is no such home; write the whole path, or ./{place[:60]} for a folder here"
        raise ValueError(f"{PREFIX}{name.upper()} {told}")
    return scheme + place


def load_settings(**given: Any) -> Settings:
    """The settings of this process: the environment's, with `given` over them; raises InputError `setting.*`."""
    _refuse_unknown(os.environ)
    try:
        return Settings(**given)
    except ValidationError as broken:
        raise InputError("setting.invalid", _sentence(broken)) from broken


def _refuse_unknown(environ: Mapping[str, str]) -> None:
    known = {name.upper() for name in Settings.model_fields} | TESTS_ONLY
    strange = sorted(name for name in environ if name.startswith(PREFIX) and name.removeprefix(PREFIX) not in known)
    if strange:
        raise InputError("setting.unknown", f"{strange[0]} is no setting; remove it, or correct its name.")


def _sentence(broken: ValidationError) -> str:
    """What is wrong with the first wrong setting, in words of ours: pydantic's are for programmers."""
    first = broken.errors(include_url=False)[0]
    if not first["loc"] or first["type"] == "value_error":
        return f"{first['msg'].removeprefix('Value error, ')}; correct the setting."
    name = str(first["loc"][0])
    must = _MUST.get(first["type"], "must be of another kind").format(**_plain(first.get("ctx", {})))
    example = "" if first["type"] in _ALL_SAID else f", such as {Settings.model_fields[name].default}"
    return f"{PREFIX}{name.upper()} {must}{example}, and is {shown(str(first['input']))[:60]!r}; correct the setting."


def _plain(context: Mapping[str, Any]) -> dict[str, Any]:
    """Whole numbers as such: pydantic has 100.0 for a bound of 100."""
    whole = {name: int(bound) for name, bound in context.items() if isinstance(bound, float) and bound.is_integer()}
    return {**context, **whole}


_ALL_SAID = {"literal_error", "bool_parsing"}
_MUST = {
    "literal_error": "must be {expected}",
    "bool_parsing": "must be true or false",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_parsing": "must be a number",
    "finite_number": "must be a number",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "string_pattern_mismatch": "must be the path of a folder inside another: names of letters, digits, '.', '_'"
    " and '-', none with a dot or '-' first, each with a / behind it",
}
"""What a setting must be, by the kind of pydantic's complaint."""


def has_model_key() -> bool:
    """Whether the environment holds what Gemini's client looks for: a key, or word that Google's cloud gives it one."""
    cloud = ("GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_ENTERPRISE")
    return any(os.environ.get(name) for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY")) or any(
        os.environ.get(name, "").lower() in ("true", "1") for name in cloud
    )
