"""Digests of what the rules look up: packaged files, and word tables and patterns in modules.

How a rule uses its table is code; who changes that raises the number of the rules
(`SEGMENTING_RULES` and its like). What stands in a table is seen here.
"""

from __future__ import annotations

import hashlib
import importlib
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Final

READING_TABLES: Final = (
    "contracts.person_names",
    "contracts.words",
    "processors.abbreviations",
    "processors.author_notes",
    "processors.background",
    "processors.cue_words",
    "processors.extractive",
    "processors.full_stops",
    "processors.headings",
    "processors.hiding",
    "processors.identity_statements",
    "processors.language",
    "processors.lines",
    "processors.markup",
    "processors.markup_cleaning",
    "processors.name_capitals",
    "processors.name_cjk",
    "processors.name_evidence",
    "processors.name_spotting",
    "processors.name_tables",
    "processors.notices",
    "processors.page_reading",
    "processors.paratext",
    "processors.references",
    "processors.scene_titles",
    "processors.sentence_ends",
    "processors.sentences",
    "processors.separators",
    "processors.speech",
    "processors.terms",
    "processors.told_names",
    "processors.word_forms",
)
"""Of how a chapter is read and its scenes are built, whoever cuts them."""

COHESION_TABLES: Final = ("processors.block_signals", "processors.length_prior")
"""Of the segmenter without a model, beside those of reading."""

LITSEG_TABLES: Final = (
    "processors.litseg.fields",
    "processors.litseg.reading",
    "processors.litseg.told_language",
    "processors.one_line",
)
"""Of how a model's scenes are read, beside those of reading."""

ROW_TABLES: Final = (
    "contracts.words",
    "processors.background",
    "processors.terms",
    "processors.word_forms",
)
"""Of how rows are made."""

TREE_TABLES: Final = (
    "contracts.person_names",
    "contracts.words",
    "graph.describing",
    "graph.name_forms",
    "graph.name_matching",
)
"""Of the fold: who is who, and how storylines are told."""

_DIGITS: Final = 12
_CONSTANT: Final = re.compile(r"_?[A-Z][A-Z0-9_]*")


@cache
def digest_of_file(path: Path) -> str:
    """Return a digest of every byte of a packaged file, which is read once."""
    return _digest(path.read_bytes())


@cache
def digest_of_tables(modules: tuple[str, ...]) -> str:
    """Return a digest of the tables of `modules`, whatever they are called and where they stand."""
    found = {
        _canonical(value)
        for name in modules
        for constant, value in vars(importlib.import_module(name)).items()
        if _CONSTANT.fullmatch(constant) and is_table(value)
    }
    return _digest("\n".join(sorted(found)).encode("utf-8", "surrogatepass"))


def is_table(value: object) -> bool:
    """Say whether a constant is a table: a text, a pattern, or anything made of several values."""
    kinds = (str, bytes, re.Pattern, Mapping, AbstractSet, Sequence)
    return isinstance(value, kinds) or (is_dataclass(value) and not isinstance(value, type))


def _canonical(value: object) -> str:
    """Return a value as text, the same in every process; the order of sets does not count."""
    if isinstance(value, re.Pattern):
        return f"pattern({value.pattern!r},{int(value.flags)})"
    if isinstance(value, str | bytes | int | float) or value is None:
        return repr(value)
    if isinstance(value, Mapping):
        items = (f"{_canonical(key)}:{_canonical(each)}" for key, each in value.items())
        return f"mapping({','.join(items)})"
    if isinstance(value, AbstractSet):
        return f"set({','.join(sorted(map(_canonical, value)))})"
    if isinstance(value, Sequence):
        return f"sequence({','.join(map(_canonical, value))})"
    if is_dataclass(value) and not isinstance(value, type):
        return _canonical([getattr(value, each.name) for each in fields(value)])
    raise TypeError(f"a table holds a {type(value).__name__}, which has no canonical text")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGITS]
