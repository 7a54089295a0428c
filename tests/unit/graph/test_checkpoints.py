"""A state that was written down and read again folds on as if nothing had happened."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.ids import SceneId
from contracts.tree import ChapterInputs, SceneInputs
from graph import checkpoints
from graph.fold import FoldState, graft, start
from tests.unit.graph.stories import WORK, Told, chapter, folded, long_story, stories


def stored(chapters: Sequence[ChapterInputs]) -> Mapping[SceneId, SceneInputs]:
    return {inputs.scene.scene_id: inputs for each in chapters for inputs in each.scenes}


def taken_up(state: FoldState, chapters: Sequence[ChapterInputs]) -> FoldState:
    saved = checkpoints.read(checkpoints.encode(state))
    return saved.state(WORK, state.digest, stored(chapters))


@settings(max_examples=60, deadline=None)
@given(story=stories(), data=st.data())
def test_a_state_that_was_read_again_folds_on_exactly(
    story: list[ChapterInputs], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(story)))
    state, _ = folded(story[:at])
    again = taken_up(state, story[:at])
    assert again == state
    assert again.digest == state.digest
    assert checkpoints.encode(again) == checkpoints.encode(state)
    for each in story[at:]:
        state, record = graft(state, each)
        again, same = graft(again, each)
        assert same == record
        assert again == state


def test_a_long_story_too() -> None:
    story = long_story(chapters=60, scenes=6, subjects=9)
    state, _ = folded(story[:50])
    again = taken_up(state, story[:50])
    assert again == state
    for each in story[50:]:
        (state, record), (again, same) = graft(state, each), graft(again, each)
        assert same == record
    assert again == state


def test_only_scenes_that_the_state_remembers_are_asked_for() -> None:
    story = long_story(chapters=60, scenes=6, subjects=2)
    state, _ = folded(story)
    saved = checkpoints.read(checkpoints.encode(state))
    assert set(saved.scenes) == {s.scene for x in state.storylines.values() for s in x.window}
    assert len(saved.scenes) < len(stored(story)) // 3


def test_half_a_surrogate_pair_in_a_name_survives() -> None:
    story = [chapter("c1", 1, [Told(subject=1, people=("Ada\ud800 Byron",))])]
    state, _ = folded(story)
    assert taken_up(state, story) == state


def test_the_empty_state_is_one_too() -> None:
    assert taken_up(start(WORK), []) == start(WORK)


STORY = long_story(chapters=4, scenes=3, subjects=2)


def test_a_scene_that_says_something_else_is_noticed() -> None:
    state, _ = folded(STORY)
    saved = checkpoints.read(checkpoints.encode(state))
    scenes = dict(stored(STORY))
    one = saved.scenes[0]
    for other in (
        SceneInputs(scenes[one].scene, scenes[saved.scenes[-1]].dense),
        SceneInputs(scenes[one].scene.model_copy(update={"title": "other"}), scenes[one].dense),
    ):
        with pytest.raises(ValueError, match="not those"):
            saved.state(WORK, state.digest, {**scenes, one: other})


def test_a_scene_that_is_gone_is_noticed() -> None:
    state, _ = folded(STORY)
    saved = checkpoints.read(checkpoints.encode(state))
    with pytest.raises(ValueError, match="missing"):
        saved.state(WORK, state.digest, {})


def damaged(data: bytes) -> Sequence[bytes]:
    content = json.loads(zlib.decompress(data))
    newer = {**content, "version": content["version"] + 1}
    return (
        b"",
        data[:-9],
        zlib.compress(b"[]"),
        zlib.compress(b"no json"),
        zlib.compress(json.dumps(newer).encode()),
    )


@pytest.mark.parametrize("nth", range(5))
def test_bytes_that_are_none_are_refused(nth: int) -> None:
    state, _ = folded(STORY)
    with pytest.raises(ValueError):  # noqa: PT011 - whatever it is, it is no checkpoint
        checkpoints.read(damaged(checkpoints.encode(state))[nth])


def test_something_left_out_is_noticed() -> None:
    state, _ = folded(STORY)
    content = json.loads(zlib.decompress(checkpoints.encode(state)))
    for name in sorted(content.keys() - {"version", "scenes", "root"}):
        less = {key: value for key, value in content.items() if key != name}
        saved = checkpoints.read(zlib.compress(json.dumps(less).encode()))
        with pytest.raises(ValueError, match="missing"):
            saved.state(WORK, state.digest, stored(STORY))
