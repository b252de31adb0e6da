"""The stages of a job, in order: in which states each runs, and what an agent of its own it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from schemas.job import JobState, StageName


@dataclass(frozen=True, slots=True)
class StageRule:
    """In which states a stage may run, and the state that a job is in while it does."""

    runs_in: frozenset[JobState]
    state: JobState


STAGES: Mapping[StageName, StageRule] = {
    "extraction": StageRule(frozenset({"received", "extracting"}), "extracting"),
    "presentation": StageRule(frozenset({"presenting"}), "presenting"),
    "delivery": StageRule(frozenset({"delivering"}), "delivering"),
}

TEMPLATE = "default"
"""The documents' template; with the file and the rules it says which job a local file is."""


def turns_allowed(change_rounds: int) -> int:
    """How many turns a stage may take: two a round (documents, approval), and as many again for refused arguments."""
    return 4 * (change_rounds + 1)
