"""Scenes and passages of one chapter, and what the chapter's text is made of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from contracts.events import Format
from contracts.frozen import Frozen, Span
from contracts.ids import ChapterId, SceneId, WorkId


class ParatextReason(StrEnum):
    """Why a part of the text is not story."""

    SEPARATOR = "separator"
    HEADING = "heading"
    AUTHOR_NOTE = "author_note"
    NOTICE = "notice"


class Paratext(Frozen):
    """Code points `[start, end)` that are kept but are not story."""

    start: int
    end: int
    reason: ParatextReason


class Dropped(Frozen):
    """Something of the published markup that a reader would not see, or see twice."""

    reason: str
    count: int


class Warned(StrEnum):
    """What an operator may want to look at; the chapter is indexed all the same."""

    LOOKS_LIKE_NOTICE = "looks_like_notice"
    LOOKS_LIKE_PAYWALL = "looks_like_paywall_stub"
    ALL_PARATEXT = "all_paratext"


class ChapterText(Frozen):
    """A chapter's text as read: what every segmenter gets.

    `sentences` are numbered from 1 in the segmenters' terms (`sentences[0]` is number 1), lie in
    story text only, in order, without overlap, and hold every non-space code point that is not
    in `paratext`. `paragraph_starts` and `stretch_starts` are the numbers of the sentences that
    open a paragraph and a stretch: a stretch is story text without paratext inside, and no
    scene may cross into the next.
    """

    work_id: WorkId
    chapter_id: ChapterId
    title: str
    language: str
    format: Format
    text: str
    sentences: tuple[Span, ...]
    paragraph_starts: tuple[int, ...]
    stretch_starts: tuple[int, ...]
    paratext: tuple[Paratext, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    warnings: tuple[Warned, ...] = ()

    def sentence(self, number: int) -> str:
        """Return the text of sentence `number` (from 1)."""
        span = self.sentences[number - 1]
        return self.text[span.start : span.end]


class Segment(Frozen):
    """A range of sentences, both ends included, as a segmenter proposes it.

    Everything but the range may be left out; what is empty is filled in extractively.
    `characters` are the names, or descriptions ("the stranger"), of who is in it, `identities`
    pairs of these that sentences of it say are one person's.
    """

    from_idx: int
    to_idx: int
    title: str = ""
    synopsis: str = ""
    significance: str = ""
    turning_point: str = ""
    context: tuple[int, ...] = ()
    characters: tuple[str, ...] = ()
    identities: tuple[tuple[str, str], ...] = ()
    threads: tuple[str, ...] = ()


class Repairs(Frozen):
    """What was mended in a segmentation, for the record.

    `attempts` counts the answers that it took, over all chunks and steps. `dropped_fields` counts
    what was told beside the ranges and is of no use: about sentences or events that are not
    there, in another language than the chapter's, or of names that its text does not have.
    """

    attempts: int = 1
    dropped_segments: int = 0
    missing_sentences: int = 0
    dropped_context: int = 0
    cut_at_paratext: int = 0
    whole_chunk: int = 0
    dropped_fields: int = 0


class Segmentation(Frozen):
    """A segmenter's answer. `segmenter` names it with its version.

    `calls` counts the answers of a model that it rests on and `tokens` what these cost, whoever
    paid and when: read again from the memo they are the same. `model` and `server` say which
    model gave them, under which version of its server; "" where there is none, or the server
    does not tell or was not asked now.
    """

    segments: tuple[Segment, ...]
    segmenter: str
    repairs: Repairs = Repairs()
    calls: int = 0
    tokens: int = 0
    model: str = ""
    server: str = ""


class Mention(Frozen):
    """A name of a person as it stands in a scene, and how often."""

    name: str
    count: int


class Scene(Frozen):
    """A contiguous run of sentences with one unity of action.

    `start`/`end` span the scene's *home*: from the first code point of its first home sentence
    to the last of its last. `extra_spans` are what it shares with an earlier scene.
    `context_spans` are sentences of the chapter outside scene and extra without which it cannot
    be understood (those that `context` numbers), in the order of the text. `mentions` are names
    of persons found in the home text, with a model descriptions too ("the stranger"),
    `identities` pairs of such names that the text itself says are one person. `filled` lists the
    fields that were extracted, not told by a model.
    """

    scene_id: SceneId
    first_sentence: int
    last_sentence: int
    start: int
    end: int
    extra_spans: tuple[Span, ...] = ()
    title: str
    synopsis: str
    significance: str
    turning_point: str = ""
    context: tuple[int, ...] = ()
    context_spans: tuple[Span, ...] = ()
    mentions: tuple[Mention, ...] = ()
    identities: tuple[tuple[str, str], ...] = ()
    threads: tuple[str, ...] = ()
    words: int
    filled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """About 100 words of whole sentences inside one scene: code points `[start, end)`."""

    passage_id: str
    scene_id: str
    start: int
    end: int
    text: str
