from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest

from contracts.ids import scene_id
from contracts.scenes import ChapterText, Mention, Scene, Segment, Segmentation
from contracts.words import count_words, iter_words
from processors.coverage import repair
from processors.extractive import clipped
from processors.scene_building import build_scenes
from replay.evaluation.shared_data import shared_data
from tests.unit.processors.handmade import chapter_of

_STORY = """Captain Marlowe reached the lighthouse at dusk. He said nothing at first.

“Where is the lantern?” asked Captain Marlowe. “It was here.”

The keeper's daughter Ruth had hidden the lantern beneath a heap of torn sails. She wept.

The next morning Captain Marlowe forgave Ruth. They carried the lantern up the stairs together.
"""


def _built(chapter: ChapterText, *segments: Segment) -> tuple[Scene, ...]:
    return build_scenes(chapter, repair(chapter, Segmentation(segments=segments, segmenter="test")))


def _words(text: str) -> set[str]:
    return {text[start:end].casefold() for start, end in iter_words(text)}


def test_a_scene_spans_its_home_and_is_named_by_its_words() -> None:
    chapter = chapter_of(_STORY)
    first, second = _built(chapter, Segment(from_idx=1, to_idx=5), Segment(from_idx=4, to_idx=9))
    assert chapter.text[first.start : first.end].startswith("Captain Marlowe reached")
    assert (second.first_sentence, second.last_sentence) == (6, 9)
    (shared,) = second.extra_spans
    assert chapter.text[shared.start : shared.end] == "asked Captain Marlowe. “It was here.”"
    home = chapter.text[second.start : second.end]
    assert second.scene_id == scene_id("work", "1", home, 0)
    assert second.words == count_words(home)


def test_equal_scenes_of_a_chapter_are_two_scenes() -> None:
    chapter = chapter_of("Ring the bell.\n\nRing  the bell.\n\nRing the bell.")
    scenes = _built(chapter, *(Segment(from_idx=n, to_idx=n) for n in (1, 2, 3)))
    assert [scene.scene_id for scene in scenes] == [
        scene_id("work", "1", "Ring the bell.", occurrence) for occurrence in range(3)
    ]


def test_what_was_told_is_kept_and_what_was_not_is_filled() -> None:
    told = Segment(
        from_idx=1,
        to_idx=5,
        title="The Lost Lantern",
        significance="It begins.",
        turning_point="A question is asked.",
        context=(7,),
        threads=("lantern",),
    )
    first, second = _built(chapter_of(_STORY), told, Segment(from_idx=6, to_idx=9))
    assert (first.title, first.significance) == ("The Lost Lantern", "It begins.")
    assert first.filled == ("synopsis",)
    assert first.turning_point == "A question is asked."
    assert (first.context, first.threads) == ((7,), ("lantern",))
    assert second.filled == ("title", "synopsis", "significance")
    assert second.turning_point == ""


def test_the_synopsis_tells_who_did_what_rather_than_what_was_said() -> None:
    (scene,) = _built(chapter_of(_STORY), Segment(from_idx=1, to_idx=9))
    assert "Ruth" in scene.synopsis
    assert "“" not in scene.synopsis
    assert count_words(scene.title) <= 10
    assert scene.significance not in scene.synopsis


def test_persons_that_the_segmenter_named_are_mentions_if_they_stand_in_the_home() -> None:
    chapter = chapter_of("the boy hid. Nobody saw the boy.\n\nThe dog barked.")
    named = Segment(from_idx=1, to_idx=2, characters=("the boy", "Napoleon", "the boy", " "))
    first, second = _built(chapter, named, Segment(from_idx=3, to_idx=3))
    assert Mention(name="the boy", count=2) in first.mentions
    assert {mention.name for mention in first.mentions}.isdisjoint({"Napoleon", ""})
    assert second.mentions == ()


@pytest.mark.parametrize("text", ["…", "!!!\n\n???", "No.", "好。", "x" * 500, "\ud800 odd."])
def test_no_field_is_ever_empty(text: str) -> None:
    chapter = chapter_of(text)
    (scene,) = _built(chapter)
    assert scene.title
    assert scene.synopsis
    assert scene.significance
    assert len(scene.title) <= 500


def test_texts_are_clipped_after_a_whole_word() -> None:
    assert clipped("one two, three", 2) == "one two…"
    assert clipped("one two!", 2) == "one two!"
    assert clipped("一二三四", 3) == "一二三…"


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("folder", "book"),
    [
        ("books", "treasure-island"),
        ("books", "pride-and-prejudice"),
        ("cjk", "journey-to-the-west"),
        ("cjk", "wagahai-wa-neko-de-aru"),
    ],
)
def test_extracted_fields_of_real_chapters_stand_in_the_text(folder: str, book: str) -> None:
    work = json.loads(shared_data(folder, f"{book}.json").read_text())
    for published in work["chapters"][:2]:
        chapter = chapter_of(published["text"][:20_000], work["language"])
        count = len(chapter.sentences)
        cuts = [*range(1, count, 30), count + 1]
        segments = [Segment(from_idx=a, to_idx=b - 1) for a, b in pairwise(cuts)]
        for scene in _built(chapter, *segments):
            home = chapter.text[scene.start : scene.end]
            for field, most in ((scene.title, 10), (scene.synopsis, 40), (scene.significance, 40)):
                assert 1 <= count_words(field) <= most
                assert _words(field) <= _words(home)
            assert not re.search(r"\s\s|\n", scene.title + scene.synopsis)
