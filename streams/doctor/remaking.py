"""A chapter's vector rows made again from what the graph keeps of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from contracts.ids import Generation, WorkId, normalised, scene_id
from contracts.vectors import VectorRow
from contracts.works import ChapterContent, ChapterRecord
from graph.scene_vectors import scene_vectors
from processors.embedding import RowMaker, Rows, RowSource
from processors.passages import named_passages
from streams.session import Home


@dataclass(frozen=True, slots=True)
class Remade:
    """The rows that a chapter's text gives, or what is wrong with the text itself."""

    rows: tuple[VectorRow, ...] = ()
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Remaker:
    """Makes rows again as the embed stage made them: the same keys, the same bytes."""

    home: Home
    work_id: WorkId
    generation: Generation

    async def __call__(self, chapter: ChapterRecord, content: ChapterContent) -> Remade:
        """Return the rows of a chapter that is in the story, made from its stored text.

        Raises:
            TransientError: the embedder is down.
        """
        scenes = [inputs.scene for inputs in content.scenes]
        if not self._names_fit(chapter, content):
            return Remade(fault="its scenes are not those of its text")
        retriever = self.home.retriever
        maker = RowMaker(retriever.embedder, retriever.lexicon, self.generation)
        made = await maker(
            RowSource(
                chapter_id=chapter.chapter_id,
                ordinal=chapter.story_place,
                position=chapter.row_position,
                language=chapter.language,
                text=content.text,
                scenes=scenes,
                passages=named_passages(content.text, scenes, chapter.items),
            )
        )
        return Remade(made.rows, _fault(chapter, content, made))

    def _names_fit(self, chapter: ChapterRecord, content: ChapterContent) -> bool:
        """Say whether each scene bears the id that its words give."""
        seen: Counter[str] = Counter()
        for inputs in content.scenes:
            text = content.text[inputs.scene.start : inputs.scene.end]
            words = normalised(text)
            name = scene_id(self.work_id, chapter.chapter_id, text, seen[words])
            if inputs.scene.scene_id != name:
                return False
            seen[words] += 1
        return True


def _fault(chapter: ChapterRecord, content: ChapterContent, made: Rows) -> str | None:
    if tuple(row.item_id for row in made.rows) != chapter.items:
        return "its scenes and passages are not those that it is indexed under"
    if made.term_counts != content.term_counts:
        return "its counts of terms are not those of its text"
    vectors = scene_vectors(made.rows)
    if any(vectors[each.scene.scene_id] != each.dense for each in content.scenes):
        return "the vectors of its scenes are not those of its text"
    return None
