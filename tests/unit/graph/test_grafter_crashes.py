"""A process dies anywhere in a graft: the next delivery ends as if it had not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from contracts import events
from contracts.crash_points import CrashPoint
from contracts.ids import FIRST_GENERATION, ChapterId
from contracts.messages import ChapterEmbedded, EmbeddedMessage, Outcome
from contracts.ordinals import Ordinal
from graph.grafter import Grafter
from tests.crashes import Dies, SimulatedCrash
from tests.stories import written
from tests.unit.graph.marks import assert_marks_are_sound
from tests.unit.graph.test_grafter import CLOCK, HARBOUR, PASS, Home, W

POINTS = [
    CrashPoint.AFTER_ROWS,
    CrashPoint.BEFORE_COMMIT,
    CrashPoint.AFTER_COMMIT,
    CrashPoint.BEFORE_CLEANUP,
]
ONE = ChapterId("1")


def moved(home: Home, to: str) -> EmbeddedMessage:
    move = events.ChapterMoved(work_id=W, chapter_id=ONE, ordinal=Ordinal.parse(to))
    return home.event(move)


def withdrawn(home: Home) -> EmbeddedMessage:
    return home.event(events.ChapterWithdrawn(work_id=W, chapter_id=ONE))


def reordered(home: Home) -> EmbeddedMessage:
    places = tuple(
        events.NewPlace(chapter_id=ChapterId(name), ordinal=Ordinal.parse(to))
        for name, to in (("1", "10"), ("2", "20"))
    )
    return home.event(events.WorkReordered(work_id=W, chapters=places))


def work_withdrawn(home: Home) -> EmbeddedMessage:
    return home.event(events.WorkWithdrawn(work_id=W))


def edited(home: Home) -> EmbeddedMessage:
    return home.text("1", "1", CLOCK)


STORIES: dict[str, Sequence[Callable[[Home], EmbeddedMessage]]] = {
    "new": [lambda home: home.text("3", "3", CLOCK)],
    "edited": [edited],
    "edited twice": [edited, lambda home: home.text("1", "1", PASS)],
    "stale": [lambda home: home.text("1", "1", CLOCK, revision=1)],
    "moved": [lambda home: moved(home, "5")],
    "moved, then edited": [lambda home: moved(home, "5"), lambda home: home.text("1", "6", CLOCK)],
    "moved twice": [lambda home: moved(home, "5"), lambda home: moved(home, "6")],
    "moved, then withdrawn": [lambda home: moved(home, "5"), withdrawn],
    "edited, moved, edited": [
        edited,
        lambda home: moved(home, "5"),
        lambda home: home.text("1", "6", PASS),
    ],
    "reordered": [reordered],
    "withdrawn": [withdrawn],
    "withdrawn, then published": [withdrawn, edited],
    "work withdrawn": [work_withdrawn],
    "work withdrawn, then begun again": [
        edited,
        work_withdrawn,
        lambda home: home.text("2", "2", PASS),
    ],
}


def story(home: Home, kind: str) -> list[EmbeddedMessage]:
    """Return a batch of that kind, for a home with chapters 1 and 2."""
    return [make(home) for make in STORIES[kind]]


async def begun() -> Home:
    home = Home()
    await home.graft(home.text("1", "1", HARBOUR, revision=2), home.text("2", "2", PASS, HARBOUR))
    return home


async def outcome(home: Home) -> bytes | None:
    view = await home.tree.view(W, None)
    return await home.exported() if view else None


async def crash(home: Home, batch: Sequence[EmbeddedMessage], point: CrashPoint) -> None:
    for message in batch:
        if isinstance(message, ChapterEmbedded):
            await written(home.vectors, message)
    with pytest.raises(SimulatedCrash):
        await Grafter(home.tree, home.vectors, Dies(point), checkpoint_every=1)(batch)


@pytest.mark.parametrize("kind", STORIES)
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("parts", ["whole", "one by one", "with what came after", "a part died"])
async def test_the_next_delivery_ends_as_an_undisturbed_one(
    point: CrashPoint, kind: str, parts: str
) -> None:
    home, calm = await begun(), await begun()
    batch = story(home, kind)
    after = [home.text("9", "9", CLOCK)] if parts == "with what came after" else []
    first = max(1, len(batch) - 1) if parts == "a part died" else len(batch)
    await crash(home, batch[:first], point)
    home.grafter = Grafter(home.tree, home.vectors, checkpoint_every=1)
    again = [*batch, *after]
    for part in [[each] for each in again] if parts == "one by one" else [again]:
        await home.graft(*part)
    for message in [*story(calm, kind), *[calm.text("9", "9", CLOCK) for _ in after]]:
        await calm.graft(message)
    assert await outcome(home) == await outcome(calm)
    assert await home.tree.records(W, FIRST_GENERATION) == await calm.tree.records(
        W, FIRST_GENERATION
    )
    await assert_marks_are_sound(home.tree, W, 32)
    await home.assert_rows_are_exactly_those_linked()


@pytest.mark.parametrize("kind", ["edited", "moved", "withdrawn"])
@pytest.mark.parametrize("more", ["edited", "moved", "withdrawn"])
@pytest.mark.parametrize("point", POINTS)
async def test_a_second_crash_on_the_way_leaves_nothing_either(
    point: CrashPoint, kind: str, more: str
) -> None:
    home = await begun()
    batch = story(home, kind)
    await crash(home, batch, CrashPoint.AFTER_COMMIT)
    batch += story(home, more)
    await crash(home, batch, point)
    home.grafter = Grafter(home.tree, home.vectors, checkpoint_every=1)
    await home.graft(*batch)
    await home.assert_rows_are_exactly_those_linked()


@pytest.mark.parametrize("point", POINTS)
async def test_rows_of_what_is_not_grafted_yet_stay(point: CrashPoint) -> None:
    home = await begun()
    waiting = await written(home.vectors, home.text("1", "1", PASS, revision=9))
    batch = story(home, "edited")
    await crash(home, batch, point)
    home.grafter = Grafter(home.tree, home.vectors, checkpoint_every=1)
    await home.graft(*batch)
    assert [each.outcome for each in await home.grafter([waiting])] == [Outcome.EDITED]
    await home.assert_rows_are_exactly_those_linked()
