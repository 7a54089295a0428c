"""A script that cuts any chapter into scenes of so many sentences, and says each only once.

What it says names a digest of what it was asked, so that no two questions have one answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.model_server.gold import LINE, listed, told_scenes
from tests.model_server.script import Heard, Later, Reply, Says


@dataclass(frozen=True, slots=True)
class EvenScript:
    """Scenes of `sentences` sentences each, every answer after `seconds`."""

    sentences: int = 12
    seconds: float = 0.0

    def __call__(self, heard: Heard) -> Reply:
        """Answer in the schema that was sent, part by part."""
        told = _advice(heard) if heard.purpose == "placement" else self._scenes(heard.user)
        says = Says({part: told[part] for part in heard.schema["properties"]})
        return Later(self.seconds, says) if self.seconds else says

    def _scenes(self, user: str) -> Mapping[str, Any]:
        lines = [line for _, line in LINE.findall(user)]
        digest = hashlib.sha256(user.encode("utf-8", "replace")).hexdigest()[:16]
        ranges = [
            (first, min(first + self.sentences - 1, len(lines)), _scene(digest, lines[first - 1]))
            for first in range(1, len(lines) + 1, self.sentences)
        ]
        return {**told_scenes(ranges), "identities": []}


def _scene(digest: str, line: str) -> Mapping[str, Any]:
    words = " ".join(line.split()[:8])
    return {"title": words, "synopsis": words, "significance": digest}


def _advice(heard: Heard) -> Mapping[str, Any]:
    scenes, hidden = (listed(heard.user, title) for title in ("SCENES", "WITHOUT A NAME"))
    homes = {
        f"scene_{scene['number']}": {
            "home": scene["likely"][0],
            "touches": "none",
            "touches_too": "none",
        }
        for scene in scenes
        if "likely" in scene
    }
    return homes | {each["id"]: "none" for each in hidden}
