"""A small serial, and who answers questions about it through the model server."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from contracts.chat import Sampling
from processors.openai_chat import Endpoint, OpenAIChat
from processors.retriever import Retriever
from processors.walking.answering import WalkingAnswerer
from processors.walking.reader import ModelReader
from processors.walking.strategies import ADAPTIVE, Strategy
from tests.model_server import Heard, ModelServer, Reply, Says, Script
from tests.unit.processors.indexed import chapter

LEDGER = (
    chapter(
        1,
        "The lamp on the quay was lit by Hedda every night. She kept the ledger of the harbour in "
        "an iron box.\n\n"
        "Old Tom mended nets and told the children about the drowned bell. Nobody believed him.",
    ),
    chapter(
        2,
        "In the fog a stranger opened the iron box with a key of bone. He went away over ice.\n\n"
        "Hedda wept when she found the box empty. She accused Old Tom before the council.",
    ),
    chapter(
        3,
        "Old Tom sailed to the island of seals and met the stranger there. The stranger said that "
        "his name was Anders.\n\n"
        "Anders gave the ledger back and asked for a passage home. The council forgave nobody.",
    ),
)
WHO = "Who opened the iron box?"
QUOTE = "a stranger opened the iron box with a key of bone"
NOTHING: Mapping[str, object] = {
    "quotes": [], "known": False, "answer": "", "scenes": [], "open": [], "query": "",
}  # fmt: skip

Rule = Callable[[Heard], Mapping[str, object] | Reply]


def script(rule: Rule) -> Script:
    """What a rule leaves out of an answer is empty; it may give a reply of its own, too."""

    def reply(heard: Heard) -> Reply:
        told = rule(heard)
        if not isinstance(told, Mapping):
            return told
        value: dict[str, Any] = {**NOTHING, **told}
        return Says({part: value[part] for part in heard.schema["properties"]})

    return reply


def by_purpose(**told: Mapping[str, object] | Reply) -> Script:
    """Answer by purpose: `look`, `step`, `conclude`; nothing where nothing is told."""
    return script(lambda heard: told.get(heard.purpose.removeprefix("walk_"), {}))


def walker(
    server: ModelServer,
    retriever: Retriever,
    strategy: Strategy = ADAPTIVE,
    clock: Callable[[], float] | None = None,
    context: int = 32_768,
) -> WalkingAnswerer:
    chat = OpenAIChat(Endpoint(server.url, server.model, first_wait_s=0.01))
    reader = ModelReader(chat, Sampling(), context)
    if clock is None:
        return WalkingAnswerer(retriever, reader, strategy)
    return WalkingAnswerer(retriever, reader, strategy, clock)


def map_lines(heard: Heard) -> dict[int, str]:
    """The lines of scenes on the map that was shown."""
    text = heard.user.partition("END OF THE MAP")[0]
    return {int(n): line for n, line in re.findall(r"^(\d+) (\[.*)$", text, re.MULTILINE)}


def number_of(heard: Heard, words: str) -> int:
    """The number of the scene whose line has these words."""
    return next(number for number, line in map_lines(heard).items() if words in line)
