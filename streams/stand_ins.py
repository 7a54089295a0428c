"""What takes the place of models and stores in a forecast: nothing is asked, nothing written."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from contracts.advice import Advice, Advised
from contracts.chat import ChatAnswer, ChatRequest
from contracts.forecasts import ModelCall
from contracts.ids import ChapterId, Generation, RowKey, WorkId
from contracts.memo import Asked
from contracts.placement import PlacementAdviser, PlacementCase
from contracts.ports import Memo, Segmenter, TreeStore, VectorStore
from contracts.scenes import ChapterText, Segmentation
from contracts.vectors import VectorRow
from contracts.works import Commit
from processors.asking import asked_by
from processors.litseg import LitSeg, LitSegLite
from streams.estimating import questions

_NO_CHAPTER: Final = ChapterId("")


@dataclass(slots=True)
class Noted:
    """What a rehearsal came to.

    `known` is the advice that the memo had, `placings` are the questions that it cannot answer.
    """

    work_id: WorkId
    folded: int = 0
    remembered: int = 0
    calls: list[ModelCall] = field(default_factory=list)
    known: list[Advised] = field(default_factory=list)
    placings: list[ChatRequest] = field(default_factory=list)
    chapter_id: ChapterId = _NO_CHAPTER  # which is segmented

    def call(self, chapter_id: ChapterId, purpose: str, key: str) -> None:
        """Note a call that would be made."""
        self.calls.append(
            ModelCall(work_id=self.work_id, chapter_id=chapter_id, purpose=purpose, key=key)
        )


class _CallNeededError(Exception):
    """A model would have to be called, with `request`."""

    def __init__(self, request: ChatRequest) -> None:
        super().__init__(request.purpose)
        self.request = request


@dataclass(frozen=True, slots=True)
class SilentChat:
    """A model of this name that says nothing: whoever needs a new answer learns so."""

    model: str

    async def ask(self, request: ChatRequest) -> ChatAnswer:
        """Say nothing."""
        raise _CallNeededError(request)

    async def server_version(self) -> str:
        """See `Chat.server_version`."""
        return ""

    async def close(self) -> None:
        """Hold nothing."""


@dataclass(frozen=True, slots=True)
class UnaskedSegmenter:
    """Segments from the memo; where that cannot, notes the calls and cuts without a model.

    So where a chapter is new to the model, its scenes are only about those that it will have.
    """

    inner: LitSegLite | LitSeg
    stand_in: Segmenter
    memo: Memo
    model: str
    noted: Noted

    @property
    def version(self) -> str:
        """See `Segmenter.version`."""
        return self.inner.version

    async def segment(self, chapter: ChapterText) -> Segmentation:
        """See `Segmenter.segment`."""
        try:
            made = await self.inner.segment(chapter)
        except _CallNeededError as needed:
            noted = len(self.noted.calls)
            await self._note(chapter)
            if len(self.noted.calls) == noted:  # another attempt, or a later step of a chunk
                key = asked_by(needed.request, self.model).key
                self.noted.call(self.noted.chapter_id, needed.request.purpose, key)
            return await self.stand_in.segment(chapter)
        self.noted.remembered += made.calls
        return made

    async def _note(self, chapter: ChapterText) -> None:
        for _, requests in questions(self.inner, chapter):
            first = asked_by(requests[0], self.model)
            if await self.memo.get(first) is not None:
                self.noted.remembered += len(requests)
                continue
            for nth, request in enumerate(requests):
                key = first.key if nth == 0 else ""
                self.noted.call(self.noted.chapter_id, request.purpose, key)


@dataclass(frozen=True, slots=True)
class UnaskedAdviser:
    """Answers from the memo; where that cannot, notes the call and says what was said before."""

    inner: PlacementAdviser
    tree: TreeStore
    generation: Generation
    noted: Noted

    @property
    def version(self) -> str:
        """See `PlacementAdviser.version`."""
        return self.inner.version

    def asked(self, case: PlacementCase) -> Asked | None:
        """See `PlacementAdviser.asked`."""
        return self.inner.asked(case)

    async def advise(self, case: PlacementCase) -> Advised:
        """See `PlacementAdviser.advise`."""
        asked = self.asked(case)
        if asked is None:
            return Advised(None)
        try:
            known = await self.inner.advise(case)
        except _CallNeededError as needed:
            self.noted.call(case.chapter_id, asked.purpose, asked.key)
            self.noted.placings.append(needed.request)
            return Advised(await self._said_before(case))
        self.noted.remembered += 1
        self.noted.known.append(known)
        return known

    async def _said_before(self, case: PlacementCase) -> Advice | None:
        """Return what the chapter's stored record says was advised, as far as it still can be."""
        records = await self.tree.records(case.work_id, self.generation, [case.chapter_id])
        shown = {thread.storyline for thread in case.threads}
        asked = {scene.number for scene in case.close_calls}
        hidden = {person.character for person in case.hidden}
        named = {person.character for person in case.named}
        scenes = tuple(
            scene.model_copy(update={"touches": tuple(t for t in scene.touches if t in shown)})
            for record in records
            if record.advice is not None
            for scene in record.advice.scenes
            if scene.number in asked and (scene.home is None or scene.home in shown)
        )
        persons = tuple(
            each
            for record in records
            if record.advice is not None
            for each in record.advice.persons
            if each.person in hidden and each.same_as in named
        )
        return Advice(scenes=scenes, persons=persons) if scenes or persons else None


@dataclass(frozen=True, slots=True)
class ReadOnlyTree:
    """A tree store whose commits succeed and change nothing."""

    inner: TreeStore

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def commit(self, _commit: Commit) -> bool:
        """Succeed."""
        return True


@dataclass(frozen=True, slots=True)
class OverlaidVectors:
    """A vector store in which rows are written for whoever holds this value only."""

    inner: VectorStore
    written: dict[RowKey, VectorRow] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def upsert(
        self, _work_id: WorkId, _generation: Generation, rows: Sequence[VectorRow]
    ) -> None:
        """Keep the rows here."""
        self.written.update({row.key: row for row in rows})

    async def fetch(
        self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
    ) -> Mapping[RowKey, VectorRow]:
        """Return rows that are kept here, or there."""
        here = {key: self.written[key] for key in keys if key in self.written}
        rest = [key for key in keys if key not in here]
        return {**(await self.inner.fetch(work_id, generation, rest) if rest else {}), **here}

    async def delete(
        self, work_id: WorkId, generation: Generation, keys: Collection[RowKey]
    ) -> None:
        """Delete nothing."""
