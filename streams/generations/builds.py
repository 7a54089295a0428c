"""A work as one generation keeps it: how much of its chapters stands in scenes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from contracts.ids import ChapterId
from contracts.ports import TreeStore
from contracts.reports import ChapterSize, Size
from contracts.tree import ChapterInputs
from contracts.words import count_words
from contracts.works import ChapterContent, ChapterRecord, WorkRecord

_CHAPTERS_AT_ONCE: Final = 16  # their texts are in memory together

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Build:
    """A work in one generation, None where that never heard of it, and what it is folded from.

    `story_words` are, by chapter, the words of its text without paratext, where texts were read.
    """

    work: WorkRecord | None
    inputs: Mapping[ChapterId, ChapterInputs] = field(default_factory=dict)
    story_words: Mapping[ChapterId, int] = field(default_factory=dict)

    def chapters(self) -> Mapping[ChapterId, ChapterRecord]:
        """Return the chapters that anything is known of."""
        return {each.chapter_id: each for each in self.work.chapters} if self.work else {}

    def live(self) -> Sequence[ChapterRecord]:
        """Return what readers see, in story order."""
        return self.work.live_chapters() if self.work else ()

    def size_of(self, chapter_id: ChapterId) -> ChapterSize:
        """Return how much of a chapter stands in scenes."""
        found = self.inputs.get(chapter_id)
        scenes = found.scenes if found else ()
        return ChapterSize(words=sum(each.scene.words for each in scenes), scenes=len(scenes))

    def size(self) -> Size:
        """Return how much readers see."""
        live = self.live()
        sizes = [self.size_of(chapter.chapter_id) for chapter in live]
        return Size(
            chapters=len(live),
            words=sum(size.words for size in sizes),
            scenes=sum(size.scenes for size in sizes),
            fallbacks=sum(chapter.repairs.whole_chunk > 0 for chapter in live),
        )


async def read_build(tree: TreeStore, work: WorkRecord | None) -> Build:
    """Return a build with its scenes, and no text read.

    Raises:
        TransientError: the store is down.
    """
    if work is None:
        return Build(None)
    return Build(work, await tree.inputs(work.work_id, work.generation))


async def read_build_with_texts(tree: TreeStore, work: WorkRecord | None) -> Build:
    """Return a build for which every text was read, some at once.

    Raises:
        TransientError: the store is down.
    """
    if work is None:
        return Build(None)
    inputs: dict[ChapterId, ChapterInputs] = {}
    words: dict[ChapterId, int] = {}
    for chapters in _chunks(work.story_chapters(), _CHAPTERS_AT_ONCE):
        ids = [chapter.chapter_id for chapter in chapters]
        contents = await tree.contents(work.work_id, work.generation, ids)
        for chapter in chapters:
            content = contents.get(chapter.chapter_id)
            if content is not None:
                inputs[chapter.chapter_id] = _inputs(chapter, content)
                words[chapter.chapter_id] = _story_words(chapter, content.text)
    return Build(work, inputs, words)


def _inputs(chapter: ChapterRecord, content: ChapterContent) -> ChapterInputs:
    return ChapterInputs(chapter.chapter_id, chapter.story_place, chapter.language, content.scenes)


def _story_words(chapter: ChapterRecord, text: str) -> int:
    aside = (count_words(text[each.start : each.end]) for each in chapter.paratext)
    return count_words(text) - sum(aside)


def _chunks(sequence: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    for start in range(0, len(sequence), size):
        yield sequence[start : start + size]
