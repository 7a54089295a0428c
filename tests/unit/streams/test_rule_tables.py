"""No table of words or patterns is forgotten: every module that a layer imports is looked at."""

import ast
import importlib
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, ModuleType

import pytest

from streams import rule_tables
from streams.rule_tables import digest_of_tables, is_table

READ = "processors.segmenting"
NO_TABLES = {
    "contracts.events", "contracts.ids", "contracts.ordinals",  # forms of ids and numbers
    "contracts.memo", "contracts.spending",  # names of purposes
    "processors.coverage", "processors.litseg.steps", "processors.litseg.wire",  # names of fields
    "processors.asking", "processors.litseg.lite", "processors.litseg.teacher",  # of prompts
    "processors.litseg.chunks", "processors.placement_text", "processors.placing",
    "processors.chapter_features", "processors.cut_choice",  # of features; numbers
    "processors.dense", "processors.sif", "processors.static_words",  # of files; zeros
    "graph.cast_state", "graph.placement", "graph.placement_weights", "graph.scene_vectors",
    "graph.splitting",
}  # fmt: skip
"""Modules whose texts and collections are no tables: their rules' number covers them."""


@pytest.mark.parametrize(
    ("entries", "tables"),
    [
        ([READ], rule_tables.READING_TABLES),
        ([READ, "processors.cohesion"], rule_tables.READING_TABLES + rule_tables.COHESION_TABLES),
        (
            [READ, "processors.litseg.lite", "processors.litseg.teacher"],
            rule_tables.READING_TABLES + rule_tables.LITSEG_TABLES,
        ),
        (["processors.embedding", "processors.sif"], rule_tables.ROW_TABLES),
        (["graph.grafter", "graph.hider"], rule_tables.TREE_TABLES),
    ],
    ids=["reading", "cohesion", "litseg", "rows", "tree"],
)
def test_every_table_that_a_layer_looks_up_is_listed(
    entries: list[str], tables: tuple[str, ...]
) -> None:
    found = {module for module in reached_from(entries) if has_table(module)}

    assert found - NO_TABLES == set(tables)


def test_a_word_more_or_another_pattern_is_another_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    words = frozenset({"le", "la"})

    before = digest_of({"_WORDS": words, "_MARK": re.compile("a")}, monkeypatch)

    assert digest_of({"_WORDS": words | {"les"}, "_MARK": re.compile("a")}, monkeypatch) != before
    assert (
        digest_of({"_WORDS": words, "_MARK": re.compile("a", re.IGNORECASE)}, monkeypatch) != before
    )
    assert digest_of({"_OTHER": re.compile("a"), "WORDS": words}, monkeypatch) == before
    assert digest_of({"_WORDS": words, "_MARK": re.compile("a"), "_N": 5}, monkeypatch) == before


def test_tables_inside_tables_count(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Cues:
        opening: re.Pattern[str]

    def table(word: str) -> dict[str, object]:
        return {"_CUES": MappingProxyType({"en": Cues(re.compile(word))})}

    assert digest_of(table("now"), monkeypatch) != digest_of(table("then"), monkeypatch)


def test_a_table_of_what_has_no_canonical_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TypeError, match="canonical"):
        digest_of({"_RULES": (len,)}, monkeypatch)


def digest_of(constants: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the digest of a module with these constants."""
    module = ModuleType("made_up_tables")
    vars(module).update(constants)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    digest_of_tables.cache_clear()
    return digest_of_tables((module.__name__,))


def reached_from(entries: Iterable[str]) -> set[str]:
    """Return our modules that `entries` import, directly or not, themselves included."""
    reached: set[str] = set()
    left = list(entries)
    while left:
        module = left.pop()
        if module not in reached and source_of(module):
            reached.add(module)
            left.extend(imported_by(module))
    return reached


def imported_by(module: str) -> Iterator[str]:
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                inner = f"{node.module}.{name.name}"
                yield inner if source_of(inner) else node.module


def has_table(module: str) -> bool:
    """Say whether a module itself defines a constant that is a table."""
    loaded = importlib.import_module(module)
    return any(
        re.fullmatch(r"_?[A-Z][A-Z0-9_]*", name) and is_table(getattr(loaded, name))
        for node in tree_of(module).body
        for name in defined_by(node)
    )


def defined_by(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def tree_of(module: str) -> ast.Module:
    source = source_of(module)
    assert source
    return ast.parse(source.read_text("utf-8"))


def source_of(module: str) -> Path | None:
    if module.partition(".")[0] not in {"contracts", "processors", "graph"}:
        return None
    root = Path(rule_tables.__file__).parents[1]
    path = root.joinpath(*module.split("."))
    found = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in found if file.is_file()), None)
