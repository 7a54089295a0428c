"""Which index version these settings, on this installation, make.

No store is opened, no model asked and none loaded: settings, packaged tables, and the versions of
the libraries that read texts. Equal settings give equal versions on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from importlib.metadata import version
from pathlib import Path
from typing import Final

from contracts import tree, vectors
from contracts.chat import Sampling
from contracts.events import SCHEMA_VERSION
from contracts.index_version import IndexVersion
from graph import describing, partition, state
from graph.advising import ADVISING_RULES
from graph.fold import FOLD_RULES
from graph.placement_weights import Weights
from processors.background import BACKGROUND_VERSION
from processors.boundary_model import WEIGHTS_FILE
from processors.cohesion import CohesionSegmenter
from processors.embedding import MAX_SCENE_WORDS, ROW_RULES, TOLD_TIMES
from processors.lexicon import Lexicon
from processors.litseg import lite, teacher
from processors.litseg.asker import Recipe
from processors.passages import TARGET_WORDS
from processors.prompts import prompt_file
from processors.segmenting import SEGMENTING_RULES
from processors.sif import COMPONENTS_FILE, SifEmbedder
from processors.terms import TERMS_VERSION
from streams.rule_tables import (
    COHESION_TABLES,
    LITSEG_TABLES,
    READING_TABLES,
    ROW_TABLES,
    TREE_TABLES,
    digest_of_file,
    digest_of_tables,
)
from streams.settings import Settings

READING_LIBRARIES: Final = ("markdown-it-py", "nltk", "py3langid", "selectolax")
"""They take markup apart, find sentences and tell languages."""

_PLACEMENT_PROMPT: Final = "placement"
_WEIGHT: Final = "weight_"

_Parts = dict[str, object]


def index_version(settings: Settings) -> IndexVersion:
    """Return the version of an index that is built under `settings`.

    Takes some tens of milliseconds the first time, for reading files.
    """
    return IndexVersion(
        segmentation=_told(_segmentation(settings)),
        embedding=_told(_embedding()),
        tree=_told(_tree(settings)),
    )


def folding_weights(version: IndexVersion) -> Weights | None:
    """Return the weights of placement that are part of `version`.

    None where its trees are folded by other rules or tables than this program's: from the same
    scenes it would not get the same tree, whatever the weights.
    """
    told = dict(line.split("=", 1) for line in version.tree.splitlines() if "=" in line)
    if any(told.get(name) != str(value) for name, value in _fold_rules().items()):
        return None
    weights = {each.name: told.get(f"{_WEIGHT}{each.name}", "") for each in fields(Weights)}
    if not all(weight.isascii() and weight.isdigit() for weight in weights.values()):
        return None
    return Weights(**{name: int(weight) for name, weight in weights.items()})


def _segmentation(settings: Settings) -> _Parts:
    """Return what shapes scenes: how chapters are read, who cuts them, how scenes are built.

    How large a chapter may be does not: it says whether there is one.
    """
    return {
        "schema": SCHEMA_VERSION,
        "rules": SEGMENTING_RULES,
        "tables": digest_of_tables(READING_TABLES),
        **{library: version(library) for library in READING_LIBRARIES},
        "terms": TERMS_VERSION,
        "background": BACKGROUND_VERSION,
        **_segmenter(settings),
    }


def _segmenter(settings: Settings) -> _Parts:
    if settings.chosen_segmenter == "litseg":
        return _asking_segmenter(teacher.RECIPE, settings, settings.teacher_sampling)
    if settings.chosen_segmenter == "litseg-lite":
        return _asking_segmenter(lite.RECIPE, settings, settings.sampling)
    return {
        "segmenter": CohesionSegmenter(SifEmbedder()).version,
        "segmenter_tables": digest_of_tables(COHESION_TABLES),
        **_files([WEIGHTS_FILE, COMPONENTS_FILE]),
    }


def _asking_segmenter(recipe: Recipe, settings: Settings, sampling: Sampling) -> _Parts:
    return {
        "segmenter": recipe.version,
        "segmenter_tables": digest_of_tables(LITSEG_TABLES),
        **_files(map(prompt_file, recipe.prompts)),
        "model": settings.model_name,
        "sampling": sampling.canonical(),
        "context": settings.model_context,
        "attempts": settings.segment_attempts,
    }


def _embedding() -> _Parts:
    """Return what shapes rows, and the counts of terms, of given scenes."""
    return {
        "rules": ROW_RULES,
        "tables": digest_of_tables(ROW_TABLES),
        "embedder": SifEmbedder().version,
        **_files([COMPONENTS_FILE]),
        "dimensions": vectors.DIMENSIONS,
        "lexicon": Lexicon().version,
        "passage_words": TARGET_WORDS,
        "most_scene_words": MAX_SCENE_WORDS,
        "told_times": TOLD_TIMES,
        "most_text_bytes": vectors.MAX_TEXT_BYTES,
    }


def _tree(settings: Settings) -> _Parts:
    """Return what shapes the tree of given scenes and vectors.

    How often it is saved on the way (`graph.checkpoints`) leaves it as it is.
    """
    weights = asdict(settings.weights).items()
    return {
        **_fold_rules(),
        **{f"{_WEIGHT}{name}": weight for name, weight in weights},
        **_adviser(settings),
    }


def _fold_rules() -> _Parts:
    return {
        "rules": FOLD_RULES,
        "tables": digest_of_tables(TREE_TABLES),
        "capacity": tree.CAPACITY,
        "window": tree.WINDOW,
        "recent": state.RECENT,
        "smallest_theme": partition.SMALLEST_THEME,
        "synopsis_words": describing.SYNOPSIS_WORDS,
    }


def _adviser(settings: Settings) -> _Parts:
    scope = settings.placement_advice if settings.model else "none"
    if scope == "none":
        return {"advice": scope}
    return {
        "advice": scope,
        "advice_rules": ADVISING_RULES,
        **_files([prompt_file(_PLACEMENT_PROMPT)]),
        "model": settings.model_name,
        "sampling": settings.sampling.canonical(),
        "context": settings.model_context,
    }


def _files(paths: Iterable[Path]) -> _Parts:
    return {path.name: digest_of_file(path) for path in paths}


def _told(parts: Mapping[str, object]) -> str:
    return "\n".join(f"{name}={value}" for name, value in parts.items())
