"""A memo goes to a file and comes back, and a home opens its own only when somebody asks."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from contracts.errors import PermanentError
from contracts.ids import WorkId
from contracts.reports import MemoImport
from graph.bolt.memo import BoltMemo
from graph.memory import MemoryMemo
from streams.adapters import open_memo
from streams.logs.memo_files import UnusableMemoLine, export_entries, import_entries
from streams.settings import Settings
from tests.contract.memo import NOON, asked, entry, paid, source

W = WorkId("w")


async def _filled() -> MemoryMemo:
    memo = MemoryMemo()
    await memo.put_if_absent(entry("1", "第一章\n", source("w", "c1"), source("v", "c1")))
    await memo.put_if_absent(entry("2", "two", source("w", "c2")))
    await memo.put_if_absent(entry("3", "theirs", source("v", "c1")))
    return memo


async def test_what_was_exported_can_be_imported() -> None:
    memo, out, other = await _filled(), BytesIO(), MemoryMemo()
    assert await export_entries(memo, W, out) == 2
    lines = out.getvalue().splitlines()
    assert await import_entries(other, lines) == MemoImport(read=2, new=2, known=0)
    assert await other.of_work(W) == await memo.of_work(W)
    assert await other.get(asked("3")) is None


async def test_importing_again_changes_nothing() -> None:
    memo, out = await _filled(), BytesIO()
    await export_entries(memo, W, out)
    before = await memo.of_work(W)
    assert await import_entries(memo, out.getvalue().splitlines()) == MemoImport(
        read=2, new=0, known=2
    )
    assert await memo.of_work(W) == before


async def test_what_the_memo_has_stays() -> None:
    memo = await _filled()
    line = entry("2", "another answer", source("w", "c9")).to_json()
    await import_entries(memo, [line, b"\n"])
    kept = await memo.get(asked("2"))
    assert kept is not None
    assert kept.answer == "two"
    assert kept.sources == (source("w", "c2"), source("w", "c9"))


async def test_what_was_paid_goes_with_an_entry_and_enters_where_it_is_new() -> None:
    memo = MemoryMemo()
    await memo.put_if_absent(paid(entry("1", "theirs", source("w", "c1")), "g1"))
    mine = [paid(entry(name, "mine", source("w", "c1")), "g1", NOON + 1) for name in ("1", "2")]
    await import_entries(memo, [each.to_json() for each in (*mine, *mine)])
    assert await memo.get(asked("2")) == mine[1]
    assert [each.calls for each in await memo.spent_by_day(None)] == [2]


async def test_a_line_that_is_no_entry_is_named() -> None:
    with pytest.raises(UnusableMemoLine, match="Line 2 is no entry"):
        await import_entries(MemoryMemo(), [entry("1", "x").to_json(), b'{"kind": "x"}'])


@pytest.mark.parametrize(
    ("url", "kind"), [("memory:", MemoryMemo), ("bolt://127.0.0.1:1", BoltMemo)]
)
async def test_the_scheme_picks_the_adapter(tmp_path: Path, url: str, kind: type) -> None:
    memo = open_memo(Settings(home=tmp_path, memo=url))
    assert isinstance(memo, kind)
    await memo.close()


async def test_a_home_makes_its_memo_at_the_first_put(tmp_path: Path) -> None:
    home = tmp_path / "home"
    memo = open_memo(Settings(home=home))
    assert await memo.get(asked("1")) is None
    assert not _exists(home)
    await memo.put_if_absent(entry("1", "x"))
    await memo.close()
    assert _exists(home / "memo.sqlite")
    with pytest.raises(PermanentError, match="closed already"):
        await memo.get(asked("1"))


def _exists(path: Path) -> bool:
    return path.exists()
