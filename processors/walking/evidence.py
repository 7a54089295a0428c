"""What a walk has gathered: groups of scenes, united and read within the words that there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from contracts.answers import FoundPassage
from contracts.ids import SceneId
from contracts.ports import BoundStory
from processors.extracts import Extract
from processors.retriever import Reading, Retriever, passage_of
from processors.scene_searching import ScenePlace
from processors.selection import within_budget

MAP: Final = "map"
QUERY: Final = "query"


@dataclass(frozen=True, slots=True)
class Group:
    """Scenes that one look has added, what to rank their passages by, and who found them."""

    places: tuple[ScenePlace, ...]
    text: str
    channel: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A reading of what was gathered. `channels` has who found each scene that was named.

    What was named stands before what was only found.
    """

    reading: Reading
    channels: dict[SceneId, str]

    def channel_of(self, extract: Extract) -> str:
        """Say who found an extract."""
        own = extract.channel or extract.candidate.channel
        return self.channels.get(extract.candidate.scene_id, own)

    def passages(self) -> tuple[FoundPassage, ...]:
        """Return the extracts as passages, each with its channel."""
        return tuple(
            passage_of(self.reading, extract).model_copy(
                update={"channel": self.channel_of(extract)}
            )
            for extract in self.reading.extracts
        )


async def gathered(
    retriever: Retriever,
    view: BoundStory,
    found: Reading,
    groups: Sequence[Group],
    words: int,
) -> Evidence:
    """Read the scenes of `groups`, and beside them as much of `found` as fits into `words`.

    A scene belongs to the last group that has it. Groups share the words evenly, the last one
    first, and with `found` too if nothing was named on a map; what one leaves is the next one's.
    """
    named, readings, left = set[SceneId](), list[Reading](), words
    by_map = any(group.channel == MAP for group in groups)
    for nth, group in enumerate(reversed(groups)):
        places = [place for place in group.places if place.scene_id not in named]
        named |= {place.scene_id for place in places}
        room = left // (len(groups) - nth + (not by_map))
        if places and room:
            reading = await retriever.read(view, group.text, room, within=places)
            readings.append(reading)
            left -= reading.words
    rest = within_budget([e for e in found.extracts if e.candidate.scene_id not in named], left)
    channels = {place.scene_id: group.channel for group in groups for place in group.places}
    return Evidence(_united(found, readings, rest), channels)


def _united(found: Reading, readings: Sequence[Reading], rest: Sequence[Extract]) -> Reading:
    gaps = list(found.gaps)
    for reading in readings:
        gaps += [gap for gap in reading.gaps if gap not in gaps]
    texts = dict(found.texts)
    for reading in readings:
        texts |= reading.texts
    extracts = [extract for reading in readings for extract in reading.extracts]
    return replace(found, extracts=(*extracts, *rest), texts=texts, gaps=tuple(gaps))
