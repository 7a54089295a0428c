"""Dead letters in the local log and in Kafka."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from contracts.ports import EventLog
from streams.logs.sqlite_log import SqliteEventLog
from tests.contract.letter_box import LetterBoxContract
from tests.e2e.kafka.cluster import corner

_CORNERS: Final = count()


class TestSqliteLetterBox(LetterBoxContract):
    @pytest.fixture
    async def log(self, tmp_path: Path) -> AsyncIterator[EventLog]:
        log = SqliteEventLog(tmp_path / "events.sqlite")
        yield log
        await log.close()


@pytest.mark.real
class TestKafkaLetterBox(LetterBoxContract):
    @pytest.fixture
    async def log(self, kafka_url: str) -> AsyncIterator[EventLog]:
        async with corner(kafka_url, f"letters.{next(_CORNERS)}.", partitions=1) as where:
            yield where.log
