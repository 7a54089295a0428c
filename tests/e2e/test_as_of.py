"""As of N on the whole work equals, byte for byte, a work that holds only the chapters up to N."""

from __future__ import annotations

from pathlib import Path

import pytest

from streams.settings import Settings
from streams.wiring import open_home
from tests.e2e.homes import asked, chapters_of, embedded, exported, in_memory, publish, searched

QUESTIONS = {
    "alice-in-wonderland": ["What did the bottle do to Alice?", "Who stole the tarts?"],
    "sign-of-the-four": ["Who is Jonathan Small?", "What is in the Agra treasure box?"],
    "journey-to-the-west": ["悟空的金箍棒从哪里来？", "唐僧是谁？"],
}


async def assert_no_later_chapter_shows(
    settings: Settings, folder: str, book: str, chapters: int
) -> None:
    """Read the work as it grows, chapter by chapter; then read it again as of each of them."""
    published = chapters_of(folder, book)[:chapters]
    seen: dict[str, list[bytes]] = {}

    async def read(as_of: str) -> list[bytes]:
        outputs = [await exported(home, book, as_of)]
        for question in QUESTIONS[book]:
            outputs.append(await searched(home, book, question, as_of))
            outputs.append(await asked(home, book, question, as_of))
        return outputs

    async with open_home(settings) as home:
        for event in published:
            report = await publish(home, [event])
            assert not report.dead
            assert not report.held
            seen[str(event.ordinal)] = await read(str(event.ordinal))
        assert len(set(map(tuple, seen.values()))) == len(published)
        for as_of, outputs in seen.items():
            assert await read(as_of) == outputs, f"{book} as of {as_of} knows what came later"


@pytest.mark.parametrize(
    ("folder", "book", "chapters"),
    [
        ("books", "alice-in-wonderland", 12),
        ("books", "sign-of-the-four", 12),
        ("cjk", "journey-to-the-west", 8),
    ],
)
async def test_no_later_chapter_shows(
    tmp_path: Path, folder: str, book: str, chapters: int
) -> None:
    await assert_no_later_chapter_shows(in_memory(tmp_path), folder, book, chapters)


@pytest.mark.real
async def test_no_later_chapter_shows_in_the_stores_that_users_have(tmp_path: Path) -> None:
    await assert_no_later_chapter_shows(embedded(tmp_path), "books", "alice-in-wonderland", 12)
