"""Reports as a person reads them, at 80 columns and without colour too.

Texts of the story go in as `Text`: brackets in a title are no markup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from contracts.answers import Answer, Citation, Export, FoundPassage, Gap, SearchResult
from contracts.ordinals import Ordinal
from contracts.reports import (
    CharacterReport,
    CharactersReport,
    SceneLine,
    ThreadLine,
    ThreadReport,
    ThreadsReport,
    ThreadState,
    TreeNode,
    TreeReport,
)
from contracts.tree import StorylineKind

_SHORT_ID: Final = 8
_SHOWN_COMPANIONS: Final = 8
_SHOWN_QUOTE: Final = 400  # characters; the whole quote is in the JSON


def answer_shown(answer: Answer) -> RenderableType:
    """Show an answer with its citations, or that the story does not say."""
    lines: list[RenderableType] = []
    if answer.abstained:
        lines.append(Text(f"The story as of chapter {answer.as_of} does not say.", style="bold"))
    else:
        lines.append(Text(answer.answer))
    if answer.citations:
        lines += [Text(), *map(_citation, answer.citations)]
    return Group(*lines, *_gaps(answer.gaps))


def _citation(citation: Citation) -> RenderableType:
    quote = _shortened(citation.quote)
    return Padding(
        Text.assemble((f"chapter {citation.ordinal}: ", "bold"), f"“{quote}”"), (0, 0, 0, 2)
    )


def search_shown(result: SearchResult) -> RenderableType:
    """Show the passages, those of one scene together."""
    if not result.passages:
        return Group(Text("Nothing found."), *_gaps(result.gaps))
    lines: list[RenderableType] = []
    for _, group in groupby(result.passages, key=lambda found: found.scene_id):
        passages = list(group)
        lines.append(Text(f"Chapter {passages[0].ordinal}", style="bold"))
        lines += [_passage(passage) for passage in passages]
        lines.append(Text())
    return Group(*lines, *_gaps(result.gaps))


def _passage(passage: FoundPassage) -> RenderableType:
    told = Text(f" ({passage.score:.3f}, {passage.channel})", style="dim")
    return Padding(Text(_one_line(passage.text)).append_text(told), (0, 0, 0, 2))


def tree_shown(report: TreeReport, depth: int) -> RenderableType:
    """Show the tree down to `depth` levels below its root."""
    if report.root is None:
        return Text(f"There is no scene as of chapter {report.as_of}.")
    told = f"{report.work_id} as of chapter {report.as_of}, {count(report.root.scenes, 'scene')}"
    shown = Tree(Text(told, style="bold"), guide_style="dim")
    _grow(shown, report.root, depth)
    return shown


def _grow(shown: Tree, node: TreeNode, depth: int) -> None:
    if depth == 0:
        if node.children:
            shown.add(Text(f"… {count(len(node.children), 'more')}", style="dim"))
        return
    for child in node.children:
        _grow(shown.add(_node(child)), child, depth - 1)


def _node(node: TreeNode) -> Text:
    """One line a storyline: what is longer than the terminal is in `threads` and the JSON."""
    kind = "" if node.kind is StorylineKind.THREAD else f"{node.kind} of "
    told = f"{_short(node.id)}  {kind}{count(node.scenes, 'scene')} from {node.from_ordinal}  "
    return _cut(Text.assemble((told, "dim"), node.title or "(untitled)"))


def _cut(line: Text) -> Text:
    """Let the terminal cut the line at its edge instead of wrapping it."""
    line.no_wrap, line.overflow = True, "ellipsis"
    return line


def chapter_shown(export: Export, title: str) -> RenderableType:
    """Show in one line to which threads the last chapter of `export` added how many scenes."""
    chapter = export.chapters[-1]
    titles = {line.id: line.title for line in export.storylines}
    opened = {line.id for line in export.storylines if line.from_ordinal == chapter.ordinal}
    head = f"{title or chapter.chapter_id}: {count(len(chapter.scenes), 'scene')}"
    lines: list[RenderableType] = [Text(head, style="bold")]
    for thread, scenes in Counter(scene.thread for scene in chapter.scenes).items():
        mark = "  + " if thread in opened else "    "
        name = titles.get(thread) or "(untitled)"
        told = (f"{count(scenes, 'scene')}  ", "dim")
        lines.append(_cut(Text.assemble((mark, "green"), told, name)))
    return Group(*lines)


def threads_shown(report: ThreadsReport) -> RenderableType:
    """Show all threads in a table."""
    if not report.threads:
        return Text(f"There is no thread as of chapter {report.as_of}.")
    table = _table("ID", "Thread", "Chapters", "Scenes", "Now", right=("Scenes",))
    for line in report.threads:
        table.add_row(
            Text(_short(line.id), style="dim"),
            Text(line.title or "(untitled)"),
            _range(line.from_ordinal, line.last_ordinal),
            f"{line.scenes}" + (f" +{line.touching}" if line.touching else ""),
            line.state.value,
        )
    return table


def thread_shown(report: ThreadReport) -> RenderableType:
    """Show one thread, its scenes in story order."""
    line = report.thread
    last = _range(line.from_ordinal, line.last_ordinal)
    return Group(
        Text(line.title or "(untitled)", style="bold"),
        Text(f"chapters {last}, {count(line.scenes, 'scene')}, id {line.id}", style="dim"),
        Text(_state(line), style="dim"),
        Text(line.synopsis),
        _scene_table(report.scenes),
    )


def _state(line: ThreadLine) -> str:
    match line.state:
        case ThreadState.OPEN:
            return "open: the newest chapter tells it"
        case ThreadState.SLEEPING:
            return f"sleeping since chapter {line.sleeping_since}"
        case ThreadState.ENDED:
            return f"ended: told last in chapter {line.sleeping_since}"


def characters_shown(report: CharactersReport) -> RenderableType:
    """Show all characters in a table."""
    if not report.characters:
        return Text(f"Nobody is named as of chapter {report.as_of}.")
    table = _table("Name", "Also called", "Chapters", "Scenes", right=("Scenes",))
    for line in report.characters:
        table.add_row(
            Text(line.name),
            Text(", ".join(line.aliases)),
            _range(line.first_ordinal, line.last_ordinal),
            str(line.scenes),
        )
    return table


def character_shown(report: CharacterReport) -> RenderableType:
    """Show one character with names, companions and scenes."""
    found = report.character
    aliases = [f"{a.alias} (from {a.from_ordinal})" for a in found.aliases if a.alias != found.name]
    companions = [f"{c.name} ({c.scenes})" for c in report.companions[:_SHOWN_COMPANIONS]]
    revealed = [f"{each.name} (from {each.from_ordinal})" for each in report.revealed]
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="dim")
    facts.add_column()
    for label, told in (
        ("chapters", _range(report.first_ordinal, report.last_ordinal)),
        ("scenes", str(report.scene_count)),
        ("also called", ", ".join(aliases)),
        ("is", ", ".join(revealed)),
        ("with", ", ".join([*companions, *_more(report)])),
        ("id", found.id),
    ):
        if told:
            facts.add_row(label, Text(told))
    return Group(Text(found.name, style="bold"), facts, _scene_table(report.scenes))


def _more(report: CharacterReport) -> list[str]:
    more = report.companion_count - _SHOWN_COMPANIONS
    return [f"and {more} more"] if more > 0 else []


def _scene_table(scenes: Iterable[SceneLine]) -> RenderableType:
    table = _table("Ch.", "Scene", right=("Ch.",))
    for scene in scenes:
        title = Text(scene.title or "(untitled)")
        if not scene.home:
            title.append(" (of another thread)", style="dim")
        if scene.synopsis and scene.synopsis != scene.title:
            title.append("\n").append(scene.synopsis, style="dim")
        table.add_row(str(scene.ordinal), title)
    return table


def _gaps(gaps: Iterable[Gap]) -> list[RenderableType]:
    return [
        Text(f"Not read: chapter {_place(gap)} ({gap.reason}).", style="yellow") for gap in gaps
    ]


def _place(gap: Gap) -> str:
    return gap.chapter_id if gap.ordinal is None else str(gap.ordinal)


def _table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(
            column,
            justify="right" if column in right else "left",
            overflow="fold",
            no_wrap=column in ("ID", "Chapters", "Ch.", "Scenes", "Now"),
        )
    return table


def _range(first: Ordinal | None, last: Ordinal | None) -> str:
    if first is None:
        return ""
    return str(first) if last in (None, first) else f"{first}–{last}"


def _short(long_id: str) -> str:
    return long_id[:_SHORT_ID]


def count(number: int, what: str) -> str:
    """Return how many of something there are, in words."""
    return f"{number} {what}" if number == 1 or what == "more" else f"{number} {what}s"


def _shortened(text: str) -> str:
    line = _one_line(text)
    return line if len(line) <= _SHOWN_QUOTE else line[:_SHOWN_QUOTE].rsplit(" ", 1)[0] + " …"


def _one_line(text: str) -> str:
    return " ".join(text.split())
