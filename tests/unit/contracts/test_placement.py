"""A placement case holds together, and knows whose text it shows."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from contracts.ids import StorylineId
from contracts.placement import MAX_SCENES_SHOWN, MAX_THREADS_SHOWN
from tests.placements import LEDGER, SCENES, STORM, THREADS, case, scene, thread


def test_close_calls_are_the_scenes_with_candidates() -> None:
    assert [each.number for each in case().close_calls] == [1, 3]


def test_every_chapter_whose_text_is_shown_is_a_source_once() -> None:
    threads = (*THREADS, thread(StorylineId("more"), "More", drawn_on="2"))
    assert [source.chapter_id for source in case(threads).sources] == ["1", "2", "3", "4"]
    assert [source.chapter_id for source in case((), ()).sources] == ["4"]


def test_what_does_not_hold_together_is_refused() -> None:
    many = tuple(thread(StorylineId(str(n)), "T") for n in range(MAX_THREADS_SHOWN + 1))
    scenes = tuple(scene(n, "S") for n in range(MAX_SCENES_SHOWN + 1))
    for wrong in (
        (THREADS[:1] * 2, ()),
        (THREADS[:1], (scene(1, "S", LEDGER, STORM),)),
        (THREADS, SCENES[::-1]),
        (THREADS, (SCENES[0], SCENES[0])),
        (many, ()),
        ((), scenes),
    ):
        with pytest.raises(ValidationError):
            case(*wrong)
    with pytest.raises(ValidationError):
        thread(LEDGER, "T", *["S"] * 4)
