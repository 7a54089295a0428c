"""Which extracts fit into a reader's words, joined where they touch, grouped by scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contracts.ids import ChapterId
from processors.extracts import Extract


def within_budget(extracts: Sequence[Extract], words: int) -> list[Extract]:
    """Take extracts, best first, as long as their words fit; one too long is passed over."""
    taken = []
    for extract in extracts:
        if extract.words <= words:
            words -= extract.words
            taken.append(extract)
        if not words:
            break
    return taken


def joined(extracts: Sequence[Extract], texts: Mapping[ChapterId, str]) -> list[Extract]:
    """Join extracts of one scene with nothing but white space between; the best score stays."""
    story = sorted(extracts, key=lambda each: (each.candidate.chapter_id, each.start))
    runs: list[Extract] = []
    for extract in story:
        last = runs[-1] if runs else None
        if last is not None and _touch(last, extract, texts):
            best = max(last, extract, key=lambda each: each.score)
            both = last.words + extract.words
            runs[-1] = best._replace(start=last.start, end=extract.end, words=both)
        else:
            runs.append(extract)
    return runs


def grouped(extracts: Sequence[Extract], chapters: Mapping[ChapterId, int]) -> list[Extract]:
    """Order by the best score of each scene, then inside a scene; ties as in the story."""

    def place(extract: Extract) -> tuple[int, int]:
        return chapters[extract.candidate.chapter_id], extract.start

    ranked = sorted(extracts, key=lambda each: (-each.score, place(each)))
    scenes = list(dict.fromkeys(each.candidate.scene_id for each in ranked))
    rank = {scene: nth for nth, scene in enumerate(scenes)}
    return sorted(ranked, key=lambda each: rank[each.candidate.scene_id])


def _touch(left: Extract, right: Extract, texts: Mapping[ChapterId, str]) -> bool:
    one, other = left.candidate, right.candidate
    between = texts[one.chapter_id][left.end : right.start]
    return one.scene_id == other.scene_id and not between.strip()
