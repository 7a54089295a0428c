"""Static word vectors out of the `wordllama` package: its own weights and tokenizer, no network.

The two files are read directly: importing the package costs ten times the reading.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

STATIC_WORDS_VERSION: Final = f"wordllama-{version('wordllama')}-l2-256-1"
_WEIGHTS: Final = "weights/l2_supercat_256.safetensors"
_TOKENIZER: Final = "tokenizers/l2_supercat_tokenizer_config.json"
_SPACE: Final = "▁"

Floats = NDArray[np.float64]


def word_directions(words: Sequence[str]) -> Floats:
    """Return a unit vector a word, shape (words, 256): the direction of its tokens' mean.

    A word that the tokenizer can only spell in bytes (two of three Chinese characters) has no
    meaning there. It gets a direction of its own out of its hash, so that it is at least like
    itself. (Measured on Chinese: what is found by meaning alone rises by half.)
    """
    spelled = zip(words, _spelled(words), strict=True)
    means: Floats = np.array([_mean(word, tokens) for word, tokens in spelled])
    means = means.reshape(len(words), _token_table().shape[1])
    lengths = np.sqrt(np.square(means).sum(axis=1, keepdims=True))
    directions: Floats = means / np.where(lengths > 0, lengths, 1.0)
    return directions


def _mean(word: str, tokens: Sequence[int]) -> Floats:
    if not tokens:
        return _hashed_direction(word)
    mean: Floats = _token_table()[tokens].astype(np.float64).mean(axis=0)
    return mean


def _spelled(words: Sequence[str]) -> list[list[int]]:
    """Return each word's tokens, none where all are bytes."""
    tokenizer = _tokenizer()
    space, spelling = tokenizer.token_to_id(_SPACE), _bytes()
    spelled = []
    for encoded in tokenizer.encode_batch_fast(list(words), add_special_tokens=False):
        tokens = [token for token in encoded.ids if token != space]
        spelled.append([] if spelling.issuperset(tokens) else tokens)
    return spelled


def _hashed_direction(word: str) -> Floats:
    """Return 256 signs out of a hash of 256 bits."""
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=32).digest()
    bits = np.unpackbits(np.frombuffer(digest, dtype=np.uint8))
    return bits.astype(np.float64) * 2 - 1


@cache
def _bytes() -> frozenset[int | None]:
    return frozenset(_tokenizer().token_to_id(f"<0x{byte:02X}>") for byte in range(256))


@cache
def _token_table() -> NDArray[np.float16]:
    (table,) = load_file(_package_file(_WEIGHTS)).values()
    return table


@cache
def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(_package_file(_TOKENIZER)))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _package_file(name: str) -> Path:
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise RuntimeError("the package wordllama is not installed")
    return Path(spec.origin).parent / name


def count_tokens(text: str) -> int:
    """Return how many tokens this tokeniser makes of `text`."""
    return len(_tokenizer().encode(text, add_special_tokens=False).ids)
