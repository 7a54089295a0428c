"""With servers a purge deletes through the ports, and says what is left for the operator."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import replace
from pathlib import Path

import pytest

from contracts.events import ChapterWithdrawn
from contracts.ids import FIRST_GENERATION, ChapterId, RowKey, WorkId
from contracts.memo import Asked, MemoEntry, Source
from streams.purge.purging import purge
from streams.settings import Settings
from streams.wiring import open_home
from tests.conftest import BoltServer
from tests.e2e.homes import exported, publish
from tests.e2e.residue import Found, look_at_server
from tests.unit.streams.stand_ins import published


@pytest.mark.real
async def test_what_servers_hold_is_deleted_and_what_remains_is_told(
    tmp_path: Path, neo4j_bolt: BoltServer, milvus_uri: str
) -> None:
    work = WorkId(f"work-{uuid.uuid4()}")
    settings = Settings(
        home=tmp_path / "home",
        graph=neo4j_bolt.uri,
        graph_database=neo4j_bolt.database,
        vectors=milvus_uri,
        memo=neo4j_bolt.uri,
    )
    call = Asked(purpose="titles", prompt="1", model="m", sampling="{}", input_hash=work)
    source = Source(work_id=work, chapter_id=ChapterId("2"))
    async with open_home(settings) as home:
        for n, word in (("1", "herring"), ("2", "xyzzyplugh"), ("3", "ledger")):
            await publish(home, [published(n, f"Hedda hid the {word} in the clock. " * 5, work)])
        await home.memo.put_if_absent(MemoEntry(asked=call, answer="xyzzyplugh", sources=(source,)))
        keys = sorted(await home.vectors.keys(work, FIRST_GENERATION))
        (row,) = (await home.vectors.fetch(work, FIRST_GENERATION, keys[:1])).values()
        stray = replace(row, key=RowKey("0" * 32), text="xyzzyplugh")
        await home.vectors.upsert(work, FIRST_GENERATION, [stray])
        await publish(home, [ChapterWithdrawn(work_id=work, chapter_id=ChapterId("2"))])
        before = await exported(home, work)
    report = await purge(settings, work, [ChapterId("2")])
    assert (report.records, report.memo_entries, report.works, report.rows) == (3, 1, 0, 0)
    assert [told.split(" ")[1] for told in report.remains] == ["graph", "Milvus"]
    async with open_home(settings) as home:
        assert await exported(home, work) == before
        assert await home.memo.get(call) is None
        rows = await home.vectors.fetch(
            work, FIRST_GENERATION, await home.vectors.keys(work, FIRST_GENERATION)
        )
        assert rows
        assert not [row for row in rows.values() if "xyzzyplugh" in row.text]
    found = Found(["xyzzyplugh"])
    server = (neo4j_bolt.uri, neo4j_bolt.auth, neo4j_bolt.database)
    await asyncio.to_thread(look_at_server, found, *server)
    assert found.places == {}
    assert [path.name for path in _holding(settings.home, b"xyzzyplugh")] == []


def _holding(folder: Path, word: bytes) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and word in path.read_bytes()]
