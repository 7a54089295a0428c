"""Channels on small stories, through the retriever and the stores in memory."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from contracts.answers import SearchResult
from contracts.words import count_words
from processors.channels.merging import Merger
from processors.channels.weights import shipped_weights
from tests.unit.processors.indexed import Story, chapter, indexed

_HARBOUR = (
    "The ferry lay at the pier all day. The ferry had a green hull, and the pier smelled of tar. "
    "Nobody on the pier spoke of the ferry, nor of the storm that had torn her anchor away."
)
_TALK = (
    "Hedda mended nets. Osk sang to himself about the river and the rain. A gull took the bread. "
    "The rope was wet, and the children threw stones into the harbour until the baker shouted."
)
_TOLD = (
    "The ferry went down on the 4th of March, in the fog. Osk is Hedda's uncle, and told her so.",
    "Seven lanterns hung on the pier, and three of the lanterns were out.",
    "Hedda waited for the ferry three weeks. She was nineteen years old.",
    "The ferry sank again, and this was the last of the ferry, on the 9th of May.",
)
CHAPTERS = tuple(
    chapter(number, f"{_HARBOUR}\n\n{told}\n\n{_TALK}")
    for number, told in enumerate(_TOLD, start=1)
)


@pytest.fixture
async def story() -> Story:
    return await indexed(CHAPTERS)


async def _search(
    story: Story, question: str, words: int = 60, as_of: int | None = None
) -> SearchResult:
    return await story.retriever.search(await story.view(as_of), question, words)


@pytest.mark.parametrize(
    ("question", "channel", "told"),
    [
        ("On what date did the ferry go down at the pier?", "time", "4th of March"),
        ("How long did Hedda wait for the ferry?", "time", "three weeks"),
        ("How old is Hedda?", "time", "nineteen years old"),
        ("How many lanterns were on the pier?", "scan", "Seven lanterns"),
        ("How is Osk related to Hedda?", "relation", "Hedda's uncle"),
    ],
)
async def test_a_channel_finds_the_sentence_with_the_form_of_the_answer(
    story: Story, question: str, channel: str, told: str
) -> None:
    result = await _search(story, question)
    found = [each for each in result.passages if told in each.text]
    assert found
    assert channel in {each.channel for each in found}
    answer = await story.answerer.answer(await story.view(), question, 60)
    assert channel in answer.channels


async def test_a_question_that_no_channel_serves_is_shown_as_without_channels(
    story: Story,
) -> None:
    question = "Where did the ferry lie, and what did the pier smell of?"
    alone = replace(story.retriever, merging=Merger((), shipped_weights()))
    plain = await alone.search(await story.view(), question, 60)
    assert (await _search(story, question)).to_json() == plain.to_json()


@pytest.mark.parametrize("words", [1, 4, 7, 12, 30, 60, 200, 5_000])
async def test_the_words_are_kept(story: Story, words: int) -> None:
    for question in ("How many lanterns were on the pier?", "When did the ferry sink?"):
        result = await _search(story, question, words)
        assert result.words == sum(count_words(each.text) for each in result.passages) <= words


async def test_what_is_shown_is_in_the_text_and_never_twice(story: Story) -> None:
    bodies = {each.chapter_id: each.body for each in CHAPTERS}
    result = await _search(story, "When did the ferry sink?", 150)
    spans = sorted((each.chapter_id, each.start, each.end) for each in result.passages)
    for one, other in itertools.pairwise(spans):
        assert one[0] != other[0] or one[2] <= other[1]
    for each in result.passages:
        assert each.text == bodies[each.chapter_id][each.start : each.end]
        assert 0 < each.score <= 1


@pytest.mark.parametrize("as_of", [1, 2, 3])
@pytest.mark.parametrize(
    "question",
    [
        "On what date did the ferry sink at the last?",
        "How many lanterns were on the pier?",
        "How is Osk related to Hedda?",
        "How old is Hedda?",
    ],
)
async def test_channels_as_of_a_chapter_are_those_of_the_story_up_to_it(
    story: Story, question: str, as_of: int
) -> None:
    shorter = await indexed(CHAPTERS[:as_of])
    whole = await _search(story, question, as_of=as_of)
    assert whole.to_json() == (await _search(shorter, question)).to_json()
    assert all("9th of May" not in each.text for each in whole.passages)
