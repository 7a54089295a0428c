"""A segmenter that tells of persons without a name, and who they are, as a model would."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from contracts.ports import Segmenter
from contracts.scenes import ChapterText, Segment, Segmentation

_HIDDEN: Final = re.compile(r"\b[Tt]he (?:stranger|tall rower|mute lodger)\b")
_IS: Final = re.compile(
    r"\b([Tt]he (?:stranger|tall rower|mute lodger)) was "
    r"(the (?:stranger|tall rower|mute lodger)|[A-Z]\w+(?: [A-Z]\w+)?)"
)


@dataclass(frozen=True, slots=True)
class TellingSegmenter:
    """Cuts as `inner` does, and reads who is in a scene from sentences of a few forms."""

    inner: Segmenter

    @property
    def version(self) -> str:
        return f"telling {self.inner.version}"

    async def segment(self, chapter: ChapterText) -> Segmentation:
        told = await self.inner.segment(chapter)
        return told.model_copy(
            update={"segments": tuple(_told(chapter, segment) for segment in told.segments)}
        )


def _told(chapter: ChapterText, segment: Segment) -> Segment:
    start = chapter.sentences[segment.from_idx - 1].start
    text = chapter.text[start : chapter.sentences[segment.to_idx - 1].end]
    return segment.model_copy(
        update={
            "characters": tuple(dict.fromkeys(_HIDDEN.findall(text))),
            "identities": tuple(_IS.findall(text)),
        }
    )
