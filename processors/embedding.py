"""The embed stage: a segmented chapter's scenes and passages become rows of the vector store.

It knows one chapter only; rows are written before anything links to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from contracts.crash_points import CrashPoint, Reached, go_on
from contracts.ids import ChapterId, Generation, row_key
from contracts.messages import ChapterEmbedded, ChapterSegmented, EventPassed
from contracts.ordinals import Ordinal
from contracts.ports import TextEmbedder, VectorStore
from contracts.scenes import Passage, Scene
from contracts.vectors import MAX_TEXT_BYTES, Dense, Level, VectorRow
from processors.dense import mean_direction
from processors.lexicon import Lexicon
from processors.passages import cut_passages
from processors.retrieval_text import retrieval_text

MAX_SCENE_WORDS: Final = 2_500
"""A longer scene has no row of its own: it is searched through its passages."""

TOLD_TIMES: Final = 3
"""How often a told title and synopsis count beside the scene's text (measured: 2 to 4)."""

ROW_RULES: Final = 1
"""Rises with any change of what rows there are and what is in them, embedder and lexicon apart;
part of the index version."""


@dataclass(frozen=True, slots=True)
class RowSource:
    """What a chapter's rows are made of; `position` is the event that links them."""

    chapter_id: ChapterId
    ordinal: Ordinal
    position: int
    language: str
    text: str
    scenes: Sequence[Scene]
    passages: Sequence[Passage]


@dataclass(frozen=True, slots=True)
class Rows:
    """A chapter's rows, scenes first, and in how many of its passages each term stands."""

    rows: tuple[VectorRow, ...]
    term_counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class EmbedStage:
    """Writes one row a scene and one a passage, under the event's position."""

    embedder: TextEmbedder
    lexicon: Lexicon
    vectors: VectorStore
    generation: Generation
    reached: Reached = go_on

    async def __call__(
        self, message: ChapterSegmented | EventPassed
    ) -> ChapterEmbedded | EventPassed:
        """Write the chapter's rows and name them; an event without text passes.

        Raises:
            TransientError: the vector store or the embedder is down.
            PermanentError: a row is beyond what the store can keep.
        """
        if isinstance(message, EventPassed):
            return message
        head, passages = message.head, cut_passages(message)
        source = RowSource(
            chapter_id=head.chapter_id,
            ordinal=head.ordinal,
            position=head.position,
            language=message.language,
            text=message.text,
            scenes=message.scenes,
            passages=passages,
        )
        made = await RowMaker(self.embedder, self.lexicon, self.generation)(source)
        if made.rows:
            await self.vectors.upsert(head.work_id, self.generation, made.rows)
        self.reached(CrashPoint.AFTER_ROWS)
        return ChapterEmbedded(
            segmented=message,
            items=tuple(row.item_id for row in made.rows),
            passages=len(passages),
            term_counts=made.term_counts,
        )


@dataclass(frozen=True, slots=True)
class RowMaker:
    """Makes the rows of a chapter: the same bytes whenever it is asked."""

    embedder: TextEmbedder
    lexicon: Lexicon
    generation: Generation

    async def __call__(self, chapter: RowSource) -> Rows:
        """Return the rows of `chapter`.

        Raises:
            TransientError: the embedder is down.
        """
        terms = [self.lexicon.terms(each.text, chapter.language) for each in chapter.passages]
        scenes = await self._scene_rows(chapter)
        passages = await self._passage_rows(chapter, terms)
        return Rows((*scenes, *passages), _term_counts(terms))

    async def _scene_rows(self, chapter: RowSource) -> list[VectorRow]:
        scenes = [scene for scene in chapter.scenes if scene.words <= MAX_SCENE_WORDS]
        texts = [retrieval_text(chapter.text, scene) for scene in scenes]
        told = [_told(scene) for scene in scenes]
        dense = await self.embedder.embed([*texts, *told], chapter.language)
        rows = []
        for nth, (scene, text) in enumerate(zip(scenes, texts, strict=True)):
            words = self.lexicon.terms(text, chapter.language)
            words += TOLD_TIMES * self.lexicon.terms(told[nth], chapter.language)
            row = _Row(Level.SCENE, scene.scene_id, scene.scene_id, scene.start, scene.end)
            vector = mean_direction((dense[nth], dense[len(scenes) + nth]))
            rows.append(self._row(chapter, row, vector, words))
        return rows

    async def _passage_rows(
        self, chapter: RowSource, terms: Sequence[list[str]]
    ) -> list[VectorRow]:
        texts = [passage.text for passage in chapter.passages]
        dense = await self.embedder.embed(texts, chapter.language)
        return [
            self._row(
                chapter,
                _Row(Level.PASSAGE, each.passage_id, each.scene_id, each.start, each.end),
                vector,
                words,
            )
            for each, vector, words in zip(chapter.passages, dense, terms, strict=True)
        ]

    def _row(self, chapter: RowSource, row: _Row, dense: Dense, terms: Sequence[str]) -> VectorRow:
        return VectorRow(
            key=row_key(self.generation, row.item_id, chapter.position),
            level=row.level,
            item_id=row.item_id,
            scene_id=row.scene_id,
            chapter_id=chapter.chapter_id,
            position=chapter.position,
            ordinal=int(chapter.ordinal),
            start=row.start,
            end=row.end,
            text=_cut_to_bytes(chapter.text[row.start : row.end]),
            dense=dense,
            sparse=self.lexicon.document(terms),
        )


@dataclass(frozen=True, slots=True)
class _Row:
    """What a row stands for."""

    level: Level
    item_id: str
    scene_id: str
    start: int
    end: int


def _told(scene: Scene) -> str:
    """Return what a model said of the scene; what was extracted from its text says nothing new."""
    told = (("title", scene.title), ("synopsis", scene.synopsis))
    return "\n".join(value for field, value in told if field not in scene.filled)


def _term_counts(passages: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return in how many passages each term stands, in the order of the alphabet."""
    counts = Counter(term for terms in passages for term in set(terms))
    return dict(sorted(counts.items()))


def _cut_to_bytes(text: str) -> str:
    """Return `text`, or its longest beginning of whole code points that a row may hold."""
    encoded = text.encode(errors="surrogatepass")  # the store refuses half a pair, not we
    if len(encoded) <= MAX_TEXT_BYTES:
        return text
    return encoded[:MAX_TEXT_BYTES].decode(errors="ignore")
