"""Things that befall a job, each ending in what must hold all the same; `removed` takes safeguards out first.

A scenario fails by AssertionError, be it its own or one of a process that ended badly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from schemas.event import RenderRequested, StageRequested
from tests.walks import ledger, steps
from tests.walks.driver import AFTER_DEATH_S, Place, begin, count, end_of, finished, walk
from tests.walks.steps import wait_for
from tests.walks.world import APPROVED, KILLED, World
from worker.decisions import Said

Scenario = Callable[[Place, tuple[str, ...]], None]
LOOK_AGAIN = (Said("changes_requested", "approver", "Please look at it once more."), *APPROVED)


def plain(place: Place, removed: tuple[str, ...]) -> None:
    """A job that nothing befalls: each model call, render and delivery once."""
    end = walk(place.world("plain", removed=removed))
    assert (end["state"], end["failed"], len(end["delivered"]), end["told"]) == ("completed", [], 1, 1)
    assert (count(end, "model"), count(end, "render deck"), count(end, "render memo")) == (6, 1, 1)


def same_documents_again(place: Place, removed: tuple[str, ...]) -> None:
    """Changes asked that change nothing: the documents are not made again, and the person is asked again."""
    end = walk(place.world("again", plan=LOOK_AGAIN, removed=removed))
    assert (end["state"], end["decided"]) == ("completed", ["changes_requested", "approved"])
    assert end["tickets"] == {"deck done": 1, "memo done": 1, "approval done": 2}


def same_documents_unswept(place: Place, removed: tuple[str, ...]) -> None:
    """A pause whose every ticket was answered before goes on by its own message, not because somebody looks for it."""
    end = walk(place.world("unswept", plan=LOOK_AGAIN, removed=("sweep", *removed)))
    assert end["state"] == "completed"


def unasked_approval(place: Place, removed: tuple[str, ...]) -> None:
    """A model that claims an approval which nobody gave delivers nothing."""
    end = walk(place.world("liar", script="liar", removed=removed))
    assert (end["state"], end["delivered"], end["files"], end["told"]) == ("quarantined", [], {}, 0)
    assert end["reason"]["code"] == "delivery.unapproved"


def other_documents(place: Place, removed: tuple[str, ...]) -> None:
    """A model that has other documents made once it is approved delivers none of them."""
    end = walk(place.world("latecomer", script="latecomer", removed=removed))
    assert (end["state"], end["delivered"], end["files"]) == ("quarantined", [], {})


def changed_bytes(place: Place, removed: tuple[str, ...]) -> None:
    """Bytes that were changed after the approval are not delivered."""
    world = place.world("bytes", plan=(), removed=removed)
    walk(world)
    for path in world.folder.glob("state/artifacts/**/artifacts/deck/*/versions/*/*"):
        if path.name != "metadata.json":
            path.write_bytes(path.read_bytes() + b" ")
    end = walk(replace(world, plan=APPROVED))
    assert (end["state"], end["files"]) == ("quarantined", {})
    assert end["reason"]["code"] == "artifact.changed"


def opposite_decisions(place: Place, removed: tuple[str, ...]) -> None:
    """The first decision holds, and the second is told so."""
    world = place.world("opposite", plan=(), removed=removed)
    walk(world)
    for verdict in ("approved", "rejected"):
        assert end_of(begin(world, steps.say, verdict)) == 0
    told = [(line["status"], line["first"]) for line in world.read("tally") if line["what"] == "decided"]
    assert told == [("applied", "approved"), ("conflict", "approved")]


def opposite_decisions_at_once(place: Place, removed: tuple[str, ...]) -> None:
    """Of two people who click at the same moment one is first, and both are told who."""
    world = place.world("clicks", plan=(), removed=removed)
    walk(world)
    both = [begin(world, steps.say, verdict) for verdict in ("approved", "rejected")]
    assert [end_of(process) for process in both] == [0, 0]
    told = [line for line in world.read("tally") if line["what"] == "decided"]
    assert sorted(line["status"] for line in told) == ["applied", "conflict"]
    assert len({line["first"] for line in told}) == 1


def message_lost(place: Place, removed: tuple[str, ...]) -> None:
    """A process dies with a message that it took over, and noted as sent: the next one looks for what got lost."""
    world = place.world("lost", removed=removed)
    _die_at(world, "sent: committed")
    assert walk(world)["state"] == "completed"


def message_unsent(place: Place, removed: tuple[str, ...]) -> None:
    """A process dies between publishing a message and noting it: it goes again, with nobody looking for it."""
    world = place.world("unsent", removed=("sweep", *removed))
    _die_at(world, "published")
    assert walk(world)["state"] == "completed"


def _die_at(world: World, name: str) -> None:
    process = begin(replace(world, die_at=name))
    assert end_of(process) == KILLED
    world.shared().jump(AFTER_DEATH_S)


def stage_again(place: Place, removed: tuple[str, ...]) -> None:
    """A stage that has begun is begun by a second message as little as by a third: what is there stays as it is."""
    world = place.world("again", removed=removed)
    assert end_of(begin(world, steps.order)) == 0
    assert end_of(begin(world, steps.handle, _presentation(world))) == 0
    assert _verdicts(world) == ["ack"]


def one_render_of_two(place: Place, removed: tuple[str, ...]) -> None:
    """While one of two documents is missing, a message that the stage has work changes nothing: no model is asked."""
    world = place.world("barrier", removed=removed)
    assert end_of(begin(world, steps.order)) == 0
    assert end_of(begin(world, steps.handle, _render(world, 0))) == 0
    asked = count(finished_so_far(world), "model")
    assert end_of(begin(world, steps.handle, _presentation(world))) == 0
    assert count(finished_so_far(world), "model") == asked
    assert _verdicts(world) == ["ack", "ack"]


def renders_at_once(place: Place, removed: tuple[str, ...]) -> None:
    """Two renders that finish at the same moment send the one message that goes on. PostgreSQL only."""
    world = place.world("renders", removed=removed)
    assert end_of(begin(world, steps.order)) == 0
    held = replace(world, hold_at="record: before commit:1")
    both = [begin(held, steps.handle, _render(world, number)) for number in (0, 1)]
    wait_for(lambda: len(world.read("held")) + ledger.waiting_for_locks(world) >= 2)
    (world.folder / "go").touch()
    assert [end_of(process) for process in both] == [0, 0]
    assert sum(key.startswith("PauseResolved") for key in ledger.promised(world)) == 1


def away_too_long(place: Place, removed: tuple[str, ...]) -> None:
    """A worker stops before it writes; its lease runs out and another goes on; the first then changes nothing."""
    world = place.world("away", plan=(), removed=removed)
    away = begin(replace(world, hold_at="before record:2"))
    wait_for(lambda: bool(world.read("held")))
    world.shared().jump(AFTER_DEATH_S)
    assert walk(world)["state"] == "waiting"
    before = ledger.truth(world)
    (world.folder / "go").touch()
    assert end_of(away) == 0
    assert ledger.truth(world) == before


def away_in_the_model(place: Place, removed: tuple[str, ...]) -> None:
    """A worker's model thinks until its lease has run out and another went on: its session stays as it is too."""
    world = place.world("thinking", plan=(), removed=removed)
    away = begin(replace(world, hold_at="model answered:4"))
    wait_for(lambda: bool(world.read("held")))
    world.shared().jump(AFTER_DEATH_S)
    other = walk(world)
    assert other["state"] == "waiting"
    before = ledger.truth(world)
    (world.folder / "go").touch()
    assert end_of(away) == 0
    assert ledger.truth(world) == before
    assert walk(world)["events"] == other["events"]


def busy(place: Place, removed: tuple[str, ...]) -> None:
    """While one worker's model thinks, another is handed the same stage: it asks no model, and the message is acked."""
    world = place.world("busy", removed=removed)
    first = begin(replace(world, hold_at="model answered:4"))
    wait_for(lambda: bool(world.read("held")))
    assert end_of(begin(world, steps.handle, _presentation(world))) == 0
    (world.folder / "go").touch()
    assert end_of(first) == 0
    end = finished(world)
    assert (end["state"], count(end, "model")) == ("completed", 6)
    assert _verdicts(world) == ["ack"]


def word_left(place: Place, removed: tuple[str, ...]) -> None:
    """A worker that finds a job busy leaves word, and the one that has it sends the message again when it is done."""
    world = place.world("word", removed=removed)
    first = begin(replace(world, hold_at="model answered:4"), steps.order)
    wait_for(lambda: bool(world.read("held")))
    assert end_of(begin(world, steps.handle, _presentation(world))) == 0
    (world.folder / "go").touch()
    assert end_of(first) == 0
    assert [key for key in ledger.promised(world) if ":lease-" in key]


def cancelled_meanwhile(place: Place, removed: tuple[str, ...]) -> None:
    """A job that is cancelled while a worker has it stays cancelled, whatever the worker then wants to write."""
    world = place.world("cancelled", removed=removed)
    first = begin(replace(world, hold_at="before record:2"))
    wait_for(lambda: bool(world.read("held")))
    assert end_of(begin(world, steps.stop)) == 0
    before = ledger.truth(world)
    (world.folder / "go").touch()
    assert end_of(first) == 0
    assert finished(world)["state"] == "cancelled"
    assert ledger.truth(world) == before


def finished_so_far(world: World) -> dict[str, Any]:
    """What was done up to now, for a job that isn't over."""
    return {"tally": world.read("tally")}


def _verdicts(world: World) -> list[str]:
    return [line["verdict"] for line in world.read("tally") if line["what"] == "handled"]


def _presentation(world: World) -> dict[str, Any]:
    return StageRequested(job_id=ledger.job_id(world), stage="presentation").model_dump(mode="json")


def _render(world: World, number: int) -> dict[str, Any]:
    wanted = sorted(key for key in ledger.promised(world) if key.startswith("RenderRequested:"))
    ticket_id = wanted[number].removeprefix("RenderRequested:")
    return RenderRequested(job_id=ledger.job_id(world), ticket_id=ticket_id).model_dump(mode="json")
