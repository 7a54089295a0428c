"""Make `processors/tables/common_components.json`: what the texts of a language share.

    python -m processors.fitting.common_component ../shared/data

Of each language's texts, cut into runs of 100 words, the first singular direction of their
unit vectors. English comes from the novels without annotations (those with them are what
figures are reported on), Chinese from chapters that are not annotated, Japanese from one novel.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import numpy as np

from contracts.words import iter_words
from processors.sif import COMPONENT_SCALE, COMPONENTS_FILE, Floats, SifEmbedder

_RUN_WORDS: Final = 100
_EVERY_NTH_CHAPTER: Final = 3  # some 6,000 runs: more do not move the direction
_FIRST_FREE_ZH_CHAPTER: Final = 12  # the first 12 are annotated


def main(data: Path) -> None:
    """Fit the three components and write the table."""
    texts = {"en": _english(data), "zh": _chinese(data), "ja": _japanese(data)}
    components = {language: _component(texts[language], language) for language in sorted(texts)}
    table = {"scale": COMPONENT_SCALE, "components": components}
    COMPONENTS_FILE.write_text(json.dumps(table) + "\n")


def _english(data: Path) -> Iterator[str]:
    annotated = {path.name for path in (data / "storylines").glob("*.json")}
    for path in sorted((data / "books").glob("*.json")):
        if path.name not in annotated:
            yield from _chapters(path)[::_EVERY_NTH_CHAPTER]


def _chinese(data: Path) -> list[str]:
    return _chapters(data / "cjk" / "journey-to-the-west.json")[_FIRST_FREE_ZH_CHAPTER:]


def _japanese(data: Path) -> list[str]:
    return _chapters(data / "cjk" / "wagahai-wa-neko-de-aru.json")


def _chapters(path: Path) -> list[str]:
    return [chapter["text"] for chapter in json.loads(path.read_text())["chapters"]]


def _component(texts: Iterable[str], language: str) -> list[int]:
    runs = [run for text in texts for run in _runs(text)]
    directions = _unit(np.array(SifEmbedder().totals(runs, language)))
    _, axes = np.linalg.eigh(directions.T @ directions)
    axis = axes[:, -1]
    steps: list[int] = np.rint(axis * np.sign(axis.sum()) * COMPONENT_SCALE).astype(int).tolist()
    return steps


def _runs(text: str) -> Iterator[str]:
    words = list(iter_words(text))
    for first in range(0, len(words) - _RUN_WORDS + 1, _RUN_WORDS):
        yield text[words[first][0] : words[first + _RUN_WORDS - 1][1]]


def _unit(rows: Floats) -> Floats:
    unit: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


if __name__ == "__main__":
    main(Path(sys.argv[1]))
