"""Ways to walk at equal words: `python -m replay.evaluation.walks [BOOK …]`.

The paper's comparison (*Storyline Trees*, 5.3 and Table 3), by evidence recall within W words. All
ways read the same passages of the same index, with weights not fitted on the book; they differ in
which scenes they come to:

- static: one search with the question;
- collapsed: one search in which storylines stand beside scenes, and take words of the budget;
- iterative: queries of its own, without a tree. The rule in the model's place asks for the names
  that stand oftenest in the passages and not in the question;
- adaptive, as in the paper: titles of storylines as further queries. The rule names those
  storylines that hold most of the scenes which a strong model chose (`map_books`), one a round;
  on our tree, and on a tree built from the top with the whole book at hand (`other_trees`);
- the map read, ours: the scenes which the strong model chose are named on the map.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from time import monotonic
from typing import Final

from contracts.budgets import Budget
from contracts.chat import Sampling
from contracts.ids import SceneId
from contracts.ports import BoundStory
from processors.one_line import one_line
from processors.sif import SifEmbedder
from processors.story_map.numbering import Numbered, numbered
from processors.story_map.showing import Maps
from processors.walking.meter import Meter
from processors.walking.reader import ModelReader
from processors.walking.strategies import ADAPTIVE, ITERATIVE, PAPER, STATIC, Strategy
from processors.walking.walk import Question, Walked, Walker
from replay.evaluation.annotated import ENGLISH, AskedQuestion, Evidence, share_held
from replay.evaluation.collapsed import collapsed
from replay.evaluation.held_out_search import held_out_retriever
from replay.evaluation.map_books import OWN, TOLD, MapBook, map_book
from replay.evaluation.other_trees import with_batch_tree
from replay.evaluation.scripted_reader import NamesScenes, Rule, ScriptedReader, asked_in

WORDS: Final = (500, 1_000)
BUDGET: Final = Budget(rounds=5, scenes=8, model_calls=20, tokens=1_000_000, seconds=600)
_CONTEXT: Final = 32_768
_NAMES: Final = 3
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+")

Recalls = Mapping[str, tuple[float, ...]]
"""By way, the recall at each of `WORDS`."""


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
    """A rule with a tree: of each question it knows which storylines to name, the best first."""

    storylines: Mapping[str, Sequence[str]]
    asked: dict[str, int]

    def __call__(self, purpose: str, shown: str) -> Mapping[str, object]:
        """Name the next storyline."""
        if purpose != "walk_step":
            return {}
        question = asked_in(shown)
        nth = self.asked[question] = self.asked.get(question, -1) + 1
        return {"open": list(self.storylines[question][nth : nth + 1])}


async def measure(name: str, variant: str, embedder: SifEmbedder) -> Recalls:
    """Measure every way on one book."""
    book = await map_book(name, variant, embedder)
    batch = await with_batch_tree(book.indexed.tree, book.view)
    own, other = numbered(await book.view.outline()), numbered(await batch.outline())
    ways: dict[str, tuple[Strategy, Callable[[], Rule], BoundStory]] = {
        "iterative, no tree": (ITERATIVE, AsksForNames, book.view),
        "adaptive (paper), our tree": (PAPER, lambda: _opening(book, own), book.view),
        "adaptive (paper), batch tree": (PAPER, lambda: _opening(book, other), batch),
        "map read (ours)": (ADAPTIVE, lambda: _naming(book, own), book.view),
    }
    found = {
        "static": await _recall(book, STATIC, None, book.view, embedder),
        "collapsed": await _collapsed(book, own, embedder),
    }
    for way, (strategy, rule, view) in ways.items():
        found[way] = await _recall(book, strategy, rule, view, embedder)
    return found


async def _recall(
    book: MapBook,
    strategy: Strategy,
    rule: Callable[[], Rule] | None,
    view: BoundStory,
    embedder: SifEmbedder,
) -> tuple[float, ...]:
    retriever = held_out_retriever(book.indexed, embedder)
    recalls = []
    for words in WORDS:
        reader = ModelReader(ScriptedReader(rule()), Sampling(), _CONTEXT) if rule else None
        walker = Walker(retriever, Maps(), reader)
        shares = []
        for asked in book.book.questions:
            question = Question(asked.question, words, BUDGET, strategy)
            walked = await walker.walk(view, question, Meter(BUDGET, monotonic))
            shares.append(share_held(asked.evidence, _shown(walked)))
        recalls.append(fmean(shares))
    return tuple(recalls)


def _shown(walked: Walked) -> list[Evidence]:
    extracts = walked.evidence.reading.extracts
    return [Evidence(e.candidate.chapter_id, e.start, e.end) for e in extracts]


async def _collapsed(book: MapBook, told: Numbered, embedder: SifEmbedder) -> tuple[float, ...]:
    retriever = held_out_retriever(book.indexed, embedder)
    recalls = []
    for words in WORDS:
        shares = [
            share_held(
                asked.evidence,
                await collapsed(retriever, book.view, told, asked.question, words),
            )
            for asked in book.book.questions
        ]
        recalls.append(fmean(shares))
    return tuple(recalls)


def _naming(book: MapBook, told: Numbered) -> Rule:
    numbers = _numbers(told)
    return NamesScenes({_key(asked): [numbers[s] for s in picks] for asked, picks in _chosen(book)})


def _opening(book: MapBook, told: Numbered) -> Rule:
    """Return the rule that names the storylines in which the chosen scenes lie, fullest first."""
    numbers = _numbers(told)
    storylines = {}
    for asked, picks in _chosen(book):
        threads = Counter(told.names[told.threads[numbers[scene] - 1]] for scene in picks)
        storylines[_key(asked)] = [name for name, _ in threads.most_common()]
    return OpensStorylines(storylines, {})


def _numbers(told: Numbered) -> dict[SceneId, int]:
    return {scene.scene_id: number for number, scene in enumerate(told.scenes, start=1)}


def _chosen(book: MapBook) -> list[tuple[AskedQuestion, tuple[SceneId, ...]]]:
    return list(zip(book.book.questions, book.picks, strict=True))


def _key(asked: AskedQuestion) -> str:
    return one_line(asked.question)


def _print(measured: Sequence[Recalls]) -> None:
    for way in measured[0]:
        columns = zip(*(each[way] for each in measured), strict=True)
        shown = "".join(f"{fmean(column):8.3f}" for column in columns)
        print(f"  {way:32}{shown}", flush=True)


async def _report(names: Sequence[str]) -> None:
    embedder = SifEmbedder()
    for variant in (TOLD, OWN):
        measured = []
        print(f"{variant:34}" + "".join(f"{words:8}" for words in WORDS))
        for name in names:
            measured.append(await measure(name, variant, embedder))
            print(f" {name}")
            _print(measured[-1:])
        print(" mean")
        _print(measured)


if __name__ == "__main__":
    asyncio.run(_report(sys.argv[1:] or ENGLISH))
