"""A work as large as they get, written straight into stores in memory: no chapter is read for it.

Words are drawn by Zipf's law, meanings at random; the tree is full at every level. So a search
has as much to compare, and a walk as much to look at, as in a serial of twenty thousand scenes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contracts.ids import (
    FIRST_GENERATION,
    ChapterId,
    RowKey,
    SceneId,
    WorkId,
    passage_id,
    row_key,
    scene_id,
)
from contracts.order import OrderToken, Registers
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory
from contracts.scenes import Scene
from contracts.tree import (
    CAPACITY,
    ChildRow,
    DescriptionRow,
    HomeRow,
    RowChanges,
    SceneInputs,
    StorylineKind,
    StorylineRow,
    TreeRow,
)
from contracts.vectors import DENSE_SCALE, DIMENSIONS, Dense, Level, VectorRow
from contracts.works import ChapterContent, ChapterRecord, Commit, WorkRecord
from graph.memory import MemoryTreeStore, MemoryVectorStore
from graph.projection import key_of
from processors.lexicon import Lexicon

WORK: Final = WorkId("vast")
SCENES_A_CHAPTER: Final = 10
PASSAGES_A_SCENE: Final = 4
PASSAGE_WORDS: Final = 100
ROWS_A_CHAPTER: Final = SCENES_A_CHAPTER * (1 + PASSAGES_A_SCENE)
_VOCABULARY: Final = 6_000
_SENTENCE_WORDS: Final = 16
_SYLLABLES: Final = ("ba", "dor", "el", "fi", "gan", "hu", "kel", "mo", "ner", "os", "pri", "tul")


@dataclass(frozen=True, slots=True)
class VastWork:
    """The stores, a view of the head, and questions of words that the work has."""

    vectors: MemoryVectorStore
    view: BoundStory
    rows: int
    scenes: int
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Maker:
    """Draws texts. `terms` has the term of each word, so that no text need be taken apart."""

    words: Sequence[str]
    terms: Mapping[str, str]
    draw: np.random.Generator
    lexicon: Lexicon

    def passage(self) -> tuple[str, list[str]]:
        """Return sentences of some hundred words in all, and their terms."""
        ranks = np.minimum(self.draw.zipf(1.3, PASSAGE_WORDS), _VOCABULARY) - 1
        words = [self.words[rank] for rank in ranks]
        starts = range(0, PASSAGE_WORDS, _SENTENCE_WORDS)
        sentences = (" ".join(words[at : at + _SENTENCE_WORDS]) for at in starts)
        text = " ".join(f"{sentence.capitalize()}." for sentence in sentences)
        return text, [self.terms[word] for word in words if word in self.terms]

    def dense(self) -> Dense:
        """Return a random direction."""
        vector: NDArray[np.float64] = self.draw.normal(size=DIMENSIONS)
        whole = np.rint(vector / np.linalg.norm(vector) * DENSE_SCALE).astype("<i2")
        return bytes(whole.tobytes())


async def vast_work(chapters: int, questions: int) -> VastWork:
    """Make a work of so many chapters."""
    draw = np.random.default_rng(1)
    words = tuple(
        dict.fromkeys("".join(draw.choice(_SYLLABLES, 3)) for _ in range(9 * _VOCABULARY))
    )
    words, lexicon = (words * _VOCABULARY)[:_VOCABULARY], Lexicon()
    terms = {word: found[0] for word in words if (found := lexicon.terms(word, "en"))}
    maker = _Maker(words, terms, draw, lexicon)
    vectors, tree = MemoryVectorStore(), MemoryTreeStore()
    contents, records, scenes = [], [], list[tuple[str, int]]()
    for number in range(1, chapters + 1):
        content, rows, counts = _chapter(maker, number)
        await vectors.upsert(WORK, FIRST_GENERATION, rows)
        contents.append(ChapterContent(content.chapter_id, content.text, counts, content.scenes))
        records.append(_record(number, [row.item_id for row in rows]))
        scenes += [(each.scene.scene_id, int(Ordinal.parse(number))) for each in content.scenes]
    changes = RowChanges({key_of(row): row for row in _tree(scenes)})
    work = WorkRecord(
        work_id=WORK, generation=FIRST_GENERATION, commit_seq=1, chapters=tuple(records)
    )
    await tree.commit(
        Commit(
            work=work,
            expected_seq=0,
            chapters_put=tuple(records),
            contents_put=tuple(contents),
            rows=changes,
        )
    )
    view = await tree.view(WORK, None)
    if view is None:
        raise RuntimeError("the work has no chapters")
    asked = tuple(" ".join(draw.choice(maker.words[30:900], 5)) for _ in range(questions))
    return VastWork(vectors, view, chapters * ROWS_A_CHAPTER, len(scenes), asked)


def _chapter(maker: _Maker, number: int) -> tuple[ChapterContent, list[VectorRow], Counter[str]]:
    chapter, text, at = ChapterId(f"c{number}"), list[str](), 0
    scenes, rows = list[SceneInputs](), list[VectorRow]()
    counts: Counter[str] = Counter()
    for nth in range(SCENES_A_CHAPTER):
        passages = [maker.passage() for _ in range(PASSAGES_A_SCENE)]
        told = " ".join(text for text, _ in passages)
        terms = [term for _, own in passages for term in own]
        scene = scene_id(WORK, chapter, told, nth)
        dense = maker.dense()
        rows.append(_row(maker, number, (scene, scene), Level.SCENE, (at, told, terms), dense))
        place = at
        for passage, own in passages:
            item = passage_id(scene, place - at)
            rows.append(
                _row(
                    maker,
                    number,
                    (item, scene),
                    Level.PASSAGE,
                    (place, passage, own),
                    maker.dense(),
                )
            )
            counts.update(set(own))
            place += len(passage) + 1
        scenes.append(SceneInputs(_scene(scene, nth, at, told), dense))
        text.append(told)
        at += len(told) + 2
    return ChapterContent(chapter, "\n\n".join(text), {}, tuple(scenes)), rows, counts


def _row(
    maker: _Maker,
    number: int,
    ids: tuple[str, str],
    level: Level,
    told: tuple[int, str, Sequence[str]],
    dense: Dense,
) -> VectorRow:
    (item, scene), (start, text, terms) = ids, told
    return VectorRow(
        key=RowKey(row_key(FIRST_GENERATION, item, number)),
        level=level,
        item_id=item,
        scene_id=scene,
        chapter_id=f"c{number}",
        position=number,
        ordinal=int(Ordinal.parse(number)),
        start=start,
        end=start + len(text),
        text=text,
        dense=dense,
        sparse=maker.lexicon.document(terms),
    )


def _scene(scene: SceneId, nth: int, start: int, text: str) -> Scene:
    words = text.split()
    return Scene(
        scene_id=scene,
        first_sentence=nth + 1,
        last_sentence=nth + 1,
        start=start,
        end=start + len(text),
        title=" ".join(words[:5]),
        synopsis=" ".join(words[:40]),
        significance="",
        words=len(words),
    )


def _record(number: int, items: Sequence[str]) -> ChapterRecord:
    return ChapterRecord(
        chapter_id=ChapterId(f"c{number}"),
        registers=Registers(text=OrderToken(-1, number), present=True, place=Ordinal.parse(number)),
        language="en",
        content_hash="made",
        row_position=number,
        items=tuple(items),
        passages=SCENES_A_CHAPTER * PASSAGES_A_SCENE,
    )


def _tree(scenes: Sequence[tuple[str, int]]) -> Iterator[TreeRow]:
    """Yield rows of a tree that is full from the leaves up: threads above them, then groups."""
    homes = [f"s0-{nth // CAPACITY}" for nth in range(len(scenes))]
    for (scene, ordinal), home in zip(scenes, homes, strict=True):
        yield HomeRow(scene, home, ordinal, None)
    begun = dict(reversed([(home, at) for (_, at), home in zip(scenes, homes, strict=True)]))
    level, height = begun, 0
    while True:
        kind = (
            (StorylineKind.ARC, StorylineKind.THREAD)[height] if height < 2 else StorylineKind.GROUP
        )
        for name, ordinal in level.items():
            yield StorylineRow(name, kind, ordinal)
            yield DescriptionRow(name, ordinal, "", f"Title of {name}", f"Account of {name}", ())
        if len(level) == 1:
            return
        names = sorted(level, key=lambda name: int(name.partition("-")[2]))
        height += 1
        above: dict[str, int] = {}
        for nth, name in enumerate(names):
            parent = f"s{height}-{nth // CAPACITY}"
            above.setdefault(parent, level[name])
            yield ChildRow(name, parent, level[name], None)
        level = above
