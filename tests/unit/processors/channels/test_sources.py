"""Sources on a small story: what ranking passes over, through the retriever and the stores."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from contracts.answers import SearchResult
from contracts.words import count_words
from processors.channels.exhaustive import ExhaustiveScan
from processors.channels.persons import names_in, persons_named
from processors.channels.relation_graph import RelationGraph
from processors.channels.source import Brought, Searched, Source
from tests.unit.processors.indexed import Story, chapter, indexed

_ALONE = (
    "At dawn {who} walked along the quay. A crow mocked {who}. The wind rose, and {who} was cold. "
    "Nobody greeted {who} in the lane, and the dogs of the harbour slept under the carts."
)
_TOGETHER = (
    "In the kitchen Hedda poured the tea. Then Hedda looked at Bertram, and {told} "
    "The lamp smoked. Outside the rain fell on the roofs, and Bertram counted the drops."
)
_TOLD = (
    "Bertram was the ward of Hedda.",
    "Bertram gave Hedda a green comb.",
    "Hedda forgave Bertram.",
)
_PLAIN = "A letter came from the town. It spoke of taxes, and of the price of oats and hay."


def _body(number: int, told: str) -> str:
    return "\n\n".join(
        (
            _ALONE.format(who="Hedda"),
            f"The lighthouse burned for the {('first', 'second', 'third')[number]} night.",
            _TOGETHER.format(told=told),
            _ALONE.format(who="Bertram"),
            _PLAIN,
        )
    )


CHAPTERS = tuple(chapter(nth + 1, _body(nth, told)) for nth, told in enumerate(_TOLD))


@pytest.fixture
async def story() -> Story:
    return await indexed(CHAPTERS)


async def _brought(
    story: Story, source: Source, question: str, as_of: int | None = None
) -> Brought:
    view = await story.view(as_of)
    reading, found = await story.retriever.find(view, question, 500)
    searched = Searched(reading.question, reading.rarities, reading.chapters, found.by_words)
    assert source.serves(reading.question)
    return await source.bring(view, searched)


def _texts(brought: Brought) -> list[str]:
    return [
        brought.texts[each.candidate.chapter_id][each.start : each.end]
        for each in brought.sentences
    ]


def _chapters(brought: Brought) -> list[str]:
    return [each.candidate.chapter_id for each in brought.sentences]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is Tonie to Madame Antoine?", ("Tonie", "Madame Antoine")),
        ("Who is Buck's master?", ("Buck",)),
        ("How were Hunter, Joyce and Redruth related?", ("Hunter", "Joyce", "Redruth")),
        ("How is Dr. Kemp related to Mr. Hall?", ("Dr Kemp", "Mr Hall")),
        ("Who came?", ()),
        ("谁是孙悟空的师父？", ()),
    ],
)
def test_names_are_runs_of_words_with_a_capital(question: str, names: tuple[str, ...]) -> None:
    assert names_in(question) == names


async def test_persons_are_found_by_any_of_their_names(story: Story) -> None:
    view = await story.view()
    found = await view.consult(lambda graph: persons_named(graph, "Is Bertram the ward of Hedda?"))
    assert [each.named_in(frozenset({"bertram"})) for each in found] == [True, False]
    assert await view.consult(lambda graph: persons_named(graph, "Who is Zeno?")) == ()


async def test_the_graph_brings_the_sentence_of_both_with_their_relation_first(
    story: Story,
) -> None:
    brought = await _brought(story, RelationGraph(), "What was Bertram to Hedda?")
    assert "was the ward of Hedda" in _texts(brought)[0]
    assert all("Hedda" in each or "Bertram" in each for each in _texts(brought))


async def test_every_meeting_is_brought_once_in_the_order_asked_for(story: Story) -> None:
    often = await _brought(story, RelationGraph(), "How often did Hedda meet Bertram?")
    assert _chapters(often) == ["c1", "c2", "c3"]
    last = await _brought(story, RelationGraph(), "When did Hedda last meet Bertram?")
    assert _chapters(last) == ["c3", "c2", "c1"]
    before = await _brought(story, RelationGraph(), "How often did Hedda meet Bertram?", as_of=2)
    assert _chapters(before) == ["c1", "c2"]


async def test_of_strangers_the_one_of_fewest_scenes_is_told_of(story: Story) -> None:
    brought = await _brought(story, RelationGraph(), "Who is the guardian of Bertram?")
    assert any("ward of Hedda" in each for each in _texts(brought))
    assert (await _brought(story, RelationGraph(), "Whose uncle is Zeno?")) == Brought([], {})


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("When did the lighthouse first burn?", ["c1", "c2", "c3"]),
        ("When did the lighthouse last burn?", ["c3", "c2", "c1"]),
    ],
)
async def test_a_scan_goes_from_the_first_on_or_from_the_last_back(
    story: Story, question: str, order: list[str]
) -> None:
    brought = await _brought(story, ExhaustiveScan(), question)
    assert _chapters(brought) == order
    assert all("lighthouse burned" in each for each in _texts(brought))


async def test_a_scan_that_counts_hears_each_scene_once_and_every_chapter(story: Story) -> None:
    brought = await _brought(story, ExhaustiveScan(), "How many times did the lighthouse burn?")
    assert sorted(_chapters(brought)[:3]) == ["c1", "c2", "c3"]
    scenes = [each.candidate.scene_id for each in brought.sentences]
    assert len(scenes) == len(set(scenes))


async def _search(story: Story, question: str, words: int) -> SearchResult:
    return await story.retriever.search(await story.view(), question, words)


@pytest.mark.parametrize("words", [1, 20, 90, 150, 5_000])
async def test_what_is_brought_keeps_the_words_and_is_shown_once(story: Story, words: int) -> None:
    for question in ("How often did Hedda meet Bertram?", "When did the lighthouse last burn?"):
        result = await _search(story, question, words)
        assert result.words == sum(count_words(each.text) for each in result.passages) <= words
        spans = sorted((each.chapter_id, each.start, each.end) for each in result.passages)
        for one, other in itertools.pairwise(spans):
            assert one[0] != other[0] or one[2] <= other[1]


async def test_a_meeting_is_shown_that_speaks_in_no_word_of_the_question() -> None:
    crowd = "Often friends meet on the quay, and often they meet in vain and never speak again."
    body = f"{_ALONE.format(who='Hedda')}\n\n{crowd}\n\n{_ALONE.format(who='Bertram')}"
    chapters = [chapter(nth, f"Night {nth} came. {body}") for nth in range(1, 9)]
    meeting = chapter(
        9, f"{body}\n\nA door creaked. Hedda bowed to Bertram. A dog barked, far off."
    )
    story = await indexed([*chapters, meeting])
    question, words = "How often did Hedda and Bertram meet their friends on the quay?", 130
    alone = replace(story.retriever, sources=())
    without = await alone.search(await story.view(), question, words)
    assert not any("Hedda bowed" in each.text for each in without.passages)
    (shown,) = [
        each
        for each in (await _search(story, question, words)).passages
        if "Hedda bowed" in each.text
    ]
    assert shown.channel == "graph"


@pytest.mark.parametrize("as_of", [1, 2])
@pytest.mark.parametrize(
    "question",
    [
        "What was Bertram to Hedda?",
        "How often did Hedda meet Bertram?",
        "When did the lighthouse last burn?",
        "How many nights did the lighthouse burn?",
    ],
)
async def test_sources_as_of_a_chapter_bring_what_the_story_up_to_it_has(
    story: Story, question: str, as_of: int
) -> None:
    shorter = await indexed(CHAPTERS[:as_of])
    whole = await story.retriever.search(await story.view(as_of), question, 150)
    assert whole.to_json() == (await _search(shorter, question, 150)).to_json()
