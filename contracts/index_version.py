"""The index version: all that shapes an index, so that two of them never mix.

An index is built in three layers, each from the one before: a change in one costs all after it,
and nothing before it.
"""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Final

from contracts.frozen import Frozen

_DIGITS: Final = 16  # hex: versions of one catalogue are few, and a person may compare them


class Layer(StrEnum):
    """What an index is made of, in the order in which it is made."""

    SEGMENTATION = "segmentation"
    EMBEDDING = "embedding"
    TREE = "tree"


class IndexVersion(Frozen):
    """What shapes each layer, one `name=value` a line: readable, and equal where all is equal.

    Nothing stands in it that leaves the index as it is: where a server is, how long it is waited
    for, how many ask it at once.
    """

    segmentation: str
    embedding: str
    tree: str

    @property
    def digest(self) -> str:
        """A short name of the whole: 16 hex digits, the same on every machine."""
        whole = "\n\n".join(self.layer(layer) for layer in Layer)
        return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]

    def layer(self, layer: Layer) -> str:
        """Return what shapes one layer."""
        texts = {
            Layer.SEGMENTATION: self.segmentation,
            Layer.EMBEDDING: self.embedding,
            Layer.TREE: self.tree,
        }
        return texts[layer]

    def first_change(self, other: IndexVersion) -> Layer | None:
        """Return the first layer in which `other` differs: from there on it is built anew.

        None where the two are equal.
        """
        return next((each for each in Layer if self.layer(each) != other.layer(each)), None)

    def differences(self, other: IndexVersion) -> tuple[str, ...]:
        """Say what becomes of each part on the way from this version to `other`, in order.

        As `segmentation: model small -> large`; a part that only one of them has is `none` in the
        other. Empty where the two are equal.
        """
        return tuple(
            f"{layer}: {change}"
            for layer in Layer
            for change in _changes(self.layer(layer), other.layer(layer))
        )


def _changes(old: str, new: str) -> list[str]:
    before, after = _parts(old), _parts(new)
    return [
        f"{name} {before.get(name, 'none')} -> {after.get(name, 'none')}"
        for name in dict.fromkeys((*before, *after))
        if before.get(name) != after.get(name)
    ]


def _parts(text: str) -> dict[str, str]:
    parts = (line.partition("=") for line in text.splitlines())
    return {name: value for name, _, value in parts}
