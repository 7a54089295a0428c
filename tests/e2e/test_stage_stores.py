"""A worker of some stages opens what these need, and says at once what is wrong with it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from contracts.errors import PermanentError, TransientError
from contracts.ids import FIRST_GENERATION, WorkId
from graph.milvus import MilvusVectorStore
from streams.intakes import CARRY
from streams.settings import Settings
from streams.stage_wiring import STAGES, stages_opened
from streams.wiring import opened
from tests.conftest import BoltServer
from tests.contract.test_store_formats import made

NOWHERE = "bolt://127.0.0.1:1"
MODEL = {"model": "http://127.0.0.1:1/v1", "model_name": "lite"}


def settings(folder: Path, **told: Any) -> Settings:
    in_memory = {"log": "memory:", "graph": "memory:", "memo": "memory:", "vectors": "memory:"}
    return Settings(home=folder, **(in_memory | told))


async def names(told: Settings, *only: str) -> list[str]:
    async with stages_opened(told, only) as stages:
        return [stage.intake.name for stage in stages]


async def test_none_named_are_all_in_the_order_of_the_path(tmp_path: Path) -> None:
    copies_nothing = [name for name in STAGES if name != CARRY.name]
    assert await names(settings(tmp_path)) == copies_nothing
    async with stages_opened(settings(tmp_path)) as stages, opened(settings(tmp_path)) as home:
        assert [stage.intake for stage in stages] == list(home.intakes)
        assert [stage.sink for stage in stages] == [stage.sink for stage in home.stages]
        assert [stage.limits for stage in stages] == [stage.limits for stage in home.stages]
    assert await names(settings(tmp_path), "graft", "hide") == ["hide", "graft"]


async def test_without_a_model_to_cut_and_to_embed_needs_no_graph(tmp_path: Path) -> None:
    told = settings(tmp_path, graph=NOWHERE, memo=NOWHERE)
    assert await names(told, "segment", "embed") == ["segment", "embed"]
    for stage in ("hide", "graft", "answer"):
        with pytest.raises(TransientError, match="the graph server is out of reach"):
            await names(told, stage)


async def test_to_cut_and_to_hide_needs_no_vectors(tmp_path: Path) -> None:
    told = settings(tmp_path, vectors="http://127.0.0.1:1")
    assert await names(told, "hide", "segment") == ["hide", "segment"]
    with pytest.raises(
        TransientError, match=r"the vector store is out of reach: .*; start it, or set `vectors`"
    ):
        await names(told, "embed")


async def test_with_a_model_to_cut_needs_the_memo_and_to_embed_does_not(tmp_path: Path) -> None:
    told = settings(tmp_path, memo=NOWHERE, **MODEL)
    assert await names(told, "embed") == ["embed"]
    with pytest.raises(TransientError, match="the graph server is out of reach"):
        await names(told, "segment")


@pytest.mark.real
@pytest.mark.parametrize("stage", ["segment", "graft"])
async def test_a_wrong_password_is_said_at_once(
    tmp_path: Path, arcade_bolt: BoltServer, stage: str
) -> None:
    told = settings(
        tmp_path,
        graph=arcade_bolt.uri,
        memo=arcade_bolt.uri,
        graph_database=arcade_bolt.database,
        graph_user="root",
        graph_password=SecretStr("swordfish"),
        **MODEL,
    )
    with pytest.raises(TransientError, match="set graph_user and graph_password") as raised:
        await names(told, stage)
    assert "swordfish" not in str(raised.value)


@pytest.mark.real
async def test_rows_of_a_newer_format_are_refused_before_a_chapter_is_taken(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "vectors.db"
    store = MilvusVectorStore(str(folder))
    place = store._collections.layout.place(WorkId("-"), FIRST_GENERATION)
    newer = {"storygraft.format": "7"}
    await asyncio.wrap_future(store._thread.submit(made, store, place.collection, newer))
    await store.close()
    with pytest.raises(PermanentError, match="use the newer storygraft that wrote them"):
        await names(settings(tmp_path, vectors=f"milvus-lite:{folder}"), "embed")
