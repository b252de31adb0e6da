"""Models behind LiteLLM: the seam without it, and where it is installed, whole stages and faults over HTTP."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

import pytest

from agents import pause
from agents.extraction import agent as extraction_agent
from agents.model import build_model
from agents.model_faults import model_fault
from agents.patience import Patience
from agents.presentation import agent
from schemas.errors import DEPENDENCY_DOWN, DealwrightError, InputError
from tests.agents.books import listing
from tests.agents.gemini import think
from tests.agents.stage import REQUEST, StageRun, decide, open_extraction, open_presentation, render_all, tickets
from tests.servers.gemini import Reply, broken_reply
from tests.servers.openai import OpenAiStub, message_reply

needs_litellm = pytest.mark.skipif(
    importlib.util.find_spec("litellm") is None, reason="LiteLLM is missing: python -m pip install -e '.[litellm]'"
)
BLOCKED = "Your request was rejected as a result of the safety system."
ORDER = {"title": "Deals", "emphasis": "income"}


def refusal(status: int, headers: dict[str, str] | None = None, message: str = "no") -> Reply:
    """A refusal as OpenAI words it."""
    return Reply(status, {"error": {"message": message, "type": "invalid_request_error", "code": None}}, headers or {})


def model_at(server: OpenAiStub, attempts: int = 4, timeout_s: float = 30.0) -> Any:
    """A model of OpenAI's through LiteLLM, asking this server."""
    patience = Patience(attempts, 0.01, timeout_s)
    return build_model("litellm/openai/gpt-4o", api_key="none", base_url=f"{server.url}/v1", patience=patience)


def test_without_litellm_one_sentence_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an extra: nothing else needs it."""
    monkeypatch.setitem(sys.modules, "agents.litellm_model", None)
    with pytest.raises(InputError, match=r"pip install 'dealwright\[litellm\]'") as raised:
        build_model("litellm/openai/gpt-4o")
    assert raised.value.code == "setting.model"
    assert "'litellm/openai/gpt-4o'" in raised.value.message
    assert "\n" not in raised.value.message


class StatusError(Exception):
    """An error as LiteLLM raises them: of OpenAI's kinds, with a status."""

    status_code = 429


StatusError.__module__ = "litellm.exceptions"


@pytest.mark.parametrize(
    ("status", "name", "code"),
    [
        (429, "RateLimitError", "model.quota"),
        (503, "ServiceUnavailableError", "model.unavailable"),
        (500, "InternalServerError", "model.unavailable"),
        (500, "APIConnectionError", "model.unreachable"),
        (408, "Timeout", "model.timeout"),
        (401, "AuthenticationError", "model.credentials"),
        (400, "BadRequestError", "model.refused"),
        (400, "ContentPolicyViolationError", "model.prompt_blocked"),
        (400, "ContextWindowExceededError", "model.refused"),
    ],
)
def test_errors_of_litellm_mean_what_geminis_do(status: int, name: str, code: str) -> None:
    """By their status and their kind; LiteLLM itself need not be here to tell."""
    error = type(name, (StatusError,), {"status_code": status, "__module__": "litellm.exceptions"})("words")
    fault = model_fault(error)
    assert fault is not None
    assert fault.code == code


def test_a_status_on_an_error_of_anybody_else_means_nothing() -> None:
    """It need not be about a model."""
    error = type("StrangeError", (Exception,), {"status_code": 429})("words")
    assert model_fault(error) is None


@needs_litellm
async def test_a_whole_job_is_held_through_litellm(capsys: pytest.CaptureFixture[str]) -> None:
    """From the upload to the approval, with call ids that begin again in each turn, text beside calls and a quota."""
    both = [{"text": "I order both."}]
    both += [{"functionCall": {"name": name, "args": ORDER}} for name in ("request_deck", "request_pdf")]
    with OpenAiStub(think, refusal(429, {"Retry-After": "1"})) as server:
        extraction = await open_extraction(listing(50), "comps.xlsx", model_at(server))
        assert extraction_agent.result(await extraction.session()).answer.deals == 50
        server.give(message_reply(both))
        presentation = await open_presentation(model_at(server))
        await render_all(presentation)
        await decide(presentation, "changes_requested", "Lead with price.")
        await render_all(presentation)
        await decide(presentation, "approved")
        assert server.times[1] - server.times[0] >= 1.0
    assert agent.result(await presentation.session()).verdict == "approved"
    assert all(stamp.answer_tokens == 7 for stamp in presentation.stamps)
    assert {stamp.model for stamp in presentation.stamps} == {"stub-of-openai"}
    assert "response_format" not in str(server.requests)
    assert "LiteLLM" not in capsys.readouterr().out


@needs_litellm
@pytest.mark.parametrize(
    ("reply", "code", "asked"),
    [
        (refusal(429), "model.quota", 2),
        (refusal(503), "model.unavailable", 2),
        (broken_reply("silent"), "model.timeout", 1),
        (refusal(401), "model.credentials", 1),
        (refusal(400), "model.refused", 1),
        (refusal(400, message=BLOCKED), "model.prompt_blocked", 1),
        (message_reply([], "content_filter"), "model.blocked", 1),
        (message_reply([{"text": "{"}], "length"), "model.cut_off", 1),
        (message_reply([{"text": "Sure."}]), "model.answer", 1),
        (message_reply([]), "model.empty", 1),
    ],
)
async def test_each_fault_of_a_litellm_model_has_geminis_outcome(reply: Reply, code: str, asked: int) -> None:
    """One set of codes, whoever answers; LiteLLM's client makes no tries of its own."""
    with OpenAiStub(think, reply, reply) as server:
        stage = StageRun(
            "presentation", model_at(server, attempts=2, timeout_s=10.0 if code == "model.timeout" else 60.0)
        )
        message, state = agent.start(REQUEST)
        await stage.open(state)
        with pytest.raises(DealwrightError) as raised:
            await stage.run(message)
        assert len(server.requests) == asked
    assert raised.value.code == code
    assert (asked == 2) <= (code in DEPENDENCY_DOWN)
    assert pause.phase((await stage.session()).events) == "owed"


@needs_litellm
async def test_arguments_that_are_no_json_are_a_malformed_call() -> None:
    """Some models write them so."""
    whole = message_reply([{"functionCall": {"name": "request_deck", "args": ORDER}}])
    body = dict(whole.body) if not isinstance(whole.body, bytes) else {}
    body["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = '{"title": "Dea'
    with OpenAiStub(think, Reply(200, body)) as server:
        stage = StageRun("presentation", model_at(server))
        message, state = agent.start(REQUEST)
        await stage.open(state)
        with pytest.raises(DealwrightError) as raised:
            await stage.run(message)
    assert raised.value.code == "model.malformed"
    assert await tickets(stage) == []
