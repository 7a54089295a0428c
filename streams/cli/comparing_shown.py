"""A comparison as a person reads it: part by part, the first differences of each."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from contracts.reports import ComparedTree, CompareReport, Difference

_SHOWN: Final = 12  # differences of each part; the JSON has them all
_SHOWN_VALUE: Final = 160  # characters of a value
_LONG_ID: Final = re.compile(r"\b([0-9a-f]{8})[0-9a-f-]{24,28}(?![0-9a-f-])")


def compared_shown(report: CompareReport) -> RenderableType:
    """Show both trees in a line each, and in what they differ."""
    lines: list[RenderableType] = [_tree("A", report.a), _tree("B", report.b)]
    if report.same:
        return Group(*lines, Text("They are the same.", style="bold green"))
    for part, group in groupby(report.differences, key=lambda found: found.part):
        found = list(group)
        lines += [Text(), Text(f"{part.value}: {len(found)} differ", style="bold")]
        lines += [Padding(_difference(each), (0, 0, 0, 2)) for each in found[:_SHOWN]]
        if len(found) > _SHOWN:
            lines.append(Text(f"  … and {len(found) - _SHOWN} more (--json has all)", style="dim"))
    return Group(*lines)


def _tree(side: str, tree: ComparedTree) -> Text:
    held = f"{tree.chapters} chapters, {tree.scenes} scenes, {tree.storylines} storylines, "
    return Text.assemble(
        (f"{side}  ", "bold"),
        f"{tree.work_id} as of {tree.as_of} ({tree.generation}): {held}"
        f"{tree.characters} characters",
    )


def _difference(found: Difference) -> Text:
    at = "" if found.ordinal is None else f"  at {found.ordinal}"
    shown = Text.assemble((f"{_short(found.id)}{at}  ", "dim"), _cut(found.name or "(untitled)"))
    if found.only is not None:
        return shown.append(f"\n  only in {found.only.upper()}", style="yellow")
    shown.append(f"\n  {found.field}", style="yellow")
    for side, value in (("A", found.a), ("B", found.b)):
        shown.append(f"\n    {side}  ", style="bold").append(_value(value))
    return shown


def _value(value: str | None) -> str:
    return _cut(_short(value)) if value else "(nothing)"


def _short(text: str) -> str:
    return _LONG_ID.sub(r"\1", text)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN_VALUE else line[:_SHOWN_VALUE] + " …"
