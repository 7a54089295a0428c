"""What a Milvus Lite directory holds after the worst: kills, full disks, half-made collections."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from contracts.errors import TransientError
from contracts.ids import FIRST_GENERATION
from graph.milvus import MilvusVectorStore
from graph.milvus.layout import Layout
from tests.contract.milvus_child import FLUSHED, IN_MEMORY, WORK
from tests.contract.rows import a_book, a_row, a_scope, axis, expected_dense, unit
from tests.contract.story import new_work

pytestmark = pytest.mark.real

_ROOT = Path(__file__).parents[2]
_G1 = FIRST_GENERATION


@contextmanager
def another_process(directory: Path) -> Iterator[subprocess.Popen[str]]:
    """Run `milvus_child` on `directory` until the block ends; it has written by then."""
    command = (sys.executable, "-m", "tests.contract.milvus_child", str(directory))
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == "written\n"
            yield child
        finally:
            child.kill()


@asynccontextmanager
async def opened(directory: Path) -> AsyncIterator[MilvusVectorStore]:
    store = MilvusVectorStore(str(directory))
    try:
        yield store
    finally:
        await store.close()


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Let no file grow beyond `size` bytes: what a full disk looks like to who writes."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


async def test_a_kill_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    with another_process(tmp_path / "v") as child:
        child.kill()
        child.wait()
    async with opened(tmp_path / "v") as store:
        left = a_book(FLUSHED + IN_MEMORY)[1:-1]
        assert await store.fetch(WORK, _G1, [row.key for row in left]) == {r.key: r for r in left}
        assert await store.keys(WORK, _G1) == {row.key for row in left}
        scope = a_scope(WORK)
        found = await store.search_dense(scope, unit(1), 200)
        assert list(found) == expected_dense(left, scope, unit(1), 200)


async def test_a_directory_in_use_says_so_and_can_be_tried_again(tmp_path: Path) -> None:
    with another_process(tmp_path / "v") as child:
        store = MilvusVectorStore(str(tmp_path / "v"))
        for _ in range(2):
            with pytest.raises(TransientError, match="another process holds"):
                await store.keys(WORK, _G1)
        child.kill()
        child.wait()
        assert len(await store.keys(WORK, _G1)) == FLUSHED + IN_MEMORY - 2
        await store.close()


async def test_rows_outlive_an_orderly_end(tmp_path: Path) -> None:
    work, rows = new_work(), a_book(50)
    for some in (rows[:30], rows[30:]):
        async with opened(tmp_path / "v") as store:
            await store.upsert(work, _G1, some)
    async with opened(tmp_path / "v") as store:
        assert await store.keys(work, _G1) == {row.key for row in rows}
        scope = a_scope(work)
        assert list(await store.search_dense(scope, unit(3), 99)) == expected_dense(
            rows, scope, unit(3), 99
        )


async def test_a_full_disk_while_flushing_loses_no_row(tmp_path: Path) -> None:
    work, rows = new_work(), a_book(300)
    async with opened(tmp_path / "v") as store:
        await store.upsert(work, _G1, rows)
        with largest_file(100_000):
            for _ in range(2):
                with pytest.raises(TransientError):
                    await store.search_dense(a_scope(work), unit(1), 5)
        late = a_row("late", dense=axis(0))
        await store.upsert(work, _G1, [late])
        scope = a_scope(work)
        found = await store.search_dense(scope, unit(1), 500)
        assert list(found) == expected_dense([*rows, late], scope, unit(1), 500)


async def test_a_full_disk_while_writing_loses_no_row(tmp_path: Path) -> None:
    work, rows = new_work(), a_book(700)
    written = {row.key for row in rows[:100]}
    async with opened(tmp_path / "v") as store:
        await store.upsert(work, _G1, rows[:100])
        with largest_file(400_000), pytest.raises(TransientError):
            await store.upsert(work, _G1, rows[100:600])
        assert written <= await store.keys(work, _G1)
        await store.upsert(work, _G1, rows[600:])
        written |= {row.key for row in rows[600:]}
    async with opened(tmp_path / "v") as store:
        assert written <= await store.keys(work, _G1)


async def test_a_collection_that_was_never_born_is_no_obstacle(tmp_path: Path) -> None:
    work = new_work()
    place = Layout(shared=False).place(work, _G1)
    (tmp_path / "v" / "collections" / place.collection).mkdir(parents=True)
    async with opened(tmp_path / "v") as store:
        assert await store.keys(work, _G1) == frozenset()
        await store.upsert(work, _G1, [a_row("a")])
        assert len(await store.keys(work, _G1)) == 1


async def test_a_collection_without_its_indexes_gets_them(tmp_path: Path) -> None:
    work, row = new_work(), a_row("a", dense=axis(0), sparse=((1, 64),))
    async with opened(tmp_path / "v") as store:
        await store.upsert(work, _G1, [row])
    place = Layout(shared=False).place(work, _G1)
    manifest = tmp_path / "v" / "collections" / place.collection / "manifest.json"
    stored = json.loads(manifest.read_text())
    assert len(stored["index_specs"]) == 2
    manifest.write_text(json.dumps({**stored, "index_specs": {}}))
    async with opened(tmp_path / "v") as store:
        assert [hit.score for hit in await store.search_dense(a_scope(work), axis(0), 5)] == [1.0]
        await store.upsert(work, _G1, [a_row("b", dense=unit(1))])
    assert len(json.loads(manifest.read_text())["index_specs"]) == 2
