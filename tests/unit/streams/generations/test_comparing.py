"""Every chapter that is not the same in both generations is named, with what is known of why."""

from __future__ import annotations

import pytest

from contracts.ids import ChapterId
from contracts.reports import ChapterSize, ChapterState
from streams.gaps import PAUSED, WAITING
from streams.generations.builds import Build
from streams.generations.comparing import OnItsWay, compare_works, unexplained
from tests.unit.streams.generations.builds import W, build, chapter

NOTHING = OnItsWay()


def states(live: Build, candidate: Build, on_its_way: OnItsWay = NOTHING) -> dict[str, str]:
    compared = compare_works(W, live, candidate, on_its_way)
    return {each.chapter_id: each.state.value for each in compared.chapters}


def test_equal_builds_have_no_chapter_that_differs() -> None:
    compared = compare_works(W, build(chapter("1")), build(chapter("1")), NOTHING)

    assert compared.chapters == ()
    assert compared.live == compared.candidate
    assert (compared.candidate.chapters, compared.candidate.words, compared.coverage) == (1, 100, 1)


@pytest.mark.parametrize(
    "candidate",
    [
        Build(None),
        build(),
        build(chapter("1", 5, present=False)),
        build(chapter("1", 4)),  # an earlier event was its last
    ],
    ids=["no work", "no chapter", "not present", "out of date"],
)
def test_what_readers_would_lose_is_missing(candidate: Build) -> None:
    live = build(chapter("1", 5))

    assert states(live, candidate) == {"1": "missing"}
    assert unexplained(compare_works(W, live, candidate, NOTHING))


def test_a_missing_chapter_has_the_reason_of_its_dead_letter() -> None:
    told = OnItsWay({ChapterId("1"): "the body is too large"})

    compared = compare_works(W, build(chapter("1")), build(), told)

    assert compared.chapters[0].state is ChapterState.MISSING
    assert compared.chapters[0].reason == "the body is too large"
    assert not unexplained(compared)


@pytest.mark.parametrize("reason", [WAITING, PAUSED])
def test_what_waits_is_not_missing(reason: str) -> None:
    told = OnItsWay({ChapterId("1"): reason})

    assert states(build(chapter("1")), build(), told) == {"1": "waiting"}


def test_a_move_that_waits_is_known_by_its_position() -> None:
    live, candidate = build(chapter("1", 7)), build(chapter("1", 3))

    assert states(live, candidate, OnItsWay(positions={7})) == {"1": "waiting"}
    assert states(live, candidate, OnItsWay(positions={8})) == {"1": "missing"}


def test_what_came_to_the_candidate_first_is_added() -> None:
    assert states(build(chapter("1", 3)), build(chapter("1", 3), chapter("2", 4))) == {"2": "added"}
    assert states(build(chapter("1", 3)), build(chapter("1", 4))) == {}


def test_what_was_withdrawn_must_not_come_back() -> None:
    shown = build(chapter("1", 3))
    hidden = chapter("1", 3).model_copy(update={"hidden_by": 9})

    assert states(build(chapter("1", 9, present=False)), shown) == {"1": "withdrawn"}
    assert states(build(hidden), shown) == {"1": "withdrawn"}
    assert states(build(floor=9), shown) == {"1": "withdrawn"}


def test_a_chapter_that_is_cut_otherwise_is_counted_and_shown() -> None:
    live, candidate = build(chapter("1")), build(chapter("1"), scenes={"1": [60, 40]})

    (found,) = compare_works(W, live, candidate, NOTHING).chapters

    assert found.state is ChapterState.RECUT
    assert (found.live, found.candidate) == (
        ChapterSize(words=100, scenes=1),
        ChapterSize(words=100, scenes=2),
    )


def test_of_many_that_are_cut_otherwise_those_that_changed_most_are_shown() -> None:
    names = [f"{number:02}" for number in range(30)]
    chapters = [chapter(name, place=int(name)) for name in names]
    scenes = {name: [1] * (2 + int(name)) for name in names}

    compared = compare_works(W, build(*chapters), build(*chapters, scenes=scenes), NOTHING)

    assert compared.recut == 30
    assert [each.chapter_id for each in compared.chapters] == names[10:]


def test_words_that_stand_in_no_scene_are_told() -> None:
    candidate = build(chapter("1"), story_words={"1": 150})

    compared = compare_works(W, build(chapter("1")), candidate, NOTHING)

    assert [each.state for each in compared.chapters] == [ChapterState.UNCOVERED]
    assert compared.chapters[0].story_words == 150
    assert compared.coverage == pytest.approx(2 / 3)
