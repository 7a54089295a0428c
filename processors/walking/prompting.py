"""The prompts of a walk: the map, then what varies.

System prompt and map stand first and are the same for every question to a story as of a chapter,
so that a server which caches prefixes reads them once a chapter and not once a question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from contracts.chat import ChatRequest, Sampling
from contracts.ids import SceneId
from processors.one_line import one_line
from processors.prompts import prompt
from processors.token_bounds import tokens_at_most
from processors.walking.evidence import Evidence
from processors.walking.moves import LOOK_SCHEMA, SAY_SCHEMA, STEP_SCHEMA

_SYSTEM: Final = "walk"
_MAP_ENDS: Final = "END OF THE MAP\n\n"
_PASSAGES: Final = "PASSAGES\n"
_NO_PASSAGES: Final = "No passage was found.\n"
_PASSAGES_END: Final = "END OF THE PASSAGES\n\n"
_QUESTION_CHARACTERS: Final = 2_000


class Purpose(StrEnum):
    """What a model is asked in a walk: its prompt's name, too."""

    LOOK = "walk_look"
    STEP = "walk_step"
    CONCLUDE = "walk_conclude"


_SCHEMAS: Final[Mapping[Purpose, Mapping[str, object]]] = {
    Purpose.LOOK: LOOK_SCHEMA,
    Purpose.STEP: STEP_SCHEMA,
    Purpose.CONCLUDE: SAY_SCHEMA,
}
_MOST_OUTPUT: Final = {Purpose.LOOK: 400, Purpose.STEP: 900, Purpose.CONCLUDE: 800}
"""Tokens of an answer: two to three times what a full one takes, and an end to one that rambles."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question to a model: the map, "" for none, and all that stands after it."""

    purpose: Purpose
    map: str
    rest: str

    @property
    def map_tokens(self) -> int:
        """Return at most how many tokens the map takes."""
        return tokens_at_most(self.map) if self.map else 0

    @property
    def rest_tokens(self) -> int:
        """Return at most how many tokens all else takes, our own words too."""
        return tokens_at_most(self.rest) + tokens_at_most(prompt(_SYSTEM))

    def request(self, sampling: Sampling, attempt: int) -> ChatRequest:
        """Return what is sent."""
        most = min(_MOST_OUTPUT[self.purpose], sampling.max_output_tokens)
        return ChatRequest(
            purpose=self.purpose,
            system=prompt(_SYSTEM),
            user=self.map + self.rest,
            schema=_SCHEMAS[self.purpose],
            sampling=sampling.model_copy(update={"max_output_tokens": most}),
            attempt=attempt,
        )

    def most_tokens(self, sampling: Sampling) -> int:
        """Return at most how many tokens are read and written."""
        written = self.request(sampling, 0).sampling.max_output_tokens
        return self.map_tokens + self.rest_tokens + written


def looking(map_text: str, question: str) -> Prompt:
    """Ask which scenes of the map hold the answer."""
    return Prompt(Purpose.LOOK, _ended(map_text), _asked(question, Purpose.LOOK))


def stepping(map_text: str, passages: str, question: str) -> Prompt:
    """Ask for an answer from passages, or for where to look next."""
    rest = passages + _asked(question, Purpose.STEP)
    return Prompt(Purpose.STEP, _ended(map_text), rest)


def concluding(passages: str, question: str) -> Prompt:
    """Ask for an answer from passages, since there is nothing more to look at."""
    return Prompt(Purpose.CONCLUDE, "", passages + _asked(question, Purpose.CONCLUDE))


def passages_shown(evidence: Evidence, numbers: Mapping[SceneId, int], most_tokens: int) -> str:
    """Return the extracts, a line each, after the numbers of their scenes.

    Those that would take more than `most_tokens` together are left out from the end.
    """
    lines, left = list[str](), most_tokens
    for extract in evidence.reading.extracts:
        candidate = extract.candidate
        text = evidence.reading.texts[candidate.chapter_id][extract.start : extract.end]
        line = f"[{numbers.get(candidate.scene_id, 0)}] {one_line(text)}\n"
        left -= tokens_at_most(line)
        if left < 0:
            break
        lines.append(line)
    return f"{_PASSAGES}{''.join(lines) or _NO_PASSAGES}{_PASSAGES_END}"


def _ended(map_text: str) -> str:
    return map_text + _MAP_ENDS if map_text else ""


def _asked(question: str, purpose: Purpose) -> str:
    return f"QUESTION\n{one_line(question)[:_QUESTION_CHARACTERS]}\n\n{prompt(purpose)}\n"
