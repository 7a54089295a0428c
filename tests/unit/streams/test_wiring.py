"""What the settings name is what is opened."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from contracts.chat import Sampling
from graph.memory import MemoryMemo
from processors.openai_chat import OpenAIChat
from processors.remembering import Payer
from streams.adapters import open_chat
from streams.segmenters import open_segmenter
from streams.settings import Settings
from tests.unit.processors.handmade import HashedWords

NOWHERE = Path("nowhere")


def test_without_a_model_there_is_no_chat() -> None:
    assert open_chat(Settings(home=NOWHERE)) is None


async def test_a_model_is_asked_as_the_settings_say() -> None:
    settings = Settings(
        home=NOWHERE,
        model="http://gpu1:8000/v1",
        model_name="lite",
        model_key=SecretStr("swordfish"),
        model_timeout_s=7,
        model_concurrency=3,
    )
    chat = open_chat(settings)
    assert isinstance(chat, OpenAIChat)
    assert chat.model == "lite"
    known = chat._endpoint
    assert (known.url, known.timeout_s, known.concurrency) == ("http://gpu1:8000/v1", 7, 3)
    assert "swordfish" not in repr(known)
    await chat.close()


def test_the_sampling_is_the_settings() -> None:
    assert Settings(home=NOWHERE).sampling == Sampling()
    told = Settings(home=NOWHERE, temperature=0, top_p=1, max_output_tokens=1_000)
    assert told.sampling == Sampling(temperature=0, top_p=1, max_output_tokens=1_000)


@pytest.mark.parametrize(
    ("chosen", "version"),
    [("", "litseg-lite-"), ("litseg-lite", "litseg-lite-"), ("litseg", "litseg-"),
     ("cohesion", "cohesion-")],
)  # fmt: skip
async def test_the_segmenter_is_the_settings(chosen: str, version: str) -> None:
    settings = Settings.model_validate(
        {"home": NOWHERE, "model": "http://gpu1/v1", "model_name": "m", "segmenter": chosen}
    )
    chat = open_chat(settings)
    segmenter = open_segmenter(settings, HashedWords(), Payer(MemoryMemo()), chat)
    assert segmenter.version.startswith(version)
    assert ("lite" in segmenter.version) == ("lite" in version)
    assert chat is not None
    await chat.close()


def test_without_a_model_the_segmenter_needs_none() -> None:
    segmenter = open_segmenter(Settings(home=NOWHERE), HashedWords(), Payer(MemoryMemo()), None)
    assert segmenter.version.startswith("cohesion-")
