"""The prompts, one text file each: what a model is told whatever the input.

A prompt's version is a digest of its words (`processors.asking.prompt_version`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def prompt(name: str) -> str:
    """Return the text of the prompt `name`."""
    return (Path(__file__).parent / f"{name}.txt").read_text("utf-8").strip()
