"""A model's place in a measurement: a rule that sees what a model would be shown, and answers.

It counts tokens as a real tokeniser does (that of the word vectors, 32,000 tokens), so that what
prompts cost is measured and not only bounded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from contracts.chat import ChatAnswer, ChatRequest, Finish
from processors.static_words import count_tokens

Rule = Callable[[str, str], Mapping[str, object]]
"""Takes the purpose of a question and all that the model reads; returns its answer."""

_QUESTION: Final = re.compile(r"^QUESTION\n(.*)$", re.MULTILINE)
_MAP_ENDS: Final = "END OF THE MAP\n"
NOTHING: Final[Mapping[str, object]] = {
    "quotes": [],
    "known": False,
    "answer": "",
    "scenes": [],
    "open": [],
    "query": "",
}


@dataclass
class ScriptedReader:
    """Implements `Chat` by a rule; keeps the tokens of each prompt, in its map and after it.

    One that does not `count` says nothing of tokens, as some servers do.
    """

    rule: Rule
    model: str = "scripted"
    count: bool = True
    map_tokens: list[int] = field(default_factory=list)
    other_tokens: list[int] = field(default_factory=list)

    async def ask(self, request: ChatRequest) -> ChatAnswer:
        """See `Chat.ask`."""
        told = {name: NOTHING[name] for name in _properties(request)}
        told |= self.rule(request.purpose, request.user)
        text = json.dumps(told, ensure_ascii=False)
        if not self.count:
            return ChatAnswer(text, Finish.STOP)
        before, ends, after = request.user.partition(_MAP_ENDS)
        map_text = before + ends if ends else ""
        self.map_tokens.append(_counted(map_text))
        self.other_tokens.append(count_tokens(request.system + (after or before)))
        read = self.map_tokens[-1] + self.other_tokens[-1]
        return ChatAnswer(text, Finish.STOP, read, 0, count_tokens(text))

    async def server_version(self) -> str:
        """See `Chat.server_version`."""
        return ""

    async def close(self) -> None:
        """See `Chat.close`."""


@dataclass(frozen=True, slots=True)
class NamesScenes:
    """A rule: of each question it knows the numbers of the scenes, and names them on the map."""

    scenes: Mapping[str, Sequence[int]]

    def __call__(self, purpose: str, shown: str) -> Mapping[str, object]:
        """Name the scenes when asked to look; answer nothing else."""
        return {"scenes": list(self.scenes[asked_in(shown)])} if purpose == "walk_look" else {}


def asked_in(shown: str) -> str:
    """Return the question that a prompt puts.

    Raises:
        ValueError: there is none.
    """
    found = _QUESTION.findall(shown)
    if not found:
        raise ValueError("the prompt puts no question")
    return str(found[-1])


@lru_cache(maxsize=16)
def _counted(map_text: str) -> int:
    """Count a map once: all questions to a book have the same."""
    return count_tokens(map_text)


def _properties(request: ChatRequest) -> Sequence[str]:
    properties = request.schema["properties"]
    return list(properties) if isinstance(properties, Mapping) else []
