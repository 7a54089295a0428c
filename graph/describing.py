"""A storyline in words taken from its scenes: who is in it, and what happens.

A description is a version, valid from the chapter that made it. A new one is due whenever the
storyline has grown by half since the last: then a work of n scenes is described O(n) times in
all, and what the last version does not know is never more than a third.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from contracts.ids import CharacterId
from contracts.tree import Describe, StorylineKind
from contracts.words import iter_words
from graph.profiles import Profile, by_centrality
from graph.rarity import rarity
from graph.state import Remembered, Storyline

_GROWTH_PERCENT: Final = 50
SYNOPSIS_WORDS: Final = 60
"""A description stands in the map of the work, where each word is read with every question."""

_TITLE_WORDS: Final = 10  # of a scene, as `processors` make them at most
_TITLE_CHARACTERS: Final = 100  # no word is so long; some scripts put no space between words
_NAMED: Final = {StorylineKind.GROUP: 3, StorylineKind.THREAD: 2, StorylineKind.ARC: 0}
"""How many persons stand in the title: a group is who is in it, an arc lies in a thread that has
named them already."""

_SENTENCE_END: Final = re.compile(r"(?<=\w{4})[.!?…]+[\"'”’»)]*(?=\s)|[。！？]+[」』”]*")
"""After a word of four letters at least: "Mrs." and "St." end no sentence."""


def is_due(storyline: Storyline) -> bool:
    """Say whether the storyline has grown enough for a new version."""
    described = storyline.count - storyline.growth
    return storyline.growth > 0 and storyline.growth * 100 >= described * _GROWTH_PERCENT


def describe(
    storyline: Storyline, beside: Sequence[Profile], name: Callable[[CharacterId], str]
) -> Describe:
    """Put a storyline into words.

    Args:
        storyline: has at least one scene in its window.
        beside: the windows of its parent's children, itself included, against which its
            characters stand out; none for the root.
        name: what a character is called.
    """
    central = by_centrality(storyline.window)
    newest = storyline.window[-1]
    titled = next((scene for scene in central if scene.title), central[0])
    told = _told(central, newest)
    words = SYNOPSIS_WORDS // len(told)
    return Describe(
        storyline=storyline.id,
        title=_title(storyline, titled, _typical(storyline, beside), name),
        synopsis=" ".join(filter(None, (clipped(scene.synopsis, words) for scene in told))),
        inputs=tuple(s.scene for s in storyline.window if s in (*told, titled)),
    )


def clipped(text: str, words: int) -> str:
    """Return whole sentences of `text` up to so many words; if none fits, its beginning."""
    spans = list(iter_words(text))
    if len(spans) <= words:
        return text
    head = text[: spans[words][0]]
    ends = [match.end() for match in _SENTENCE_END.finditer(head)]
    if ends and ends[-1] * 2 > len(head):
        return head[: ends[-1]]
    return text[: spans[words - 1][1]] + "…"


def short_title(title: str) -> str:
    """Return a scene's title, cut where it is no title any more."""
    return clipped(title, _TITLE_WORDS)[:_TITLE_CHARACTERS]


def _told(central: Sequence[Remembered], newest: Remembered) -> list[Remembered]:
    """Choose what stands for the whole and what came last, in story order."""
    with_words = [scene for scene in central if scene.synopsis] or central
    chosen = {scene.place: scene for scene in (with_words[0], newest)}
    return [chosen[place] for place in sorted(chosen)]


def _typical(storyline: Storyline, beside: Sequence[Profile]) -> list[CharacterId]:
    """Return the storyline's characters, those first that are often here and seldom beside."""
    weights = rarity((other.company, other.scenes) for other in beside)
    counts = Counter(c for scene in storyline.window for c in scene.characters)
    return sorted(counts, key=lambda c: (-counts[c] * weights.of(c), c))


def _title(
    storyline: Storyline,
    scene: Remembered,
    typical: Sequence[CharacterId],
    name: Callable[[CharacterId], str],
) -> str:
    limit = _NAMED[storyline.kind]
    names = ", ".join(dict.fromkeys(name(character) for character in typical[:limit]))
    if storyline.kind is StorylineKind.GROUP and names:
        return names
    return ": ".join(filter(None, (names, scene.title)))
