"""Which texts of the log are past: what no reader of the live generation sees any more.

The log holds every text that a chapter ever had. Of those that are past only their place in the
order of events counts, so a rebuild lets them pass as publications without a text.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from contracts.events import ChapterPublished, ChapterPurged
from contracts.ids import ChapterId, Generation, WorkId
from contracts.messages import ChapterHead, EventPassed
from contracts.order import OrderToken
from contracts.ports import TreeStore
from contracts.works import ChapterRecord, WorkRecord

_WORKS: Final = 64  # read once each; one that is read again only costs time

Publication = ChapterPublished | ChapterHead


@dataclass(frozen=True, slots=True)
class KnownWork:
    """What a generation knows of a work: later it knows more, and nothing less."""

    floor: int
    chapters: Mapping[ChapterId, ChapterRecord]

    @classmethod
    def of(cls, work: WorkRecord | None) -> KnownWork:
        """Return what `work` tells; None stands for a work that the generation never heard of."""
        if work is None:
            return cls(-1, {})
        return cls(work.floor, {each.chapter_id: each for each in work.chapters})

    def is_past(self, published: Publication, position: int) -> bool:
        """Say whether another text came after this one, or the chapter was withdrawn after it."""
        if position < self.floor:
            return True
        chapter = self.chapters.get(published.chapter_id)
        if chapter is None:
            return False
        held = chapter.registers
        token = held.token(published.revision, position)
        replaced = held.text is not None and OrderToken(*held.text) > token
        gone = not held.present and held.presence is not None
        return replaced or (gone and OrderToken(*held.presence or token) > token)


@dataclass(frozen=True, slots=True)
class KnownWorks:
    """The works of a generation, the last ones remembered."""

    tree: TreeStore
    generation: Generation
    _known: OrderedDict[WorkId, KnownWork] = field(default_factory=OrderedDict)

    async def of(self, work_id: WorkId) -> KnownWork:
        """Return what was known of a work lately, or is now. Raises as `TreeStore.load`."""
        known = self._known.get(work_id)
        if known is None:
            return await self.now(work_id)
        self._known.move_to_end(work_id)
        return known

    async def now(self, work_id: WorkId) -> KnownWork:
        """Return what is known of a work now. Raises as `TreeStore.load`."""
        known = KnownWork.of(await self.tree.load(work_id, self.generation))
        self._known[work_id] = known
        self._known.move_to_end(work_id)
        while len(self._known) > _WORKS:
            self._known.popitem(last=False)
        return known


def without_text(published: Publication, position: int) -> EventPassed:
    """Return a publication at `position` as it passes once its text is of no use."""
    past = ChapterPurged(
        work_id=published.work_id,
        revision=published.revision,
        chapter_id=published.chapter_id,
        ordinal=published.ordinal,
    )
    return EventPassed(position=position, event=past)
