"""What a change would cost, told before anything is done or spent."""

from __future__ import annotations

from contracts.frozen import Frozen
from contracts.ids import ChapterId, WorkId
from contracts.requests import Chapters, EventFile, Withdrawal


class Proposal(Frozen):
    """A change that is only asked about."""

    change: Chapters | EventFile | Withdrawal


class ModelCall(Frozen):
    """One call of a model that a change would make, and for which chapter.

    `purpose` is as in the memo ("placement"); `key` is the memo's key of the question, empty where
    the question holds an answer that is not there yet.
    """

    work_id: WorkId
    chapter_id: ChapterId
    purpose: str
    key: str


class Forecast(Frozen):
    """What a change would do: events, chapters folded again, and calls of a model.

    `remembered` counts questions that the memo answers. Where a call is listed, what it will say
    is not known: about placement it is taken to say of the chapter what was said of it before, or
    nothing, and a chapter that it would cut is cut without it. If it says something else, chapters
    after it may be shown other threads, and be asked about anew.
    `problems` are events that would become dead letters, and chapters that are not there.
    `waiting` events of the log come first.
    """

    events: int
    folded: int
    calls: tuple[ModelCall, ...]
    remembered: int
    problems: tuple[str, ...] = ()
    waiting: int = 0
