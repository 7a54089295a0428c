"""Identifiers: typed, and derived from content or founder, never random, never positional."""

from __future__ import annotations

import hashlib
import re
import unicodedata
import uuid
from typing import Final, NewType

WorkId = NewType("WorkId", str)
ChapterId = NewType("ChapterId", str)
SceneId = NewType("SceneId", str)
PassageId = NewType("PassageId", str)
StorylineId = NewType("StorylineId", str)
CharacterId = NewType("CharacterId", str)
Generation = NewType("Generation", str)
RowKey = NewType("RowKey", str)

FIRST_GENERATION: Final = Generation("g1")
_NAMESPACE: Final = uuid.uuid5(uuid.NAMESPACE_URL, "storygraft")
_SPACES: Final = re.compile(r"\s+")


def normalised(text: str) -> str:
    """Return `text` as hashes and comparisons see it: NFC, runs of white space as one space."""
    return _SPACES.sub(" ", unicodedata.normalize("NFC", text)).strip()


def scene_id(work_id: str, chapter_id: str, text: str, occurrence: int) -> SceneId:
    """Name a scene by its words: 32 hex digits, the same wherever in the chapter it stands.

    `occurrence` counts earlier scenes of the chapter with equal normalised text.
    """
    return SceneId(_digest("scene", work_id, chapter_id, normalised(text), str(occurrence)))


def passage_id(scene: str, offset: int) -> PassageId:
    """Name a passage by its scene and its first code point within the scene."""
    return PassageId(_digest("passage", scene, str(offset)))


def row_key(generation: str, item_id: str, position: int) -> RowKey:
    """Primary key of a vector row: it changes with the event that wrote the row."""
    return RowKey(_digest("row", generation, item_id, str(position)))


def root_id(work_id: str) -> StorylineId:
    """The root of a work's tree, the same in every build."""
    return StorylineId(_uuid("root", work_id))


def storyline_id(work_id: str, founding_chapter: str, nth: int) -> StorylineId:
    """Name the `nth` storyline (from 0) that `founding_chapter` opened."""
    return StorylineId(_uuid("storyline", work_id, founding_chapter, str(nth)))


def split_id(parent: str, splitting_chapter: str, part: int) -> StorylineId:
    """Name the `part`-th storyline (from 0) born when `splitting_chapter` split `parent`."""
    return StorylineId(_uuid("split", parent, splitting_chapter, str(part)))


def character_id(work_id: str, introducing_chapter: str, nth: int) -> CharacterId:
    """Name the `nth` character (from 0) that `introducing_chapter` brought in."""
    return CharacterId(_uuid("character", work_id, introducing_chapter, str(nth)))


def content_hash(format_: str, language: str | None, title: str, body: str) -> str:
    """Hash what was published, so that the same publication twice is seen to be no change."""
    return _digest("content", format_, language or "", title, body)


def _uuid(*parts: str) -> str:
    return str(uuid.uuid5(_NAMESPACE, _joined(parts)))


def _digest(*parts: str) -> str:
    encoded = _joined(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(encoded, digest_size=16).hexdigest()


def _joined(parts: tuple[str, ...]) -> str:
    """Join so that no two different tuples give one text: each part goes with its length."""
    return "".join(f"{len(part)}:{part}" for part in parts)
