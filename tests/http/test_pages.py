"""Pages: nothing is shown without a pass, looking changes nothing, and what comes from files is shown as text."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import openpyxl
import pytest
from sqlalchemy import select, update

from schemas import ids
from tests.http.conftest import SECRET, gate_pass, overview_pass
from tests.walks.workbook import small_workbook
from tests.worker.conftest import Ahead
from worker import jobs
from worker.app import App
from worker.http import pages, view
from worker.http.site import SEALS, Site, build_site
from worker.ledger.tables import job, metadata
from worker.links import Pass, read_pass, sign

HOSTILE = "<script>alert(1)</script>'\"><img src=x>.xlsx"


async def dump(app: App) -> list[list[Mapping[str, Any]]]:
    """Every row of the ledger."""
    return [await app.ledger.rows(select(table)) for table in metadata.sorted_tables]


async def rename(app: App, job_id: str, filename: str) -> None:
    """Give the job a file of another name."""
    async with app.ledger.writing("rename") as connection:
        await connection.execute(update(job).where(job.c.id == job_id).values(filename=filename))


def contents(folder: Path) -> dict[str, bytes]:
    """The files below a folder, by name."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def addresses(site: Site, job_id: str) -> list[str]:
    """Every address that shows something."""
    token = await gate_pass(site, job_id)
    files = [f"/jobs/{job_id}/files/{name}" for name in ("deck.pptx", "memo.pdf", "deals.xlsx")]
    return [f"{address}?pass={token}" for address in (f"/jobs/{job_id}", *files)]


async def test_without_a_good_pass_nothing_is_shown(
    waiting: str, browser: httpx.AsyncClient, site: Site, clock: Ahead
) -> None:
    """None, garbage, another secret's, another job's, one that has run out; a job that nobody has looks so too."""
    until = site.app.clock()
    bad = [
        "",
        "garbage",
        sign("f" * 32, Pass(expires_at=until.replace(year=2999))),
        sign(SECRET, Pass(expires_at=until)),
    ]
    bad += [sign(SECRET, Pass(job_id="other", expires_at=until.replace(year=2999)))]
    paths = ["/", f"/jobs/{waiting}", *(f"/jobs/{waiting}/files/{name}" for name in ("deck.pptx", "deals.xlsx"))]
    answers = [await browser.get(path, params={"pass": token}) for path in paths for token in bad]
    answers += [await browser.get("/enter", params={"pass": token}) for token in bad]
    answers.append(await browser.get("/jobs/nobodys", params={"pass": overview_pass(clock)}))
    assert {answer.status_code for answer in answers} == {403}
    assert len({answer.text for answer in answers}) == 1
    assert not any("set-cookie" in answer.headers for answer in answers)


async def test_looking_changes_nothing(waiting: str, browser: httpx.AsyncClient, site: Site, clock: Ahead) -> None:
    """Mail clients open every link, and follow what they find, before a person does."""
    before = await dump(site.app)
    for address in [*await addresses(site, waiting), f"/enter?pass={overview_pass(clock)}", "/", "/healthz", "/readyz"]:
        for method in ("GET", "HEAD", "OPTIONS"):
            answer = await browser.request(method, address)
            assert answer.status_code in ((200, 303) if method != "OPTIONS" else (405,)), address
    for action in ("approve", "reject"):
        decision = f"/jobs/{waiting}/decision?action={action}&form={await gate_pass(site, waiting)}&by=x&comment=y"
        assert {(await browser.request(method, decision)).status_code for method in ("GET", "HEAD")} == {405}
    assert await dump(site.app) == before


async def test_a_gates_page_shows_what_the_decision_is_about(
    waiting: str, browser: httpx.AsyncClient, site: Site
) -> None:
    """Deals with their cells, documents, checks, the hashes that are bound, and how to answer."""
    answer = await browser.get((await addresses(site, waiting))[0])
    assert answer.status_code == 200
    detail = await jobs.show_job(site.app, waiting)
    gate = detail.tickets[-1]
    for shown in (detail.filename, "deck.pptx", "memo.pdf", "waits for a decision", "A2", "Checks", "Approve"):
        assert shown in answer.text, shown
    assert str(gate.subject["deck_final_sha256"])[:12] in answer.text
    assert 'name="by"' in answer.text


async def test_what_files_say_is_shown_as_text(
    waiting: str, browser: httpx.AsyncClient, site: Site, clock: Ahead
) -> None:
    """A file's name, and whatever else comes from outside, is never part of the page."""
    await rename(site.app, waiting, HOSTILE)
    said = jobs.Said("changes_requested", "<b>bob</b>", "<script>no</script>")
    page = await browser.get((await addresses(site, waiting))[0])
    await browser.get("/enter", params={"pass": overview_pass(clock)})
    await jobs.decide(site.app, waiting, said)
    pages = [page, await browser.get("/"), await browser.get(f"/jobs/{waiting}")]
    for each in pages:
        assert each.status_code == 200
        assert "&lt;script&gt;alert(1)" in each.text
        assert not any(tag in each.text for tag in ("<script", "<img", "<b>", " onerror"))
    assert "&lt;b&gt;bob" in pages[2].text


async def test_every_answer_is_sealed(waiting: str, browser: httpx.AsyncClient, site: Site, clock: Ahead) -> None:
    """Whatever its status: no script, nothing of other sites, no address given away, nothing kept."""
    await browser.get("/enter", params={"pass": overview_pass(clock)})
    seen = {path: await browser.get(path) for path in ("/", f"/jobs/{waiting}", "/nothing", "/push", "/style.css")}
    seen["refused"] = await browser.post("/push", content=b"x")

    class Broken(Site):
        app = property(lambda _: 1 / 0)

    transport = httpx.ASGITransport(build_site(Broken(site.worker, site.queue, site.guard)), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://site") as other:
        seen["failed"] = await other.get("/?pass=x.y")
    assert [each.status_code for each in seen.values()] == [200, 200, 404, 405, 200, 401, 500]
    for each in seen.values():
        assert {name: each.headers[name] for name in SEALS} == SEALS
        assert not any(word in each.text for word in ("<script", "style=", "http://", "https://", "javascript:"))


async def test_the_overview_is_entered_once_and_kept_in_a_cookie(
    waiting: str, browser: httpx.AsyncClient, clock: Ahead
) -> None:
    """Out of reach of scripts and other sites' forms; gone when its time is over. A gate's pass doesn't open it."""
    answer = await browser.get("/enter", params={"pass": overview_pass(clock)})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert {"httponly", "samesite=lax"} <= {part.strip().lower() for part in answer.headers["set-cookie"].split(";")}
    listed = await browser.get("/")
    assert f'href="/jobs/{waiting}"' in listed.text
    clock.jump(3601)
    assert (await browser.get("/")).status_code == 403


async def test_a_gates_pass_opens_no_other_page(waiting: str, browser: httpx.AsyncClient, site: Site) -> None:
    """Neither the list nor the way to it."""
    token = await gate_pass(site, waiting)
    assert {(await browser.get(path, params={"pass": token})).status_code for path in ("/", "/enter")} == {403}


async def test_the_documents_are_the_drafts_that_wait(waiting: str, browser: httpx.AsyncClient, site: Site) -> None:
    """Byte for byte, to be saved and not shown; the deals as a workbook."""
    detail = await jobs.show_job(site.app, waiting)
    _, deck, memo, deals = [await browser.get(address) for address in await addresses(site, waiting)]
    drafts = {each.kind: each.draft.sha256 for each in detail.documents}
    assert {"deck": ids.sha256_hex(deck.content), "memo": ids.sha256_hex(memo.content)} == drafts
    for each, name in ((deck, "deals-deck.pptx"), (memo, "deals-memo.pdf"), (deals, "deals-deals.xlsx")):
        assert each.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert openpyxl.load_workbook(io.BytesIO(deals.content)).sheetnames
    other = f"/jobs/{waiting}/files/job.json?pass={await gate_pass(site, waiting)}"
    assert (await browser.get(other)).status_code == 404


async def test_more_deals_than_a_page_opens_are_said_to_be(
    waiting: str, browser: httpx.AsyncClient, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of the page is there, the form for the decision too."""
    monkeypatch.setattr(pages, "MOST_DEALS", 2)
    page, _, _, deals = [await browser.get(address) for address in await addresses(site, waiting)]
    for answer, status in ((page, 200), (deals, 422)):
        assert answer.status_code == status
        assert "These are 3 deals, more than the 2 that a page opens" in answer.text
    assert 'value="approve"' in page.text


async def test_a_long_list_is_shown_in_parts(
    waiting: str, browser: httpx.AsyncClient, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each deal on one of them; the way from part to part keeps the pass."""
    monkeypatch.setattr(view, "ROWS", 2)
    address, seen = (await addresses(site, waiting))[0], list[str]()
    while address:
        page = (await browser.get(address)).text
        seen += re.findall(r'<td class="center">(\d+)', page)
        more = re.search(r'href="(\?from=[^"]+)">more', page)
        address = f"/jobs/{waiting}{more[1].replace('&amp;', '&')}" if more else ""
    assert seen == ["1", "2", "3"]
    for nonsense in ("-1", "x", "9" * 30, "7"):
        assert (await browser.get(f"{(await addresses(site, waiting))[0]}&from={nonsense}")).status_code == 200


async def test_a_hostile_name_of_a_file_breaks_no_header(waiting: str, browser: httpx.AsyncClient, site: Site) -> None:
    """Line breaks, quotes, other scripts' letters."""
    await rename(site.app, waiting, 'a"\r\nset-cookie: x=1\r\n\r\nд.xlsx')
    answer = await browser.get((await addresses(site, waiting))[1])
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    assert answer.headers["content-disposition"].isascii()


@dataclass
class Links:
    """A store that gives links."""

    asked: tuple[str, str, float] = ("", "", 0.0)

    def deliver(self, job_id: str, files: Mapping[str, bytes]) -> str:
        """A place in it."""
        return f"gs://bucket/{job_id}/"

    def signed_url(self, place: str, name: str, valid_s: float) -> str:
        """A link."""
        self.asked = (place, name, valid_s)
        return "https://store.example/signed"


async def test_delivered_documents_are_fetched_from_the_store_that_has_them(
    waiting: str, browser: httpx.AsyncClient, site: Site
) -> None:
    """By a link that is good for minutes; while the job waits, there is none."""
    links = Links()
    delivering = replace(site.app, deliveries=links)
    transport = httpx.ASGITransport(build_site(replace(site, worker=replace(site.worker, app=delivering))))
    async with httpx.AsyncClient(transport=transport, base_url="http://site") as other:
        assert (await other.get((await addresses(site, waiting))[1])).status_code == 200
        await jobs.decide(site.app, waiting, jobs.Said("approved", "ann"))
        await jobs.run_until_quiet(delivering, waiting)
        answer = await other.get((await addresses(site, waiting))[1])
    assert (answer.status_code, answer.headers["location"]) == (303, "https://store.example/signed")
    assert links.asked == (f"gs://bucket/{waiting}/", "deck.pptx", 300.0)


async def test_a_file_that_is_sent_lies_in_the_inbox(browser: httpx.AsyncClient, inbox: Path, clock: Ahead) -> None:
    """Whole, under a name that leads nowhere else."""
    await browser.get("/enter", params={"pass": overview_pass(clock)})
    form = (await browser.get("/")).text.partition("<form")[2].partition("</form>")[0]
    address, token = (form.partition(f'{name}="')[2].partition('"')[0] for name in ("action", "value"))
    assert address == "/uploads"  # what stands in an address stands in logs
    file = {"file": ("../../ev\nil.xlsx", small_workbook())}
    answer = await browser.post(address, data={"form": token}, files=file)
    assert answer.status_code == 303
    assert contents(inbox) == {"inbox/ev_0Ail.xlsx": small_workbook()}


async def test_files_of_one_name_are_all_kept_and_each_is_told_as_what(
    browser: httpx.AsyncClient, inbox: Path, clock: Ahead
) -> None:
    """The page says so for a moment, in a text that nobody else can have it say; nothing is there twice."""
    await browser.get("/enter", params={"pass": overview_pass(clock)})
    form = {"form": overview_pass(clock, purpose="form")}
    for data, kept in ((b"a,1", "comps.csv"), (b"b,2", "comps (2).csv"), (b"a,1", "comps.csv")):
        answer = await browser.post("/uploads", data=form, files={"file": ("comps.csv", data)})
        page = await browser.get(answer.headers["location"])
        assert f"It is in the inbox as {kept}, and" in page.text
    assert contents(inbox) == {"inbox/comps.csv": b"a,1", "inbox/comps (2).csv": b"b,2"}
    forged = overview_pass(clock, by="Send your password")
    assert "Send your password" not in (await browser.get("/", params={"note": forged})).text
    clock.jump(61)
    assert "It is in the inbox" not in (await browser.get(answer.headers["location"])).text


async def test_a_file_is_taken_from_nobody_else_and_not_too_large(
    browser: httpx.AsyncClient, inbox: Path, site: Site, clock: Ahead
) -> None:
    """The cookie alone doesn't do, another site's form might send it along; nor does a form without the cookie."""
    file, good = {"file": ("a.xlsx", b"data")}, {"form": overview_pass(clock, purpose="form")}
    assert (await browser.post("/uploads", data=good, files=file)).status_code == 403
    assert (await browser.post(f"/uploads?pass={overview_pass(clock)}", data=good, files=file)).status_code == 403
    assert 'name="file"' not in (await browser.get("/", params={"pass": overview_pass(clock)})).text
    await browser.get("/enter", params={"pass": overview_pass(clock)})
    no_upload = overview_pass(clock, purpose="form", actions=("approve",))
    for form in ({}, {"form": "x.y"}, {"form": overview_pass(clock)}, {"form": no_upload}):
        assert (await browser.post("/uploads", data=form, files=file)).status_code == 403
    assert (await browser.post("/uploads", data=good, files={"file": ("", b"")})).status_code == 400
    assert (await browser.post("/uploads", headers={"content-length": "100020001"}, content=b"")).status_code == 413
    assert contents(inbox) == {}


async def test_no_secret_no_pages(waiting: str, site: Site, clock: Ahead) -> None:
    """Not even with a pass that was signed with nothing."""
    transport = httpx.ASGITransport(build_site(replace(site, secret="")))
    async with httpx.AsyncClient(transport=transport, base_url="http://site") as browser:
        for token in (overview_pass(clock), sign("", Pass(expires_at=clock().replace(year=2999)))):
            assert (await browser.get("/", params={"pass": token})).status_code == 403


def test_a_pass_is_good_word_for_word_only(clock: Ahead) -> None:
    """Any one letter changed, added or taken away makes it none."""
    token = overview_pass(clock)
    assert read_pass(SECRET, token, clock()) is not None
    swapped = str.maketrans("ABab01", "BAba10")
    changed = [token[:at] + token[at].translate(swapped) + token[at + 1 :] for at in range(len(token))]
    changed += [token[:-1], token + "A", token + "=", token + ".x", token[1:], token.replace(".", ""), "é" + token]
    assert [each for each in changed if each != token and read_pass(SECRET, each, clock()) is not None] == []
