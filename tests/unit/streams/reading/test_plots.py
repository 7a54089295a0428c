"""The plot threads as of a chapter, and one of them scene by scene."""

from __future__ import annotations

import pytest

from contracts.ordinals import Ordinal
from contracts.reports import ThreadReport, ThreadState
from contracts.requests import OneThread
from contracts.story_graph import StoryPlace, ThreadPlace
from graph.state import RECENT
from streams.not_found import Ambiguous, NotFound
from streams.reading import plots
from streams.reading.paging import turn_of
from tests.contract.story import at
from tests.unit.streams.reading.tale import ARC, INN, ISLE, SEA, Tale, W, a_page, a_tale


async def one(tale: Tale, prefix: str, as_of: object = None) -> ThreadReport:
    asked = OneThread(work_id=W, as_of="head", thread=prefix)
    return await plots.thread(await tale.as_of(as_of), prefix, turn_of(asked, StoryPlace))


async def test_threads_with_their_span_and_state() -> None:
    tale = await a_tale()
    found = await plots.threads(await tale.as_of(3), turn_of(a_page(), ThreadPlace))
    assert [
        (line.id, line.scenes, line.touching, str(line.last_ordinal), line.state.value)
        for line in found.threads
    ] == [
        (SEA, 2, 0, "2", "sleeping"),
        (INN, 1, 1, "2", "sleeping"),
        (ISLE, 1, 0, "3", "open"),
    ]
    assert [str(line.sleeping_since) for line in found.threads] == ["2", "2", "None"]
    early = await plots.threads(await tale.as_of(2), turn_of(a_page(), ThreadPlace))
    assert [line.state for line in early.threads] == [ThreadState.OPEN] * 2


def test_a_thread_has_ended_once_no_recent_chapter_tells_it() -> None:
    long = tuple(Ordinal(n) for n in range(1_000, 1_000 - RECENT, -1))
    for at_home, last, recent, state in (
        (Ordinal(600), Ordinal(600), long, ThreadState.ENDED),
        (Ordinal(600), Ordinal(999), long, ThreadState.ENDED),  # touched only
        (long[-1], long[-1], long, ThreadState.SLEEPING),
        (Ordinal(1), Ordinal(1), long[:-1], ThreadState.SLEEPING),  # the story is not so long
        (Ordinal(1_000), Ordinal(1_000), long, ThreadState.OPEN),
        (None, None, long, ThreadState.ENDED),
        (None, None, (), ThreadState.SLEEPING),
    ):
        assert plots._state(at_home, last, recent) is state


async def test_a_thread_by_the_beginning_of_its_id() -> None:
    tale = await a_tale()
    found = await one(tale, "5EA2")
    assert [(str(line.ordinal), line.home) for line in found.scenes] == [("1", True), ("2", False)]
    assert found.thread.title == f"Title of {INN}"
    with pytest.raises(Ambiguous, match=rf"{SEA} \(Title of {SEA}\), {INN}"):
        await one(tale, "5ea")
    with pytest.raises(NotFound, match="no thread 'x'"):
        await one(tale, "x")


async def test_with_its_arcs_and_what_they_add_to_its_synopsis() -> None:
    tale = await a_tale()
    found = await one(tale, SEA)
    assert [str(line.ordinal) for line in found.scenes] == ["1", "2"]
    assert found.thread.synopsis == "So far. what happens in scene 0"
    assert (await one(tale, SEA, 1)).thread.synopsis == "So far."
    assert (await one(tale, ARC)).thread.scenes == 1


async def test_a_thread_that_comes_later_is_not_there() -> None:
    tale = await a_tale()
    with pytest.raises(NotFound, match="as of 2"):
        await one(tale, ISLE, at(2))
