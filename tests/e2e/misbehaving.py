"""A model that misbehaves in every way in three of ten calls, and what it said of each chapter."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from tests.model_server import Body, Breaks, Fails, Heard, Rambles, Reply, Says, Text, cut, in_prose
from tests.unit.processors.litseg.answers import answer, block

_LAST: Final = re.compile(r"The last sentence is \[(\d+)\]\.\Z")
_ILL_OF_TEN: Final = 3


def halves(count: int) -> dict[str, Any]:
    """Return a valid answer of two scenes."""
    middle = max(1, count // 2)
    return answer((1, middle), (middle + 1, count)) if count > 1 else answer((1, 1))


def _strings(count: int) -> dict[str, Any]:
    return answer(*(block(str(n), str(n)) for n in range(1, count + 1)))


def _twice(count: int) -> Text:
    return Text(json.dumps(halves(count))[:-1] + ', "segments": []}')


_INVALID: Final[dict[str, Callable[[int], Reply]]] = {
    "empty": lambda count: Text(""),
    "nothing": lambda count: Text(None),
    "prose": lambda count: Text("There are two scenes, I think."),
    "cut": lambda count: cut(halves(count)),
    "filtered": lambda count: Text("", finish="content_filter"),
    "refused": lambda count: Text(None, refusal="I cannot read this."),
    "endless": lambda count: Rambles(),
    "keys twice": _twice,
    "strings": lambda count: Text(json.dumps(_strings(count))),
    "off by one": lambda count: Says(answer((0, count - 1))),
    "past the end": lambda count: Says(answer((1, count + 1))),
    "reversed": lambda count: Says(answer((count + 1, 1))),
    "huge": lambda count: Says(answer((1, 10**12))),
    "a gap": lambda count: Says(answer((2, count + 1), (1, 1))),
    "thousands": lambda count: Text(json.dumps(answer(*((n, n) for n in range(1, 2_000))))),
    "strange context": lambda count: Says(answer((1, count, [count + 7]))),
    "no segments": lambda count: Says(answer()),
}
_VALID: Final[dict[str, Callable[[int], Reply]]] = {
    "in prose": lambda count: in_prose(halves(count)),
    "one segment": lambda count: Says(answer((1, count))),
    "obedient": lambda count: Says(answer(block(1, count, subtitle="PWNED"))),
    "wrong language": lambda count: Says(answer(block(1, count, subtitle="Der alte Kapitän"))),
}
_NO_ANSWER: Final[dict[str, Callable[[int], Reply]]] = {
    "down": lambda count: Fails(503),
    "overloaded": lambda count: Fails(429, retry_after="0.01"),
    "broken": lambda count: Breaks(),
    "a proxy's page": lambda count: Body(b"<html>Bad gateway</html>"),
    "half a reply": lambda count: Body(b'{"choices": [', "application/json"),
}


@dataclass
class Misbehaving:
    """A script. `heard` counts replies by their kind, `told` the complete answers on each text."""

    kinds: dict[str, int] = field(default_factory=dict)
    told: dict[str, list[bool]] = field(default_factory=dict)

    def __call__(self, heard: Heard) -> Reply:
        match = _LAST.search(heard.user)
        assert match, "the question names its last sentence"
        count = int(match.group(1))
        kind = self._kind(heard)
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if kind in _NO_ANSWER:
            return _NO_ANSWER[kind](count)
        answers = self.told.setdefault(heard.user, [])
        assert len(answers) == heard.seed, "attempts are asked for in order, each once"
        answers.append(kind not in _INVALID)
        reply = _INVALID.get(kind) or _VALID.get(kind)
        return reply(count) if reply else Says(halves(count))

    def _kind(self, heard: Heard) -> str:
        """Choose by the call alone, so that threads and order do not matter."""
        seed = hashlib.sha256(f"{heard.number} {heard.user} {heard.seed}".encode()).digest()
        if seed[0] % 10 >= _ILL_OF_TEN:
            return "good"
        kinds = [*_INVALID, *_VALID, *_NO_ANSWER]
        return kinds[seed[1] % len(kinds)]
