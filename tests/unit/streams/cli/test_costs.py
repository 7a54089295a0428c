"""`memo spent` tells what the ledger tells."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from typer.testing import CliRunner

from streams.cli.application import app
from streams.logs.sqlite_memo import SqliteMemo
from tests.contract.memo import A_DAY, NOON, entry, paid, source


def test_what_was_spent_is_told_by_day_or_of_a_work(tmp_path: Path) -> None:
    async def pay() -> None:
        memo = SqliteMemo(tmp_path / "memo.sqlite")
        await memo.put_if_absent(paid(entry("1", "x", source("w", "c1")), "g1"))
        await memo.put_if_absent(paid(entry("2", "x", source("w", "c2")), "g2"))
        await memo.put_if_absent(paid(entry("3", "x", source("v", "c1")), "g2", NOON + A_DAY))
        await memo.close()

    asyncio.run(pay())

    def told(*options: str) -> str:
        command = ["memo", "spent", "--home", str(tmp_path), *options]
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 0, done.output
        return done.stdout

    lines = [line.split() for line in told("--generation", "g2").splitlines()]
    assert lines[1:] == [
        ["g2", "2026-11-30", "segmentation", "1", "120", "34", "154"],
        ["g2", "2026-12-01", "segmentation", "1", "120", "34", "154"],
        ["308", "tokens", "in", "2", "calls."],
    ]
    report = json.loads(told("--work", "w", "--json"))
    assert [each["generation"] for each in report["by_work"]] == ["g1", "g2"]
    assert report["total"] == {
        "calls": 2,
        "input_tokens": 240,
        "output_tokens": 68,
        "took_ms": 500,
    }
    assert told("--generation", "g9") == "Nothing was spent.\n"
