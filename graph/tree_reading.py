"""A snapshot of the tree, indexed for reading: parents, paths, descriptions, names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from contracts.ids import StorylineId
from contracts.ports import ChapterScenes, TreeSnapshot
from contracts.scenes import Scene
from contracts.story_graph import NEWEST
from contracts.tree import AliasRow, DescriptionRow, StorylineKind, StorylineRow
from contracts.words import count_words, iter_words
from graph.characters import display_name

_SYNOPSIS_WORDS: Final = 120


@dataclass(frozen=True, slots=True)
class TreeReading:
    """The tree as of one ordinal. Every look-up is a dictionary look-up.

    `scenes` holds the scenes beneath each storyline, at any depth, in story order.
    """

    storylines: dict[str, StorylineRow]
    parents: dict[str, str]
    homes: dict[str, str]
    touches: dict[str, list[str]]
    descriptions: dict[str, DescriptionRow]
    names: dict[str, str]
    aliases: dict[str, list[AliasRow]]
    present: dict[str, list[str]]
    scenes: dict[str, list[Scene]]

    def path(self, storyline: str) -> tuple[StorylineId, ...]:
        """Return the storylines from the root down to `storyline`."""
        path = [StorylineId(storyline)]
        while path[-1] in self.parents:
            path.append(StorylineId(self.parents[path[-1]]))
        return tuple(reversed(path))

    def thread(self, storyline: str) -> StorylineId:
        """Return the thread that `storyline` is or lies in."""
        path = self.path(storyline)
        threads = (s for s in path if self.storylines[s].kind == StorylineKind.THREAD)
        return next(threads, path[-1])

    def title(self, storyline: str) -> str:
        """Return the storyline's title as of the snapshot."""
        described = self.descriptions.get(storyline)
        return described.title if described else ""

    def synopsis(self, storyline: str) -> str:
        """Return the last description, followed by the newest synopses it does not know."""
        return synopsis_now(self.descriptions.get(storyline), self.scenes.get(storyline, ()))


def synopsis_now(described: DescriptionRow | None, scenes: Sequence[Scene]) -> str:
    """Return a description, followed by what the last of `scenes` tell that it does not know.

    They are the scenes after the newest one that it was made of, at most `NEWEST`.
    """
    known = set(described.inputs) if described else set()
    newest: list[Scene] = []
    for scene in reversed(scenes[-NEWEST:]):
        if scene.scene_id in known:
            break
        newest.append(scene)
    told = [described.synopsis if described else "", *(s.synopsis for s in reversed(newest))]
    return _cut(" ".join(filter(None, told)))


def read_tree(snapshot: TreeSnapshot, chapters: Iterable[ChapterScenes]) -> TreeReading:
    """Index `snapshot`, whose scenes are those of `chapters` (in story order)."""
    parents = {row.child: row.parent for row in snapshot.children}
    homes = {row.scene: row.storyline for row in snapshot.homes}
    aliases: dict[str, list[AliasRow]] = defaultdict(list)
    for alias in snapshot.aliases:
        aliases[alias.character].append(alias)
    return TreeReading(
        storylines={row.id: row for row in snapshot.storylines},
        parents=parents,
        homes=homes,
        touches=_grouped((row.scene, row.storyline) for row in snapshot.touches),
        descriptions={row.storyline: row for row in snapshot.descriptions},
        names={character: display_name(rows) for character, rows in aliases.items()},
        aliases=dict(aliases),
        present=_grouped((row.scene, row.character) for row in snapshot.appearances),
        scenes=_beneath(chapters, homes, parents),
    )


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = defaultdict(list)
    for key, value in pairs:
        grouped[key].append(value)
    return {key: sorted(values) for key, values in grouped.items()}


def _beneath(
    chapters: Iterable[ChapterScenes], homes: dict[str, str], parents: dict[str, str]
) -> dict[str, list[Scene]]:
    scenes: dict[str, list[Scene]] = defaultdict(list)
    for chapter in chapters:
        for scene in chapter.scenes:
            at: str | None = homes.get(scene.scene_id)
            while at is not None:
                scenes[at].append(scene)
                at = parents.get(at)
    return dict(scenes)


def _cut(text: str) -> str:
    if count_words(text) <= _SYNOPSIS_WORDS:
        return text
    ends = [end for _, end in iter_words(text)]
    return text[: ends[_SYNOPSIS_WORDS - 1]].rstrip() + "…"
