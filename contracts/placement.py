"""Advice on scenes whose thread the scores leave open: what is shown, and what comes back.

And on persons whom the story has only described: who they prove to be.

The tree builds a `PlacementCase` from itself as it stood before the chapter, so nothing later can
be in it; the adviser reads nothing else. Who asks decides what to do with the advice.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import pairwise
from typing import Annotated, Final, Protocol, Self

from pydantic import Field, model_validator

from contracts.advice import Advised
from contracts.frozen import Frozen
from contracts.ids import ChapterId, CharacterId, StorylineId, WorkId
from contracts.memo import Asked, Source, united

MAX_THREADS_SHOWN: Final = 40
"""Most threads of a case: the likeliest and the latest told of a larger tree."""

MAX_SYNOPSES_SHOWN: Final = 3
"""Most synopses of a thread."""

MAX_SCENES_SHOWN: Final = 60
"""Most scenes of a case: a longer chapter makes several."""


MAX_HIDDEN_SHOWN: Final = 16
"""Most persons without a name, those seen last."""

MAX_NAMED_SHOWN: Final = 24
"""Most persons of a chapter who they may be, those who are in it most."""

MAX_WORDINGS_SHOWN: Final = 3
"""Most descriptions of a person."""


class AdviceScope(StrEnum):
    """About which scenes an adviser is asked: those that the scores leave open, or all."""

    CLOSE = "close"
    ALL = "all"


class ShownThread(Frozen):
    """A live thread: its title and the synopses of its newest scenes, oldest first.

    `drawn_on` are the chapters whose text title and synopses were made from.
    """

    storyline: StorylineId
    title: str
    synopses: Annotated[tuple[str, ...], Field(max_length=MAX_SYNOPSES_SHOWN)]
    drawn_on: tuple[ChapterId, ...]


class ShownScene(Frozen):
    """A scene of the chapter; `number` is its place there, from 1.

    One with `candidates` is a close call: between these threads, likeliest first, or between one
    of them and a new thread. The others are shown for what they tell about it.
    """

    number: int
    title: str
    synopsis: str
    characters: tuple[str, ...] = ()
    candidates: tuple[StorylineId, ...] = ()


class HiddenPerson(Frozen):
    """Somebody whom the story has only described so far, and the newest scene that tells of them.

    `drawn_on` are the chapters with scenes of this person.
    """

    character: CharacterId
    words: Annotated[tuple[str, ...], Field(max_length=MAX_WORDINGS_SHOWN)]
    synopsis: str
    drawn_on: tuple[ChapterId, ...]


class NamedPerson(Frozen):
    """Somebody with a name who is in the chapter."""

    character: CharacterId
    name: str


class PlacementCase(Frozen):
    """All that an adviser may know: the threads before a chapter, and the chapter's scenes.

    Threads differ, scene numbers rise, candidates are among the threads. Where there are `hidden`
    persons, it is asked whether the chapter makes known which of the `named` each of them is.
    """

    work_id: WorkId
    chapter_id: ChapterId
    threads: Annotated[tuple[ShownThread, ...], Field(max_length=MAX_THREADS_SHOWN)]
    scenes: Annotated[tuple[ShownScene, ...], Field(max_length=MAX_SCENES_SHOWN)]
    hidden: Annotated[tuple[HiddenPerson, ...], Field(max_length=MAX_HIDDEN_SHOWN)] = ()
    named: Annotated[tuple[NamedPerson, ...], Field(max_length=MAX_NAMED_SHOWN)] = ()

    @property
    def close_calls(self) -> tuple[ShownScene, ...]:
        """The scenes that advice is asked on."""
        return tuple(scene for scene in self.scenes if scene.candidates)

    @property
    def sources(self) -> tuple[Source, ...]:
        """Every chapter whose text is shown, the scenes' own first of all."""
        drawn_on = {self.chapter_id}.union(
            *(thread.drawn_on for thread in self.threads),
            *(person.drawn_on for person in self.hidden),
        )
        return united(
            tuple(Source(work_id=self.work_id, chapter_id=chapter) for chapter in drawn_on)
        )

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        shown = [thread.storyline for thread in self.threads]
        numbers = [scene.number for scene in self.scenes]
        candidates = {each for scene in self.scenes for each in scene.candidates}
        if len(set(shown)) < len(shown) or not candidates <= set(shown):
            raise ValueError("a thread is shown twice, or a candidate is not shown")
        persons = [each.character for each in self.hidden]
        persons += [each.character for each in self.named]
        if len(set(persons)) < len(persons):
            raise ValueError("a person is shown twice")
        if any(later <= earlier for earlier, later in pairwise(numbers)):
            raise ValueError("the scenes' numbers do not rise")
        return self


class PlacementAdviser(Protocol):
    """Says where scenes belong that the scores are undecided about; may be asked concurrently."""

    @property
    def version(self) -> str:
        """Prompt, model and sampling: part of the index version."""

    def asked(self, case: PlacementCase) -> Asked | None:
        """Return the memo's key of the first attempt at `case`, without asking anybody.

        None where nothing would be asked: no call is close and nobody hidden, or the case is too
        long for the model even without synopses of the threads.
        """

    async def advise(self, case: PlacementCase) -> Advised:
        """Return advice on what is open in `case`, in one call of a model.

        Equal cases get equal advice, and only the first costs something. An answer that cannot be
        used is asked for once more and then counts as no advice.

        Raises:
            TransientError: the model or the memo cannot be reached.
            PermanentError: the model's server does not take the case.
        """
