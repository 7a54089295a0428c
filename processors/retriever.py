"""Finds the passages of a story, as of a chapter, that most likely hold a question's answer.

Two levels are searched, each by words and by meaning; the best passages are cut down to the
sentences that answer. Nothing is read but through the view: nothing later can leak.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from contracts.answers import FoundPassage, Gap, SearchResult
from contracts.ids import ChapterId
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory, PassageCounts, StoryView, TextEmbedder, VectorStore
from contracts.vectors import Hit
from contracts.works import ChapterRecord, story_order
from processors.channels.merging import Merger, Merging
from processors.channels.places import Places
from processors.channels.source import Brought, Searched, Source, with_brought
from processors.channels.sources import all_sources
from processors.extracts import Extract, passages_for, sentences_of
from processors.fusion import Candidate, Searches, fuse
from processors.lexicon import Lexicon
from processors.questions import Question, analyse
from processors.ranking import Asking, SentenceRanker, shipped_ranker
from processors.scene_searching import ScenePlace, searched_within
from processors.searching import Searcher, row_pair, unconfirmed
from processors.selection import grouped, joined

CHANGED: Final = "changed while reading"

STOP_RARITY: Final = 2.3
"""The rarity of a term in every tenth passage of other stories: a question with none rarer asks
for nothing. The story's own counts do not matter: its hero stands on every page."""

_HITS: Final = 400
"""Hits taken of each search: most passages of a novel; what comes after scores too low."""

_WORDS_A_HIT: Final = 50  # a budget of half the hits' words takes more of them


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a story for a question: extracts in the order in which they are shown.

    `chapters` are the view's, in story order, which `order` gives of each; `counts` and `rarities`
    are of the question's terms, as of then; `texts` holds the text of each chapter that an extract
    is of. `searches` counts what was searched for, however many rows it took.
    """

    chapters: tuple[ChapterRecord, ...]
    order: Mapping[ChapterId, int]
    question: Question
    counts: PassageCounts
    rarities: Mapping[str, float]
    searches: int = 0
    extracts: tuple[Extract, ...] = ()
    texts: Mapping[ChapterId, str] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()

    @property
    def indexed_to(self) -> Ordinal | None:
        """Return the highest ordinal that the story holds."""
        return self.chapters[-1].place if self.chapters else None

    def ordinal_of(self, chapter_id: ChapterId) -> Ordinal:
        """Return the place of one of `chapters`."""
        return self.chapters[self.order[chapter_id]].story_place

    @property
    def words(self) -> int:
        """Return how many words the extracts have together."""
        return sum(extract.words for extract in self.extracts)


class Found(NamedTuple):
    """The sentences of the passages that were found, in the order of the story.

    `texts` holds the text of each of their chapters; `by_words` are all passages that hold
    something of the question, the best first.
    """

    sentences: Sequence[Extract]
    texts: Mapping[ChapterId, str]
    by_words: Sequence[Hit] = ()


@dataclass(frozen=True, slots=True)
class Retriever:
    """Searches a story for a question."""

    embedder: TextEmbedder
    lexicon: Lexicon
    vectors: VectorStore
    ranker: SentenceRanker = field(default_factory=shipped_ranker)
    merging: Merging = field(default_factory=Merger.shipped)
    sources: Sequence[Source] = field(default_factory=all_sources)

    async def search(
        self, view: BoundStory, question: str, words: int, gaps: Sequence[Gap] = ()
    ) -> SearchResult:
        """Return the passages that answer `question` best, in at most `words` words.

        A question without a telling term finds nothing. A chapter that changed twice while it
        was read is left out and added to `gaps`.

        Raises:
            TransientError: a store or the embedder is down.
        """
        reading = await self.read(view, question, words, gaps)
        return SearchResult(
            as_of=view.as_of,
            words=reading.words,
            indexed_to=reading.indexed_to,
            gaps=reading.gaps,
            passages=tuple(passage_of(reading, extract) for extract in reading.extracts),
        )

    async def read(
        self,
        view: BoundStory,
        question: str,
        words: int,
        gaps: Sequence[Gap] = (),
        within: Collection[ScenePlace] | None = None,
    ) -> Reading:
        """Read as `search` does; every extract returned was confirmed after it was read.

        With `within` only those scenes are read, each passage of them: nothing is searched.
        """
        reading = await self._read(view, question, words, within)
        if await _lost(view, reading):
            again = await self._read(view, question, words, within)
            reading = replace(again, searches=reading.searches + again.searches)
        return _without(reading, await _lost(view, reading), gaps)

    async def find(
        self,
        view: BoundStory,
        text: str,
        words: int,
        within: Collection[ScenePlace] | None = None,
    ) -> tuple[Reading, Found]:
        """Return a reading that shows nothing yet, and the sentences among which it may choose.

        These are more for a larger budget of `words`; with `within` they are of those scenes.
        """
        chapters = await view.chapters()
        question = analyse(text, _language(chapters))
        counts = await view.passage_counts(question.terms)
        rarities = {
            term: self.lexicon.rarity(term, counts, question.language) for term in question.terms
        }
        reading = Reading(chapters, story_order(chapters), question, counts, rarities)
        if within is None and not self._asks_for_anything(question):
            return reading, Found((), {})
        sparse = self.lexicon.query(question.terms, counts, question.language)
        (dense,) = await self.embedder.embed([text], question.language)
        if within is not None:
            hits = await searched_within(self.vectors, view, chapters, within, (sparse, dense))
            return reading, await _found(view, reading, hits, words)
        limit = max(_HITS, words // _WORDS_A_HIT)
        hits = await Searcher(self.vectors, view, chapters, limit).search(sparse, dense)
        reading = replace(reading, searches=len(hits))
        return reading, await _found(view, reading, hits, words)

    def ranked(self, reading: Reading, found: Found) -> list[Extract]:
        """Return the sentences that `find` returned scored, best first."""
        asking = Asking(reading.question, reading.rarities)
        ranked = self.ranker.ranked(found.sentences, found.texts, asking)
        if not self.merging.serving(reading.question):
            return ranked
        order = reading.order
        story = sorted(ranked, key=lambda each: (order[each.candidate.chapter_id], each.start))
        places = Places.of(story, found.texts, reading.question, reading.rarities)
        return self.merging.ranked(places)

    async def _read(
        self, view: BoundStory, text: str, words: int, within: Collection[ScenePlace] | None
    ) -> Reading:
        reading, found = await self.find(view, text, words, within)
        searched = within is None
        brought = await self._brought(view, reading, found) if searched else Brought()
        return _within(reading, found, self.ranked(reading, found), brought, words)

    async def _brought(self, view: BoundStory, reading: Reading, found: Found) -> Brought:
        """Return what the first source brings that serves the question, if the search found any."""
        serving = (each for each in self.sources if each.serves(reading.question))
        source = next(serving, None)
        if source is None or not reading.searches:
            return Brought()
        return await source.bring(
            view, Searched(reading.question, reading.rarities, reading.chapters, found.by_words)
        )

    def _asks_for_anything(self, question: Question) -> bool:
        elsewhere = PassageCounts(passages=0, counts={})
        return any(
            self.lexicon.rarity(term, elsewhere, question.language) >= STOP_RARITY
            for term in question.terms
        )


async def _found(view: StoryView, reading: Reading, hits: Searches, words: int) -> Found:
    """Read what of the hits may be shown."""
    order = reading.order
    candidates = fuse(hits, order, passages_for(words))
    texts = await view.texts({candidate.chapter_id for candidate in candidates})
    sound = [candidate for candidate in candidates if _stands_in(texts, candidate)]
    sentences = sentences_of(sound, texts, order, reading.question.language)
    return Found(sentences, texts, hits.passage_words)


def _within(
    reading: Reading, found: Found, ranked: Sequence[Extract], brought: Brought, words: int
) -> Reading:
    """Add the best of the ranked and brought sentences that fit, joined and grouped by scene."""
    texts = {**brought.texts, **found.texts}
    shown = grouped(joined(with_brought(ranked, brought.sentences, words), texts), reading.order)
    return replace(reading, extracts=tuple(shown), texts=texts)


def _language(chapters: Sequence[ChapterRecord]) -> str:
    """Return the language of most chapters; of equals the first by name, English of none."""
    counts = Counter(chapter.language for chapter in chapters)
    return min(counts, key=lambda language: (-counts[language], language), default="en")


def _stands_in(texts: Mapping[ChapterId, str], candidate: Candidate) -> bool:
    """Say whether the text that was read can be the one that the row was made of."""
    return candidate.hit.end <= len(texts.get(candidate.chapter_id, ""))


async def _lost(view: StoryView, reading: Reading) -> list[Extract]:
    """Return the extracts whose rows the view no longer confirms."""
    gone = await unconfirmed(view, (extract.candidate.hit for extract in reading.extracts))
    return [extract for extract in reading.extracts if row_pair(extract.candidate.hit) in gone]


def _without(reading: Reading, lost: Sequence[Extract], gaps: Sequence[Gap]) -> Reading:
    """Leave out what was lost, and name its chapters among the gaps."""
    changed = {extract.candidate.chapter_id for extract in lost}
    kept = tuple(extract for extract in reading.extracts if extract not in lost)
    return replace(reading, extracts=kept, gaps=with_changed(gaps, reading.chapters, changed))


def with_changed(
    gaps: Sequence[Gap], chapters: Sequence[ChapterRecord], changed: Collection[ChapterId]
) -> tuple[Gap, ...]:
    """Return `gaps` and, in the order of the story, those of `changed` that are not among them."""
    known = {gap.chapter_id for gap in gaps}
    added = (
        Gap(chapter_id=chapter.chapter_id, ordinal=chapter.place, reason=CHANGED)
        for chapter in chapters
        if chapter.chapter_id in changed and chapter.chapter_id not in known
    )
    return (*gaps, *added)


def passage_of(reading: Reading, extract: Extract) -> FoundPassage:
    """Return one of the reading's extracts as readers get it."""
    candidate = extract.candidate
    return FoundPassage(
        chapter_id=candidate.chapter_id,
        ordinal=reading.ordinal_of(candidate.chapter_id),
        scene_id=candidate.scene_id,
        start=extract.start,
        end=extract.end,
        text=reading.texts[candidate.chapter_id][extract.start : extract.end],
        score=round(extract.score, 6),
        channel=extract.channel or candidate.channel,
    )
