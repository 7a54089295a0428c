"""The growth of cost as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from replay.evaluation.growing.measuring import WINDOW, Window


def draw(measured: Mapping[str, Sequence[Window]], path: Path) -> None:
    """Write an SVG: by chapter, milliseconds of fold and graph, of the graph, of the vectors."""
    mpl.rcParams["svg.hashsalt"] = "storygraft"  # the same figures give the same file
    figure = Figure(figsize=(8, 3.2 * len(measured)), layout="constrained")
    plots = figure.subplots(len(measured), squeeze=False, sharex=True)[:, 0]
    for axes, (name, windows) in zip(plots, measured.items(), strict=True):
        middle = [window.first + WINDOW // 2 for window in windows]
        axes.plot(middle, [w.fold_and_graph for w in windows], label="fold and graph", lw=2)
        axes.plot(middle, [w.graph for w in windows], label="of it graph")
        axes.plot(middle, [w.vectors for w in windows], label="vectors", ls="--")
        axes.set_title(name)
        axes.set_ylabel("ms a chapter, median of 100")
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend()
    plots[-1].set_xlabel("chapter")
    figure.savefig(path, metadata={"Date": None})
