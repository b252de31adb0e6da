"""Whether a model answers at all, by the road that every stage takes to it: its credentials, its name, its place."""

from __future__ import annotations

from google.adk.models.llm_request import LlmRequest
from google.genai import types

from agents.model import OFFLINE, build_model
from agents.patience import Patience

WITHIN_S = 20.0
MOST_TOKENS = 16


async def reach(name: str, *, api_key: str | None = None, base_url: str | None = None) -> None:
    """Return once the model called `name` has answered one short question; raises what its failure means to a job."""
    if name == OFFLINE:
        return
    model = build_model(name, api_key=api_key, base_url=base_url, patience=Patience(1, 0, WITHIN_S))
    question = types.Content(role="user", parts=[types.Part(text="Answer with the word ready.")])
    config = types.GenerateContentConfig(max_output_tokens=MOST_TOKENS)
    request = LlmRequest(model=model.model, contents=[question], config=config)
    async for _ in model.generate_content_async(request):
        pass
