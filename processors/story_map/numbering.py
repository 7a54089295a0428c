"""Short names for what a map shows, and how storylines lie in each other.

Scenes count from 1 in the order of the story, threads (t1, t2) in the order of their first
scenes. A thread never changes its scenes' thread, so both are the same in every map of a work
that holds the scene. Groups and arcs (g1, a1) are named as of one map only.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from contracts.ids import SceneId
from contracts.outline import Outline, OutlineScene
from contracts.tree import DescriptionRow, StorylineKind

_LETTERS: Final = {StorylineKind.THREAD: "t", StorylineKind.ARC: "a", StorylineKind.GROUP: "g"}
_UNPLACED: Final = ""


@dataclass(frozen=True, slots=True)
class Numbered:
    """An outline under short names.

    `scenes[n - 1]` is scene number n, `numbers` has the number of each; `threads` has each scene's
    thread, in the same order ("" of a scene that hangs nowhere). `names` gives the short name of
    each storyline by id, in the order of the story, the root left out. `parents` has each
    storyline's parent, `held` the numbers of the scenes that hang on each directly, `counts` how
    many lie beneath.
    """

    scenes: tuple[OutlineScene, ...]
    numbers: Mapping[SceneId, int]
    threads: tuple[str, ...]
    names: Mapping[str, str]
    parents: Mapping[str, str]
    children: Mapping[str, tuple[str, ...]]
    held: Mapping[str, tuple[int, ...]]
    counts: Mapping[str, int]
    first: Mapping[str, int]
    last: Mapping[str, int]
    versions: Mapping[str, tuple[DescriptionRow, ...]]
    roots: tuple[str, ...]

    @property
    def storylines(self) -> Mapping[str, str]:
        """The id of each storyline by its short name."""
        return {name: storyline for storyline, name in self.names.items()}


def numbered(outline: Outline) -> Numbered:
    """Name everything in `outline`."""
    parents = {row.child: row.parent for row in outline.children}
    kinds = {row.id: row.kind for row in outline.storylines}
    paths = {row.id: _path(row.id, parents) for row in outline.storylines}
    held: dict[str, list[int]] = defaultdict(list)
    counts: Counter[str] = Counter()
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for number, scene in enumerate(outline.scenes, start=1):
        held[scene.home].append(number)
        for storyline in paths.get(scene.home, ()):
            counts[storyline] += 1
            first.setdefault(storyline, number)
            last[storyline] = number
    shown = [storyline for storyline in first if storyline in parents]
    order = sorted(shown, key=lambda each: (first[each], len(paths[each]), each))
    children: dict[str, list[str]] = defaultdict(list)
    for storyline in order:
        children[parents[storyline]].append(storyline)
    return Numbered(
        scenes=outline.scenes,
        numbers={scene.scene_id: nth for nth, scene in enumerate(outline.scenes, start=1)},
        threads=tuple(_thread(paths.get(scene.home, ()), kinds) for scene in outline.scenes),
        names=_names(order, kinds),
        parents=parents,
        children={parent: tuple(each) for parent, each in children.items()},
        held={storyline: tuple(numbers) for storyline, numbers in held.items()},
        counts=counts,
        first=first,
        last=last,
        versions=_versions(outline),
        roots=tuple(storyline for storyline in first if storyline not in parents),
    )


def _path(storyline: str, parents: Mapping[str, str]) -> tuple[str, ...]:
    """Return the storylines from `storyline` up to the root."""
    path = [storyline]
    while path[-1] in parents:
        path.append(parents[path[-1]])
    return tuple(path)


def _thread(path: tuple[str, ...], kinds: Mapping[str, StorylineKind]) -> str:
    """Return the thread that a scene's home is or lies in."""
    threads = (each for each in path if kinds[each] is StorylineKind.THREAD)
    return next(threads, _UNPLACED)


def _names(order: list[str], kinds: Mapping[str, StorylineKind]) -> dict[str, str]:
    seen: Counter[str] = Counter()
    names = {}
    for storyline in order:
        letter = _LETTERS[kinds[storyline]]
        seen[letter] += 1
        names[storyline] = f"{letter}{seen[letter]}"
    return names


def _versions(outline: Outline) -> dict[str, tuple[DescriptionRow, ...]]:
    versions: dict[str, list[DescriptionRow]] = defaultdict(list)
    for version in outline.versions:
        versions[version.storyline].append(version)
    return {storyline: tuple(each) for storyline, each in versions.items()}
