from __future__ import annotations

from processors.scene_searching import ScenePlace
from replay.evaluation.remembering_search import RememberingRetriever
from tests.unit.processors.indexed import Story, chapter, indexed

CHAPTERS = (
    chapter(
        1,
        "The captain came to the inn with a sea-chest. He asked for rum and paid in gold.\n\n"
        "The doctor warned him that rum would kill him. The captain only laughed.",
    ),
    chapter(2, "Blind Pew gave the captain the black spot. The captain fell dead on the floor."),
)
QUESTION = "Who gave the captain the black spot?"


def _remembering(story: Story) -> RememberingRetriever:
    plain = story.retriever
    return RememberingRetriever(plain.embedder, plain.lexicon, plain.vectors)


async def test_what_was_remembered_is_what_a_search_finds() -> None:
    story = await indexed(CHAPTERS)
    retriever = _remembering(story)
    for as_of in (1, 2, None, 1):
        view = await story.view(as_of)
        for words in (10, 500, 4_000, 10):
            found = await retriever.search(view, QUESTION, words)
            assert found == await story.retriever.search(view, QUESTION, words)


async def test_scenes_that_were_named_are_told_apart_from_a_search() -> None:
    story = await indexed(CHAPTERS)
    view, retriever = await story.view(), _remembering(story)
    found = await retriever.read(view, QUESTION, 500)
    first = next(each for each in found.extracts if each.candidate.chapter_id == "c1")
    place = ScenePlace(first.candidate.scene_id, first.candidate.chapter_id)
    within = await retriever.read(view, QUESTION, 500, within=[place])
    assert {each.candidate.scene_id for each in within.extracts} == {place.scene_id}
    assert within == await story.retriever.read(view, QUESTION, 500, within=[place])


async def test_the_same_is_found_once() -> None:
    story = await indexed(CHAPTERS)
    view, retriever = await story.view(), _remembering(story)
    once, again = [await retriever.find(view, QUESTION, words) for words in (500, 1_000)]
    assert once is again
