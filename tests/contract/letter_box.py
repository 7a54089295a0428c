"""What holds of dead letters on any log; an adapter adds a class with one fixture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from contracts.errors import TransientError
from contracts.ids import ChapterId, WorkId
from contracts.order import OrderToken, Registers
from contracts.ordinals import Ordinal
from contracts.ports import EventLog, NewRecord, Record
from contracts.reports import Settled, SettledReport
from contracts.requests import LetterChoice, LettersAsked, OneLetter, Settling
from contracts.topics import CHAPTERS
from contracts.works import ChapterRecord, Commit, WorkRecord
from graph.memory import MemoryTreeStore
from streams.dead_letters import POSITION, Failure, FailureKind, dead_letter, of_work
from streams.dlq.letter_box import LetterBox
from streams.identity import NOBODY, PUBLISHED, Identity
from streams.letters import Letters
from streams.not_found import NotFound
from tests.unit.streams.stand_ins import NOW_MS, now_ms

W, G1 = "w", "g1"
DLQ, SCENES_DLQ = "chapters.dlq", "scenes.g1.dlq"
OPEN_END = 2**40
UNFIT = Failure(FailureKind.UNFIT, "too large")


def letter(
    offset: int,
    value: bytes | None = b"{}",
    source: str = CHAPTERS,
    failure: Failure = UNFIT,
    **more: Any,
) -> NewRecord:
    """A letter of the record at `offset` of `source`, position and all."""
    key = more.pop("key", W.encode())
    identity = Identity(W, f"c{offset}", Ordinal.parse(offset + 1), None, PUBLISHED)
    record = Record(source, offset, key, value, (("theirs", b"1"),), 0)
    stage, time = more.pop("stage", "segment"), more.pop("time", NOW_MS)
    identity = more.pop("identity", identity)
    return dead_letter(record, stage, failure, identity, more.pop("position", offset), time)


@dataclass
class CutOff:
    """A log whose process dies at the n-th append, before that is done."""

    inner: EventLog
    left: int
    appended: list[NewRecord] = field(default_factory=list)

    async def append(self, records: Sequence[NewRecord]) -> int:
        self.left -= 1
        if self.left < 0:
            raise TransientError("cut off")
        self.appended += records
        return await self.inner.append(records)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def retrying(*names: str, **more: Any) -> Settling:
    return Settling(how=Settled.RETRIED, choice=LetterChoice(letters=names, **more))


def dropping(*names: str, **more: Any) -> Settling:
    return Settling(how=Settled.DROPPED, choice=LetterChoice(letters=names, **more))


class LetterBoxContract:
    @pytest.fixture
    def log(self) -> EventLog:
        """A log in which nothing lies yet."""
        raise NotImplementedError

    @pytest.fixture
    def tree(self) -> MemoryTreeStore:
        return MemoryTreeStore()

    @pytest.fixture
    def box(self, log: EventLog, tree: MemoryTreeStore) -> LetterBox:
        return LetterBox(log, tree, (DLQ, SCENES_DLQ), now_ms)

    async def sent(self, log: EventLog, topic: str = CHAPTERS) -> list[Record]:
        """What lies under the work's key in a topic."""
        return list(await log.read_key(topic, W.encode()))

    async def open(self, box: LetterBox, **choice: Any) -> list[str]:
        report = await box.listed(LettersAsked(choice=LetterChoice(**choice)))
        return [each.letter for each in report.letters]

    async def settled(self, box: LetterBox) -> dict[str, Settled | None]:
        report = await box.listed(LettersAsked(settled=True))
        return {each.letter: each.settled for each in report.letters}

    async def test_they_are_listed_by_what_is_said_of_them(
        self, log: EventLog, box: LetterBox
    ) -> None:
        await log.append([
            letter(0),
            letter(1, b"\xff", failure=Failure(FailureKind.UNREADABLE, "?"), time=NOW_MS + 5_000),
            letter(2, source="scenes.g1", stage="embed"),
            letter(3, identity=NOBODY, key=None),
        ])  # fmt: skip
        first, second, third, scenes = f"{DLQ}@0", f"{DLQ}@1", f"{DLQ}@2", f"{SCENES_DLQ}@0"
        assert await self.open(box) == [first, second, third, scenes]
        assert await self.open(box, kinds=("unreadable",)) == [second]
        assert await self.open(box, work_id=W) == [first, second, scenes]
        assert await self.open(box, chapter_id="c1") == [second]
        assert await self.open(box, stage="embed") == [scenes]
        assert await self.open(box, source=CHAPTERS, kinds=("unfit",)) == [first, third]
        (line,) = (await box.listed(LettersAsked(choice=LetterChoice(letters=(second,))))).letters
        assert await self.open(box, since=line.time) == [second]
        assert await self.open(box, until=line.time) == [first, third, scenes]
        assert (line.source, line.partition, line.offset, line.position) == (CHAPTERS, 0, 1, 1)
        assert (line.kind, line.reason, line.size) == ("unreadable", "?", 1)
        with pytest.raises(NotFound, match=r"chapters\.dlq@9"):
            await self.open(box, letters=(f"{DLQ}@9",))

    async def test_one_is_shown_with_its_bytes_only_to_who_asks(
        self, log: EventLog, box: LetterBox
    ) -> None:
        await log.append([letter(0, b"\xff\x1b[2J"), letter(1, "第一章".encode())])
        shown = await box.shown(OneLetter(letter=f"{DLQ}@0"))
        assert shown.body is None
        assert (shown.key.data if shown.key else None, shown.letter.size) == (W, 5)
        hostile = (await box.shown(OneLetter(letter=f"{DLQ}@0", body=True))).body
        assert hostile is not None
        assert hostile.encoding == "base64"
        plain = (await box.shown(OneLetter(letter=f"{DLQ}@1", body=True))).body
        assert plain is not None
        assert (plain.encoding, plain.data) == ("utf-8", "第一章")

    async def test_what_is_retried_goes_to_its_topic_with_key_bytes_and_position(
        self, log: EventLog, box: LetterBox
    ) -> None:
        await log.append([
            letter(4, b"\x00\xff"), letter(7, b"scenes", source="scenes.g1", position=3)
        ])  # fmt: skip
        report = await box.settle(retrying(work_id=W))
        assert (report.appended, len(report.letters), report.refused) == (2, 2, ())
        (event,) = await self.sent(log)
        assert (event.value, event.headers) == (b"\x00\xff", ((POSITION, b"4"),))
        (scenes,) = await self.sent(log, "scenes.g1")
        assert (scenes.value, scenes.headers) == (b"scenes", ((POSITION, b"3"),))
        assert await self.open(box) == []
        assert set((await self.settled(box)).values()) == {Settled.RETRIED}
        again = await box.settle(retrying(f"{DLQ}@0"))
        assert [each.reason for each in again.refused] == ["it was retried before"]
        assert len(await self.sent(log)) == 1

    async def test_a_dry_run_changes_nothing(self, log: EventLog, box: LetterBox) -> None:
        await log.append([letter(0), letter(1, None)])
        asked = retrying().model_copy(update={"dry_run": True})
        report = await box.settle(asked)
        assert [each.letter for each in report.letters] == [f"{DLQ}@0"]
        assert [each.letter for each in report.refused] == [f"{DLQ}@1"]
        assert await self.open(box) == [f"{DLQ}@0", f"{DLQ}@1"]
        assert await self.sent(log) == []

    async def test_a_letter_is_settled_only_after_it_was_sent(
        self, log: EventLog, tree: MemoryTreeStore, box: LetterBox
    ) -> None:
        """Who dies in between sends it twice, at one place; who dies before loses nothing."""
        await log.append([letter(4)])
        for appends in (0, 1):
            cut = CutOff(log, appends)
            with pytest.raises(TransientError, match="cut off"):
                await LetterBox(cut, tree, box.topics, now_ms).settle(retrying())
            assert await self.open(box) == [f"{DLQ}@0"]
            assert len(await self.sent(log)) == appends
        await box.settle(retrying())
        assert await self.open(box) == []
        sent = await self.sent(log)
        assert [record.headers for record in sent] == 2 * [((POSITION, b"4"),)]

    async def test_what_is_dropped_is_open_no_more(self, log: EventLog, box: LetterBox) -> None:
        await log.append([letter(0), letter(1), letter(2)])
        report = await box.settle(dropping(chapter_id="c1"))
        assert [each.letter for each in report.letters] == [f"{DLQ}@1"]
        assert await self.open(box) == [f"{DLQ}@0", f"{DLQ}@2"]
        assert (await self.settled(box))[f"{DLQ}@1"] is Settled.DROPPED
        assert await self.sent(log) == []

    async def test_letters_of_one_record_are_settled_together(
        self, log: EventLog, box: LetterBox
    ) -> None:
        await log.append([letter(0), letter(1), letter(0, time=NOW_MS + 9)])
        report = await box.settle(retrying(f"{DLQ}@0"))
        assert [each.letter for each in report.letters] == [f"{DLQ}@0", f"{DLQ}@2"]
        assert report.appended == 1
        assert len(await self.sent(log)) == 1
        assert await self.open(box) == [f"{DLQ}@1"]

    async def test_a_retried_letter_that_fails_again_is_a_new_letter(
        self, log: EventLog, box: LetterBox
    ) -> None:
        await log.append([letter(4)])
        await box.settle(retrying())
        await log.append([letter(9, position=4)])
        (new,) = (await box.listed(LettersAsked())).letters
        assert (new.letter, new.position) == (f"{DLQ}@2", 4)

    async def test_what_cannot_be_sent_stays_and_says_why(
        self, log: EventLog, tree: MemoryTreeStore, box: LetterBox
    ) -> None:
        await tree.commit(_withdrawn(ChapterId("c2"), at=5))
        await log.append([
            letter(1, None),
            NewRecord(DLQ, b"x", b"not of ours"),
            letter(2),
            letter(6, identity=Identity(W, "c2", Ordinal.parse(3), None, PUBLISHED)),
        ])  # fmt: skip
        report = await box.settle(retrying())
        assert [each.letter for each in report.letters] == [f"{DLQ}@3"], "published since"
        assert _reasons(report) == {
            f"{DLQ}@0": "its bytes are not here: what came lies in chapters, partition 0, offset 1",
            f"{DLQ}@1": "it does not say which topic it came from: no stage of ours wrote it",
            f"{DLQ}@2": "what it published was withdrawn since: drop it, or publish the chapter "
            "again",
        }
        assert await self.open(box) == [f"{DLQ}@0", f"{DLQ}@1", f"{DLQ}@2"]

    async def test_what_came_under_a_wrong_key_goes_under_the_right_one_as_something_new(
        self, log: EventLog, box: LetterBox
    ) -> None:
        wrong = Failure(FailureKind.WRONG_KEY, "not its work_id")
        await log.append(
            [letter(4, failure=wrong, key=b"other"), letter(5, failure=wrong, key=None)]
        )
        await box.settle(retrying(kinds=("wrong_key",)))
        assert [record.headers for record in await self.sent(log)] == [(), ()]
        assert await self.open(box) == []

    async def test_everybody_who_reads_letters_knows_what_is_settled(
        self, log: EventLog, box: LetterBox
    ) -> None:
        letters = Letters(log, box.topics)
        await log.append([letter(0), letter(1), letter(2)])
        await letters.refresh()
        assert len(letters.of(W)) == 3
        await box.settle(retrying(f"{DLQ}@0"))
        await box.settle(dropping(f"{DLQ}@1"))
        await letters.refresh()
        assert [each.at for each in letters.of(W)] == [2]
        assert [(each.at, told.how) for each, told in letters.settled()] == [
            (0, Settled.RETRIED),
            (1, Settled.DROPPED),
        ]
        assert [each.at for each in await of_work(log, W, box_generation())] == [2]

    async def test_many_are_retried_in_the_order_in_which_they_came(
        self, log: EventLog, box: LetterBox
    ) -> None:
        count = 600  # more than go at once
        await log.append([letter(offset, b"%d" % offset) for offset in reversed(range(count))])
        report = await box.settle(retrying())
        assert len(report.letters) == count
        assert [record.value for record in await self.sent(log)] == [
            b"%d" % offset for offset in range(count)
        ]
        assert await self.open(box) == []


def box_generation() -> Any:
    return G1


def _reasons(report: SettledReport) -> dict[str, str]:
    return {each.letter: each.reason for each in report.refused}


def _withdrawn(chapter_id: ChapterId, at: int) -> Commit:
    registers = Registers(presence=OrderToken(-1, at), present=False)
    chapter = ChapterRecord(chapter_id=chapter_id, registers=registers, last_position=at)
    work = WorkRecord(work_id=WorkId(W), generation=G1, commit_seq=1, chapters=(chapter,))
    return Commit(work=work, expected_seq=0, chapters_put=(chapter,))
