"""The segment stage: a chapter event becomes a chapter cut into scenes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from contracts.errors import PermanentError
from contracts.events import ChapterEvent, ChapterPublished
from contracts.messages import ChapterHead, ChapterSegmented, EventPassed
from contracts.ports import Segmenter
from contracts.scenes import ChapterText, Segmentation
from processors.coverage import repair
from processors.scene_building import build_scenes
from processors.text import read_chapter

MAX_BODY_BYTES: Final = 4_000_000
"""A novel of 700,000 words: nobody publishes a longer chapter by intention."""

SEGMENTING_RULES: Final = 1
"""Rises with any change of how chapters are read and scenes are built, tables and segmenters apart;
part of the index version."""


@dataclass(frozen=True, slots=True)
class SegmentStage:
    """Reads, segments, repairs and builds; sees one chapter only."""

    segmenter: Segmenter
    max_body_bytes: int = MAX_BODY_BYTES

    async def __call__(self, event: ChapterEvent, position: int) -> ChapterSegmented | EventPassed:
        """Return the segmented chapter, or the event itself where it has no text.

        Args:
            event: from the `chapters` log.
            position: the event's place in that log at first arrival.

        Raises:
            PermanentError: the body is too large, or its markup holds no readable text.
            TransientError: the segmenter's model cannot be reached.
        """
        if not isinstance(event, ChapterPublished):
            return EventPassed(position=position, event=event)
        self._check_size(event)
        chapter = read_chapter(event)
        if chapter.sentences:
            segmentation = await self.segmenter.segment(chapter)
        else:
            segmentation = Segmentation(segments=(), segmenter=self.segmenter.version)
        return _segmented(ChapterHead.of(event, position), chapter, segmentation)

    def _check_size(self, event: ChapterPublished) -> None:
        size = len(event.body.encode("utf-8", "surrogatepass"))
        if size > self.max_body_bytes:
            raise PermanentError(
                f"the body of chapter {event.chapter_id!r} has {size:,} bytes, the limit is "
                f"{self.max_body_bytes:,}: publish it as several chapters, or raise the limit"
            )


def _segmented(
    head: ChapterHead, chapter: ChapterText, segmentation: Segmentation
) -> ChapterSegmented:
    covered = repair(chapter, segmentation)
    return ChapterSegmented(
        head=head,
        language=chapter.language,
        text=chapter.text,
        sentences=chapter.sentences,
        scenes=build_scenes(chapter, covered),
        paratext=chapter.paratext,
        dropped=chapter.dropped,
        warnings=chapter.warnings,
        segmenter=segmentation.segmenter,
        repairs=covered.repairs,
        calls=segmentation.calls,
        tokens=segmentation.tokens,
        model=segmentation.model,
        server=segmentation.server,
    )
