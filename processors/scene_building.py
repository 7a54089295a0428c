"""Builds scenes from covered segments: ids from their words, what a model left out extracted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from contracts.frozen import Span
from contracts.ids import normalised, scene_id
from contracts.scenes import ChapterText, Mention, Scene
from contracts.words import count_words
from processors.coverage import Covered, CoveredSegment
from processors.extractive import (
    SYNOPSIS_WORDS,
    SceneWording,
    clipped,
    significance_of,
    synopsis_of,
)
from processors.names import find_identities, find_mentions
from processors.scene_titles import title_of
from processors.told_names import times_named


def build_scenes(chapter: ChapterText, covered: Covered) -> tuple[Scene, ...]:
    """Return one scene a covered segment, in the order of the text.

    A title (at most 10 words), synopsis (at most 40) or significance (the same) that the
    segmenter left empty is taken from the scene's own sentences and listed in `filled`; none of
    the three is ever empty. Every word of an extracted field stands in the scene's home.
    """
    homes = [(segment.home_first, segment.home_last) for segment in covered.segments]
    mentions = find_mentions(chapter, homes)
    identities = find_identities(chapter, homes)
    alike = tuple(
        name for each in covered.segments for pair in each.segment.identities for name in pair
    )
    seen: Counter[str] = Counter()
    scenes = []
    for segment, named, same in zip(covered.segments, mentions, identities, strict=True):
        home = _span(chapter, segment.home_first, segment.home_last)
        text = normalised(chapter.text[home.start : home.end])
        told = (*segment.segment.characters, *alike)
        persons = _with_told(named, told, chapter.text[home.start : home.end])
        one = tuple(dict.fromkeys((*same, *segment.segment.identities)))
        scenes.append(_scene(chapter, segment, persons, one, seen[text]))
        seen[text] += 1
    return tuple(scenes)


def _scene(
    chapter: ChapterText,
    covered: CoveredSegment,
    mentions: Sequence[Mention],
    identities: tuple[tuple[str, str], ...],
    occurrence: int,
) -> Scene:
    segment = covered.segment
    home = _span(chapter, covered.home_first, covered.home_last)
    text = chapter.text[home.start : home.end]
    told, filled = _fields(chapter, covered, mentions)
    return Scene(
        scene_id=scene_id(chapter.work_id, chapter.chapter_id, text, occurrence),
        first_sentence=covered.home_first,
        last_sentence=covered.home_last,
        start=home.start,
        end=home.end,
        extra_spans=tuple(_span(chapter, first, last) for first, last in covered.extra),
        title=told["title"],
        synopsis=told["synopsis"],
        significance=told["significance"],
        turning_point=segment.turning_point,
        context=segment.context,
        context_spans=_context(chapter, covered),
        mentions=tuple(mentions),
        identities=identities,
        threads=segment.threads,
        words=count_words(text),
        filled=filled,
    )


def _context(chapter: ChapterText, covered: CoveredSegment) -> tuple[Span, ...]:
    """Return the context sentences that are not in the scene anyway, in order, each once."""
    own = ((covered.home_first, covered.home_last), *covered.extra)
    outside = (
        number
        for number in sorted(set(covered.segment.context))
        if not any(first <= number <= last for first, last in own)
    )
    return tuple(_span(chapter, number, number) for number in outside)


def _fields(
    chapter: ChapterText, covered: CoveredSegment, mentions: Sequence[Mention]
) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """Return title, synopsis and significance, and which of them had to be extracted."""
    told = {
        "title": covered.segment.title.strip(),
        "synopsis": covered.segment.synopsis.strip(),
        "significance": covered.segment.significance.strip(),
    }
    filled = tuple(field for field, value in told.items() if not value)
    extracted = _extracted(chapter, covered, mentions) if filled else {}
    return {field: value or extracted[field] for field, value in told.items()}, filled


def _extracted(
    chapter: ChapterText, covered: CoveredSegment, mentions: Sequence[Mention]
) -> dict[str, str]:
    names = [mention.name for mention in mentions]
    wording = SceneWording.of(chapter, covered.home_first, covered.home_last, names)
    main = synopsis_of(wording)
    closing = significance_of(wording, main)
    return {
        "title": title_of(wording),
        "synopsis": clipped(wording.quoted(main), SYNOPSIS_WORDS),
        "significance": clipped(wording.quoted((closing,)), SYNOPSIS_WORDS),
    }


def _with_told(
    mentions: Sequence[Mention], characters: Sequence[str], text: str
) -> tuple[Mention, ...]:
    """Add the persons a segmenter named, where the name stands in the text and was not found."""
    known = {mention.name for mention in mentions}
    added = [
        Mention(name=name, count=times)
        for name in dict.fromkeys(map(str.strip, characters))
        if name not in known and (times := times_named(name, text))
    ]
    return (*mentions, *added)


def _span(chapter: ChapterText, first: int, last: int) -> Span:
    return Span(start=chapter.sentences[first - 1].start, end=chapter.sentences[last - 1].end)
