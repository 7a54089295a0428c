"""What one walk has behind it: what was found, named, opened and asked, round by round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from contracts.explanations import MapSeen, ModelCall, Round, SceneSeen, StorylineSeen, Timing
from contracts.ids import SceneId, StorylineId
from contracts.outline import Outline
from processors.retriever import Reading
from processors.scene_searching import ScenePlace
from processors.story_map.numbering import Numbered
from processors.story_map.showing import ShownMap
from processors.walking.evidence import Group
from processors.walking.reader import CallMade

SEARCH = "search"
BY_MAP = "map"
BY_PASSAGES = "passages"


@dataclass(slots=True)
class Trail:
    """A walk's past. `found` is what the first search found; `asked` are queries of the model."""

    outline: Outline
    told: Numbered
    found: Reading
    groups: list[Group] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    calls: list[CallMade] = field(default_factory=list)
    concluding: tuple[ModelCall, ...] = ()
    map: MapSeen | None = None

    @property
    def numbers(self) -> Mapping[SceneId, int]:
        """The number of each scene."""
        return self.told.numbers

    @property
    def hits(self) -> tuple[int, ...]:
        """Return the numbers of the scenes that the first search found, the best first."""
        scenes = dict.fromkeys(e.candidate.scene_id for e in self.found.extracts)
        return tuple(self.numbers[scene] for scene in scenes if scene in self.numbers)

    @property
    def named(self) -> set[SceneId]:
        """Return the scenes that were named so far."""
        return {place.scene_id for group in self.groups for place in group.places}

    @property
    def timing(self) -> Timing:
        """Return what of the calls depends on the hour; the whole's seconds are not in it."""
        return Timing(
            call_seconds=tuple(round(call.seconds, 3) for call in self.calls),
            cached_tokens=tuple(call.cached_tokens for call in self.calls),
        )

    def see(self, shown: ShownMap, tokens: int) -> None:
        """Note the map that is shown now."""
        self.map = MapSeen(
            scenes=len(self.told.scenes),
            shown=len(shown.shown),
            whole=shown.whole,
            tokens=tokens,
        )

    def places(self, numbers: Sequence[int]) -> tuple[ScenePlace, ...]:
        """Return where scenes stand that were not named before."""
        named = self.named
        scenes = (self.told.scenes[number - 1] for number in numbers)
        return tuple(
            ScenePlace(scene.scene_id, scene.chapter_id)
            for scene in scenes
            if scene.scene_id not in named
        )

    def add(self, places: tuple[ScenePlace, ...], text: str, channel: str) -> None:
        """Add scenes to the evidence."""
        if places:
            self.groups.append(Group(places, text, channel))

    def note(
        self,
        by: str,
        query: str,
        places: Sequence[ScenePlace],
        opened: Sequence[str] = (),
        dropped: int = 0,
        calls: Sequence[CallMade] = (),
    ) -> None:
        """Note what a round did."""
        self.calls += calls
        self.rounds.append(
            Round(
                by=by,
                query=query,
                scenes=tuple(self._scene(place.scene_id) for place in places),
                opened=tuple(map(self._storyline, opened)),
                dropped=dropped,
                calls=tuple(made.call for made in calls),
            )
        )

    def _scene(self, scene_id: SceneId) -> SceneSeen:
        number = self.numbers[scene_id]
        scene = self.told.scenes[number - 1]
        return SceneSeen(
            number=number,
            scene_id=scene_id,
            chapter_id=scene.chapter_id,
            ordinal=scene.ordinal,
            title=scene.title,
        )

    def _storyline(self, name: str) -> StorylineSeen:
        storyline = self.told.storylines[name]
        return StorylineSeen(
            name=name, storyline=StorylineId(storyline), title=self.title_of(storyline)
        )

    def title_of(self, storyline: str) -> str:
        """Return what a storyline is called now."""
        versions = self.told.versions.get(storyline, ())
        return versions[-1].title if versions else ""
