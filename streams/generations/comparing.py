"""What of a work is not the same in two generations: decided from both as values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from contracts.ids import ChapterId, WorkId
from contracts.order import OrderToken
from contracts.ordinals import Ordinal
from contracts.reports import (
    ChapterSize,
    ChapterState,
    ComparedChapter,
    ComparedWork,
    Finding,
)
from contracts.works import ChapterRecord
from streams.gaps import PAUSED, WAITING
from streams.generations.builds import Build

_SHOWN_RECUT: Final = 20  # of a work, where another segmenter cuts every chapter otherwise
_NEVER: Final = OrderToken(-2, -2)  # below every token there is


@dataclass(frozen=True, slots=True)
class OnItsWay:
    """What the log says of a work on its way into a generation.

    `reasons` are, by chapter, why a text has not got there; `positions` are the events that wait.
    While it is `copying` scenes, whatever is not there is on its way.
    """

    reasons: Mapping[ChapterId, str] = field(default_factory=dict)
    positions: Collection[int] = ()
    copying: bool = False


def compare_works(
    work_id: WorkId,
    live: Build,
    candidate: Build,
    on_its_way: OnItsWay,
    findings: Iterable[Finding] = (),
) -> ComparedWork:
    """Compare a work in the live generation with it in the candidate."""
    found = _chapters(live, candidate, on_its_way)
    recut = [each for each in found if each.state is ChapterState.RECUT]
    shown = {each.chapter_id for each in sorted(recut, key=_most_recut)[:_SHOWN_RECUT]}
    kept = [
        each for each in found if each.state is not ChapterState.RECUT or each.chapter_id in shown
    ]
    seen = [chapter.chapter_id for chapter in candidate.live()]
    return ComparedWork(
        work_id=work_id,
        live=live.size(),
        candidate=candidate.size(),
        story_words=sum(candidate.story_words.get(each, 0) for each in seen),
        recut=len(recut),
        chapters=tuple(kept),
        findings=tuple(findings),
    )


def unexplained(compared: ComparedWork) -> bool:
    """Say whether a chapter is missing and nobody knows why: it may have come meanwhile."""
    return any(not chapter.reason for chapter in compared.in_state(ChapterState.MISSING))


def _chapters(live: Build, candidate: Build, on_its_way: OnItsWay) -> list[ComparedChapter]:
    known, here = live.chapters(), candidate.chapters()
    found = (
        _chapter(_Pair(known.get(each), here.get(each)), live, candidate, on_its_way)
        for each in known.keys() | here.keys()
    )
    return sorted((each for each in found if each), key=_story_order)


@dataclass(frozen=True, slots=True)
class _Pair:
    """A chapter as the live generation knows it, and as the candidate does; one is not None."""

    live: ChapterRecord | None
    candidate: ChapterRecord | None

    @property
    def chapter_id(self) -> ChapterId:
        record = self.live or self.candidate
        if record is None:
            raise ValueError("a chapter that no generation knows is no chapter")
        return record.chapter_id

    @property
    def ordinal(self) -> Ordinal | None:
        return next((each.place for each in (self.live, self.candidate) if each), None)

    @property
    def shown(self) -> tuple[bool, bool]:
        """Whether readers of the one see it, and of the other."""
        return bool(self.live and self.live.live), bool(self.candidate and self.candidate.live)

    def behind(self) -> list[int]:
        """Return the positions of the events that the live generation knows and the other not."""
        tokens = zip(_tokens(self.live), _tokens(self.candidate), strict=True)
        return [theirs.position for theirs, ours in tokens if ours < theirs]


def _tokens(chapter: ChapterRecord | None) -> tuple[OrderToken, OrderToken, OrderToken]:
    if chapter is None:
        return _NEVER, _NEVER, _NEVER
    held = chapter.registers
    text, ordinal, presence = (
        OrderToken(*token) if token else _NEVER
        for token in (held.text, held.ordinal, held.presence)
    )
    return text, ordinal, presence


def _chapter(
    pair: _Pair, live: Build, candidate: Build, on_its_way: OnItsWay
) -> ComparedChapter | None:
    there, here = pair.shown
    behind = pair.behind()
    sizes = (
        live.size_of(pair.chapter_id) if there else None,
        candidate.size_of(pair.chapter_id) if here else None,
    )
    if there and (not here or behind):
        return _missing(pair, sizes, on_its_way)
    if here and not there:
        gone = behind or _hidden(pair.live) or _floor(candidate) < _floor(live)
        return _told(pair, ChapterState.WITHDRAWN if gone else ChapterState.ADDED, sizes)
    if not here or sizes[1] is None:
        return None
    words = candidate.story_words.get(pair.chapter_id)
    if words is not None and sizes[1].words < words:
        return _told(pair, ChapterState.UNCOVERED, sizes).model_copy(update={"story_words": words})
    return None if sizes[0] == sizes[1] else _told(pair, ChapterState.RECUT, sizes)


def _hidden(chapter: ChapterRecord | None) -> bool:
    return chapter is not None and chapter.hidden_by is not None


def _floor(build: Build) -> int:
    """Return the position below which the work was withdrawn."""
    return build.work.floor if build.work else -1


def _missing(
    pair: _Pair, sizes: tuple[ChapterSize | None, ChapterSize | None], on_its_way: OnItsWay
) -> ComparedChapter:
    reason = on_its_way.reasons.get(pair.chapter_id, "")
    comes = on_its_way.copying or set(pair.behind()) & set(on_its_way.positions)
    if not reason and comes:
        reason = WAITING
    waits = reason in (WAITING, PAUSED)
    state = ChapterState.WAITING if waits else ChapterState.MISSING
    return _told(pair, state, sizes).model_copy(update={"reason": reason})


def _told(
    pair: _Pair, state: ChapterState, sizes: tuple[ChapterSize | None, ChapterSize | None]
) -> ComparedChapter:
    return ComparedChapter(
        chapter_id=pair.chapter_id,
        ordinal=pair.ordinal,
        state=state,
        live=sizes[0],
        candidate=sizes[1],
    )


def _most_recut(chapter: ComparedChapter) -> tuple[float, ChapterId]:
    sizes = [each.scenes + 1 for each in (chapter.live, chapter.candidate) if each]
    return -max(sizes) / min(sizes), chapter.chapter_id


def _story_order(chapter: ComparedChapter) -> tuple[bool, int, str]:
    return chapter.ordinal is None, chapter.ordinal or 0, chapter.chapter_id
