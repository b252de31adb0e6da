"""The App: everything that the flow may use, wired once and frozen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from schemas.agent_answers import Stage
from schemas.event import Topic
from worker.adapters.adk import AdkServices
from worker.adapters.clock import Clock
from worker.adapters.webhook_sender import WebhookSender
from worker.breaker import Breaker
from worker.ledger.leases import LeaseTerms
from worker.ledger.ledger import Ledger
from worker.ports import Deliveries, Objects
from worker.settings import Settings

if TYPE_CHECKING:
    # Only for annotations: importing ADK costs a second, which `jobs` and `show` must not pay.
    from google.adk.apps.app import App as AdkApp

    from agents.model_calls import ModelCalls
    from agents.prompts.load import PromptSet

Publish = Callable[[Topic, str, Mapping[str, Any]], Awaitable[None]]
Step = Literal[
    "started",
    "tool_called",
    "ordered",
    "rendered",
    "asked",
    "decided",
    "delivered",
    "ended",
    "retrying",
    "waiting_for_worker",
    "left_alone",
]


@dataclass(frozen=True, slots=True)
class Progress:
    """Something that just happened to a job, for whoever watches; `what` names the stage, tool, document or state."""

    job_id: str
    step: Step
    what: str


def no_checkpoint(name: str) -> None:
    """Nothing; tests put in its place what ends the process at a point of their choice."""


def no_progress(progress: Progress) -> None:
    """Nothing; nobody watches."""


@dataclass(frozen=True, slots=True)
class App:
    """Ports, settings and what builds agents. `services` and `build_agent` load ADK when they are first called.

    `build_agent` gives the ADK App of a stage with a job's prompts, for one run; `open_prompts` the prompts, of the
    versions that a job pinned or the newest. `checkpoint` is told the points at which a process may die.
    """

    settings: Settings
    clock: Clock
    ledger: Ledger
    terms: LeaseTerms
    publish: Publish
    objects: Objects
    deliveries: Deliveries
    services: Callable[[], Awaitable[AdkServices]]
    build_agent: Callable[[Stage, PromptSet, ModelCalls], AdkApp]
    open_prompts: Callable[[Mapping[str, str] | None], PromptSet]
    checkpoint: Callable[[str], None] = no_checkpoint
    progress: Callable[[Progress], None] = no_progress
    webhook: WebhookSender | None = None
    """What posts results to a listener, if there is one."""
    breaker: Breaker | None = None
    """Of a worker that serves many jobs; one that was called for a single job has none."""

    def tell(self, job_id: str, step: Step, what: str) -> None:
        """Tell whoever watches what just happened."""
        self.progress(Progress(job_id, step, what))
