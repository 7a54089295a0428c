"""A stand-in for a strong model's segmentation: the annotators' scenes, titles and synopses."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from contracts.scenes import ChapterText, Segment, Segmentation
from replay.evaluation.shared_data import shared_data


@dataclass(frozen=True, slots=True)
class ToldScenes:
    """A segmenter for one annotated book: its gold scenes, each with its title and synopsis.

    `scenes` are by chapter id, in the order of the text. Where it is not `worded`, it cuts only.
    """

    scenes: Mapping[str, Sequence[Mapping[str, Any]]]
    worded: bool = True

    @classmethod
    def of(cls, book: str, *, worded: bool = True) -> ToldScenes:
        """Read the annotation of a book."""
        told = json.loads(shared_data("storylines", f"{book}.json").read_bytes())
        return cls({str(each["index"]): each["scenes"] for each in told["chapters"]}, worded)

    @property
    def version(self) -> str:
        """Name it."""
        return "told" if self.worded else "cut as told"

    async def segment(self, chapter: ChapterText) -> Segmentation:
        """Return one segment a gold scene in which a sentence begins."""
        scenes = self.scenes[chapter.chapter_id]
        starts = [scene["start"] for scene in scenes]
        numbered = [
            (max(sum(start <= sentence.start for start in starts) - 1, 0), number)
            for number, sentence in enumerate(chapter.sentences, start=1)
        ]
        segments = []
        for nth, pairs in groupby(numbered, key=lambda pair: pair[0]):
            numbers = [number for _, number in pairs]
            segments.append(
                Segment(
                    from_idx=numbers[0],
                    to_idx=numbers[-1],
                    title=scenes[nth]["title"] if self.worded else "",
                    synopsis=scenes[nth]["synopsis"] if self.worded else "",
                )
            )
        return Segmentation(segments=tuple(segments), segmenter=self.version)
