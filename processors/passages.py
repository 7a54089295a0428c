"""Cuts scenes into passages: about 100 words of whole sentences, as even as sentences allow."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from contracts.frozen import Span
from contracts.ids import passage_id
from contracts.messages import ChapterSegmented
from contracts.scenes import Passage, Scene
from contracts.words import count_words

TARGET_WORDS: Final = 100
"""Measured: passages of 100 words inside scenes find most evidence a word returned."""


def cut_passages(segmented: ChapterSegmented) -> tuple[Passage, ...]:
    """Cut every scene's home into passages, in the order of the text.

    Each home sentence lies in exactly one passage; a passage never leaves its scene; its text
    is the slice of the chapter's text between its first and its last sentence. A sentence
    longer than a passage stays whole.
    """
    return tuple(passage for scene in segmented.scenes for passage in _of_scene(segmented, scene))


def named_passages(
    text: str, scenes: Sequence[Scene], items: Collection[str]
) -> tuple[Passage, ...]:
    """Return those passages of `scenes` whose ids are among `items`, in the order of the text.

    Of a chapter that `cut_passages` has cut these are the same passages, though nobody kept its
    sentences: the id tells where a passage begins, and between two of a scene there is nothing
    but white space. What of `items` fits nowhere in the text is left out.
    """
    left = set(items).difference(scene.scene_id for scene in scenes)
    starts = {scene.scene_id: _starts_named(text, scene, left, near=True) for scene in scenes}
    if left:  # a sentence too long, or of Chinese or Japanese, need not begin after white space
        for scene in scenes:
            more = _starts_named(text, scene, left, near=False)
            starts[scene.scene_id] = sorted([*starts[scene.scene_id], *more])
    return tuple(
        _between(text, scene, start, after)
        for scene in scenes
        for start, after in pairwise([*starts[scene.scene_id], scene.end])
    )


def _starts_named(text: str, scene: Scene, left: set[str], *, near: bool) -> list[int]:
    """Return where passages of the scene begin whose ids are in `left`, and take those out."""
    found: list[int] = []
    for at in range(scene.start, scene.end):
        if near and at > scene.start and not text[at - 1].isspace():
            continue
        id_ = passage_id(scene.scene_id, at - scene.start)
        if id_ in left:
            left.discard(id_)
            found.append(at)
    return found


def _between(text: str, scene: Scene, start: int, after: int) -> Passage:
    body = text[start:after].rstrip()
    return Passage(
        passage_id=passage_id(scene.scene_id, start - scene.start),
        scene_id=scene.scene_id,
        start=start,
        end=start + len(body),
        text=body,
    )


def _of_scene(segmented: ChapterSegmented, scene: Scene) -> list[Passage]:
    spans = segmented.sentences[scene.first_sentence - 1 : scene.last_sentence]
    words = [max(1, count_words(segmented.text[span.start : span.end])) for span in spans]
    starts = [*_starts(words), len(spans)]
    return [
        _passage(segmented.text, scene, spans[first:after]) for first, after in pairwise(starts)
    ]


def _passage(text: str, scene: Scene, spans: Sequence[Span]) -> Passage:
    start, end = spans[0].start, spans[-1].end
    return Passage(
        passage_id=passage_id(scene.scene_id, start - scene.start),
        scene_id=scene.scene_id,
        start=start,
        end=end,
        text=text[start:end],
    )


def _starts(words: Sequence[int]) -> list[int]:
    """Return the sentence (from 0) that opens each passage.

    Of all divisions the one with the least squared distance from the target; the dynamic
    programme runs from the end, so that of equals the one with the longer first passage wins.
    """
    costs = [0] * (len(words) + 1)
    nexts = [0] * len(words)
    for first in reversed(range(len(words))):
        best: tuple[int, int] | None = None
        total = 0
        for after in range(first + 1, len(words) + 1):
            total += words[after - 1]
            if best is not None and total > TARGET_WORDS + best[0] ** 0.5:
                break  # this passage alone would cost more
            choice = ((total - TARGET_WORDS) ** 2 + costs[after], -after)
            best = choice if best is None else min(best, choice)
        if best is not None:
            costs[first], nexts[first] = best[0], -best[1]
    starts = []
    at = 0
    while at < len(words):
        starts.append(at)
        at = nexts[at]
    return starts
