"""Letters of a generation that is being built are listed beside those of the live one."""

from __future__ import annotations

from pathlib import Path

from contracts.generations import GenerationDropped, GenerationStarted
from contracts.ids import FIRST_GENERATION, Generation
from contracts.requests import LettersAsked
from streams.index_version import index_version
from streams.operations import LETTERS
from streams.performing import perform
from streams.wiring import open_home
from tests.contract.letter_box import letter
from tests.e2e.homes import in_memory

G2 = Generation("g2")


async def test_letters_of_every_generation_that_is_kept(tmp_path: Path) -> None:
    settings = in_memory(tmp_path)
    async with open_home(settings) as home:
        version = index_version(settings)
        for generation in (FIRST_GENERATION, G2):
            started = GenerationStarted(generation=generation, version=version, at_ms=1)
            await home.generations.tell(started)
            await home.log.append([letter(0, source=f"scenes.{generation}", stage="embed")])
        await home.log.append([letter(1)])

        async def listed() -> list[str]:
            report = await perform(home, LETTERS, LettersAsked())
            return [each.letter for each in report.letters]

        assert await listed() == ["chapters.dlq@0", "scenes.g1.dlq@0", "scenes.g2.dlq@0"]
        await home.generations.tell(GenerationDropped(generation=G2, at_ms=2))
        assert await listed() == ["chapters.dlq@0", "scenes.g1.dlq@0"]
