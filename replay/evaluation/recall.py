"""How much of the evidence search returns: `python -m replay.evaluation.recall [--told] [BOOK …]`.

Evidence recall is the share of the gold evidence's code points inside the first W words that
are returned, averaged over questions. Books go through the real stages (default embedder, stores in
memory). Neither the segmenter's weights nor those of search were fitted on the book that is
searched. With `--told` scenes, titles and synopses are the annotators', as a strong model would
tell them. Every index beside ours ranks its units by the same lexical and static vectors.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from typing import Final

from processors.sif import SifEmbedder
from replay.evaluation.annotated import ENGLISH, index, load
from replay.evaluation.held_out_search import held_out_retriever
from replay.evaluation.held_out_segmenter import held_out_segmenter
from replay.evaluation.retrieval_methods import methods
from replay.evaluation.retrieval_table import (
    Table,
    ask_all,
    by_kind,
    print_by,
    print_gains,
    print_table,
    together,
)
from replay.evaluation.told_scenes import ToldScenes

CHOSEN_ON: Final = ("sign-of-the-four", "the-awakening", "time-machine", "wonderful-wizard-of-oz")
"""Books on which numbers of search and answers were chosen that no command fits."""

_TOLD: Final = "--told"


async def measure(name: str, *, told: bool) -> Table:
    """Ask a book's questions in every way."""
    embedder, book = SifEmbedder(), load(name)
    segmenter = ToldScenes.of(name) if told else held_out_segmenter(name, embedder)
    indexed = await index(book, segmenter, embedder)
    return await ask_all(book, await methods(indexed, held_out_retriever(indexed, embedder)))


async def main(names: Sequence[str], *, told: bool) -> None:
    """Measure books and print the tables."""
    tables = {name: await measure(name, told=told) for name in names}
    whole = together(tables.values())
    print_table("mean recall within words", whole)
    print_gains(whole)
    print_by("by book", tables)
    print_by("by kind of question", by_kind(whole))
    unseen = together(table for name, table in tables.items() if name not in CHOSEN_ON)
    if unseen:
        print_table("books not chosen on", unseen)


if __name__ == "__main__":
    asked = [name for name in sys.argv[1:] if name != _TOLD]
    asyncio.run(main(asked or ENGLISH, told=_TOLD in sys.argv[1:]))
