"""How the tree of a long serial grows: `python -m replay.evaluation.growth [CHAPTERS]`.

Folds made-up serials of 2,000 chapters with 6 scenes each: many plots, one plot, nothing but
noise, no word that a vector or a name is known for. Prints how deep the tree is (storylines from
the root to a scene's home), how full storylines are, processor time for a chapter in the first,
the sixth and the last tenth, how many storylines the state holds, and how many invariants are
broken.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contracts.ids import ChapterId, SceneId, WorkId
from contracts.ordinals import Ordinal
from contracts.scenes import Mention, Scene
from contracts.tree import ChapterInputs, GraftRecord, SceneInputs, StorylineKind
from contracts.vectors import DENSE_SCALE, DIMENSIONS
from graph.fold import FoldState, graft, start
from graph.invariants import violations
from graph.projection import project, snapshot

_CHAPTERS: Final = 2000
_SCENES: Final = 6
_CAST: Final = 5  # persons of a plot, of whom two are in a scene
_TOLD_AT_ONCE: Final = 8  # plots among which a chapter's two are chosen
_WORK: Final = WorkId("growth")


@dataclass(frozen=True, slots=True)
class Serial:
    """A made-up serial: `noise` is how far a scene strays from its plot; `mute` tells nothing."""

    name: str
    plots: int
    noise: float
    mute: bool = False

    def chapters(self, count: int) -> Iterator[ChapterInputs]:
        """Yield the serial's first `count` chapters, the same every time."""
        random = np.random.default_rng(1)
        plots = random.normal(size=(self.plots, DIMENSIONS))
        for number in range(count):
            first = number * max(0, self.plots - _TOLD_AT_ONCE) // count
            two = first + random.integers(min(self.plots, _TOLD_AT_ONCE), size=2)
            told = np.repeat(two, _SCENES // 2)
            strays = self.noise * random.normal(size=(_SCENES, DIMENSIONS))
            people = random.integers(_CAST, size=(_SCENES, 2))
            yield ChapterInputs(
                ChapterId(f"chapter {number}"),
                Ordinal.parse(number),
                "en",
                tuple(
                    self._scene(f"{number}/{nth}", int(told[nth]), vector, people[nth])
                    for nth, vector in enumerate(plots[told] + strays)
                ),
            )

    def _scene(
        self, name: str, plot: int, vector: NDArray[np.float64], people: NDArray[np.int64]
    ) -> SceneInputs:
        length = 0.0 if self.mute else DENSE_SCALE / float(np.linalg.norm(vector))
        named = () if self.mute else sorted({f"P{plot} {'ABCDE'[person]}" for person in people})
        scene = Scene(
            scene_id=SceneId(name),
            first_sentence=1,
            last_sentence=1,
            start=0,
            end=1,
            title=f"What happens at {name}",
            synopsis=f"Something happens at {name}, and something else follows from it. " * 3,
            significance="",
            mentions=tuple(Mention(name=each, count=2) for each in named),
            words=400,
        )
        return SceneInputs(scene, np.rint(vector * length).astype("<i2").tobytes())


SERIALS: Final = (
    Serial("60 plots", plots=60, noise=1.0),
    Serial("400 plots", plots=400, noise=0.5),
    Serial("one plot", plots=1, noise=0.3),
    Serial("noise", plots=3, noise=50.0),
    Serial("mute", plots=1, noise=0.0, mute=True),
)


def _folded(
    chapters: Sequence[ChapterInputs],
) -> tuple[FoldState, list[GraftRecord], list[float]]:
    state, records, seconds = start(_WORK), [], []
    for chapter in chapters:
        began = time.process_time()
        state, record = graft(state, chapter)
        seconds.append(time.process_time() - began)
        records.append(record)
    return state, records, seconds


def _shape(records: Sequence[GraftRecord]) -> str:
    """Say how many storylines there are, how deep they lie and how full they are."""
    tree = snapshot(project(records).values(), records[-1].ordinal)
    parents = {row.child: row.parent for row in tree.children}
    depths: Counter[int] = Counter()
    for home in tree.homes:
        depth, above = 1, parents.get(home.storyline)
        while above is not None:
            depth, above = depth + 1, parents.get(above)
        depths[depth] += 1
    kinds = Counter(row.kind for row in tree.storylines)
    homes = Counter(home.storyline for home in tree.homes)
    counted = ", ".join(f"{kinds[kind]} {kind}s" for kind in StorylineKind)
    return f"{counted}; depth {max(depths)}; {fmean(homes.values()):.1f} scenes at a home"


def main(count: int) -> int:
    """Fold each serial, print what came of it, return 1 if an invariant is broken."""
    broken = 0
    for serial in SERIALS:
        chapters = list(serial.chapters(count))
        state, records, seconds = _folded(chapters)
        tenth = max(1, count // 10)
        half = count // 2
        parts = seconds[:tenth], seconds[half : half + tenth], seconds[-tenth:]
        early, middle, late = (1000 * fmean(part) for part in parts)
        faults = violations(_WORK, chapters, records, project(records).values())
        broken += len(faults)
        print(f"{serial.name}: {_shape(records)}")
        print(f"  {early:.1f} ms a chapter at first, {middle:.1f} in the middle, ", end="")
        print(f"{late:.1f} at last; ", end="")
        print(f"{len(state.storylines)} storylines in the state; {len(faults)} faults")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else _CHAPTERS))
