"""Measures and prints, on an ArcadeDB and a Neo4j that are started for it.

    python -m replay.evaluation.growing [--chapters 2000] [--books 32] [--graph arcade|neo4j]
        [--plot docs/growth.svg]

Rows of the vector store lie in a Milvus Lite of their own. What must hold is checked: 1 is
returned if it does not. Times of different runs cannot be compared on a machine that does other
things too; ratios within one run can.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from graph.milvus import MilvusVectorStore
from replay.evaluation.bench.stopwatch import Stopwatch
from replay.evaluation.growing.measuring import Hold, Measurement, Window, turn_round
from replay.evaluation.growing.plot import draw
from replay.evaluation.growing.serial import Told, pieces, serial
from replay.evaluation.growing.servers import GRAPHS, graph_server
from replay.evaluation.growing.stores import CountingTree


async def _measure(
    name: str, tree: CountingTree, folder: Path, told: Sequence[Told], hold: Hold
) -> Sequence[Window]:
    vectors, watch = MilvusVectorStore(str(folder / "milvus.db")), Stopwatch()
    timed = watch.port(vectors, "vectors")
    measurement = Measurement(name, tree, timed, watch, told, hold)
    try:
        await tree.prepare()
        await measurement.run()
    finally:
        await vectors.close()
        await tree.close()
    return measurement.windows


def main() -> int:
    """Measure each graph; return 1 if something does not hold."""
    parser = argparse.ArgumentParser(description="Measure what a long serial costs.")
    parser.add_argument("--chapters", type=int, default=2000)
    parser.add_argument("--books", type=int, default=32, help="of how many the serial is made")
    parser.add_argument("--graph", choices=sorted(GRAPHS), help="one of the two only")
    parser.add_argument("--plot", type=Path, help="an SVG file to draw the growth into")
    options = parser.parse_args()
    broken: list[str] = []

    def hold(holds: bool, otherwise: str) -> None:
        if not holds:
            broken.append(otherwise)

    told = list(serial(asyncio.run(pieces(options.books)), options.chapters + 1))
    words = sum(scene.words for each in told for scene in each.message.segmented.scenes)
    print(f"{len(told)} chapters of {words // len(told):,} words, from {options.books} books")
    measured = {}
    for name in [GRAPHS[options.graph]] if options.graph else GRAPHS.values():
        with (
            tempfile.TemporaryDirectory() as folder,
            graph_server(name, Path(folder, "graph")) as tree,
        ):
            measured[name] = asyncio.run(_measure(name, tree, Path(folder), told, hold))
    asyncio.run(turn_round(told, hold))
    if options.plot:
        draw(measured, options.plot)
    for text in broken:
        print(f"BROKEN: {text}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
