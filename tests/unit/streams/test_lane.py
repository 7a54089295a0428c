"""A lane loses nothing and does nothing twice, whatever is delivered to it and however late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from contracts.crash_points import CrashPoint
from contracts.errors import TransientError
from contracts.ports import NewRecord, Record
from streams.flow import Place
from streams.identity import NOBODY
from streams.lane import QUEUE_MESSAGES, Lane
from streams.runner import Held, Processed, Step
from streams.stage import BatchLimits
from tests.crashes import Dies

PLACE = Place("segment", "chapters", 3)
MANY = 4 * QUEUE_MESSAGES


def record(offset: int) -> Record:
    return Record("chapters", offset, b"w", b"{}", (), 0, partition=3)


@dataclass
class Broker:
    """A partition that is fetched in portions, and whose fetches may still be on their way."""

    offsets: Sequence[int]
    portion: int = 50
    position: int = 0
    paused: bool = False
    sent: list[int] = field(default_factory=list)
    refuses: int = 0
    first: int = 0
    resumes: int = 0
    pauses: int = 0

    async def start_of(self, place: Place) -> int:
        return self.first

    def end_of(self, place: Place) -> int | None:
        return self.offsets[-1] + 1 if self.offsets else 0

    @property
    def resumed(self) -> bool:
        return self.resumes > 0

    def pause(self, place: Place) -> None:
        assert place == PLACE
        self.paused = True
        self.pauses += 1

    async def resume(self, place: Place, offset: int) -> None:
        assert place == PLACE
        self.position = offset
        self.paused = False
        self.resumes += 1

    async def send(self, records: Sequence[NewRecord]) -> None:
        if self.refuses:
            self.refuses -= 1
            raise TransientError("the broker is away")
        self.sent += [int(each.key or b"") for each in records]

    def fetch(self) -> list[Record]:
        found = [each for each in self.offsets if each >= self.position][: self.portion]
        if found:
            self.position = found[-1] + 1
        return [record(offset) for offset in found]


@dataclass
class Worker:
    """Processes batches; `down` holds as long as it is true."""

    batches: list[int] = field(default_factory=list)
    down: bool = False
    tried: int = 0

    async def __call__(self, records: Sequence[Record]) -> Processed | Held:
        self.tried += 1
        if self.down:
            return Held("segment", records[0], NOBODY, "the store is down")
        self.batches.append(len(records))
        await asyncio.sleep(0)
        return Processed(
            steps=tuple(Step("segment", each, NOBODY) for each in records),
            records=tuple(NewRecord("scenes", str(r.offset).encode(), b"") for r in records),
        )

    def done(self, place: Place, steps: Sequence[Step], seconds: float) -> None:
        assert place == PLACE


@asynccontextmanager
async def running(lane: Lane) -> AsyncIterator[None]:
    task = asyncio.create_task(lane.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def lane_on(broker: Broker, worker: Worker, limit: int = 1) -> Lane:
    return Lane(PLACE, broker, worker, BatchLimits(limit), worker)


async def eventually(holds: Callable[[], bool]) -> None:
    for _ in range(1_000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never happened")


async def deliver(broker: Broker, lane: Lane, until: Callable[[], bool]) -> None:
    """Fetch and deliver as Faust does: what was fetched before a pause comes after it."""
    late: list[Record] = []
    for _ in range(10_000):
        if until():
            return
        fetched = [] if broker.paused else broker.fetch()
        if fetched:
            lane.fetched([each.offset for each in fetched])
        for each in (*late, *fetched[: broker.portion // 2]):
            lane.offer(each)
        late = fetched[broker.portion // 2 :]
        if not fetched:
            await lane.mend()
        await asyncio.sleep(0)
    raise AssertionError("it never happened")


async def test_a_backlog_passes_in_order_and_once_through_a_short_queue() -> None:
    broker, worker = Broker(range(MANY)), Worker()
    lane = lane_on(broker, worker, 8)
    async with running(lane):
        await deliver(broker, lane, lambda: lane.position == MANY)
    assert broker.sent == list(range(MANY))
    assert broker.pauses > 0
    assert max(worker.batches) == 8


async def test_a_stage_that_begins_before_its_turn_is_offered_more_than_it_takes() -> None:
    offered: list[int] = []

    class Takes(Worker):
        async def __call__(self, records: Sequence[Record]) -> Processed | Held:
            offered.append(len(records))
            return await super().__call__(records[:1])

    broker, worker = Broker(range(MANY)), Takes()
    lane = Lane(PLACE, broker, worker, BatchLimits(1, ahead=3), worker)
    async with running(lane):
        await deliver(broker, lane, lambda: lane.position == MANY)
    assert broker.sent == list(range(MANY))
    assert max(offered) == 4


async def test_holes_in_the_log_are_passed_over_also_where_fetching_begins_again() -> None:
    offsets = [n for n in range(2 * MANY) if n % 7 and not 300 < n < 700]
    broker, worker = Broker(offsets), Worker()
    lane = lane_on(broker, worker, 8)
    async with running(lane):
        await deliver(broker, lane, lambda: lane.position == offsets[-1] + 1)
    assert broker.sent == offsets


async def test_what_comes_twice_is_done_once() -> None:
    broker, worker = Broker(range(10)), Worker()
    lane = lane_on(broker, worker)
    async with running(lane):
        await eventually(lambda: broker.resumed)
        for offsets in (range(4), range(2), range(2, 10)):
            lane.fetched(offsets)
            for each in offsets:
                lane.offer(record(each))
        await eventually(lambda: lane.position == 10)
    assert broker.sent == list(range(10))


async def test_a_record_of_an_older_fetch_is_no_hole_after_a_pause() -> None:
    """What was fetched before the pause and comes after it must not hide what was let go of."""
    broker, worker = Broker(range(MANY)), Worker()
    lane = lane_on(broker, worker)
    async with running(lane):
        await eventually(lambda: broker.resumed)
        lane.fetched(range(QUEUE_MESSAGES + 9))
        for offset in range(QUEUE_MESSAGES + 5):
            lane.offer(record(offset))
        assert broker.paused
        await eventually(lambda: not broker.paused)
        assert broker.position == QUEUE_MESSAGES
        lane.offer(record(QUEUE_MESSAGES + 5))  # it was under way all the time
        fresh = broker.fetch()
        lane.fetched([each.offset for each in fresh])
        lane.offer(record(QUEUE_MESSAGES + 6))  # and this one, too
        for each in fresh:
            lane.offer(each)
        await deliver(broker, lane, lambda: lane.position == MANY)
    assert broker.sent == list(range(MANY))


async def test_it_begins_where_the_group_left_off_and_not_where_a_fetch_happens_to() -> None:
    """What was fetched and lost before anybody listened is fetched again."""
    broker, worker = Broker(range(20), first=4), Worker()
    lane = lane_on(broker, worker)
    lane.fetched(range(4, 10))
    for offset in range(4, 10):
        lane.offer(record(offset))
    async with running(lane):
        await eventually(lambda: broker.resumed)
        lane.fetched(range(10, 20))  # no hole: the log has what lies before it
        assert broker.paused
        lane._came_at -= 60
        await lane.mend()
        assert broker.position == 4
        await deliver(broker, lane, lambda: lane.position == 20)
    assert broker.sent == list(range(4, 20))


async def test_what_was_lost_on_its_way_is_fetched_again() -> None:
    broker, worker = Broker(range(20)), Worker()
    lane = lane_on(broker, worker)
    async with running(lane):
        await eventually(lambda: broker.resumed)
        lane.fetched([each.offset for each in broker.fetch()])
        for offset in (0, 1, 2, 5, 6, 7):
            lane.offer(record(offset))
        await eventually(lambda: lane.position == 3)
        await lane.mend()
        assert broker.position == 20, "it may still come"
        lane._came_at -= 60
        await lane.mend()
        await deliver(broker, lane, lambda: lane.position == 20)
    assert broker.sent == list(range(20))


async def test_what_is_held_is_told_and_tried_again_until_it_goes() -> None:
    broker, worker = Broker(range(3)), Worker(down=True)
    lane = lane_on(broker, worker)
    async with running(lane):
        await deliver(broker, lane, lambda: lane.holding is not None)
        mark = lane.mark
        assert mark is not None
        assert mark.hold is not None
        assert (mark.position, mark.hold.partition, mark.hold.offset) == (0, 3, 0)
        assert mark.hold.reason == "the store is down"
        worker.down = False
        await eventually(lambda: lane.position == 3)
    assert lane.holding is None
    assert broker.sent == [0, 1, 2]


async def test_what_the_broker_does_not_take_is_sent_again_and_not_processed_again() -> None:
    broker, worker = Broker(range(2), refuses=1), Worker()
    lane = lane_on(broker, worker)
    async with running(lane):
        await deliver(broker, lane, lambda: lane.holding is not None)
        assert lane.position == 0, "nothing is done that nobody has acknowledged"
        await eventually(lambda: lane.position == 2)
    assert broker.sent == [0, 1]
    assert worker.tried == 2


async def test_stopped_it_ends_after_its_batch_and_does_not_wait_for_what_is_held() -> None:
    broker, worker = Broker(range(5)), Worker()
    lane = lane_on(broker, worker)
    task = asyncio.create_task(lane.run())
    await deliver(broker, lane, lambda: lane.position == 5)
    worker.down = True
    broker.offsets = range(6)
    await deliver(broker, lane, lambda: lane.holding is not None)
    lane.stop()
    async with asyncio.timeout(1):
        await task
    assert lane.position == 5


async def test_batches_are_short_while_others_wait() -> None:
    broker, worker = Broker(range(400), portion=400), Worker()
    lane = lane_on(broker, worker, 512)
    lane.crowded = lambda: True
    async with running(lane):
        await deliver(broker, lane, lambda: lane.position == 400)
    assert max(worker.batches) == 32


async def test_a_defect_holds_and_says_so() -> None:
    async def broken(_: Sequence[Record]) -> Processed | Held:
        raise KeyError("a secret of the story")

    broker, worker = Broker(range(1)), Worker()
    lane = Lane(PLACE, broker, broken, BatchLimits(1), worker)
    async with running(lane):
        await deliver(broker, lane, lambda: lane.holding is not None)
    assert lane.holding is not None
    assert lane.holding.held.reason == "a defect of storygraft: KeyError"


async def test_its_crash_points_lie_around_the_effect() -> None:
    broker, worker = Broker(range(2)), Worker()
    lane, dies = lane_on(broker, worker), Dies()
    lane.reached = dies
    async with running(lane):
        await deliver(broker, lane, lambda: lane.position == 2)
    assert dies.reached == {CrashPoint.BEFORE_HANDLING: 2, CrashPoint.BEFORE_ACK: 2}
