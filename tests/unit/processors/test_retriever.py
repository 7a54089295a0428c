from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import cast

import pytest

from contracts.answers import Gap, SearchResult
from contracts.ids import FIRST_GENERATION, ChapterId, RowKey, row_key
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory
from contracts.words import count_words
from processors.retriever import CHANGED
from processors.searching import RowPair
from tests.unit.processors.indexed import WORK, Story, chapter, indexed

CHAPTERS = (
    chapter(
        1,
        "The captain came to the inn with a sea-chest. He asked for rum and paid in gold.\n\n"
        "The doctor warned him that rum would kill him. The captain only laughed.",
    ),
    chapter(
        2,
        "Blind Pew tapped along the frozen road with his stick. He gave the captain the black "
        "spot. The captain fell dead on the floor.\n\n"
        "Jim and his mother opened the sea-chest by candle-light. They found a sealed packet.",
    ),
    chapter(
        3,
        "Silver hid the parrot's cage in the galley. The parrot was called Flint and screamed all "
        "night.\n\n"
        "A horse trampled Blind Pew on the frozen road while the smugglers ran.",
    ),
)
QUESTION = "Who gave the captain the black spot on the frozen road?"


@pytest.fixture
async def story() -> Story:
    return await indexed(CHAPTERS)


async def _search(
    story: Story, question: str, words: int = 500, as_of: int | None = None
) -> SearchResult:
    return await story.retriever.search(await story.view(as_of), question, words)


async def test_the_passage_that_answers_comes_first(story: Story) -> None:
    result = await _search(story, QUESTION)
    assert "black spot" in result.passages[0].text
    assert result.indexed_to == Ordinal.parse(3)


async def test_passages_are_slices_of_their_chapters_within_the_budget(story: Story) -> None:
    bodies = {each.chapter_id: each.body for each in CHAPTERS}
    for words in (1, 5, 12, 20, 45, 500):
        result = await _search(story, QUESTION, words)
        assert result.words == sum(count_words(each.text) for each in result.passages) <= words
        for each in result.passages:
            assert each.text == bodies[each.chapter_id][each.start : each.end]


async def test_a_budget_below_any_extract_gives_the_best_sentence_that_fits(story: Story) -> None:
    result = await _search(story, QUESTION, 9)
    assert [each.text for each in result.passages] == ["He gave the captain the black spot."]
    assert (await _search(story, QUESTION, 1)).passages == ()


async def test_passages_are_grouped_by_scene_the_best_scene_first(story: Story) -> None:
    result = await _search(story, QUESTION, 500)
    scenes = [each.scene_id for each in result.passages]
    groups = [scene for nth, scene in enumerate(scenes) if nth == 0 or scenes[nth - 1] != scene]
    assert len(groups) == len(set(groups))
    best = [max(e.score for e in result.passages if e.scene_id == scene) for scene in groups]
    assert best == sorted(best, reverse=True)


async def test_scores_have_six_places(story: Story) -> None:
    result = await _search(story, QUESTION)
    assert all(each.score == round(each.score, 6) for each in result.passages)


@pytest.mark.parametrize(
    "question",
    [
        QUESTION,
        "What was the parrot called?",
        "When did the captain fall dead?",
        "How many warnings did the doctor give the captain?",
        "Whose mother opened the sea-chest?",
        "sea-chest",
        "rum",
    ],
)
@pytest.mark.parametrize("as_of", [1, 2])
async def test_a_search_as_of_a_chapter_is_that_on_the_story_up_to_it(
    story: Story, question: str, as_of: int
) -> None:
    shorter = await indexed(CHAPTERS[:as_of])
    whole = await _search(story, question, as_of=as_of)
    assert whole.to_json() == (await _search(shorter, question)).to_json()


async def test_dead_rows_move_nothing(story: Story) -> None:
    before = await _search(story, QUESTION)
    await _add_dead_rows(story, copies=300)
    assert (await _search(story, QUESTION)).to_json() == before.to_json()


async def _add_dead_rows(story: Story, copies: int) -> None:
    """Write each row again under positions that no event has: nobody links them."""
    keys = await story.vectors.keys(WORK, FIRST_GENERATION)
    rows = (await story.vectors.fetch(WORK, FIRST_GENERATION, keys)).values()
    await story.vectors.upsert(
        WORK,
        FIRST_GENERATION,
        [
            replace(row, key=_key(row.item_id, position), position=position)
            for row in rows
            for position in range(1_000, 1_000 + copies)
        ],
    )


def _key(item: str, position: int) -> RowKey:
    return row_key(FIRST_GENERATION, item, position)


@pytest.mark.parametrize(
    "question",
    ["", "   ", "?!…", "who is he?", "\ud800", "the of and", "\x00", "WHERE who WHAT"],
)
async def test_a_question_that_asks_for_nothing_finds_nothing(story: Story, question: str) -> None:
    result = await _search(story, question)
    assert (result.passages, result.words) == ((), 0)


@pytest.mark.parametrize(
    "question",
    [
        "captain " * 7_000,
        "'; DROP TABLE chapters; -- captain",
        '{"term": "captain"} OR 1 == 1 captain',
        " ".join(f"word{n}" for n in range(900)) + " captain",
        "captain \u202e🏴‍☠️ ﷺ \x07",
    ],
)
async def test_a_long_or_hostile_question_is_words_like_any_other(
    story: Story, question: str
) -> None:
    result = await _search(story, question)
    assert any("captain" in each.text for each in result.passages)


async def test_the_language_of_most_chapters_reads_the_question() -> None:
    chinese = [
        chapter(1, "孙悟空在花果山做了猴王。他有一根金箍棒。", "zh"),
        chapter(2, "唐僧骑着白马往西天取经。路上遇见妖怪。", "zh"),
        chapter(3, "A sailor came by.", "en"),
    ]
    result = await _search(await indexed(chinese), "猴王的金箍棒在哪里？")
    assert "金箍棒" in result.passages[0].text


async def test_gaps_are_passed_on(story: Story) -> None:
    gap = Gap(chapter_id=ChapterId("c9"), ordinal=Ordinal.parse(2), reason="too large")
    view = await story.view()
    assert (await story.retriever.search(view, QUESTION, 100, [gap])).gaps == (gap,)
    assert (await story.retriever.search(view, "", 100, [gap])).gaps == (gap,)


@dataclass
class Changing:
    """A view whose second chapter changes: after `steady` confirmations its rows are gone.

    They come back after `gone` refusals, as when a new text is linked in their place.
    """

    view: BoundStory
    chapter: ChapterId
    steady: int
    gone: int

    def __getattr__(self, name: str) -> object:
        return getattr(self.view, name)

    async def confirm(self, pairs: Iterable[RowPair]) -> frozenset[RowPair]:
        held = await self.view.confirm(pairs)
        if self.steady > 0 or self.gone <= 0:
            self.steady -= 1
            return held
        self.gone -= 1
        scenes = {
            scene.scene_id
            for each in await self.view.scenes()
            if each.chapter_id == self.chapter
            for scene in each.scenes
        }
        return frozenset(pair for pair in held if pair[0] not in scenes)


async def _search_changing(story: Story, steady: int, gone: int) -> SearchResult:
    view = Changing(await story.view(), ChapterId("c2"), steady, gone)
    return await story.retriever.search(cast("BoundStory", view), QUESTION, 500)


async def test_a_change_while_reading_starts_over(story: Story) -> None:
    calm = await _search(story, QUESTION)
    assert (await _search_changing(story, steady=0, gone=1)).to_json() == calm.to_json()


async def test_what_changes_twice_is_left_out_and_named(story: Story) -> None:
    result = await _search_changing(story, steady=0, gone=2)
    assert result.passages
    assert all(each.chapter_id != "c2" for each in result.passages)
    assert [(gap.chapter_id, gap.reason) for gap in result.gaps] == [("c2", CHANGED)]
    assert result.words == sum(count_words(each.text) for each in result.passages)
