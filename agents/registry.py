"""The list of agents, each as an App of its own so that its compaction fits it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from google.adk.apps.app import App
from google.adk.models.base_llm import BaseLlm

from agents.compaction import extraction_compaction
from agents.extraction import agent as extraction
from agents.model_calls import ModelCalls
from agents.presentation import agent as presentation
from agents.prompts.load import DIRECTORY, PromptSet, load_prompts
from agents.uploads import UploadsPlugin
from schemas.agent_answers import Stage
from tools.workbook.limits import DEFAULT_LIMITS, Limits

APP_NAME = "dealwright"
"""One name for all runners, or they would not share sessions and artifacts."""
PROMPT_VALUES: Mapping[str, Mapping[str, str]] = {
    "extraction": extraction.PROMPT_VALUES,
    "presentation": presentation.PROMPT_VALUES,
    "summary": {},
}


def open_prompts(versions: Mapping[str, str] | None = None, *, directory: Path = DIRECTORY) -> PromptSet:
    """The prompts of all agents, `versions` pinned; raises OutputError for whatever is wrong with them."""
    return load_prompts(PROMPT_VALUES, versions, directory=directory)


def session_id(job_id: str, stage: Stage) -> str:
    """The ADK session of a job's stage; the invocation of the job's run has the same id."""
    return f"{job_id}.{stage}"


def build_app(
    stage: Stage, model: BaseLlm, prompts: PromptSet, *, run: ModelCalls | None = None, limits: Limits = DEFAULT_LIMITS
) -> App:
    """The App of a stage for one run: `run` caps its model calls and is given their stamps."""
    calls, prompt = run or ModelCalls(), prompts.prompts[stage]
    if stage == "presentation":
        # No compaction: a pause must never be folded away.
        return App(name=APP_NAME, root_agent=presentation.build(model, prompt, calls))
    compaction = extraction_compaction(model, prompts.prompts["summary"], calls)
    return App(
        name=APP_NAME,
        root_agent=extraction.build(model, prompt, calls, limits),
        plugins=[UploadsPlugin(limits.file_bytes), compaction.sessions],
        events_compaction_config=compaction.config,
    )
