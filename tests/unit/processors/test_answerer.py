from __future__ import annotations

import pytest

from contracts.answers import Answer
from contracts.ordinals import Ordinal
from tests.unit.processors.indexed import Story, indexed
from tests.unit.processors.test_retriever import CHAPTERS


@pytest.fixture
async def story() -> Story:
    return await indexed(CHAPTERS)


async def _ask(story: Story, question: str, as_of: int | None = None) -> Answer:
    return await story.answerer.answer(await story.view(as_of), question, 500)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Who gave the captain the black spot?", "black spot"),
        ("What was the parrot called?", "Flint"),
        ("What did Jim and his mother open by candle-light?", "sea-chest"),
        ("How did Blind Pew die on the road?", "trampled"),
    ],
)
async def test_the_answer_is_the_storys_own_sentence(
    story: Story, question: str, word: str
) -> None:
    answer = await _ask(story, question)
    assert not answer.abstained
    assert word in answer.answer


async def test_every_quote_stands_in_the_text_and_in_the_answer(story: Story) -> None:
    bodies = {each.chapter_id: each.body for each in CHAPTERS}
    answer = await _ask(story, "Who gave the captain the black spot?")
    assert 1 <= len(answer.citations) <= 2
    for citation in answer.citations:
        assert citation.quote == bodies[citation.chapter_id][citation.start : citation.end]
        assert citation.quote in answer.answer
    assert answer.channels == ("passage", "scene")
    assert answer.spent.searches == 4
    assert answer.spent.passages > 0
    assert 0 < answer.spent.evidence_words <= 500
    assert answer.spent.model_calls == answer.spent.tokens == 0


@pytest.mark.parametrize(
    "question",
    [
        "Which dragon burned the spaceship of professor Quirrell?",
        "Where does Hermione buy a broomstick?",
        "",
        "Who is he?",
    ],
)
async def test_what_the_story_does_not_know_is_not_answered(story: Story, question: str) -> None:
    answer = await _ask(story, question)
    assert answer.abstained
    assert (answer.answer, answer.citations) == ("", ())
    assert answer.indexed_to == Ordinal.parse(3)


async def test_an_early_reader_is_told_nothing_of_what_comes(story: Story) -> None:
    question = "What was Silver's parrot called?"
    assert (await _ask(story, question, as_of=2)).abstained
    assert not (await _ask(story, question, as_of=3)).abstained


@pytest.mark.parametrize("question", ["Who is the captain?", "Who opened the sea-chest?", "Pew"])
@pytest.mark.parametrize("as_of", [1, 2])
async def test_an_answer_as_of_a_chapter_is_that_of_the_story_up_to_it(
    story: Story, question: str, as_of: int
) -> None:
    shorter = await indexed(CHAPTERS[:as_of])
    assert (await _ask(story, question, as_of)).to_json() == (
        await _ask(shorter, question)
    ).to_json()
