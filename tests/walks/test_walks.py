"""A job's ways from upload to its end, on both databases, each in processes that know only what is written down."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.walks import steps
from tests.walks.driver import Place, begin, count, end_of, same, undisturbed, walk
from tests.walks.world import APPROVED, CHANGED, REJECTED


def test_an_approved_job_delivers_one_deck_and_one_pdf(place: Place) -> None:
    """Upload, extraction, two renders, one approval, one delivery; a pause asks no model."""
    _, end = undisturbed(place)
    assert end["state"] == "completed"
    assert end["tickets"] == {"deck done": 1, "memo done": 1, "approval done": 1}
    assert sorted(end["files"]) == ["deck.pptx", "memo.pdf"]
    assert sorted(end["files"].values()) == sorted(end["delivered"][0])
    assert (end["told"], end["unsent"], end["leases"], end["failed"]) == (1, [], [], [])
    assert [line["stage"] for line in end["tally"] if line["what"] == "model"] == ["extraction"] * 3 + [
        "presentation"
    ] * 3
    assert (count(end, "render deck"), count(end, "render memo")) == (1, 1)


def test_changes_make_new_documents_and_a_new_gate(place: Place) -> None:
    """A pin and an emphasis give new deals and new documents; the second approval is about those."""
    _, end = undisturbed(place, plan=CHANGED)
    assert end["state"] == "completed"
    assert end["decided"] == ["changes_requested", "approved"]
    assert end["tickets"] == {"deck done": 2, "memo done": 2, "approval done": 2}
    assert (end["rounds"], len(end["delivered"]), end["told"]) == (1, 1, 1)


def test_a_rejected_job_delivers_nothing(place: Place) -> None:
    """The person's words are the reason that the job keeps."""
    _, end = undisturbed(place, plan=REJECTED)
    assert (end["state"], end["delivered"], end["files"], end["told"]) == ("rejected", [], {}, 0)
    assert end["reason"] == {"code": "approval.rejected", "message": "Not this quarter.", "cells": []}


def test_a_cancelled_job_ends_there(place: Place) -> None:
    """Its gate is void, nothing is delivered, and whoever comes later finds it so."""
    world = place.world("cancelled", plan=())
    walk(world)
    assert end_of(begin(world, steps.stop)) == 0
    end = walk(replace(world, plan=APPROVED))
    assert (end["state"], end["delivered"], end["files"], end["unsent"]) == ("cancelled", [], {}, [])
    assert end["tickets"] == {"deck done": 1, "memo done": 1, "approval void": 1}


@pytest.mark.parametrize(
    "plan",
    [pytest.param(APPROVED, marks=pytest.mark.long), CHANGED, pytest.param(REJECTED, marks=pytest.mark.long)],
    ids=["approved", "changed", "rejected"],
)
def test_each_message_and_each_click_twice_changes_nothing(place: Place, plan: tuple) -> None:
    """The same tickets, renders, model calls and deliveries as when everything comes once."""
    _, once = undisturbed(place, plan=plan)
    world = place.world("twice", plan=plan, copies=2)
    twice = walk(world)
    assert same(twice, once) == {}
    for what in ("model", "render deck", "render memo"):
        assert count(twice, what) == count(once, what)
    clicks = [line["status"] for line in twice["tally"] if line["what"] == "decided"]
    assert clicks == ["applied", "repeat"] * len(once["decided"])
