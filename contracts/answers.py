"""What readers get: found passages, answers, the exported tree. Programs lean on these shapes.

Nothing here depends on the time of day or on what came after the as-of ordinal, so equal
stories give equal bytes. Scores are rounded to 6 places.
"""

from __future__ import annotations

from pydantic import ConfigDict, Field

from contracts.frozen import Frozen, Span
from contracts.ids import ChapterId, CharacterId, Generation, SceneId, StorylineId, WorkId
from contracts.ordinals import Ordinal
from contracts.scenes import Paratext
from contracts.tree import StorylineKind


class Gap(Frozen):
    """A chapter at or below the as-of ordinal that was published but could not be indexed."""

    chapter_id: ChapterId
    ordinal: Ordinal | None
    reason: str


class FoundPassage(Frozen):
    """A passage that search returned; `text == chapter_text[start:end]`."""

    chapter_id: ChapterId
    ordinal: Ordinal
    scene_id: SceneId
    start: int
    end: int
    text: str
    score: float
    channel: str


class SearchResult(Frozen):
    """Passages best first, grouped by scene, within the word budget."""

    as_of: Ordinal
    words: int
    indexed_to: Ordinal | None
    gaps: tuple[Gap, ...]
    passages: tuple[FoundPassage, ...]


class Citation(Frozen):
    """Where an answer stands; `quote == chapter_text[start:end]`."""

    chapter_id: ChapterId
    ordinal: Ordinal
    scene_id: SceneId
    start: int
    end: int
    quote: str


class Spent(Frozen):
    """What a question cost, in counts."""

    searches: int = 0
    passages: int = 0
    evidence_words: int = 0
    rounds: int = 0
    model_calls: int = 0
    tokens: int = 0


class Answer(Frozen):
    """An answer with its citations; an abstention has neither text nor citations."""

    answer: str
    abstained: bool
    as_of: Ordinal
    indexed_to: Ordinal | None
    gaps: tuple[Gap, ...]
    citations: tuple[Citation, ...]
    spent: Spent
    channels: tuple[str, ...]


class AnswerGiven(Frozen):
    """An answer on the `answers` topic, to the question of that id.

    One that is `expired` came too late to be worked on: it abstains and says nothing more.
    """

    question_id: str
    work_id: WorkId
    answer: Answer
    expired: bool = False


class ExportedScene(Frozen):
    """A scene as of N: `path` leads from the root to its home, `thread` is on it."""

    scene_id: SceneId
    start: int
    end: int
    extra_spans: tuple[Span, ...]
    title: str
    synopsis: str
    significance: str
    characters: tuple[str, ...]
    path: tuple[StorylineId, ...]
    thread: StorylineId
    also: tuple[StorylineId, ...]


class ExportedChapter(Frozen):
    """A live chapter as of N; `text` only where asked for."""

    chapter_id: ChapterId
    ordinal: Ordinal
    title: str
    language: str
    text: str | None = None
    paratext: tuple[Paratext, ...]
    scenes: tuple[ExportedScene, ...]


class ExportedStoryline(Frozen):
    """A storyline as of N; `until_ordinal` is null unless its edge ended at or before N."""

    id: StorylineId
    kind: StorylineKind
    parent: StorylineId | None
    level: int
    title: str
    synopsis: str
    from_ordinal: Ordinal
    until_ordinal: Ordinal | None


class ExportedAlias(Frozen):
    """A name and when it was first used for the character."""

    alias: str
    from_ordinal: Ordinal


class ExportedIdentity(Frozen):
    """Who the character is revealed to be, and when."""

    id: CharacterId
    from_ordinal: Ordinal


class ExportedCharacter(Frozen):
    """A character as of N, under the fullest name known by then."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True)

    id: CharacterId
    name: str
    aliases: tuple[ExportedAlias, ...]
    identities: tuple[ExportedIdentity, ...] = Field(alias="is")
    scenes: tuple[SceneId, ...]


class Export(Frozen):
    """The whole work as of N, everything in a fixed order."""

    work_id: WorkId
    generation: Generation
    as_of: Ordinal
    chapters: tuple[ExportedChapter, ...]
    storylines: tuple[ExportedStoryline, ...]
    characters: tuple[ExportedCharacter, ...]
