"""Saves what LitSeg says of an input as training pairs: `python -m replay.training_pairs IN OUT`.

IN is anything that `storygraft index` takes; OUT gets one JSON object a line: what LitSeg-Lite is
asked about a chunk, the answer that it should give, and the format reward of that answer. Model and
home are those of the settings (`STORYGRAFT_…`, `storygraft.toml`); every answer is kept in the
memo, so a second run costs nothing and one that was cut off goes on where it was.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from contracts.errors import PermanentError, StorygraftError
from processors.remembering import Payer
from processors.text import read_chapter
from processors.training.pairs import training_pairs
from streams.adapters import open_chat, open_memo
from streams.estimating import published_of
from streams.inputs.reading import read_input
from streams.inputs.values import ChapterInput, EventInput, Naming
from streams.segmenters import open_student, open_teacher
from streams.settings import Settings, UnusableSettings, load_settings


@dataclass(slots=True)
class Saved:
    """How many pairs were written, how many of them are fit for training, and what could not be."""

    pairs: int = 0
    valid: int = 0
    problems: tuple[str, ...] = ()

    def __str__(self) -> str:
        told = f"{self.pairs} pairs, {self.valid} of them valid in every step without repair"
        return "\n".join([told, *self.problems])


async def save_pairs(settings: Settings, given: ChapterInput | EventInput, out: TextIO) -> Saved:
    """Write the pairs of `given` to `out`, one a line, and say how many there are.

    Raises:
        UnusableSettings: no model is set.
        TransientError: the model or the memo cannot be reached; the same call later goes on.
    """
    async with AsyncExitStack() as stack:
        chat = open_chat(settings)
        if chat is None:
            raise UnusableSettings("Nobody is there to teach: set `model` and `model_name`.")
        stack.push_async_callback(chat.close)
        memo = open_memo(settings)
        stack.push_async_callback(memo.close)
        teacher = open_teacher(settings, Payer(memo), chat)
        student = open_student(settings, Payer(memo), chat)
        saved = Saved()
        for event in published_of(given):
            try:
                chapter = read_chapter(event)
                async for pair in training_pairs(chapter, teacher, student):
                    out.write(pair.model_dump_json() + "\n")
                    saved.pairs += 1
                    saved.valid += pair.valid
            except PermanentError as error:
                saved.problems += (f"chapter {event.chapter_id}: {error}",)
        return saved


def main(arguments: Sequence[str]) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="replay.training_pairs", description=__doc__)
    parser.add_argument("input", type=Path)
    parser.add_argument("out", type=Path)
    told = parser.parse_args(arguments)
    try:
        given = read_input(told.input, Naming())
        with told.out.open("w", encoding="utf-8") as out:
            saved = asyncio.run(save_pairs(load_settings(), given, out))
    except StorygraftError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{saved}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
