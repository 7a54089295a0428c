"""`demo`: the bundled serial, chapter by chapter, and what the index then knows."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from contracts.ordinals import Ordinal
from streams.cli import options
from streams.cli.exit_codes import ExitCode
from streams.cli.options import Common
from streams.cli.running import connected, run

if TYPE_CHECKING:
    from contracts.answers import Export
    from streams.demo_story import DemoStory
    from streams.operations import Caller

_TREE_DEPTH: Final = 2
_SCENES: Final = 6  # of a thread or character: the demo is to be read in a minute
_WORDS: Final = 600


def demo(
    home: options.HomeDir = None,
    config: options.Config = None,
    debug: options.Debug = False,
) -> None:
    """Watch a short serial being indexed chapter by chapter, then read its index.

    It works in a directory of its own that is gone afterwards; with --home it stays, and you can
    go on with `storygraft ask` and the other commands.

    Example: storygraft demo
    """
    with ExitStack() as stack:
        kept = home is not None
        folder = home or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="storygraft-"))
        )
        common = Common(folder, config, debug)
        run(lambda: _demo(common, kept=kept), common)


async def _demo(common: Common, *, kept: bool) -> ExitCode:
    from streams.cli.output import out
    from streams.demo_story import read_story

    story = read_story()
    described = story.given.described
    out.print(f"{described.title}, by {described.author}")
    # What is gone afterwards is opened here: no owner outlives it.
    settings = common.settings(owner_idle_s=None if kept else 0)
    async with connected(settings, common, must_exist=False) as index:
        if not await _grow(index, story):
            return ExitCode.HELD
        await _show_tree(index, story)
        await _show_questions(index, story)
    if kept:
        out.print(f'Go on: storygraft ask {story.work_id} "…" --home {common.home}')
    return ExitCode.OK


async def _grow(index: Caller, story: DemoStory) -> bool:
    """Index one chapter after the other, as if each came out now; False when held."""
    from contracts.requests import Chapters
    from streams.cli.output import out, print_error
    from streams.cli.rendering import chapter_shown
    from streams.operations import INDEX

    _headline("The chapters come out, one by one")
    for number, chapter in enumerate(story.given.chapters, start=1):
        known = story.up_to(number)
        given = Chapters(described=known.described, chapters=known.chapters)
        report = await index.call(INDEX, given)
        if report.held:
            print_error(f"Held: {report.held[0].reason}")
            return False
        out.print(chapter_shown(await _exported(index, story, chapter.ordinal), chapter.title))
    return True


async def _show_tree(index: Caller, story: DemoStory) -> None:
    """Show the tree, its longest thread, and the character of most scenes."""
    from contracts.requests import HEAD, OneCharacter, OneThread, Page, Story
    from streams.cli.output import out
    from streams.cli.rendering import character_shown, thread_shown, tree_shown
    from streams.operations import CHARACTER, THREAD, THREADS, TREE

    work = story.work_id
    _headline("The storyline tree that grew")
    tree = await index.call(TREE, Story(work_id=work, as_of=HEAD))
    out.print(tree_shown(tree, _TREE_DEPTH))
    threads = (await index.call(THREADS, Page(work_id=work, as_of=HEAD))).threads
    longest = max(threads, key=lambda line: (line.scenes, line.id))
    asked = OneThread(work_id=work, as_of=HEAD, thread=longest.id, limit=_SCENES)
    _headline("One thread, scene by scene")
    out.print(thread_shown(await index.call(THREAD, asked)))
    somebody = await _somebody(index, story)
    one = OneCharacter(work_id=work, as_of=HEAD, character=somebody, limit=_SCENES)
    _headline("One character")
    out.print(character_shown(await index.call(CHARACTER, one)))


async def _somebody(index: Caller, story: DemoStory) -> str:
    """Choose whom to show: somebody who turns out to be somebody else, or who is there most."""
    from contracts.requests import HEAD, Page
    from streams.operations import CHARACTERS

    lines = (await index.call(CHARACTERS, Page(work_id=story.work_id, as_of=HEAD))).characters
    whole = await _exported(index, story, None)
    revealed = {each.id for each in whole.characters if each.identities}
    return next((line.id for line in lines if line.id in revealed), lines[0].id)


async def _show_questions(index: Caller, story: DemoStory) -> None:
    """Ask for a fact, and for a secret before and after it is out."""
    last = story.given.chapters[-1].ordinal
    fact, reveal = story.first("fact"), story.first("reveal")
    _headline("A question")
    await _ask(index, story, fact.question, last)
    _headline("A secret, asked before it is told, and after")
    early = max(c.ordinal for c in story.given.chapters if c.ordinal < reveal.chapter)
    await _ask(index, story, reveal.question, early)
    await _ask(index, story, reveal.question, last)


async def _ask(index: Caller, story: DemoStory, question: str, as_of: Ordinal) -> None:
    from rich.text import Text

    from contracts.requests import Question
    from streams.cli.output import out
    from streams.cli.rendering import answer_shown
    from streams.operations import ASK

    asked = Question(work_id=story.work_id, question=question, as_of=as_of, words=_WORDS)
    answer = await index.call(ASK, asked)
    out.print(Text.assemble((question, "bold cyan"), f"  (as of chapter {as_of})"))
    out.print(answer_shown(answer))
    out.print()


async def _exported(index: Caller, story: DemoStory, as_of: Ordinal | None) -> Export:
    from contracts.requests import WholeStory
    from streams.operations import EXPORT

    asked = WholeStory(work_id=story.work_id, as_of=options.told(as_of))
    return await index.call(EXPORT, asked)


def _headline(text: str) -> None:
    from rich.text import Text

    from streams.cli.output import out

    out.print()
    out.print(Text(text, style="bold underline"))
