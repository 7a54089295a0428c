"""Threads that sleep, and chapters told out of the order of events."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.tree import ChapterInputs
from tests.unit.graph.stories import Told, chapter, threads_of

ADA, GRACE, EMMY, SOFIA, MARY = (
    (name,) for name in ("Ada Byron", "Grace Hopper", "Emmy Noether", "Sofia Kova", "Mary Sommer")
)


def _told(
    name: int, subject: int, people: tuple[str, ...], scenes: int = 3, stray: int = 0
) -> ChapterInputs:
    """Return a chapter of one subject; no two scenes of a story are quite the same."""
    first = 10 * name + stray
    told = [Told(subject, stray=first + nth, people=people) for nth in range(scenes)]
    return chapter(f"c{name:04}", name, told)


def _by_chapter(story: Sequence[ChapterInputs]) -> list[set[str]]:
    """Return the threads in which the scenes of each chapter lie."""
    found = iter(threads_of(*story))
    return [{next(found) for _ in each.scenes} for each in story]


def test_a_thread_that_sleeps_for_300_chapters_is_found_again() -> None:
    aside = [_told(n, 2 + n % 4, (GRACE, EMMY, SOFIA, MARY)[n % 4]) for n in range(1, 302)]
    story = [_told(0, 1, ADA, scenes=4), *aside, _told(302, 1, ADA), _told(303, 3, EMMY)]
    found = _by_chapter(story)
    assert found[302] == found[0]
    assert all(found[0].isdisjoint(others) for others in found[1:302])


def test_a_flashback_goes_where_it_belongs_and_the_story_goes_on() -> None:
    main = [_told(n, 1 + n % 2, (ADA, GRACE)[n % 2]) for n in range(20)]
    now = chapter(
        "c0020",
        20,
        [
            Told(1, stray=900, people=ADA),
            *[Told(3, stray=901 + nth, people=EMMY) for nth in range(3)],
            Told(1, stray=905, people=ADA),
        ],
    )
    after = [_told(n, 1 + n % 2, (ADA, GRACE)[n % 2]) for n in range(21, 26)]
    long_ago = [_told(26, 3, EMMY, scenes=2)]
    found = threads_of(*main, now, *after, *long_ago)
    opens, *past, back = found[60:65]
    assert opens == back == found[0]
    assert len(set(past)) == 1
    assert past[0] not in {found[0], found[3]}
    assert found[65:80] == [found[3]] * 3 + ([found[0]] * 3 + [found[3]] * 3) * 2
    assert set(found[80:]) == set(past)


def test_an_epilogue_finds_each_thread_that_it_ends() -> None:
    people = (ADA, GRACE, EMMY, SOFIA)
    main = [_told(n, 1 + n // 6, people[n // 6]) for n in range(24)]
    ends = [Told(1 + nth, stray=950 + nth, people=people[nth]) for nth in range(4)]
    found = threads_of(*main, chapter("c9", 99, ends))
    assert found[-4:] == [found[18 * nth] for nth in range(4)]
    assert len(set(found)) == 4


def test_a_side_story_stays_by_itself() -> None:
    main = [_told(n, 1 + n % 2, (ADA, GRACE)[n % 2]) for n in range(12)]
    side = [
        chapter(f"c{n:04}.5", f"{n}.5", [Told(7, stray=700 + n, people=MARY)] * 2) for n in (3, 8)
    ]
    story = sorted([*main, *side], key=lambda each: each.ordinal)
    found = dict(zip((each.chapter_id for each in story), _by_chapter(story), strict=True))
    aside = [found.pop(each.chapter_id) for each in side]
    assert aside[0] == aside[1]
    assert len(aside[0]) == 1
    assert aside[0].isdisjoint(set().union(*found.values()))
    assert len(set().union(*found.values())) == 2
