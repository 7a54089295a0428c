"""A scene's fields come from the one answer; what it left out is extracted and marked."""

from __future__ import annotations

from typing import Any

from contracts.scenes import ChapterText, Repairs, Scene
from processors.coverage import repair
from processors.retrieval_text import retrieval_text
from processors.scene_building import build_scenes
from tests.unit.processors.chapters import read
from tests.unit.processors.litseg.answers import answer, block, lite

_STORY = """Marlowe reached the lighthouse at dusk. He said nothing at first. Ruth hid the lantern.

“Where is the lantern?” asked Marlowe. Ruth wept.

The next morning Marlowe forgave Ruth. They carried it up the stairs together."""

_EVENTS = [
    {"from_idx": 1, "to_idx": 1, "what": "Marlowe arrives", "who": ["Marlowe"]},
    {"from_idx": 3, "to_idx": 3, "what": "Ruth hides the lantern.", "who": ["Ruth", "Marlowe"]},
    {"from_idx": 3, "to_idx": 5, "what": "Marlowe asks, Ruth weeps", "who": ["Ruth", "the cat"]},
    {"from_idx": 6, "to_idx": 7, "what": "Marlowe forgives her", "who": ["Marlowe"]},
]
_THREADS = [{"name": "the lantern", "events": [2, 3, 4]}, {"name": "the arrival", "events": [1]}]
_TURNS = [
    {"at_idx": 3, "type": "setback", "description": "The lantern is gone"},
    {"at_idx": 5, "type": "recognition", "description": ""},
    {"at_idx": 4, "type": "question", "description": "Marlowe asks"},
]


async def _scenes(chapter: ChapterText, told: dict[str, Any]) -> tuple[tuple[Scene, ...], Repairs]:
    done = repair(chapter, await lite([told]).segment(chapter))
    return build_scenes(chapter, done), done.repairs


async def test_all_fields_come_from_the_one_answer() -> None:
    blocks = [
        block(1, 5, subtitle="The lantern disappears", significance="Trust is lost."),
        block(5, 7, [3], subtitle="Forgiveness", significance="Trust is back."),
    ]
    told = answer(*blocks, events=_EVENTS, threads=_THREADS, turning_points=_TURNS)
    (first, second), repairs = await _scenes(read(_STORY), told)
    assert first.title == "The lantern disappears"
    assert first.synopsis == "Marlowe arrives. Ruth hides the lantern. Marlowe asks, Ruth weeps."
    assert first.significance == "Trust is lost."
    assert first.turning_point == "recognition"  # the last one in it, by its type
    assert first.threads == ("the lantern", "the arrival")
    assert {mention.name for mention in first.mentions} == {"Marlowe", "Ruth"}
    assert second.synopsis == "Marlowe forgives her."
    assert second.threads == ("the lantern",)
    assert second.turning_point == ""
    assert first.filled == second.filled == ()
    assert repairs == Repairs()


async def test_what_is_left_out_is_extracted_and_marked() -> None:
    told = answer(block(1, 5, subtitle=" ", significance=""), (6, 7), events=_EVENTS[3:])
    (first, second), _ = await _scenes(read(_STORY), told)
    assert first.filled == ("title", "synopsis", "significance")
    assert first.title
    assert first.synopsis
    assert second.filled == ()


async def test_an_event_is_told_of_one_scene_only() -> None:
    told = answer((1, 5), (4, 7), events=[{**_EVENTS[2], "from_idx": 4}])
    (first, second), _ = await _scenes(read(_STORY), told)
    assert first.synopsis == "Marlowe asks, Ruth weeps."
    assert "synopsis" in second.filled


async def test_events_and_turns_of_nowhere_are_dropped_and_counted() -> None:
    events = [*_EVENTS, {"from_idx": 7, "to_idx": 8, "what": "The end", "who": []}]
    threads = [{"name": "x", "events": [0, 5, 6]}]
    turns = [{"at_idx": 8, "type": "x", "description": "y"}]
    told = answer((1, 7), events=events, threads=threads, turning_points=turns)
    (scene,), repairs = await _scenes(read(_STORY), told)
    assert scene.threads == ()
    assert "The end" not in scene.synopsis
    assert repairs == Repairs(dropped_fields=4)


async def test_texts_are_on_one_line_and_bounded() -> None:
    long = "word " * 3_000
    told = answer(
        block(1, 7, subtitle=f"A\n\tb\x00\ud800 {long}", significance="語" * 4_000),
        events=[
            {"from_idx": n, "to_idx": 7, "what": long, "who": ["x" * 900]} for n in range(1, 8)
        ],
    )
    (scene,), _ = await _scenes(read(_STORY), told)
    assert scene.title.startswith("A b word word")
    assert len(scene.title.split()) <= 16
    assert len(scene.synopsis.split()) <= 101
    assert len(scene.significance) <= 41


async def test_a_chinese_synopsis_has_no_spaces() -> None:
    events = [{"from_idx": n, "to_idx": n, "what": "悟空走了", "who": ["悟空"]} for n in (1, 2)]
    chapter = read("悟空走了。八戒笑了。", language="zh")
    told = answer(block(1, 2, subtitle="走", significance="变"), events=events)
    (scene,), _ = await _scenes(chapter, told)
    assert scene.synopsis == "悟空走了。悟空走了。"


async def test_texts_in_another_language_are_dropped_and_the_ranges_stand() -> None:
    german = "Der alte Kapitän kommt am Abend zum Leuchtturm und findet die Laterne nicht mehr. "
    told = answer(
        *(block(a, b, subtitle=german, significance=german * 2) for a, b in ((1, 5), (6, 7)))
    )
    scenes, repairs = await _scenes(read(_STORY), told)
    assert [scene.first_sentence for scene in scenes] == [1, 6]
    assert all(scene.filled == ("title", "synopsis", "significance") for scene in scenes)
    assert repairs == Repairs(dropped_fields=4)


async def test_a_scene_is_searched_with_its_context_around_it() -> None:
    chapter = read(_STORY)
    (_, second), _ = await _scenes(chapter, answer((1, 5), (4, 6, [7, 1, 1, 5, 6])))
    assert retrieval_text(chapter.text, second).splitlines() == [
        second.title,
        "Marlowe reached the lighthouse at dusk.",
        "“Where is the lantern?” asked Marlowe. Ruth wept.",
        "The next morning Marlowe forgave Ruth. They carried it up the stairs together.",
    ]


async def test_who_is_who_goes_to_the_scene_that_makes_it_known_if_both_stand_there() -> None:
    same = [
        {"name": "Ruth", "also": "the lantern", "at_idx": 6},
        {"name": "Marlowe", "also": "the keeper", "at_idx": 6},  # not in the text
        {"name": "Marlowe", "also": "He", "at_idx": 2},
        {"name": "Ruth", "also": "Marlowe", "at_idx": 9},
    ]
    told = answer((1, 5), (6, 7), events=_EVENTS, identities=same)
    (first, second), repairs = await _scenes(read(_STORY), told)
    assert (first.identities, second.identities) == ((), (("Ruth", "the lantern"),))
    assert repairs == Repairs(dropped_fields=3)
    assert {mention.name: mention.count for mention in first.mentions}["the lantern"] == 2


async def test_a_description_is_a_name_of_a_scene_wherever_it_begins_a_sentence() -> None:
    events = [{"from_idx": 1, "to_idx": 1, "what": "x", "who": ["the cat", "She"]}]
    text = "The cat slept. She dreamt. Ruth saw the cat."
    (scene,), _ = await _scenes(read(text), answer((1, 3), events=events))
    assert {mention.name: mention.count for mention in scene.mentions}["the cat"] == 2
    assert "She" not in {mention.name for mention in scene.mentions}
