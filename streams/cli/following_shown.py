"""Paths and timelines as a person reads them, at 80 columns."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from contracts.reports import (
    LinkedBy,
    PathLink,
    PathReport,
    SceneLine,
    TimelineChapter,
    TimelineReport,
    TimelineReveal,
    TimelineScene,
)
from streams.cli.rendering import count


def path_shown(report: PathReport) -> RenderableType:
    """Show the chain, and under each link the scenes that make it."""
    one, other = report.source.name, report.target.name
    if not report.linked:
        told = f"as of chapter {report.as_of}, by at most {report.most_links} links."
        return Text(f"{one} and {other} are not linked {told}")
    if not report.links:
        return Text(f"{one} and {other} are one character.")
    chain = " – ".join([one, *(link.target.name for link in report.links)])
    lines: list[RenderableType] = [Text(chain, style="bold")]
    for link in report.links:
        lines += [Text(), _link(link), *(_scene_of_link(scene) for scene in link.scenes)]
    return Group(*lines)


def _link(link: PathLink) -> Text:
    if link.by is LinkedBy.IDENTITY:
        told = f"is {link.target.name}, revealed in chapter {link.from_ordinal}"
    else:
        told = f"and {link.target.name}, from chapter {link.from_ordinal}"
    scenes = f" ({count(link.scene_count, 'scene')} together)" if link.scene_count else ""
    return Text(f"{link.source.name} {told}{scenes}")


def _scene_of_link(scene: SceneLine) -> RenderableType:
    told = Text.assemble((f"chapter {scene.ordinal}: ", "dim"), scene.title or "(untitled)")
    return Padding(told, (0, 0, 0, 2))


def timeline_shown(report: TimelineReport) -> RenderableType:
    """Show each chapter with its scenes, and what it reveals."""
    if not report.chapters:
        return Text(f"There is no such scene as of chapter {report.as_of}.")
    revealed = list(report.revealed)
    lines: list[RenderableType] = []
    for chapter in report.chapters:
        here = [each for each in revealed if each.ordinal == chapter.ordinal]
        revealed = [each for each in revealed if each not in here]  # of a tie, the first has it
        lines += [*_chapter(chapter), *map(_reveal, here), Text()]
    return Group(*lines[:-1])


def _chapter(chapter: TimelineChapter) -> Iterator[RenderableType]:
    title = f"  {chapter.title}" if chapter.title else ""
    yield Text.assemble((f"Chapter {chapter.ordinal}", "bold"), title)
    for scene in chapter.scenes:
        yield Padding(_scene(scene), (0, 0, 0, 2))


def _scene(scene: TimelineScene) -> RenderableType:
    known = [name for name in scene.characters if name not in scene.first_seen]
    threads = [each.title or "(untitled)" for each in (scene.thread, *scene.also)]
    facts = (
        ("with", ", ".join(known), "dim"),
        ("first seen:", ", ".join(scene.first_seen), "green"),
        ("in", "; ".join(threads), "dim"),
    )
    told = [Text(f"{label} {names}", style=style) for label, names, style in facts if names]
    return Group(Text(scene.title or "(untitled)"), *(Padding(t, (0, 0, 0, 2)) for t in told))


def _reveal(reveal: TimelineReveal) -> RenderableType:
    told = f"revealed: {reveal.one.name} is {reveal.other.name}"
    return Padding(Text(told, style="yellow"), (0, 0, 0, 2))
