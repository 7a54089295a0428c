"""`owner.json`: who owns a home, readable by nobody else, and never a dead owner's."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from graph import process_identity
from streams.owner import record
from streams.owner.record import FILE, OwnerRecord, stamp_of
from streams.settings import Settings


def owner(token: str = "t0ken", started: str | None = None) -> OwnerRecord:
    me = process_identity.me()
    return OwnerRecord(
        url="http://127.0.0.1:1",
        token=token,
        pid=me.pid,
        started=started or me.started,
        stamp="s",
        on_demand=True,
    )


def test_only_the_homes_owner_may_read_the_token(tmp_path: Path) -> None:
    record.write(tmp_path, owner())
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert record.read(tmp_path) == owner()
    assert [each.name for each in tmp_path.iterdir()] == [FILE]


def test_a_dead_owner_is_none(tmp_path: Path) -> None:
    record.write(tmp_path, owner(started="before this process"))
    assert record.read(tmp_path) is None


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid": 1}', "\x00"])
def test_a_broken_record_is_none(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    assert record.read(tmp_path) is None


def test_a_later_owners_record_stays(tmp_path: Path) -> None:
    record.write(tmp_path, owner("mine"))
    record.write(tmp_path, owner("theirs"))
    record.remove(tmp_path, owner("mine"))
    assert record.read(tmp_path) == owner("theirs")
    record.remove(tmp_path, owner("theirs"))
    assert record.read(tmp_path) is None


def test_the_token_is_not_shown() -> None:
    assert "t0ken" not in repr(owner())


def test_the_stamp_tells_settings_apart_but_for_those_of_a_request(tmp_path: Path) -> None:
    usual = stamp_of(Settings(home=tmp_path))
    assert stamp_of(Settings(home=tmp_path, words=7, owner_idle_s=3)) == usual
    others = [
        Settings(home=tmp_path, max_body_bytes=5_000),
        Settings(home=tmp_path, graph="bolt://127.0.0.1:7687"),
        Settings(home=tmp_path, graph_password="one"),
        Settings(home=tmp_path, model_key="two"),
        Settings(home=tmp_path, graph_password="two"),
    ]
    assert len({usual, *map(stamp_of, others)}) == 6
    assert "two" not in stamp_of(others[-1])
