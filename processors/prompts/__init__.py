"""The prompts, one text file each: what a model is told whatever the input.

A prompt's version is a digest of its words (`processors.asking.prompt_version`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def prompt(name: str) -> str:
    """Return the text of the prompt `name`."""
    return prompt_file(name).read_text("utf-8").strip()


def prompt_file(name: str) -> Path:
    """Return where the prompt `name` is written."""
    return Path(__file__).parent / f"{name}.txt"
