"""Advisers that are no model: what they say is a function of what they are shown."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from contracts.advice import Advice, Advised, PersonAdvice, SceneAdvice
from contracts.memo import Asked
from contracts.placement import PlacementCase, ShownScene


def shown_hash(case: PlacementCase, scene: ShownScene) -> int:
    """Return a number of all that is shown, ids of storylines left out."""
    words = [(thread.title, thread.synopses) for thread in case.threads]
    told = (case.chapter_id, words, scene.number, scene.title, scene.synopsis, scene.characters)
    return int.from_bytes(hashlib.blake2b(repr(told).encode(), digest_size=8).digest(), "big")


def whimsical(case: PlacementCase, scene: ShownScene) -> SceneAdvice:
    """Choose any thread that is shown, or one of two new ones."""
    number = shown_hash(case, scene)
    choice = number % (len(case.threads) + 2)
    touched = case.threads[number % 7 % len(case.threads)].storyline
    if choice < len(case.threads):
        home = case.threads[choice].storyline
        touches = (touched,) if touched != home else ()
        return SceneAdvice(number=scene.number, home=home, touches=touches)
    return SceneAdvice(number=scene.number, home=None, opens=choice - len(case.threads) + 1)


def whimsical_persons(case: PlacementCase) -> tuple[PersonAdvice, ...]:
    """Take every other hidden person for somebody of the chapter."""
    told = [(repr((case.chapter_id, each.words, each.synopsis)), each) for each in case.hidden]
    numbers = [hashlib.blake2b(words.encode(), digest_size=2).digest() for words, _ in told]
    return tuple(
        PersonAdvice(
            person=hidden.character,
            same_as=case.named[number[1] % len(case.named)].character,
        )
        for number, (_, hidden) in zip(numbers, told, strict=True)
        if number[0] % 2
    )


@dataclass
class FixedAdviser:
    """Implements `PlacementAdviser` with a function; keeps the cases that it was asked about."""

    says: Callable[[PlacementCase, ShownScene], SceneAdvice] = whimsical
    cases: list[PlacementCase] = field(default_factory=list)

    @property
    def version(self) -> str:
        return "fixed"

    def asked(self, case: PlacementCase) -> Asked | None:
        numbers = [shown_hash(case, scene) for scene in case.close_calls]
        numbers += [len(each.words) for each in case.hidden]
        return Asked(
            purpose="placement", prompt="1", model="fixed", sampling="{}", input_hash=str(numbers)
        )

    async def advise(self, case: PlacementCase) -> Advised:
        self.cases.append(case)
        scenes = tuple(self.says(case, scene) for scene in case.close_calls)
        return Advised(Advice(scenes=scenes, persons=whimsical_persons(case)), 1, 100, 10, 1)
