"""How much of the evidence is found, in every way: `python -m replay.evaluation.recall [BOOK …]`.

Evidence recall is the share of the gold evidence's code points inside the first W words that
are returned, averaged over questions. Books go through the real stages (default embedder, stores in
memory). Neither the segmenter's weights nor those of search were fitted on the book that is
searched. With `--told` scenes, titles and synopses are the annotators', as a strong model would
tell them. Every index beside ours ranks its units by the same lexical and static vectors. The
walks (`replay.evaluation.walking_methods`) go on from our search, with a rule for their model.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from typing import Final

from processors.sif import SifEmbedder
from replay.evaluation.annotated import ENGLISH
from replay.evaluation.held_out_search import held_out_retriever
from replay.evaluation.map_books import OWN, TOLD, map_book
from replay.evaluation.retrieval_methods import OURS, WINDOWS, methods
from replay.evaluation.retrieval_table import (
    Table,
    ask_all,
    by_kind,
    print_by,
    print_gains,
    print_table,
    together,
)
from replay.evaluation.walking_methods import (
    BATCH_TREE,
    COLLAPSED,
    MAP_READ,
    NO_TREE,
    OUR_TREE,
    walking_methods,
)

CHOSEN_ON: Final = ("sign-of-the-four", "the-awakening", "time-machine", "wonderful-wizard-of-oz")
"""Books on which numbers of search and answers were chosen that no command fits."""

COMPARED: Final = (
    (OURS, WINDOWS),
    (OURS, (COLLAPSED,)),
    (OUR_TREE, (OURS,)),
    (OUR_TREE, (NO_TREE,)),
    (OUR_TREE, (BATCH_TREE,)),
    (OUR_TREE, WINDOWS),
    (MAP_READ, (OUR_TREE,)),
)
"""Ways, and the others over the best of which the gain is told."""

_TOLD: Final = "--told"


async def measure(name: str, *, told: bool) -> Table:
    """Ask a book's questions in every way."""
    embedder = SifEmbedder()
    book = await map_book(name, TOLD if told else OWN, embedder)
    retriever = held_out_retriever(book.indexed, embedder)
    searches = await methods(book.indexed, retriever)
    table = await ask_all(book.book, {**searches, **await walking_methods(book, retriever)})
    print_table(name, table)
    return table


async def main(names: Sequence[str], *, told: bool) -> None:
    """Measure books and print the tables."""
    tables = {name: await measure(name, told=told) for name in names}
    whole = together(tables.values())
    print_table("mean recall within words", whole)
    for name, others in COMPARED:
        print_gains(whole, name, others)
    print_by("by book", tables)
    print_by("by kind of question", by_kind(whole))
    unseen = together(table for name, table in tables.items() if name not in CHOSEN_ON)
    if unseen:
        print_table("books not chosen on", unseen)


if __name__ == "__main__":
    asked = [name for name in sys.argv[1:] if name != _TOLD]
    asyncio.run(main(asked or ENGLISH, told=_TOLD in sys.argv[1:]))
