"""The paper's ways to walk (*Storyline Trees*, 5.3 and Table 3), compared at equal words.

All read the same passages of the same index; they differ in which scenes they come to:

- iterative: queries of its own, without a tree. The rule in the model's place asks for the names
  that stand oftenest in the passages and not in the question;
- adaptive, as in the paper: titles of storylines as further queries. The rule names those
  storylines that hold most of the scenes which a strong model chose (`map_books`), one a round;
  on our tree, and on a tree built from the top with the whole book at hand (`other_trees`);
- the map read, ours: the scenes which the strong model chose are named on the map.

The paper's static way is one search with the question: that of a walk without a model. Collapsed is
one search in which storylines stand beside scenes, and take words of the budget.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from contracts.budgets import Budget
from contracts.chat import Sampling
from contracts.ids import SceneId
from contracts.ports import BoundStory
from processors.one_line import one_line
from processors.retriever import Retriever
from processors.story_map.numbering import Numbered, numbered
from processors.story_map.showing import Maps
from processors.walking.meter import Meter
from processors.walking.reader import ModelReader
from processors.walking.strategies import ADAPTIVE, ITERATIVE, PAPER, Strategy
from processors.walking.walk import Question, Walker
from replay.evaluation.annotated import AskedQuestion, Evidence
from replay.evaluation.collapsed import collapsed
from replay.evaluation.map_books import MapBook
from replay.evaluation.other_trees import with_batch_tree
from replay.evaluation.retrieval_methods import Shown
from replay.evaluation.scripted_reader import NamesScenes, Rule, ScriptedReader, asked_in

OUR_TREE: Final = "adaptive, our tree"
BATCH_TREE: Final = "adaptive, batch tree"
NO_TREE: Final = "iterative, no tree"
MAP_READ: Final = "map read"
COLLAPSED: Final = "collapsed, our passages"

_BUDGET: Final = Budget(rounds=5, scenes=8, model_calls=20, tokens=1_000_000, seconds=3_600)
"""Rounds end a walk here, and neither tokens nor a machine that does other things."""

_CONTEXT: Final = 32_768
_NAMES: Final = 3
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+")


@dataclass(frozen=True, slots=True)
class AsksForNames:
    """A rule without a tree: asks for the names in the passages, others each time."""

    def __call__(self, purpose: str, shown: str) -> Mapping[str, object]:
        """Return the question's words with the next names; nothing when asked to conclude."""
        if purpose != "walk_step":
            return {}
        question = asked_in(shown)
        passages = shown.partition("PASSAGES\n")[2].partition("END OF THE PASSAGES")[0]
        counts = Counter(name for name in _NAME.findall(passages) if name not in question)
        names = sorted(counts, key=lambda name: (-counts[name], name))[:_NAMES]
        return {"query": f"{question} {' '.join(names)}"}


@dataclass(frozen=True, slots=True)
class OpensStorylines:
    """A rule with a tree: of each question it knows which storylines to name, the best first.

    It is good for one walk a question: what was named is not named again.
    """

    storylines: Mapping[str, Sequence[str]]
    asked: dict[str, int] = field(default_factory=dict)

    def __call__(self, purpose: str, shown: str) -> Mapping[str, object]:
        """Name the next storyline."""
        if purpose != "walk_step":
            return {}
        question = asked_in(shown)
        nth = self.asked[question] = self.asked.get(question, -1) + 1
        return {"open": list(self.storylines[question][nth : nth + 1])}


async def walking_methods(book: MapBook, retriever: Retriever) -> Mapping[str, Shown]:
    """Return the ways to walk through a book, by name."""
    view, batch = book.view, await with_batch_tree(book.indexed.tree, book.view)
    own, other = numbered(await view.outline()), numbered(await batch.outline())
    ours, others, scenes = _storylines(book, own), _storylines(book, other), _scenes(book, own)

    def walk(strategy: Strategy, rule: Callable[[], Rule], view: BoundStory = view) -> Shown:
        return _walk(retriever, strategy, rule, view)

    async def pooled(question: str, words: int) -> Sequence[Evidence]:
        return await collapsed(retriever, view, own, question, words)

    return {
        COLLAPSED: pooled,
        NO_TREE: walk(ITERATIVE, AsksForNames),
        OUR_TREE: walk(PAPER, lambda: OpensStorylines(ours)),
        BATCH_TREE: walk(PAPER, lambda: OpensStorylines(others), batch),
        MAP_READ: walk(ADAPTIVE, lambda: NamesScenes(scenes)),
    }


def _walk(
    retriever: Retriever, strategy: Strategy, rule: Callable[[], Rule], view: BoundStory
) -> Shown:
    maps = Maps()

    async def shown(question: str, words: int) -> Sequence[Evidence]:
        reader = ModelReader(ScriptedReader(rule(), count=False), Sampling(), _CONTEXT)
        walk = Question(question, words, _BUDGET, strategy)
        meter = Meter(_BUDGET, monotonic)
        walked = await Walker(retriever, maps, reader).walk(view, walk, meter)
        extracts = walked.evidence.reading.extracts
        return [Evidence(each.candidate.chapter_id, each.start, each.end) for each in extracts]

    return shown


def _scenes(book: MapBook, told: Numbered) -> Mapping[str, Sequence[int]]:
    """Return by question the numbers of the chosen scenes."""
    numbers = _numbers(told)
    return {_key(asked): [numbers[scene] for scene in picks] for asked, picks in _chosen(book)}


def _storylines(book: MapBook, told: Numbered) -> Mapping[str, Sequence[str]]:
    """Return by question the storylines in which the chosen scenes lie, the fullest first."""
    numbers = _numbers(told)
    storylines = {}
    for asked, picks in _chosen(book):
        threads = Counter(told.names[told.threads[numbers[scene] - 1]] for scene in picks)
        storylines[_key(asked)] = [name for name, _ in threads.most_common()]
    return storylines


def _numbers(told: Numbered) -> dict[SceneId, int]:
    return {scene.scene_id: number for number, scene in enumerate(told.scenes, start=1)}


def _chosen(book: MapBook) -> list[tuple[AskedQuestion, tuple[SceneId, ...]]]:
    return list(zip(book.book.questions, book.picks, strict=True))


def _key(asked: AskedQuestion) -> str:
    return one_line(asked.question)
