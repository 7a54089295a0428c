from __future__ import annotations

import pytest

from contracts.events import ChapterWithdrawn
from contracts.ids import FIRST_GENERATION, row_key
from contracts.messages import ChapterEmbedded, ChapterSegmented, EventPassed
from contracts.vectors import MAX_TEXT_BYTES, Level, VectorRow
from contracts.words import count_words
from graph.memory import MemoryVectorStore
from processors.dense import ZERO
from processors.embedding import MAX_SCENE_WORDS, EmbedStage
from processors.lexicon import Lexicon
from processors.passages import cut_passages
from processors.segmenting import SegmentStage
from processors.sif import SifEmbedder
from processors.terms import term_number
from tests.unit.processors.indexed import WORK, ByParagraph, chapter

BODY = (
    "The captain came to the inn with a sea-chest. He asked for rum and for the map.\n\n"
    "Blind Pew tapped along the frozen road. Nobody opened the door to him."
)


async def _segmented(body: str, position: int = 7) -> ChapterSegmented:
    message = await SegmentStage(ByParagraph())(chapter(1, body), position)
    assert isinstance(message, ChapterSegmented)
    return message


async def _embedded(
    segmented: ChapterSegmented,
) -> tuple[ChapterEmbedded, dict[str, VectorRow]]:
    vectors = MemoryVectorStore()
    stage = EmbedStage(SifEmbedder(), Lexicon(), vectors, FIRST_GENERATION)
    message = await stage(segmented)
    assert isinstance(message, ChapterEmbedded)
    keys = [row_key(FIRST_GENERATION, item, segmented.head.position) for item in message.items]
    rows = await vectors.fetch(WORK, FIRST_GENERATION, keys)
    assert len(rows) == len(message.items) == len(await vectors.keys(WORK, FIRST_GENERATION))
    return message, {row.item_id: row for row in rows.values()}


async def test_every_scene_and_passage_has_a_row_under_the_events_position() -> None:
    segmented = await _segmented(BODY)
    message, rows = await _embedded(segmented)
    scenes = {scene.scene_id for scene in segmented.scenes}
    passages = {passage.passage_id for passage in cut_passages(segmented)}
    assert set(message.items) == scenes | passages
    assert message.passages == len(passages)
    for item, row in rows.items():
        assert row.level == (Level.SCENE if item in scenes else Level.PASSAGE)
        assert row.text == segmented.text[row.start : row.end]
        assert (row.position, row.ordinal) == (7, int(segmented.head.ordinal))
        assert row.dense != ZERO
        assert row.sparse


async def test_term_counts_say_in_how_many_passages_a_term_stands() -> None:
    message, _ = await _embedded(await _segmented(BODY))
    assert message.term_counts["the"] == 2
    assert message.term_counts["captain"] == 1
    assert list(message.term_counts) == sorted(message.term_counts)


async def test_a_told_synopsis_makes_its_words_findable_and_an_extracted_one_nothing() -> None:
    segmented = await _segmented(BODY)
    scene = segmented.scenes[0]
    assert {"title", "synopsis"} <= set(scene.filled)
    told = scene.model_copy(update={"synopsis": "Billy Bones moves in", "filled": ("title",)})
    with_told = segmented.model_copy(update={"scenes": (told, *segmented.scenes[1:])})
    _, before = await _embedded(segmented)
    _, after = await _embedded(with_told)
    bones = term_number("bone")
    assert bones not in dict(before[scene.scene_id].sparse)
    assert bones in dict(after[scene.scene_id].sparse)
    assert before[scene.scene_id].dense != after[scene.scene_id].dense
    others = before.keys() - {scene.scene_id}
    assert {item: before[item] for item in others} == {item: after[item] for item in others}


async def test_a_scene_too_long_is_left_to_its_passages() -> None:
    segmented = await _segmented("The tide rose and the boat went down. " * 400)
    (scene,) = segmented.scenes
    assert scene.words > MAX_SCENE_WORDS
    message, rows = await _embedded(segmented)
    assert {row.level for row in rows.values()} == {Level.PASSAGE}
    assert scene.scene_id not in message.items
    assert sum(count_words(row.text) for row in rows.values()) == scene.words


@pytest.mark.parametrize("letter", ["a", "é", "猫", "🐈"])
async def test_a_text_too_long_for_a_row_is_cut_between_code_points(letter: str) -> None:
    segmented = await _segmented(letter * (MAX_TEXT_BYTES + 1) + ".")
    _, rows = await _embedded(segmented)
    for row in rows.values():
        assert len(row.text.encode()) <= MAX_TEXT_BYTES
        assert segmented.text[row.start :].startswith(row.text)


async def test_a_chapter_without_scenes_writes_nothing() -> None:
    segmented = (await _segmented(BODY)).model_copy(update={"scenes": ()})
    message, rows = await _embedded(segmented)
    assert (message.items, message.passages, message.term_counts) == ((), 0, {})
    assert not rows


async def test_an_event_without_text_passes() -> None:
    passed = EventPassed(position=3, event=ChapterWithdrawn(work_id=WORK, chapter_id="c1"))
    stage = EmbedStage(SifEmbedder(), Lexicon(), MemoryVectorStore(), FIRST_GENERATION)
    assert await stage(passed) is passed


async def test_rows_do_not_depend_on_what_was_embedded_before() -> None:
    first, second = await _segmented(BODY), await _segmented("Another tale of the sea. It ends.")
    vectors = MemoryVectorStore()
    stage = EmbedStage(SifEmbedder(), Lexicon(), vectors, FIRST_GENERATION)
    await stage(second)
    again = await stage(first)
    alone, rows = await _embedded(first)
    assert again == alone
    keys = [row.key for row in rows.values()]
    assert set((await vectors.fetch(WORK, FIRST_GENERATION, keys)).values()) == set(rows.values())
