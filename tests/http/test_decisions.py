"""Decisions by the page: bound to what was shown, by POST with the page's own form, once."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx
import pytest

from tests.http.conftest import gate_pass, overview_pass
from tests.worker.conftest import Ahead
from worker import jobs
from worker.decisions import Correction, Said
from worker.http import view
from worker.http.site import Site


async def form_of(browser: httpx.AsyncClient, job_id: str, token: str) -> dict[str, str]:
    """The hidden fields of the form on a job's page."""
    page = (await browser.get(f"/jobs/{job_id}", params={"pass": token} if token else {})).text
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))


async def send(browser: httpx.AsyncClient, job_id: str, **fields: str) -> httpx.Response:
    """The answer to the form."""
    return await browser.post(f"/jobs/{job_id}/decision", data=fields)


def note_of(answer: httpx.Response) -> str:
    """What the page says on top."""
    found = re.search(r'role="alert">(.*?)</p>', answer.text)
    return found[1] if found else ""


async def verdicts(site: Site, job_id: str) -> list[tuple[str, str]]:
    """The decisions that hold, and whose they are."""
    return [(each.verdict, each.by) for each in (await jobs.show_job(site.app, job_id)).decisions]


async def test_an_approval_by_link_holds_and_goes_on(waiting: str, browser: httpx.AsyncClient, site: Site) -> None:
    """It is kept with the name that was given, and that a link was enough; the message is on its way at once."""
    token = await gate_pass(site, waiting)
    answer = await send(browser, waiting, **await form_of(browser, waiting, token), action="approve", by="Ann")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/jobs/{waiting}?pass={token}")
    assert await verdicts(site, waiting) == [("approved", "Ann (by link)")]
    decision = (await jobs.show_job(site.app, waiting)).decisions[0]
    assert decision.subject == (await jobs.show_job(site.app, waiting)).tickets[-1].subject
    assert any(held.startswith("PauseResolved") for held in site.queue.held())
    after = await browser.get(answer.headers["location"])
    assert "approved" in after.text
    assert 'value="approve"' not in after.text


async def test_later_clicks_are_told_the_first_decision(waiting: str, browser: httpx.AsyncClient, site: Site) -> None:
    """The same again is no conflict; another is, and changes nothing."""
    form = await form_of(browser, waiting, await gate_pass(site, waiting))
    await send(browser, waiting, **form, action="approve", by="Ann")
    same = await send(browser, waiting, **form, action="approve", by="Bob")
    other = await send(browser, waiting, **form, action="reject", by="Bob", comment="no")
    assert (same.status_code, other.status_code) == (200, 409)
    assert note_of(same) == note_of(other)
    assert note_of(same).startswith("This is decided: Ann (by link) was first")
    assert await verdicts(site, waiting) == [("approved", "Ann (by link)")]


async def test_of_many_at_once_one_decides(waiting: str, browser: httpx.AsyncClient, site: Site) -> None:
    """Compare and set, whoever asks how often."""
    form = await form_of(browser, waiting, await gate_pass(site, waiting))
    ways = ["approve", "reject"] * 4
    answers = await asyncio.gather(
        *(send(browser, waiting, **form, action=way, by=f"No {at}", comment="why") for at, way in enumerate(ways))
    )
    assert sorted(answer.status_code for answer in answers) == [200] * 3 + [303] + [409] * 4
    assert len(await verdicts(site, waiting)) == 1


async def test_changes_with_values_are_pinned(waiting: str, browser: httpx.AsyncClient, site: Site) -> None:
    """One a line, with the comment as their reason."""
    form = await form_of(browser, waiting, await gate_pass(site, waiting))
    values = "#1.noi=450000\r\n\r\n #2.noi=460000 "
    answer = await send(browser, waiting, **form, action="changes", by="Ann", comment="the new roll", values=values)
    assert answer.status_code == 303
    decision = (await jobs.show_job(site.app, waiting)).decisions[0]
    assert [(pin["field"], pin["value"], pin["reason"]) for pin in decision.pins] == [
        ("noi", "450000", "the new roll"),
        ("noi", "460000", "the new roll"),
    ]


NOT_MEANT: dict[str, tuple[dict[str, str], str]] = {
    "nobody": ({"action": "approve"}, "Give your name"),
    "a name of nothing": ({"action": "approve", "by": " \t\x00 "}, "Give your name"),
    "no comment": ({"action": "changes", "by": "Ann"}, "Say what should change"),
    "no reason": ({"action": "reject", "by": "Ann"}, "why it is rejected"),
    "no such field": ({"action": "changes", "by": "Ann", "values": "#1.<b>=1"}, "is no field of a deal"),
    "no value": ({"action": "changes", "by": "Ann", "values": "#1"}, ""),
    "approved with corrections": ({"action": "approve", "by": "Ann", "values": "#1.noi=1"}, "would be dropped"),
    "approved with an emphasis": ({"action": "approve", "by": "Ann", "emphasis": "price"}, "would be dropped"),
    "rejected with corrections": (
        {"action": "reject", "by": "Ann", "comment": "no", "values": "#1.noi=1"},
        "would be dropped",
    ),
    "a NUL in a value": ({"action": "changes", "by": "Ann", "values": "#1.noi=4\x000"}, "holds a character"),
    "no button": ({"by": "Ann", "comment": "typed with care"}, "Press one of the buttons"),
}


@pytest.mark.parametrize("kind", NOT_MEANT)
async def test_what_cannot_be_meant_is_sent_back_with_a_sentence(
    waiting: str, browser: httpx.AsyncClient, site: Site, kind: str
) -> None:
    """With what was typed still there; nothing is decided."""
    fields, sentence = NOT_MEANT[kind]
    form = await form_of(browser, waiting, await gate_pass(site, waiting))
    answer = await send(browser, waiting, **form, **fields)
    assert answer.status_code == 400
    assert sentence in note_of(answer)
    assert note_of(answer)
    assert "<b>" not in answer.text
    assert await verdicts(site, waiting) == []
    assert fields.get("values", "").replace("<", "&lt;").replace(">", "&gt;") in answer.text
    assert f">{fields.get('comment', '')}</textarea>" in answer.text
    assert 'name="by" maxlength="80" autocomplete="name" value="Ann"' in answer.text or "Ann" not in fields.values()


async def test_enter_in_a_field_presses_no_button(waiting: str, browser: httpx.AsyncClient, site: Site) -> None:
    """Browsers press a form's first button for whoever presses Enter; that one is out of order, so nothing is sent."""
    page = (await browser.get(f"/jobs/{waiting}", params={"pass": await gate_pass(site, waiting)})).text
    form = page[page.index('action="/jobs/') : page.index("</form>")]
    buttons = re.findall(r"<button[^>]*>", form)
    assert len(buttons) == 4
    assert "disabled" in buttons[0]
    assert not any("disabled" in each for each in buttons[1:])


FROM: dict[str, dict[str, Any] | None] = {
    "missing": None,
    "another job's": {"job_id": "other"},
    "run out": {"expires_at": "2020-01-01T00:00:00Z"},
    "a form's": {"purpose": "form"},
}


@pytest.mark.parametrize("kind", FROM)
async def test_nothing_is_decided_by_whoever_may_not_see_what_came_of_it(
    waiting: str, browser: httpx.AsyncClient, site: Site, kind: str
) -> None:
    """The pass that the page was reached by is looked at before the decision, not after it."""
    form, changes = await form_of(browser, waiting, await gate_pass(site, waiting)), FROM[kind]
    form["from"] = "" if changes is None else await gate_pass(site, waiting, **changes)
    answer = await send(browser, waiting, **form, action="approve", by="Ann")
    assert answer.status_code == 403
    assert await verdicts(site, waiting) == []


async def test_a_cookie_lets_its_holder_in_where_an_address_does_not(
    waiting: str, browser: httpx.AsyncClient, site: Site, clock: Ahead
) -> None:
    """The decision holds, and the page that comes after it opens."""
    await browser.get("/enter", params={"pass": overview_pass(clock)})
    form = await form_of(browser, waiting, "")
    answer = await send(browser, waiting, **{**form, "from": "spoilt"}, action="approve")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/jobs/{waiting}")
    assert (await browser.get(answer.headers["location"])).status_code == 200
    assert await verdicts(site, waiting) == [("approved", "ann")]


WRONG: dict[str, dict[str, Any]] = {
    "another job": {"job_id": "other"},
    "no job": {"job_id": ""},
    "nothing allowed": {"actions": ()},
    "only to reject": {"actions": ("reject",)},
}


@pytest.mark.parametrize("wrong", WRONG)
async def test_a_form_whose_pass_allows_it_not_is_refused(
    waiting: str, browser: httpx.AsyncClient, site: Site, wrong: str
) -> None:
    """Each thing by itself; a pass to look isn't one to sign."""
    token = await gate_pass(site, waiting, purpose="form", **WRONG[wrong])
    answer = await send(browser, waiting, form=token, action="approve", by="Ann")
    assert answer.status_code == 403
    assert await verdicts(site, waiting) == []


async def test_a_links_pass_sends_no_form_and_a_forms_opens_no_page(
    waiting: str, browser: httpx.AsyncClient, site: Site, clock: Ahead
) -> None:
    """A form's is good for half a day at most, and that bound holds only if it is good for nothing else."""
    link = await gate_pass(site, waiting)
    form = (await form_of(browser, waiting, link))["form"]
    assert (await send(browser, waiting, form=link, action="approve", by="Ann")).status_code == 403
    assert (await browser.get(f"/jobs/{waiting}", params={"pass": form})).status_code == 403
    assert (await browser.get(f"/jobs/{waiting}/files/deck.pptx", params={"pass": form})).status_code == 403
    everything = overview_pass(clock, purpose="form")
    assert (await browser.get("/enter", params={"pass": everything})).status_code == 403
    assert await verdicts(site, waiting) == []


async def test_another_sites_form_decides_nothing(
    waiting: str, browser: httpx.AsyncClient, site: Site, clock: Ahead
) -> None:
    """The browser sends the cookie along, and nobody else knows a form's pass; nor does it come in other dress."""
    await browser.get("/enter", params={"pass": overview_pass(clock)})
    assert (await send(browser, waiting, action="approve", by="Mallory")).status_code == 403
    assert (await send(browser, waiting, action="approve", form=overview_pass(clock))).status_code == 403
    form = await form_of(browser, waiting, "")
    address = f"/jobs/{waiting}/decision"
    assert (await browser.post(address, json={**form, "action": "approve"})).status_code == 403
    assert (
        await browser.post(address, files={"form": (None, form["form"]), "action": (None, "approve")})
    ).status_code == 403
    assert (await browser.post(address, data={**form, "action": "approve", "comment": "x" * 70_000})).status_code == 403
    assert (await send(browser, waiting, **form, action="sign")).status_code == 403
    assert await verdicts(site, waiting) == []
    assert (await send(browser, waiting, **form, action="approve")).status_code == 303
    assert await verdicts(site, waiting) == [("approved", "ann")]


async def test_a_pass_is_bound_to_what_its_holder_saw(waiting: str, browser: httpx.AsyncClient, site: Site) -> None:
    """Other documents, other pass: the page offers nothing to sign, and what is sent all the same is refused."""
    token, form = [await gate_pass(site, waiting, subject="other", purpose=each) for each in ("link", "form")]
    page = await browser.get(f"/jobs/{waiting}", params={"pass": token})
    assert page.status_code == 200
    assert 'name="action"' not in page.text
    typed = {"by": "Ann", "comment": "typed with care"}
    answer = await send(browser, waiting, **{"form": form, "from": token}, action="approve", **typed)
    assert answer.status_code == 409
    assert "not what the job waits with any more" in note_of(answer)
    assert await verdicts(site, waiting) == []


async def test_the_link_to_a_gate_that_changes_were_asked_at_signs_nothing_later(
    waiting: str, browser: httpx.AsyncClient, site: Site
) -> None:
    """New documents are another gate; the old link shows them, and is told who decided then."""
    token = await gate_pass(site, waiting)
    form = await form_of(browser, waiting, token)
    said = Said("changes_requested", "bob", "higher", [Correction("#1.noi=450000", "higher")])
    await jobs.decide(site.app, waiting, said)
    assert await jobs.run_until_quiet(site.app, waiting) == "waiting"
    page = await browser.get(f"/jobs/{waiting}", params={"pass": token})
    assert 'name="action"' not in page.text
    answer = await send(browser, waiting, **form, action="approve", by="Ann")
    assert answer.status_code == 409
    assert "bob was first" in note_of(answer)
    assert await verdicts(site, waiting) == [("changes_requested", "bob")]


async def test_after_the_end_of_its_time_a_pass_decides_nothing(
    waiting: str, browser: httpx.AsyncClient, site: Site, clock: Ahead
) -> None:
    """Nor shows anything."""
    token = await gate_pass(site, waiting)
    form = await form_of(browser, waiting, token)
    clock.jump(3601)
    assert (await send(browser, waiting, **form, action="approve", by="Ann")).status_code == 403
    assert (await browser.get(f"/jobs/{waiting}", params={"pass": token})).status_code == 403
    assert await verdicts(site, waiting) == []


async def test_what_cannot_be_sent_now_is_decided_all_the_same(
    waiting: str, browser: httpx.AsyncClient, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message is promised; the worker's next round sends it."""
    from worker.http import site as module

    async def down(*_: object) -> int:
        raise ConnectionError

    monkeypatch.setattr(module, "publish_promised", down)
    form = await form_of(browser, waiting, await gate_pass(site, waiting))
    assert (await send(browser, waiting, **form, action="approve", by="Ann")).status_code == 303
    assert await verdicts(site, waiting) == [("approved", "Ann (by link)")]


WORDS = {
    "approved": ("approved, being delivered", "Ann was first"),
    "rejected": ("being rejected", "Ann was first"),
    "changes_requested": ("documents being made", "Ann was first"),
}


@pytest.mark.parametrize("verdict", WORDS)
async def test_a_decided_job_says_where_it_is_going(
    waiting: str, browser: httpx.AsyncClient, site: Site, verdict: Any
) -> None:
    """New documents are made only if changes were asked for."""
    token = await gate_pass(site, waiting)
    outcome = await jobs.decide(site.app, waiting, Said(verdict, "Ann", "why"))
    page = await browser.get(f"/jobs/{waiting}", params={"pass": token})
    words, first = WORDS[verdict]
    assert f'<span class="state presenting">{words}</span>' in page.text
    assert first in view.first_decision(outcome.decision)


async def test_a_job_that_ran_out_of_time_says_so(
    waiting: str, browser: httpx.AsyncClient, site: Site, clock: Ahead
) -> None:
    """To whoever looks and to whoever would still decide."""
    clock.jump(8 * 24 * 3600)
    late = await jobs.decide(site.app, waiting, Said("approved", "Ann"))
    assert view.first_decision(late.decision).startswith("Nobody decided in time: this expired on ")
    page = await browser.get(f"/jobs/{waiting}", params={"pass": await gate_pass(site, waiting)})
    assert "being closed, out of time</span>" in page.text
