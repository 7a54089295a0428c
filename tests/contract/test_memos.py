"""Every memo, under one suite; what only SQLite can get wrong is tested below it."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from contracts.errors import PermanentError
from contracts.ids import ChapterId, WorkId
from contracts.ports import Memo
from graph.bolt.memo import BoltMemo
from graph.memory import MemoryMemo
from streams.logs.sqlite_log import SqliteEventLog
from streams.logs.sqlite_memo import MEMO, SqliteMemo
from tests.conftest import BoltServer
from tests.contract.event_log import record
from tests.contract.memo import MemoContract, asked, entry, paid, source


class TestMemoryMemo(MemoContract):
    @pytest.fixture
    def opened(self) -> Callable[[], Memo]:
        memo = MemoryMemo()  # what it holds goes with the object: it cannot be opened twice
        return lambda: memo


class TestSqliteMemo(MemoContract):
    @pytest.fixture
    def opened(self, tmp_path: Path) -> Callable[[], Memo]:
        return lambda: SqliteMemo(tmp_path / "memo.sqlite")


@pytest.mark.real
class TestArcadeMemo(MemoContract):
    @pytest.fixture
    def opened(self, arcade_bolt: BoltServer) -> Callable[[], Memo]:
        return lambda: BoltMemo(arcade_bolt.uri, arcade_bolt.auth, arcade_bolt.database)


@pytest.mark.real
class TestNeo4jMemo(MemoContract):
    @pytest.fixture
    def opened(self, neo4j_bolt: BoltServer) -> Callable[[], Memo]:
        return lambda: BoltMemo(neo4j_bolt.uri, neo4j_bolt.auth, neo4j_bolt.database)


@pytest.mark.real
async def test_two_handles_that_put_at_once_get_one_answer(arcade_bolt: BoltServer) -> None:
    memos = [BoltMemo(arcade_bolt.uri, arcade_bolt.auth, arcade_bolt.database) for _ in range(4)]
    puts = [
        memo.put_if_absent(entry("at once", f"{n}", source("at once", "c1")))
        for n, memo in enumerate(memos)
    ]
    got = await asyncio.gather(*puts)
    assert len({each.answer for each in got}) == 1
    for memo in memos:
        await memo.close()


@pytest.mark.real
async def test_workers_that_claim_and_let_go_at_once_never_both_have_a_question(
    arcade_bolt: BoltServer, neo4j_bolt: BoltServer
) -> None:
    for server in (arcade_bolt, neo4j_bolt):
        memos = [BoltMemo(server.uri, server.auth, server.database) for _ in range(4)]
        having: dict[str, list[str]] = {f"claimed {n}": [] for n in range(3)}

        async def work(memo: BoltMemo, name: str, having: dict[str, list[str]]) -> int:
            had = 0
            for _ in range(8):
                for question, has in having.items():
                    if not await memo.claim(asked(question), name, 60.0):
                        continue
                    had += 1
                    has.append(name)
                    await asyncio.sleep(0.005)
                    assert has == [name]
                    has.clear()
                    await memo.release(asked(question), name)
            return had

        had = await asyncio.gather(*(work(memo, f"w{n}", having) for n, memo in enumerate(memos)))
        assert sum(had) > len(having)
        for memo in memos:
            await memo.close()


def _files(folder: Path, holding: bytes = b"") -> list[str]:
    return [path.name for path in folder.iterdir() if holding in path.read_bytes()]


async def test_reading_makes_no_file_and_the_first_put_does(tmp_path: Path) -> None:
    memo = SqliteMemo(tmp_path / "memo.sqlite")
    assert await memo.get(asked("i")) is None
    assert await memo.of_work(WorkId("w")) == ()
    assert await memo.forget(WorkId("w"), None) == 0
    await memo.scrub()
    assert _files(tmp_path) == []
    await memo.put_if_absent(entry("i", "yes"))
    assert "memo.sqlite" in _files(tmp_path)
    await memo.close()


_PUT_FIFTY = """
import asyncio, sys
from pathlib import Path
from streams.logs.sqlite_memo import MEMO, SqliteMemo
from tests.contract.memo import entry, source
async def main() -> None:
    memo = SqliteMemo(Path(sys.argv[1]))
    for n in range(50):
        stored = await memo.put_if_absent(entry(str(n), sys.argv[2], source("w", sys.argv[2])))
        print(stored.answer)
    await memo.close()
asyncio.run(main())
"""


async def test_two_processes_store_one_answer_each_time(tmp_path: Path) -> None:
    path = tmp_path / "memo.sqlite"
    command = [sys.executable, "-c", _PUT_FIFTY, str(path)]
    started = [
        await asyncio.create_subprocess_exec(*command, name, stdout=asyncio.subprocess.PIPE)
        for name in ("a", "b")
    ]
    said = [(await process.communicate())[0].split() for process in started]
    assert said[0] == said[1]
    assert len(said[0]) == 50
    memo = SqliteMemo(path)
    entries = await memo.of_work(WorkId("w"))
    assert len(entries) == 50
    assert all(each.sources == (source("w", "a"), source("w", "b")) for each in entries)
    await memo.close()


async def test_large_answers_are_compressed(tmp_path: Path) -> None:
    memo = SqliteMemo(tmp_path / "memo.sqlite")
    await memo.put_if_absent(entry("i", "all work and no play " * 50_000))
    await memo.close()
    assert (tmp_path / "memo.sqlite").stat().st_size < 100_000


async def test_what_was_forgotten_and_scrubbed_is_in_no_byte(tmp_path: Path) -> None:
    memo = SqliteMemo(tmp_path / "memo.sqlite")
    for n in range(40):
        await memo.put_if_absent(entry(str(n), f"Xyzzyplugh {n}", source("w", f"c{n % 2}")))
    await memo.forget(WorkId("w"), {ChapterId("c0"), ChapterId("c1")})
    await memo.scrub()
    assert _files(tmp_path, b"Xyzzyplugh") == []
    await memo.close()


async def test_an_event_log_is_no_memo(tmp_path: Path) -> None:
    log = SqliteEventLog(tmp_path / "events.sqlite")
    await log.append([record("a")])
    await log.close()
    memo = SqliteMemo(tmp_path / "events.sqlite")
    with pytest.raises(PermanentError, match="database of another"):
        await memo.get(asked("i"))
    await memo.close()


async def test_a_memo_of_the_first_format_is_lifted_with_all_it_had(tmp_path: Path) -> None:
    path = tmp_path / "memo.sqlite"
    put = entry("i", "yes", source("w", "c1"))
    with closing(sqlite3.connect(path)) as old:
        old.executescript("""
            CREATE TABLE answers (
                key TEXT PRIMARY KEY, asked BLOB NOT NULL, answer BLOB NOT NULL,
                packed INTEGER NOT NULL, input_tokens INTEGER NOT NULL,
                output_tokens INTEGER NOT NULL
            );
            CREATE TABLE sources (
                work TEXT, chapter TEXT, key TEXT, PRIMARY KEY (work, chapter, key)
            ) WITHOUT ROWID;
            CREATE INDEX sources_by_key ON sources (key);
        """)
        old.execute(f"PRAGMA application_id={MEMO.mark}")
        old.execute("PRAGMA user_version=1")
        old.execute("INSERT INTO sources VALUES ('w', 'c1', ?)", (put.asked.key,))
        row = (put.asked.key, put.asked.to_json(), b"yes", 0, 120, 34)
        old.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?)", row)
        old.commit()
    memo = SqliteMemo(path)
    assert await memo.get(put.asked) == put
    assert await memo.spent_by_day(None) == ()
    new = paid(entry("j", "no", source("w", "c1")), "g1")
    await memo.put_if_absent(new)
    await memo.close()
    memo = SqliteMemo(path)
    assert sorted(await memo.of_work(WorkId("w")), key=lambda each: each.answer) == [new, put]
    assert [each.calls for each in await memo.spent_by_day(None)] == [1]
    await memo.close()
