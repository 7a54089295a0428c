"""Whether a model told of a chapter in the chapter's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contracts.scenes import Segment
from processors.background import primary
from processors.language import UNDETERMINED, detected_language

_LEAST_LETTERS: Final = 200
"""Code points below which names alone could make one language look like another."""

_RELATIVES: Final = (
    {"da", "no", "nb", "nn", "sv"},
    {"hr", "sr", "bs", "sl"},
    {"es", "gl", "pt", "ca", "it"},
    {"cs", "sk"},
    {"id", "ms"},
    {"ru", "uk", "bg", "mk", "be"},
    {"de", "nl", "af"},
    {"zh", "ja"},  # a summary of Japanese may well be mostly kanji
)
"""Languages whose short texts are easily taken for each other."""

_FIELDS: Final = ("title", "synopsis", "significance", "turning_point")


def in_language(segments: Sequence[Segment], language: str) -> tuple[tuple[Segment, ...], int]:
    """Empty the texts of `segments` if they are told in another language than `language`.

    The ranges stand: they say nothing in any language. Returns how many texts were dropped; where
    it is hard to tell none is.
    """
    texts = [getattr(segment, field) for segment in segments for field in _FIELDS]
    told = [text for text in texts if text]
    if not _other(" ".join(told), primary(language)):
        return tuple(segments), 0
    bare: dict[str, object] = dict.fromkeys(_FIELDS, "")
    return tuple(s.model_copy(update={**bare, "threads": ()}) for s in segments), len(told)


def _other(told: str, language: str) -> bool:
    if len(told) < _LEAST_LETTERS or language == UNDETERMINED:
        return False
    seen = detected_language(told)
    if seen in (UNDETERMINED, language):
        return False
    return not any({seen, language} <= group for group in _RELATIVES)
