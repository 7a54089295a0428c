"""How well characters are found and told apart: `python -m replay.evaluation.characters [BOOK …]`.

Reads every chapter of each novel in story order, as the stages do: names are found in each
chapter alone and resolved against the chapters before. Scenes are runs of 40 sentences.

A pair is (name, character). Each main character of the gold is matched with the one found
character that shares most names. A found pair is right when the name is one of the matched
character's, wrong when it is another's, and left out when no annotator lists the name at all
("Caroline Bingley" beside the listed "Caroline"); `strict` counts the last as wrong too. Names
of a main character that went to an unmatched one are wrong. The books that were looked at while
the rules were made are marked with a star and kept out of the micro figures.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from contracts.events import ChapterPublished
from contracts.ids import ChapterId, CharacterId, SceneId, WorkId
from contracts.ordinals import Ordinal
from contracts.scenes import ChapterText, Mention, Scene
from contracts.tree import (
    Appear,
    ChapterInputs,
    IntroduceCharacter,
    LinkAlias,
    LinkIdentity,
    Operation,
    SceneInputs,
)
from graph.characters import EMPTY_CAST, meet
from processors.names import find_identities, find_mentions
from processors.text import read_chapter
from replay.evaluation.character_gold import (
    GoldCharacter,
    annotated_novel,
    compared,
    quoted_novel,
)
from replay.evaluation.shared_data import shared_data

TUNED_ON: Final = frozenset(
    {
        "anne-of-green-gables",
        "daisy-miller",
        "hard-times",
        "man-who-was-thursday",
        "mysterious-affair-at-styles",
        "northanger-abbey",
        "oliver-twist",
        "persuasion",
        "pride-and-prejudice",
        "the-awakening",
    }
)
"""The rules of matching were chosen on these; no name's weight was fitted on any book here."""
_WORK: Final = WorkId("a book")
_SCENE_SENTENCES: Final = 40  # about 700 words, a long scene


@dataclass
class Found:
    """The characters found in a book: chapter of each name, mentions, identities, by chapter."""

    names: dict[CharacterId, dict[str, int]] = field(default_factory=dict)
    mentions: Counter[CharacterId] = field(default_factory=Counter)
    identities: list[tuple[int, CharacterId, CharacterId]] = field(default_factory=list)

    def take(self, operation: Operation, chapter: int) -> None:
        """Note what one operation of chapter number `chapter` says."""
        match operation:
            case IntroduceCharacter():
                self.names[operation.character] = {compared(operation.name): chapter}
            case LinkAlias():
                self.names[operation.character].setdefault(compared(operation.alias), chapter)
            case Appear():
                self.mentions[operation.character] += operation.count
            case LinkIdentity():
                self.identities.append((chapter, operation.character, operation.same_as))
            case _:
                pass


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of pairs: right, found (judged), found (all), told by the gold."""

    right: int = 0
    judged: int = 0
    found: int = 0
    told: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(
            self.right + other.right,
            self.judged + other.judged,
            self.found + other.found,
            self.told + other.told,
        )

    def __str__(self) -> str:
        precision, recall = self.right / max(1, self.judged), self.right / max(1, self.told)
        f1 = 2 * self.right / max(1, self.judged + self.told)
        strict = 2 * self.right / max(1, self.found + self.told)
        return f"P {precision:.3f}  R {recall:.3f}  F1 {f1:.3f}  strict F1 {strict:.3f}"


FindMentions = Callable[[ChapterText, Sequence[tuple[int, int]]], tuple[tuple[Mention, ...], ...]]
"""Finds the names in ranges of a chapter's sentences, as `find_mentions` does."""


def cast_of_book(chapters: Sequence[ChapterText], find: FindMentions = find_mentions) -> Found:
    """Return the characters found in `chapters`, in story order."""
    return cast_of(_inputs(chapter, number, find) for number, chapter in enumerate(chapters))


def cast_of(chapters: Iterable[ChapterInputs]) -> Found:
    """Return the characters that the fold finds in `chapters`, in story order."""
    found, cast = Found(), EMPTY_CAST
    for number, chapter in enumerate(chapters):
        meeting = meet(cast, _WORK, chapter)
        cast = meeting.cast
        for operation in meeting.operations:
            found.take(operation, number)
    return found


def _inputs(chapter: ChapterText, number: int, find: FindMentions) -> ChapterInputs:
    total = len(chapter.sentences)
    ranges = [
        (first, min(first + _SCENE_SENTENCES - 1, total))
        for first in range(1, total + 1, _SCENE_SENTENCES)
    ]
    named, same = find(chapter, ranges), find_identities(chapter, ranges)
    scenes = [
        Scene(
            scene_id=SceneId(f"{chapter.chapter_id}/{first}"),
            first_sentence=first,
            last_sentence=last,
            start=chapter.sentences[first - 1].start,
            end=chapter.sentences[last - 1].end,
            title="",
            synopsis="",
            significance="",
            mentions=mentions,
            identities=identities,
            words=0,
        )
        for (first, last), mentions, identities in zip(ranges, named, same, strict=True)
    ]
    inputs = tuple(SceneInputs(scene, b"") for scene in scenes)
    return ChapterInputs(chapter.chapter_id, Ordinal.parse(number), chapter.language, inputs)


def scored(found: Found, gold: Sequence[GoldCharacter]) -> Score:
    """Compare the found characters with the main ones of the gold."""
    main = [character for character in gold if character.main]
    listed = frozenset(name for character in gold for name in character.names)
    wanted = frozenset(name for character in main for name in character.names)
    matched = matching(found, main)
    score = Score(told=sum(len(character.names) for character in main))
    for id_, names in found.names.items():
        mine, other = names.keys(), matched.get(id_)
        if other is None:
            score += Score(judged=len(mine & wanted), found=len(mine & wanted))
        else:
            score += Score(len(mine & other.names), len(mine & listed), len(mine))
    return score


def matching(found: Found, main: Sequence[GoldCharacter]) -> Mapping[CharacterId, GoldCharacter]:
    """Match each main character with one found character, by shared names, then mentions."""
    shared = [
        (-len(names.keys() & character.names), -found.mentions[id_], id_, place)
        for id_, names in found.names.items()
        for place, character in enumerate(main)
        if names.keys() & character.names
    ]
    matched: dict[CharacterId, GoldCharacter] = {}
    for _, _, id_, place in sorted(shared):
        if id_ not in matched and main[place] not in matched.values():
            matched[id_] = main[place]
    return matched


def too_early(found: Found, gold: Sequence[GoldCharacter]) -> int:
    """Count the names that were linked to a character before the chapter that reveals it."""
    matched = matching(found, [character for character in gold if character.main])
    return sum(
        found.names[id_].get(name, revealed) < revealed
        for id_, character in matched.items()
        for name, revealed in character.revealed
        if next(iter(found.names[id_])) != name
    )


def text_of(book: str) -> Path:
    """Return the file that holds the text of a book."""
    novel = shared_data("books") / f"{book}.json"
    return novel if novel.exists() else shared_data("cjk", f"{book}.json")


def read_book(book: str) -> tuple[ChapterText, ...]:
    """Return the chapters of a novel that was annotated or quoted, in story order."""
    chapters = json.loads(text_of(book).read_text())["chapters"]
    return tuple(
        read_chapter(
            ChapterPublished(
                work_id=WorkId(book),
                chapter_id=ChapterId(str(chapter["index"])),
                ordinal=Ordinal.parse(chapter["index"]),
                body=chapter["text"],
                language=None if text_of(book).parent.name == "cjk" else "en",
            )
        )
        for chapter in sorted(chapters, key=lambda chapter: int(chapter["index"]))
    )


_GoldReader = Callable[[Path, str, str], tuple[GoldCharacter, ...]]


def main(wanted: Sequence[str]) -> None:
    """Print the figures of `wanted` books, or of all that have a gold."""
    novels = json.loads(
        f"[{','.join(shared_data('pdnc', 'characters.jsonl').read_text().splitlines())}]"
    )
    quoted = sorted({row["book"] for row in novels})
    annotated = sorted(path.stem for path in shared_data("storylines").glob("*.json"))
    with_text = [book for book in annotated if (shared_data("books") / f"{book}.json").exists()]
    _report("pdnc: main characters", quoted, wanted, quoted_novel)
    _report("storylines: characters with a name", with_text, wanted, annotated_novel)


def _report(title: str, books: Sequence[str], wanted: Sequence[str], read: _GoldReader) -> None:
    print(title)
    total, everything = Score(), Score()
    for book in (book for book in books if not wanted or book in wanted):
        chapters = read_book(book)
        found = cast_of_book(chapters)
        gold = read(shared_data(), book, "\n".join(chapter.text for chapter in chapters))
        score, tuned = scored(found, gold), book in TUNED_ON
        total += Score() if tuned else score
        missed = sum(character.main for character in gold) - len(
            matching(found, [character for character in gold if character.main])
        )
        print(
            f"  {book + '*' * tuned:30} {score}  characters {len(found.names):3}, "
            f"of the gold missed {missed}, names too early {too_early(found, gold)}"
        )
        everything += score
    print(f"  {'micro, books without star':30} {total}")
    print(f"  {'micro, all books':30} {everything}")


if __name__ == "__main__":
    main(sys.argv[1:])
