"""A home with all its stages on any stores: it may die anywhere, and be told things again.

What a chapter's text becomes is remembered between homes; everything else is done anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from contracts.crash_points import Reached, go_on
from contracts.events import ChapterEvent, ChapterPublished
from contracts.frozen import Frozen
from contracts.ids import FIRST_GENERATION, ChapterId, content_hash
from contracts.messages import ChapterSegmented, EventPassed
from contracts.ordinals import Ordinal
from contracts.ports import EventLog, NewRecord, TreeStore, VectorStore
from contracts.topics import CHAPTERS
from contracts.vectors import Dense
from contracts.works import Commit, WorkRecord
from graph.advising import Advising
from graph.exporting import export
from graph.grafting_plan import linked_keys
from graph.memory import MemoryTreeStore, MemoryVectorStore
from processors.cohesion import CohesionSegmenter
from processors.lexicon import Lexicon
from processors.segmenting import SegmentStage
from processors.sif import SifEmbedder
from streams.gaps import Gaps
from streams.inprocess import InProcessRunner
from streams.intakes import EMBED, GRAFT, SEGMENT
from streams.logs.sqlite_log import SqliteEventLog
from streams.stage import Stage, each_with_position
from streams.topology import Ports, chapter_path
from tests.crashes import SimulatedCrash
from tests.histories import W
from tests.telling import TellingSegmenter

_BOOKKEEPING: Final = frozenset(
    {"registers", "last_position", "last_outcome", "row_position", "unlinked_positions"}
)
"""What a chapter's record says of its past; all the rest is what the chapter is."""

REDELIVERED: Final = (EMBED.of_generation(FIRST_GENERATION), GRAFT.of_generation(FIRST_GENERATION))


@dataclass(frozen=True, slots=True)
class _RememberingEmbedder:
    """Embeds each text once in the life of the tests' process."""

    inner: SifEmbedder
    known: dict[tuple[str, str], Dense] = field(default_factory=dict)

    @property
    def version(self) -> str:
        return self.inner.version

    async def embed(self, texts: Sequence[str], language: str) -> tuple[Dense, ...]:
        new = [text for text in texts if (text, language) not in self.known]
        for text, dense in zip(new, await self.inner.embed(new, language), strict=True):
            self.known[text, language] = dense
        return tuple(self.known[text, language] for text in texts)


@dataclass(frozen=True, slots=True)
class _RememberingSegmenter:
    """Segments each text of a chapter once: an ordinal, a revision and a position are no part."""

    stage: SegmentStage
    known: dict[tuple[ChapterId, str], ChapterSegmented] = field(default_factory=dict)

    async def __call__(self, event: ChapterEvent, position: int) -> Frozen:
        if not isinstance(event, ChapterPublished):
            return EventPassed(position=position, event=event)
        text = content_hash(event.format, event.language, event.title, event.body)
        key = (event.chapter_id, text)
        if key not in self.known:
            made = await self.stage(event, position)
            assert isinstance(made, ChapterSegmented)
            self.known[key] = made
        known = self.known[key]
        head = known.head.model_copy(
            update={
                "ordinal": event.ordinal,
                "revision": event.revision,
                "position": position,
            }
        )
        return known.model_copy(update={"head": head})


_EMBEDDER: Final = _RememberingEmbedder(SifEmbedder())
_SEGMENT: Final = _RememberingSegmenter(
    SegmentStage(TellingSegmenter(CohesionSegmenter(_EMBEDDER)))
)
_LEXICON: Final = Lexicon()


@dataclass(slots=True)
class AnyHome:
    """Stores that outlive the processes which fill them, and the process of now."""

    tree: TreeStore = field(default_factory=MemoryTreeStore)
    vectors: VectorStore = field(default_factory=MemoryVectorStore)
    log: EventLog = field(default_factory=lambda: SqliteEventLog(Path(":memory:")))
    checkpoint_every: int = 2
    advising: Advising | None = None
    _stages: Sequence[Stage[Any]] = ()

    async def publish(self, events: Sequence[ChapterEvent]) -> None:
        """Append `events` to the log."""
        records = [NewRecord(CHAPTERS, W.encode(), event.to_json()) for event in events]
        await self.log.append(records)

    async def redeliver(self, shares: Sequence[float]) -> None:
        """Append messages between the stages once more, those at such `shares` of each topic."""
        for intake in REDELIVERED:
            records = await self.log.read_key(intake.source, W.encode())
            again = [records[int(share * len(records))] for share in shares if records]
            await self.log.append(
                [NewRecord(each.topic, each.key, each.value, each.headers) for each in again]
            )

    async def run(self, *, anew: bool = False) -> None:
        """Run until nothing waits; `anew` in a process that knows nothing of earlier ones."""
        if anew or not self._stages:
            self._stages = self._made(go_on)
        report = await InProcessRunner(self.log, self._stages).run_until_idle()
        assert not report.dead
        assert not report.held

    async def run_and_die(self, reached: Reached) -> bool:
        """Run in a process of its own until `reached` ends it, if it does, and say whether."""
        stages, self._stages = self._made(reached), ()
        try:
            await InProcessRunner(self.log, stages, reached=reached).run_until_idle()
        except SimulatedCrash:
            return True
        return False

    async def shown(self, as_of: str | None) -> tuple[object, ...] | None:
        """Return all that reaches a reader as of an ordinal, or None for the newest chapter."""
        view = await self.tree.view(W, None if as_of is None else Ordinal.parse(as_of))
        if view is None:
            return None
        chapters = [chapter.model_dump() for chapter in await view.chapters()]
        told = [{k: v for k, v in each.items() if k not in _BOOKKEEPING} for each in chapters]
        terms = _LEXICON.terms("Hedda weighed the ledger in the snowed-in pass", "en")
        return ((await export(view, with_text=True)).to_json(), told, await _counts(view, terms))

    async def records(self) -> tuple[object, ...]:
        """Return the graft records, in story order."""
        return await self.tree.records(W, FIRST_GENERATION)

    async def rows(self) -> list[tuple[object, ...]]:
        """Return what the rows of the vector store hold, but for their keys and positions."""
        keys = await self.vectors.keys(W, FIRST_GENERATION)
        rows = (await self.vectors.fetch(W, FIRST_GENERATION, keys)).values()
        return sorted(
            (r.level, r.item_id, r.scene_id, r.ordinal, r.start, r.end, r.text, r.dense, r.sparse)
            for r in rows
        )

    async def stray(self) -> frozenset[str]:
        """Return the keys of rows that nothing links, and of links without a row."""
        work = await self.tree.load(W)
        linked = linked_keys(work, work.chapters) if work else []
        return await self.vectors.keys(W, FIRST_GENERATION) ^ frozenset(linked)

    async def forget(self) -> None:
        """Make the stores as if the work had never been heard of, but for its commit number."""
        await self.vectors.drop(W, FIRST_GENERATION)
        known = await self.tree.load(W)
        if known is not None:
            seq = known.commit_seq
            blank = WorkRecord(work_id=W, generation=FIRST_GENERATION, commit_seq=seq + 1)
            assert await self.tree.commit(Commit(work=blank, expected_seq=seq, drop_all=True))

    def _made(self, reached: Reached) -> Sequence[Stage[Any]]:
        """Return the stages of a new process: nothing of an earlier one is warm."""
        ports = Ports(
            log=self.log,
            segmenter=_SEGMENT.stage.segmenter,
            embedder=_EMBEDDER,
            lexicon=_LEXICON,
            vectors=self.vectors,
            tree=self.tree,
            gaps=Gaps(self.log, self.tree),
            max_body_bytes=1_000_000,
            checkpoint_every=self.checkpoint_every,
            advising=self.advising,
            reached=reached,
        )
        return [
            replace(stage, handler=each_with_position(_SEGMENT))
            if stage.intake.name == SEGMENT.name
            else stage
            for stage in chapter_path(ports)
        ]


async def _counts(view: Any, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
    found = await view.passage_counts(terms)
    return found.passages, dict(found.counts)
