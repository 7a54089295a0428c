"""Folding a changed story again, from the last checkpoint to where nothing differs any more.

The fold is a function of the story, and a digest says what of it later decisions read. So once a
chapter is grafted again, every changed one lies behind, and the digest is the one that the
chapter's stored record has, all later records would come out as they are stored: they are
neither read nor made again.

The rows follow. The stored rows are a projection of P + A + S, where the new story gives
P + B + S: a prefix, the records that differ, and the rest. Only A and B are compared
(`projection.suffix_changes`), yet S may end an interval that A or B began. It ends only edges of
children that the state after A has (`graph.splitting` moves nobody else), and the state after B
has the same ones, since the same day: the digest holds them. Such an edge is open after A and
after B, so nothing of it is written, and what S made of it stays. An edge that is otherwise
after B than after A is therefore none that S knows, and is stored as A left it. Likewise S gives
no name to a person that A and B have not given or withheld alike: the names are in the state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from contracts.errors import TransientError
from contracts.ids import ChapterId, Generation, WorkId
from contracts.ordinals import Ordinal
from contracts.ports import TreeStore
from contracts.tree import ChapterInputs, GraftRecord
from contracts.works import ChapterContent, Checkpoint
from graph import checkpoints, fold
from graph.advising import Advising
from graph.placement_weights import WEIGHTS, Weights
from graph.story import Difference, Story, Told, difference

_PAGE = 32  # chapters read at once, at first
_LARGEST_PAGE = 256
"""Each page after what changed is twice the one before: beyond an early stop not many more chapters
are read for nothing than were folded."""


class ScenesMissingError(TransientError):
    """A chapter of the story has no scenes in the store: another commit came, or they are lost."""


@dataclass(frozen=True, slots=True)
class Change:
    """A story before and after; `fresh` are the texts that are not in the store yet.

    `head` is the state at the end of `old`, where it is known. With `forgets`, nothing stored
    outlives the change.
    """

    old: Story
    new: Story
    fresh: Mapping[ChapterId, ChapterContent]
    head: fold.FoldState | None = None
    marks: frozenset[ChapterId] | None = None
    forgets: bool = False


@dataclass(frozen=True, slots=True)
class Folded:
    """What folding came to: the records it replaces and those it made, and the checkpoints.

    `state` is the one at the end of the new story, unless folding stopped before and it was not
    known. `marks` are the chapters that have a checkpoint now. Folding was `begun` after so many
    chapters, of which nothing was read, and the last `spared` ones were left as they are. A model
    was called `calls` times.
    """

    state: fold.FoldState | None
    old: tuple[GraftRecord, ...] = ()
    new: tuple[GraftRecord, ...] = ()
    puts: tuple[Checkpoint, ...] = ()
    deletes: tuple[ChapterId, ...] = ()
    marks: frozenset[ChapterId] | None = None
    begun: int = 0
    spared: int = 0
    calls: int = 0


@dataclass(slots=True)
class Walk:
    """One fold over a part of a story; `at` is how many chapters lie behind `state`.

    `marked` are behind the last checkpoint; `puts` are those made since.
    """

    state: fold.FoldState
    at: int = 0
    marked: int = 0
    every: int = checkpoints.EVERY
    advising: Advising | None = None
    weights: Weights = WEIGHTS
    puts: list[Checkpoint] = field(default_factory=list)
    calls: int = 0

    async def graft(self, chapter: ChapterInputs) -> GraftRecord:
        """Graft one chapter more, with whatever is advised; every so often keep a checkpoint."""
        advised = None
        if self.advising:
            advised = await self.advising(self.state, chapter, self.weights)
        self.calls += advised.calls if advised else 0
        self.state, record = fold.graft(self.state, chapter, advised, weights=self.weights)
        self.at += 1
        if self.at - self.marked >= self.every:
            self.mark(chapter.chapter_id)
        return record

    def mark(self, chapter_id: ChapterId) -> None:
        """Keep the state as the chapter's checkpoint."""
        data = checkpoints.encode(self.state)
        self.puts.append(Checkpoint(chapter_id, self.state.digest, data))
        self.marked = self.at


@dataclass(frozen=True, slots=True)
class Folding:
    """Folds the changed stories of one work in one generation; `every` spaces checkpoints."""

    tree: TreeStore
    work_id: WorkId
    generation: Generation
    every: int = checkpoints.EVERY
    advising: Advising | None = None
    weights: Weights = WEIGHTS

    async def __call__(self, change: Change) -> Folded:
        """Fold what differs.

        Raises:
            ScenesMissingError: see there.
            TransientError, PermanentError: as the store, or who advises, raises them.
        """
        if change.forgets:
            change = Change((), change.new, change.fresh, marks=frozenset())
        if change.old == change.new:
            return Folded(change.head, marks=change.marks)
        marks = change.marks
        if marks is None:
            marks = await self.tree.checkpointed(self.work_id, self.generation)
        differs = difference(change.old, change.new)
        walk = await self._begin(change, differs, marks)
        begun = walk.at
        await self._fold(walk, change, differs.kept)
        old, new, spared = await self._meet(walk, change, differs)
        if self._is_far(change.new, marks, walk):
            walk.mark(change.new[walk.at - 1].chapter_id)
        put = frozenset(checkpoint.chapter_id for checkpoint in walk.puts)
        passed = {each.chapter_id for each in change.new[begun : walk.at]}
        old_end = len(change.old) - differs.same
        passed.update(each.chapter_id for each in change.old[differs.kept : old_end])
        stale = (marks & passed) - put
        return Folded(
            state=walk.state if not spared else change.head,
            old=old,
            new=new,
            puts=tuple(walk.puts),
            deletes=tuple(sorted(stale)),
            marks=(marks - stale) | put,
            begun=begun,
            spared=spared,
            calls=walk.calls,
        )

    async def _begin(
        self, change: Change, differs: Difference, marks: frozenset[ChapterId]
    ) -> Walk:
        """Stand at the end of what is known, or after the last sound checkpoint before it."""
        kept = change.old[: differs.kept]
        behind = [at + 1 for at, each in enumerate(kept) if each.chapter_id in marks]
        if change.head is not None and differs.kept == len(change.old):
            return self._walk(change.head, differs.kept, next(iter(behind[-1:]), 0))
        for at in reversed(behind):
            state = await self._restored(kept[at - 1].chapter_id)
            if state is not None:
                return self._walk(state, at, at)
        return self._walk(fold.start(self.work_id))

    def _walk(self, state: fold.FoldState, at: int = 0, marked: int = 0) -> Walk:
        return Walk(state, at, marked, self.every, self.advising, self.weights)

    async def _restored(self, chapter_id: ChapterId) -> fold.FoldState | None:
        """Return the state after a chapter, None if its checkpoint is not of its record."""
        stored = await self.tree.checkpoint(self.work_id, self.generation, chapter_id)
        records = await self.tree.records(self.work_id, self.generation, [chapter_id])
        if stored is None or [record.digest for record in records] != [stored.digest]:
            return None
        try:
            saved = checkpoints.read(stored.data)
            scenes = await self.tree.scenes(self.work_id, self.generation, saved.scenes)
            return saved.state(self.work_id, stored.digest, scenes)
        except ValueError:
            return None

    async def _fold(self, walk: Walk, change: Change, until: int) -> list[GraftRecord]:
        """Graft the new story's chapters up to `until`."""
        made: list[GraftRecord] = []
        while walk.at < until:
            page = change.new[walk.at : min(until, walk.at + _PAGE)]
            inputs = await self._inputs(page, change.fresh)
            made += [await walk.graft(chapter) for chapter in inputs]
        return made

    async def _meet(
        self, walk: Walk, change: Change, differs: Difference
    ) -> tuple[tuple[GraftRecord, ...], tuple[GraftRecord, ...], int]:
        """Graft what changed, and then on until the states meet.

        Returns the records that are replaced, those that replace them, and how many chapters
        were left as they are.
        """
        before, kept = walk.state.digest, differs.kept
        end = len(change.old) - differs.same
        known = await self._records(change.old[kept:end])
        made = await self._fold(walk, change, len(change.new) - differs.same)
        expected = before
        if end > kept:
            last = change.old[end - 1].chapter_id
            expected = known[last].digest if last in known else ""
        old, spared, size = list(known.values()), differs.same, _PAGE
        while spared and walk.state.digest != expected:
            page = change.new[walk.at : walk.at + size]
            size = min(2 * size, _LARGEST_PAGE)
            known, inputs = await self._records(page), await self._inputs(page, {})
            for chapter in inputs:
                made.append(await walk.graft(chapter))
                spared -= 1
                record = known.get(chapter.chapter_id)
                expected = record.digest if record else ""
                old += [record] if record else []
                if walk.state.digest == expected:
                    break
        return tuple(old), tuple(made), spared

    def _is_far(self, story: Story, marks: frozenset[ChapterId], walk: Walk) -> bool:
        """Say whether the next checkpoint of the rest lies too far from the last one."""
        if walk.at == walk.marked or walk.at == len(story):
            return False
        rest = enumerate(story[walk.at :], start=walk.at + 1)
        after = next((at for at, each in rest if each.chapter_id in marks), len(story) + 1)
        return after - walk.marked > self.every

    async def _records(self, story: Story) -> dict[ChapterId, GraftRecord]:
        """Return the stored records of some chapters, in story order."""
        if not story:
            return {}
        ids = [each.chapter_id for each in story]
        found = await self.tree.records(self.work_id, self.generation, ids)
        return {record.chapter_id: record for record in found}

    async def _inputs(
        self, story: Sequence[Told], fresh: Mapping[ChapterId, ChapterContent]
    ) -> list[ChapterInputs]:
        """Return what the fold reads of some chapters: from the batch, else as stored."""
        asked = [each.chapter_id for each in story if each.chapter_id not in fresh]
        stored = await self.tree.inputs(self.work_id, self.generation, asked) if asked else {}
        missing = [each for each in asked if each not in stored]
        if missing:
            raise ScenesMissingError(
                f"work {self.work_id}: the graph has no scenes of chapter {missing[0]!r}"
            )
        return [
            ChapterInputs(
                each.chapter_id,
                Ordinal(each.ordinal),
                each.language,
                fresh[each.chapter_id].scenes
                if each.chapter_id in fresh
                else stored[each.chapter_id].scenes,
            )
            for each in story
        ]
