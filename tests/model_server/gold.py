"""A script that segments the annotated books of the shared data as their annotators did.

It finds the chapter by the sentences that it is shown, also where these are a part of it, so the
whole pipeline can be measured as if a strong model segmented. What it is shown of another text is
one scene to it.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from contracts.events import ChapterPublished
from contracts.ids import ChapterId, WorkId
from contracts.ordinals import Ordinal
from contracts.scenes import ChapterText
from processors.litseg.chunks import Shown
from processors.text import read_chapter
from replay.evaluation.shared_data import shared_data
from tests.model_server.gold_persons import GoldPersons
from tests.model_server.script import Heard, Reply, Says

LINE: Final = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
_WHOLE: Final = 10**9


@dataclass(frozen=True)
class GoldChapter:
    """A chapter as a model is shown it, and its scenes by number of the first sentence."""

    index: int
    lines: tuple[str, ...]
    scenes: tuple[tuple[int, Mapping[str, Any]], ...]
    persons: GoldPersons

    def titled(self, titles: Collection[str]) -> int:
        """Count the scenes whose title begins with one of `titles`."""
        return sum(any(s["title"].startswith(t) for t in titles if t) for _, s in self.scenes)


class GoldScript:
    """Answers questions about chapters of `books`: what their scenes are, and who is who.

    Asked where scenes belong, it says the likeliest.
    """

    def __init__(self, *books: str) -> None:
        self._chapters: list[GoldChapter] = []
        self._at: dict[str, list[tuple[int, int]]] = {}
        for book in books:
            for chapter in _gold_chapters(book):
                for place, line in enumerate(chapter.lines):
                    self._at.setdefault(line, []).append((len(self._chapters), place))
                self._chapters.append(chapter)

    def __call__(self, heard: Heard) -> Reply:
        """Answer in the schema that was sent, part by part."""
        if heard.purpose == "placement":
            return Says(self.advice(heard.user))
        parts = heard.schema["properties"]
        told = self.answer(heard.user)
        return Says({part: told[part] for part in parts})

    def answer(self, user: str) -> dict[str, Any]:
        """Return the whole answer about the sentences that `user` shows."""
        lines = [line for _, line in LINE.findall(user)]
        found = self._found(lines)
        if found is None:
            return {**told_scenes([(1, len(lines), {})]), "identities": []}
        chapter, place = found
        starts = [max(1, first - place) for first, _ in chapter.scenes]
        ranges = [
            (first, last, _persons_of(chapter, scene, lines[first - 1 : last]))
            for (first, after), (_, scene) in zip(
                pairwise([*starts, _WHOLE]), chapter.scenes, strict=True
            )
            if first <= (last := min(after - 1, len(lines)))
        ]
        same = chapter.persons.identities(chapter.index, lines)
        return {**told_scenes(ranges), "identities": same}

    def advice(self, user: str) -> dict[str, Any]:
        """Return advice on the scenes and the persons that `user` shows."""
        scenes, hidden, named = (
            listed(user, title) for title in ("SCENES", "WITHOUT A NAME", "IN THESE SCENES")
        )
        told: dict[str, Any] = {
            f"scene_{scene['number']}": {
                "home": scene["likely"][0],
                "touches": "none",
                "touches_too": "none",
            }
            for scene in scenes
            if "likely" in scene
        }
        titles = {scene["title"].rstrip(" …") for scene in scenes}
        chapter = max(self._chapters, key=lambda each: each.titled(titles))
        words = {each["id"]: each["words"] for each in hidden}
        names = {each["id"]: each["name"] for each in named}
        return told | chapter.persons.revealed(chapter.index, words, names)

    def _found(self, lines: Sequence[str]) -> tuple[GoldChapter, int] | None:
        """Return the chapter that `lines` stand in, one after the other, and the place before."""
        for nth, place in self._at.get(lines[0] if lines else "", ()):
            chapter = self._chapters[nth]
            if list(chapter.lines[place : place + len(lines)]) == list(lines):
                return chapter, place
        return None


def listed(user: str, title: str) -> list[dict[str, Any]]:
    """Return the objects of the list under `title`, one a line; none where it is not shown."""
    _, _, rest = user.partition(f"{title}\n")
    lines = itertools.takewhile(lambda line: line.startswith("{"), rest.splitlines())
    return [json.loads(line) for line in lines]


def _persons_of(
    chapter: GoldChapter, scene: Mapping[str, Any], lines: Sequence[str]
) -> Mapping[str, Any]:
    """Return a scene with its persons as its own words have them."""
    return {**scene, "characters": chapter.persons.who(scene["characters"], chapter.index, lines)}


def told_scenes(ranges: Iterable[tuple[int, int, Mapping[str, Any]]]) -> dict[str, Any]:
    """Return what a model would tell of gold scenes: one event a scene, which sums it up."""
    told = list(ranges)
    named: dict[str, list[int]] = {}
    for number, (_, _, scene) in enumerate(told, start=1):
        for thread in scene.get("threads", ()):
            named.setdefault(thread, []).append(number)
    return {
        "events": [
            {
                "from_idx": first,
                "to_idx": last,
                "what": scene.get("synopsis", ""),
                "who": list(scene.get("characters", ())),
            }
            for first, last, scene in told
        ],
        "threads": [{"name": name, "events": numbers} for name, numbers in named.items()],
        "turning_points": [
            {"at_idx": last, "type": "turn", "description": scene.get("turning_point", "")}
            for _, last, scene in told
        ],
        "segments": [
            {
                "subtitle": scene.get("title", ""),
                "from_idx": first,
                "to_idx": last,
                "context_idx": [],
                "significance": scene.get("significance", ""),
            }
            for first, last, scene in told
        ],
    }


def _gold_chapters(book: str) -> Iterable[GoldChapter]:
    gold = json.loads(shared_data("storylines", f"{book}.json").read_bytes())
    names = {thread["id"]: thread["name"] for thread in gold["threads"]}
    told = {chapter["index"]: chapter["scenes"] for chapter in gold["chapters"]}
    persons = GoldPersons.of(gold)
    for chapter in _published(book, frozenset(told)):
        text, index = read_chapter(chapter), int(chapter.chapter_id)
        scenes = [
            {**scene, "threads": [names[each] for each in scene["threads"]]}
            for scene in told[index]
        ]
        if text.sentences:
            yield GoldChapter(index, _lines(text), tuple(_placed(text, scenes)), persons)


def gold_chapters(book: str) -> tuple[ChapterPublished, ...]:
    """Return the annotated chapters of `book` as they are published."""
    gold = json.loads(shared_data("storylines", f"{book}.json").read_bytes())
    return tuple(_published(book, frozenset(chapter["index"] for chapter in gold["chapters"])))


def _published(book: str, annotated: frozenset[int]) -> Iterable[ChapterPublished]:
    folder = "cjk" if book == "journey-to-the-west" else "books"
    for chapter in json.loads(shared_data(folder, f"{book}.json").read_bytes())["chapters"]:
        if chapter["index"] in annotated:
            yield ChapterPublished(
                work_id=WorkId(book),
                chapter_id=ChapterId(str(chapter["index"])),
                ordinal=Ordinal.parse(chapter["index"]),
                title=chapter["title"] or "",
                body=chapter["text"],
            )


def _lines(text: ChapterText) -> tuple[str, ...]:
    shown = Shown(text, _WHOLE)
    lines: list[str] = []
    while len(lines) < len(text.sentences):
        chunk = shown.chunk_from(len(lines) + 1)
        lines += [line for _, line in LINE.findall(shown.text(chunk))]
    return tuple(lines)


def _placed(
    text: ChapterText, scenes: Sequence[Mapping[str, Any]]
) -> Iterable[tuple[int, Mapping[str, Any]]]:
    """Yield each scene with the first sentence that begins in it; two never begin at one."""
    starts = [span.start for span in text.sentences]
    before = 0
    for scene in scenes:
        first = next((n for n, at in enumerate(starts, 1) if at >= scene["start"]), None)
        if before == 0:
            first = 1
        if first is None or first <= before:
            continue
        before = first
        yield first, scene
