"""A rule that changes has another number: what the rules make of a story is written down.

Where a test here fails, an index that was built before is no longer what would be built now. If
that is meant, raise the number of the rules that changed (`SEGMENTING_RULES`, `ROW_RULES`,
`FOLD_RULES`, or a segmenter's own), and write down what they make now:
`python -m tests.unit.streams.test_rule_numbers`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from contracts.frozen import Frozen
from contracts.ids import FIRST_GENERATION
from contracts.index_version import Layer
from contracts.messages import ChapterEmbedded
from contracts.vectors import VectorRow
from graph.grafter import Grafter
from graph.memory import MemoryTreeStore, MemoryVectorStore
from processors.cohesion import CohesionSegmenter
from processors.embedding import EmbedStage
from processors.lexicon import Lexicon
from processors.segmenting import SegmentStage
from processors.sif import SifEmbedder
from streams.demo_story import read_story
from streams.index_version import index_version
from streams.settings import Settings
from tests.unit.streams.stand_ins import published

WRITTEN: Final = Path(__file__).with_name("rule_outcomes.json")
STORY: Final = read_story()
ELSEWHERE: Final = (
    published(
        "zh", "“你去哪儿？”林黛玉问。宝玉答道：“我去园里。” 第二天，贾母来了。", ordinal="11"
    ),
    published(
        "de", "Am 3. Mai kam Dr. Weiß. „Wer da?“, rief er. Niemand antwortete ihm.", ordinal="12"
    ),
    published(
        "md",
        "# Two\n\n*Hedda* ran.\n\n***\n\nA/N: thanks for reading!",
        format="markdown",
        ordinal="13",
    ),
)


async def outcomes() -> dict[Layer, str]:
    """Return a digest of what each layer's rules make of the demo's serial, and of odd texts."""
    tree, vectors = MemoryTreeStore(), MemoryVectorStore()
    embedder = SifEmbedder()
    segment = SegmentStage(CohesionSegmenter(embedder))
    embed = EmbedStage(embedder, Lexicon(), vectors, FIRST_GENERATION)
    embedded: list[ChapterEmbedded] = []
    moved = [each.model_copy(update={"work_id": STORY.work_id}) for each in ELSEWHERE]
    for position, chapter in enumerate([*STORY.given.chapters, *moved]):
        made = await embed(await segment(chapter, position))
        assert isinstance(made, ChapterEmbedded)
        embedded.append(made)
    await Grafter(tree, vectors)(embedded)
    keys = await vectors.keys(STORY.work_id, FIRST_GENERATION)
    rows = await vectors.fetch(STORY.work_id, FIRST_GENERATION, keys)
    records = await tree.records(STORY.work_id, FIRST_GENERATION)
    return {
        Layer.SEGMENTATION: _digest(_told(each.segmented) for each in embedded),
        Layer.EMBEDDING: _digest(
            [*(_row(rows[key]) for key in sorted(rows)), *(str(e.term_counts) for e in embedded)]
        ),
        Layer.TREE: _digest(map(_told, records)),
    }


def _told(value: Frozen) -> str:
    return value.model_dump_json(exclude={"segmenter"})


def _row(row: VectorRow) -> str:
    return repr((row.level, row.item_id, row.start, row.end, row.text, row.dense, row.sparse))


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def versions() -> dict[Layer, str]:
    version = index_version(Settings())
    return {layer: _digest([version.layer(layer)]) for layer in Layer}


async def test_what_the_rules_make_changes_with_their_number_only() -> None:
    written = json.loads(WRITTEN.read_text())
    found = await outcomes()
    told = versions()
    unnumbered = [
        layer.value
        for layer in Layer
        if found[layer] != written[layer]["makes"] and told[layer] == written[layer]["version"]
    ]
    assert unnumbered == [], __doc__
    assert written == {layer: {"version": told[layer], "makes": found[layer]} for layer in Layer}, (
        "The version changed: python -m tests.unit.streams.test_rule_numbers"
    )


if __name__ == "__main__":
    _now = asyncio.run(outcomes())
    _content = {layer: {"version": versions()[layer], "makes": _now[layer]} for layer in Layer}
    WRITTEN.write_text(json.dumps(_content, indent=2) + "\n")
