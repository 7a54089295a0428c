"""Fit the weights of `processors.name_evidence`: which capitalised runs are persons.

    python -m processors.fitting.name_weights ../shared/data

Prints them, and how well weights fitted on four fifths of the excerpts do on the last fifth.
The excerpts are of 2,000 words, marked by hand (litbank); those of books on which figures are
reported are left out.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from contracts.events import Format
from contracts.frozen import Span
from contracts.ids import ChapterId, WorkId
from contracts.scenes import ChapterText
from processors.name_capitals import surfaces
from processors.name_evidence import Traits
from processors.name_spotting import Key, key_of

Floats = NDArray[np.float64]

REPORTED_ON: Final = (
    "alice",
    "anne_of_green",
    "call_of_the_wild",
    "daisy_miller",
    "dorian",
    "hound_of",
    "invisible_man",
    "oliver_twist",
    "persuasion",
    "pride_and",
    "the_awakening",
    "the_man_who",
    "treasure_island",
    "war_of_the",
)
"""Parts of the names of excerpts whose books figures are reported on."""

_FOLDS: Final = 5
_SHRINKAGE: Final = 1.0
_STEPS: Final = 30
_JOINED: Final = re.compile(r" (?=[.,;:!?)\]”]|['’](?:s|t|ll|ve|re|m|d)\b|n['’]t\b)|(?<=[(\[“]) ")


@dataclass(frozen=True, slots=True)
class Example:
    """A surface of an excerpt: what is known of it, whether it is a person, how often it stands."""

    excerpt: str
    traits: Traits
    person: bool
    mentions: int


def read_examples(data: Path) -> tuple[Example, ...]:
    """Return the surfaces of every excerpt of a book that no figure is reported on."""
    marked: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for entity in _lines(data / "litbank" / "entities.jsonl"):
        marked[entity["doc"]].append(entity)
    return tuple(
        example
        for excerpt in _lines(data / "litbank" / "sentences.jsonl")
        if not any(part in excerpt["doc"] for part in REPORTED_ON)
        for example in _examples(excerpt["doc"], excerpt["sentences"], marked[excerpt["doc"]])
    )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text().splitlines():
        yield json.loads(line)


def _examples(
    name: str, sentences: Iterable[str], marked: Iterable[dict[str, Any]]
) -> Iterator[Example]:
    persons, others = set[Key](), set[Key]()
    for entity in marked:
        group = persons if entity["type"] == "PER" else others
        group.update(map(_key, entity["names"]))
    for key, traits, spots in surfaces(excerpt_chapter(sentences), "en"):
        yield Example(name, traits, _is_person(key, persons, others), len(spots))


def _key(name: str) -> Key:
    words = re.sub(r" ?['’]s$", "", name).split()
    return tuple(key_of(word) for word in words if word not in "\"'.,")


def _is_person(key: Key, persons: set[Key], others: set[Key]) -> bool:
    if key in persons or key in others:
        return key in persons
    return any(
        set(key) <= set(person) or (set(person) <= set(key) and person[-1] == key[-1])
        for person in persons
        if person
    )


def excerpt_chapter(sentences: Iterable[str]) -> ChapterText:
    """Put an excerpt of spaced-out tokens together again."""
    text, spans, opened = "", list[Span](), False
    for tokens in sentences:
        start = len(text)
        for part, piece in enumerate(_JOINED.sub("", tokens).split('"')):
            if part:
                text = text.rstrip() + (' "' if not opened and text[start:].strip() else '"')
                opened = not opened
            text += piece.lstrip() if opened else piece
        text = text.rstrip()
        spans.append(Span(start=start, end=len(text)))
        text += " "
    return ChapterText(
        work_id=WorkId("excerpt"),
        chapter_id=ChapterId("1"),
        title="",
        language="en",
        format=Format.TEXT,
        text=text,
        sentences=tuple(span for span in spans if span.end > span.start),
        paragraph_starts=(1,),
        stretch_starts=(1,),
    )


def fit(inputs: Floats, persons: Floats, mentions: Floats) -> Floats:
    """Return the weights, the bias last: logistic regression by Newton's method.

    A surface weighs the root of its mentions, so that rare ones are not drowned.
    """
    columns = np.hstack([inputs, np.ones((len(inputs), 1))])
    share = np.sqrt(mentions)
    shrinkage = np.diag([_SHRINKAGE] * inputs.shape[1] + [0.0])
    weights = np.zeros(columns.shape[1])
    for _ in range(_STEPS):
        odds = 1 / (1 + np.exp(-columns @ weights))
        curve = (columns * (share * odds * (1 - odds))[:, None]).T @ columns + shrinkage
        weights += np.linalg.solve(
            curve, columns.T @ (share * (persons - odds)) - shrinkage @ weights
        )
    return weights


def main(data: Path) -> None:
    """Print the figures and the weights."""
    examples = read_examples(data)
    inputs = np.array([example.traits for example in examples], dtype=np.float64)
    persons = np.array([example.person for example in examples], dtype=np.float64)
    mentions = np.array([example.mentions for example in examples], dtype=np.float64)
    found = _found_held_out(examples, inputs, persons, mentions)
    right = float((mentions * persons * found).sum())
    *weights, bias = fit(inputs, persons, mentions).tolist()
    lines = [
        f"{len(examples)} surfaces",
        f"held out, by mentions: precision {right / float(mentions @ found):.3f}",
        f"recall {right / float(mentions @ persons):.3f}",
        f"BIAS = {bias:.2f}",
        *(f"{name}={weight:.2f}," for name, weight in zip(Traits._fields, weights, strict=True)),
    ]
    sys.stdout.write("\n".join(lines) + "\n")


def _found_held_out(
    examples: Sequence[Example], inputs: Floats, persons: Floats, mentions: Floats
) -> Floats:
    """Return 1 for each surface that weights fitted on the other excerpts take for a person."""
    excerpts = sorted({example.excerpt for example in examples})
    fold = np.array([excerpts.index(example.excerpt) % _FOLDS for example in examples])
    found = np.zeros(len(examples))
    for held_out in range(_FOLDS):
        rest, here = fold != held_out, fold == held_out
        weights = fit(inputs[rest], persons[rest], mentions[rest])
        found[here] = inputs[here] @ weights[:-1] + weights[-1] > 0
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]))
