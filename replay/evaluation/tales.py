"""Search on FairytaleQA: `python -m replay.evaluation.tales`.

A thousand questions of the validation split, drawn with a fixed seed. Each collection is one work
made of its stories in order, a story a chapter; a question's evidence are its gold sections. The
weights of search are those that ship: no tale is in their fit.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from contracts.events import ChapterPublished
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from processors.cohesion import CohesionSegmenter
from processors.sif import SifEmbedder
from replay.evaluation.annotated import AnnotatedBook, AskedQuestion, Evidence, index
from replay.evaluation.held_out_search import held_out_retriever
from replay.evaluation.retrieval_methods import methods
from replay.evaluation.retrieval_table import ask_all, print_gains, print_table, together
from replay.evaluation.shared_data import shared_data

_QUESTIONS: Final = 1_000
_SEED: Final = 20261130
_SPLIT: Final = "val"


def collections() -> tuple[AnnotatedBook, ...]:
    """Return the collections that sampled questions are about, by name."""
    stories = _lines("stories.jsonl")
    by_id = {story["id"]: story for story in stories}
    asked = [each for each in _lines("questions.jsonl") if each["split"] == _SPLIT]
    sampled = random.Random(_SEED).sample(asked, min(_QUESTIONS, len(asked)))  # noqa: S311
    questions: defaultdict[str, list[AskedQuestion]] = defaultdict(list)
    for each in sampled:
        story = by_id[each["story"]]
        questions[story["collection"]].append(_question(each, story))
    return tuple(
        AnnotatedBook(
            name,
            "en",
            tuple(
                _chapter(name, nth, story)
                for nth, story in enumerate(
                    (story for story in stories if story["collection"] == name), start=1
                )
            ),
            tuple(questions[name]),
        )
        for name in sorted(questions)
    )


def _lines(name: str) -> list[dict[str, Any]]:
    with shared_data("fairytaleqa", name).open() as lines:
        return [json.loads(line) for line in lines]


def _chapter(collection: str, place: int, story: Mapping[str, Any]) -> ChapterPublished:
    return ChapterPublished(
        work_id=WorkId(collection),
        chapter_id=ChapterId(story["id"]),
        ordinal=Ordinal.parse(place),
        title=story["title"],
        body=story["text"],
    )


def _question(question: Mapping[str, Any], story: Mapping[str, Any]) -> AskedQuestion:
    sections: Sequence[Mapping[str, Any]] = story["sections"]
    gold = [sections[nth - 1] for nth in question["gold_sections"]]
    return AskedQuestion(
        question=question["question"],
        kind=question["attribute"],
        answers=tuple(question["answers"]),
        evidence=tuple(
            Evidence(ChapterId(story["id"]), each["start"], each["end"]) for each in gold
        ),
        knowable_from=0,
        earlier=(),
    )


async def main() -> None:
    """Measure and print a table."""
    embedder = SifEmbedder()
    tables = []
    for book in collections():
        indexed = await index(book, CohesionSegmenter(embedder), embedder)
        tables.append(
            await ask_all(book, await methods(indexed, held_out_retriever(indexed, embedder)))
        )
    whole = together(tables)
    print_table("mean recall within words", whole)
    print_gains(whole)


if __name__ == "__main__":
    asyncio.run(main())
