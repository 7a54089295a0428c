"""What `reindex verify` says of candidates that are fit and of ones that are not.

Annotated novels are indexed in memory, and beside them once more by other segmenters, by other
weights of the tree, with damage done. Their annotators' questions are those that readers asked.
The thresholds of `contracts.verifying` were chosen by this table.

Run as `python -m replay.evaluation.verifying [BOOK ...]`.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import structlog

from contracts.events import ChapterPublished, QuestionAsked
from contracts.generations import GenerationStarted
from contracts.ids import Generation, WorkId
from contracts.index_version import IndexVersion
from contracts.ports import NewRecord, Segmenter
from contracts.reports import VerifyReport
from contracts.scenes import ChapterText, Segment, Segmentation
from contracts.topics import CHAPTERS, QUESTIONS
from contracts.verifying import Sample
from graph.grafting_plan import linked_keys
from graph.placement_weights import WEIGHTS, Weights
from processors.cohesion import CohesionSegmenter
from replay.evaluation.annotated import AnnotatedBook, load
from replay.evaluation.chunking import FixedLength
from streams.generations.registry import KnownGeneration
from streams.generations.verifying import Verifier
from streams.index_version import index_version
from streams.inprocess import InProcessRunner
from streams.session import Home
from streams.settings import Settings
from streams.topology import chapter_path
from streams.wiring import open_home

BOOKS: Final = ("invisible-man", "the-awakening")
_SAMPLE: Final = Sample(questions=100)


class WholeChapters:
    """Leaves every chapter as it is, as a segmenter does whose model never answers."""

    version = "whole"

    async def segment(self, chapter: ChapterText) -> Segmentation:
        """Return one scene."""
        return Segmentation(
            segments=(Segment(from_idx=1, to_idx=len(chapter.sentences)),), segmenter=self.version
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to build the books; then of one in `loses` chapters the rows are deleted."""

    name: str
    segmenter: Segmenter
    weights: Weights = WEIGHTS
    loses: int = 0


@dataclass(frozen=True, slots=True)
class Bench:
    """A home in which the books are told and live."""

    home: Home

    async def tell(self, books: Sequence[AnnotatedBook]) -> None:
        """Publish the books and ask their questions, and build what is live."""
        for book in books:
            await self.home.log.append([_published(each) for each in book.chapters])
            await self.home.log.append(list(_asked(book)))
        path = chapter_path(self.home.ports)
        await InProcessRunner(self.home.log, path).run_until_idle()

    async def verified(self, nth: int, candidate: Candidate) -> VerifyReport:
        """Build the candidate and verify it."""
        generation = Generation(f"g{nth}")
        ports = replace(
            self.home.ports,
            generation=generation,
            segmenter=candidate.segmenter,
            weights=candidate.weights,
        )
        await InProcessRunner(self.home.log, chapter_path(ports)).run_until_idle()
        if candidate.loses:
            await self._damage(generation, candidate.loses)
        version = index_version(self.home.settings)
        live = _known(self.home.generation, version)
        beside = _known(generation, _with_weights(version, candidate.weights))
        return await Verifier(self.home, live, beside, _SAMPLE)()

    async def _damage(self, generation: Generation, one_in: int) -> None:
        for work in await self.home.tree.works(generation):
            keys = linked_keys(work, work.chapters[::one_in])
            await self.home.vectors.delete(work.work_id, generation, keys)


def candidates(home: Home) -> list[Candidate]:
    """Return the ways to build, the fit ones first."""
    usual, embedder = home.ports.segmenter, home.ports.embedder
    other = replace(WEIGHTS, fits=60, crowding=0)
    return [
        Candidate("the same", usual),
        Candidate("other weights", usual, other),
        Candidate("scenes half as long", CohesionSegmenter(embedder, scene_words=213)),
        Candidate("scenes twice as long", CohesionSegmenter(embedder, scene_words=852)),
        Candidate("cut every 426 words", FixedLength()),
        Candidate("cut every 60 words", FixedLength(60)),
        Candidate("a chapter, a scene", WholeChapters()),
        Candidate("rows of 1 in 20 chapters gone", usual, loses=20),
        Candidate("rows of 1 in 5 chapters gone", usual, loses=5),
    ]


def _known(generation: Generation, version: IndexVersion) -> KnownGeneration:
    return KnownGeneration(GenerationStarted(generation=generation, version=version, at_ms=0))


def _with_weights(version: IndexVersion, weights: Weights) -> IndexVersion:
    told = dict(line.split("=", 1) for line in version.tree.splitlines())
    told.update({f"weight_{name}": str(value) for name, value in asdict(weights).items()})
    tree = "\n".join(f"{name}={value}" for name, value in told.items())
    return version.model_copy(update={"tree": tree})


def _published(chapter: ChapterPublished) -> NewRecord:
    return NewRecord(CHAPTERS, chapter.work_id.encode(), chapter.to_json())


def _asked(book: AnnotatedBook) -> Sequence[NewRecord]:
    work = WorkId(book.chapters[0].work_id)
    head = book.chapters[-1].ordinal
    return [
        NewRecord(
            QUESTIONS,
            work.encode(),
            QuestionAsked(
                question_id=f"{work}-{number}", work_id=work, question=each.question, as_of=head
            )
            .model_dump_json()
            .encode(),
        )
        for number, each in enumerate(book.questions)
    ]


def _row(name: str, report: VerifyReport) -> str:
    asked = [each.overlap for each in report.questions if each.found is None]
    made = [each for each in report.questions if each.found is not None]
    lost = sum(each.found == (True, False) for each in made)
    won = sum(each.found == (False, True) for each in made)
    there = sum(work.live.scenes for work in report.works)
    here = sum(work.candidate.scenes for work in report.works)
    kinds = ", ".join(dict.fromkeys(breach.kind.value for breach in report.breaches)) or "none"
    return (
        f"| {name} | {here / there:.2f} | {_mean(asked):.3f} | "
        f"{_mean([each.overlap for each in made]):.3f} | {lost} | {won} | {kinds} |"
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))


async def main(names: Sequence[str]) -> None:
    """Print the table."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder), log="memory:", vectors="memory:", graph="memory:")
        async with open_home(settings) as home:
            bench = Bench(home)
            await bench.tell([load(name) for name in names or BOOKS])
            print("| candidate | scenes | asked: same | made: same | lost | won | blocked by |")
            for nth, candidate in enumerate(candidates(home), start=2):
                print(_row(candidate.name, await bench.verified(nth, candidate)), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
