"""The lines of a map: what each scene and each storyline says of itself.

Whatever is quoted is one line without brackets: no title and no synopsis can end its line, forge
another scene's number or close the map.
"""

from __future__ import annotations

from typing import Final

from processors.one_line import clipped
from processors.story_map.numbering import Numbered

SYNOPSIS_WORDS: Final = 40
TITLE_WORDS: Final = 14
STORYLINE_WORDS: Final = 30


def scene_line(told: Numbered, number: int) -> str:
    """Return the line of scene `number`; the first of a thread says what the thread is called.

    The title is the one that the thread had then: what a line says never changes.
    """
    scene, thread = told.scenes[number - 1], told.threads[number - 1]
    title = clipped(scene.title, TITLE_WORDS)
    synopsis = clipped(scene.synopsis, SYNOPSIS_WORDS)
    told_twice = synopsis.startswith(title)  # where both are the scene's own sentences
    words = synopsis if told_twice else f"{title}: {synopsis}"
    return f"{number} [{_thread(told, number, thread)}] {words}"


def _thread(told: Numbered, number: int, thread: str) -> str:
    name = told.names.get(thread, "-")
    if not thread or told.first[thread] != number:
        return name
    scene = told.scenes[number - 1]
    begun = [v for v in told.versions.get(thread, ()) if v.from_ordinal <= scene.ordinal]
    title = begun[0].title if begun else ""
    own = clipped(title.removesuffix(scene.title).rstrip(": "), TITLE_WORDS)
    return f"{name} {own}".rstrip()


def storyline_line(told: Numbered, storyline: str) -> str:
    """Return the line of a storyline as it stands now: where it lies, how long, what it tells."""
    name, parent = told.names[storyline], told.names.get(told.parents[storyline])
    within = f" in {parent}" if parent else ""
    count = told.counts[storyline]
    scenes = f"{count} scenes, {told.first[storyline]} to {told.last[storyline]}"
    newest = told.versions.get(storyline, ())[-1:]
    title = clipped(newest[0].title, TITLE_WORDS) if newest else ""
    synopsis = clipped(newest[0].synopsis, STORYLINE_WORDS) if newest else ""
    return f"{name}{within} [{scenes}] {title}: {synopsis}"
