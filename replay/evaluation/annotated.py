"""Annotated books of the shared test data, indexed in memory through the real stages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from contracts.events import ChapterPublished
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId
from contracts.messages import ChapterEmbedded, EventPassed
from contracts.ordinals import Ordinal
from contracts.ports import Segmenter, TextEmbedder
from graph.grafter import Grafter
from graph.memory import MemoryTreeStore, MemoryVectorStore
from processors.embedding import EmbedStage
from processors.lexicon import Lexicon
from processors.segmenting import SegmentStage
from replay.evaluation.shared_data import shared_data

ENGLISH: Final = (
    "alice-in-wonderland",
    "call-of-the-wild",
    "hound-of-the-baskervilles",
    "invisible-man",
    "mysterious-affair-at-styles",
    "sign-of-the-four",
    "the-awakening",
    "time-machine",
    "treasure-island",
    "war-of-the-worlds",
    "wonderful-wizard-of-oz",
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Code points `[start, end)` of a chapter's text that hold an answer."""

    chapter_id: ChapterId
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question of a reader; `knowable_from` is the first chapter after which it has an answer.

    `earlier` holds (as-of chapter, answer) for readers who are not that far.
    """

    question: str
    kind: str
    answers: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    knowable_from: int
    earlier: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class AnnotatedBook:
    """A book as chapter events, in story order, with its questions."""

    name: str
    language: str
    chapters: tuple[ChapterPublished, ...]
    questions: tuple[AskedQuestion, ...]


@dataclass(frozen=True, slots=True)
class IndexedBook:
    """A book in the stores."""

    book: AnnotatedBook
    tree: MemoryTreeStore
    vectors: MemoryVectorStore


def load(name: str) -> AnnotatedBook:
    """Read a book and its questions; chapters without annotation are left out.

    Raises:
        FileNotFoundError: the shared test data is not there, or has no such book.
    """
    gold = json.loads(shared_data("storylines", f"{name}.json").read_text())
    folder = "books" if name in ENGLISH else "cjk"
    book = json.loads(shared_data(folder, f"{name}.json").read_text())
    annotated = {chapter["index"] for chapter in gold["chapters"]}
    return AnnotatedBook(
        name,
        book["language"],
        tuple(_chapter(name, each) for each in book["chapters"] if each["index"] in annotated),
        tuple(map(_question, gold["questions"])),
    )


async def index(book: AnnotatedBook, segmenter: Segmenter, embedder: TextEmbedder) -> IndexedBook:
    """Take a book's chapters through segment, embed and graft, all in memory."""
    tree, vectors = MemoryTreeStore(), MemoryVectorStore()
    segment = SegmentStage(segmenter)
    embed = EmbedStage(embedder, Lexicon(), vectors, FIRST_GENERATION)
    batch: list[ChapterEmbedded | EventPassed] = [
        await embed(await segment(chapter, position))
        for position, chapter in enumerate(book.chapters)
    ]
    await Grafter(tree, vectors)(batch)
    return IndexedBook(book, tree, vectors)


def _chapter(work: str, chapter: dict[str, Any]) -> ChapterPublished:
    return ChapterPublished(
        work_id=WorkId(work),
        chapter_id=ChapterId(str(chapter["index"])),
        ordinal=Ordinal.parse(chapter["index"]),
        title=chapter["title"] or "",
        body=chapter["text"],
    )


def _question(question: dict[str, Any]) -> AskedQuestion:
    return AskedQuestion(
        question=question["question"],
        kind=question["kind"],
        answers=tuple(question["answers"]),
        evidence=tuple(
            Evidence(ChapterId(str(each["chapter"])), each["start"], each["end"])
            for each in question["evidence"]
        ),
        knowable_from=question["knowable_from_chapter"],
        earlier=tuple((each["as_of_chapter"], each["answer"]) for each in question["earlier"]),
    )


def share_held(evidence: Sequence[Evidence], shown: Sequence[Evidence]) -> float:
    """Return the share of the evidence's code points that lie in what was shown.

    The spans shown do not overlap each other.
    """
    held = sum(
        max(0, min(one.end, other.end) - max(one.start, other.start))
        for one in evidence
        for other in shown
        if one.chapter_id == other.chapter_id
    )
    return held / sum(each.end - each.start for each in evidence)
