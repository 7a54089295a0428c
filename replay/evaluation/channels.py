"""What channels add to search: `python -m replay.evaluation.channels [BOOK …]`.

Evidence recall within 1,000 words, by kind of question, with channels and without, each book with
weights fitted on the ten others; the questions on counting, time and relations pooled, with a
paired bootstrap over questions; and which kinds of questions are served at all.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from processors.channels.merging import Merger
from processors.channels.wants import wants_of
from processors.channels.weights import ChannelWeights
from processors.lexicon import Lexicon
from processors.questions import analyse
from processors.retriever import Retriever
from processors.sif import SifEmbedder
from replay.evaluation.annotated import ENGLISH, Evidence, IndexedBook, index, load, share_held
from replay.evaluation.bootstrap import paired_gain
from replay.evaluation.fitting_channels import WORDS
from replay.evaluation.held_out_search import held_out_channels, held_out_ranker
from replay.evaluation.held_out_segmenter import held_out_segmenter

POOLED: Final = ("counting", "relation", "time")
LOOKED_AT: Final = (
    "alice-in-wonderland",
    "sign-of-the-four",
    "the-awakening",
    "time-machine",
    "treasure-island",
    "wonderful-wizard-of-oz",
)
"""Books whose questions and evidence were looked at when channels were made."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A question's evidence recall without channels and with them."""

    book: str
    kind: str
    served: bool
    without: float
    with_channels: float


async def measure(name: str, weights: ChannelWeights) -> list[Pair]:
    """Ask a book its questions twice."""
    embedder = SifEmbedder()
    indexed = await index(load(name), held_out_segmenter(name, embedder), embedder)
    without = await _recalls(indexed, embedder, Merger((), weights))
    with_channels = await _recalls(indexed, embedder, Merger.of(weights))
    language = indexed.book.language
    return [
        Pair(name, asked.kind, bool(wants_of(analyse(asked.question, language))), one, other)
        for asked, one, other in zip(indexed.book.questions, without, with_channels, strict=True)
    ]


async def _recalls(indexed: IndexedBook, embedder: SifEmbedder, merger: Merger) -> list[float]:
    retriever = Retriever(
        embedder, Lexicon(), indexed.vectors, held_out_ranker(indexed.book.name), merger
    )
    view = await indexed.tree.view(indexed.book.chapters[0].work_id, None)
    if view is None:
        raise RuntimeError(f"{indexed.book.name} was not indexed")
    recalls = []
    for asked in indexed.book.questions:
        result = await retriever.search(view, asked.question, WORDS)
        shown = [Evidence(each.chapter_id, each.start, each.end) for each in result.passages]
        recalls.append(share_held(asked.evidence, shown))
    return recalls


def _print(label: str, pairs: Sequence[Pair]) -> None:
    without = fmean(pair.without for pair in pairs)
    with_channels = fmean(pair.with_channels for pair in pairs)
    gain = paired_gain([p.with_channels for p in pairs], [p.without for p in pairs])
    served = sum(pair.served for pair in pairs)
    print(
        f"{label:34}{len(pairs):5}{served:8}{without:9.3f}{with_channels:9.3f}"
        f"{with_channels - without:+9.3f}   {gain.low:+.3f} to {gain.high:+.3f}",
        flush=True,
    )


def _of(pairs: Iterable[Pair], kinds: Sequence[str]) -> list[Pair]:
    return [pair for pair in pairs if pair.kind in kinds]


async def main(names: Sequence[str]) -> None:
    """Measure books and print a table."""
    weights = held_out_channels()
    pairs = [pair for name in names for pair in await measure(name, weights[name])]
    print(f"{'':34}{'asked':>5}{'served':>8}{'without':>9}{'with':>9}{'gain':>9}   95% of the gain")
    for kind in sorted({pair.kind for pair in pairs}):
        _print(kind, _of(pairs, [kind]))
    _print("counting, relation, time", _of(pairs, POOLED))
    unseen = [pair for pair in _of(pairs, POOLED) if pair.book not in LOOKED_AT]
    if unseen:
        _print("the same, books not looked at", unseen)
    _print("the other kinds", [pair for pair in pairs if pair.kind not in POOLED])
    _print("all", pairs)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:] or ENGLISH))
