"""What channels see of the questions of annotated books, and how much of the evidence is shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from processors.channels.channel import Channel
from processors.channels.clues import clue_names, clues_to
from processors.channels.merging import GROUND, Merging, ground
from processors.channels.places import Places
from processors.channels.wants import Want, wants_of
from processors.extracts import Extract
from processors.lexicon import Lexicon
from processors.questions import Question
from processors.retriever import Retriever
from processors.sif import SifEmbedder
from replay.evaluation.annotated import AskedQuestion, Evidence, IndexedBook, share_held
from replay.evaluation.held_out_search import held_out_ranker

Floats = NDArray[np.float64]

CLUES: Final = (*GROUND, *(name for want in Want for name in clue_names(want)))
"""Every clue that has a weight, in the order of the columns here."""


@dataclass(frozen=True, slots=True)
class AskedPlaces:
    """A question that channels serve, with what they see: a row a sentence.

    `held` is the share of the gold evidence's code points in each sentence.
    """

    asked: AskedQuestion
    places: Places
    columns: Floats
    lengths: Floats
    held: Floats


@dataclass(slots=True)
class Listening:
    """Implements `Merging`: remembers what it was given."""

    merging: Merging
    heard: list[Places] = field(default_factory=list)

    def serving(self, question: Question) -> tuple[Channel, ...]:
        """Return the channels that serve `question`."""
        return self.merging.serving(question)

    def ranked(self, places: Places) -> list[Extract]:
        """Leave everything as it is."""
        self.heard.append(places)
        return list(places.sentences)


async def asked_places(
    indexed: IndexedBook, embedder: SifEmbedder, listening: Listening, words: int
) -> list[AskedPlaces]:
    """Ask a book its questions; return those that `listening` says channels serve."""
    retriever = Retriever(
        embedder, Lexicon(), indexed.vectors, held_out_ranker(indexed.book.name), listening, ()
    )
    view = await indexed.tree.view(indexed.book.chapters[0].work_id, None)
    if view is None:
        raise RuntimeError(f"{indexed.book.name} was not indexed")
    found: list[AskedPlaces] = []
    for asked in indexed.book.questions:
        listening.heard.clear()
        await retriever.search(view, asked.question, words)
        found.extend(_seen(asked, places) for places in listening.heard[:1])
    return found


def _seen(asked: AskedQuestion, places: Places) -> AskedPlaces:
    lengths = [each.end - each.start for each in places.sentences]
    held = [share_held(asked.evidence, [span_of(each)]) for each in places.sentences]
    return AskedPlaces(
        asked, places, _columns(places), np.array(lengths, dtype=np.float64), np.array(held)
    )


def span_of(extract: Extract) -> Evidence:
    """Return where an extract stands."""
    return Evidence(extract.candidate.chapter_id, extract.start, extract.end)


def _columns(places: Places) -> Floats:
    wanted = wants_of(places.question)
    parts = [ground(places)]
    for want in Want:
        shape = (len(places.sentences), len(clue_names(want)))
        parts.append(clues_to(want, places) if want in wanted else np.zeros(shape))
    return np.concatenate(parts, axis=1)
