"""The 29 events of a work's life, each of which must end as the stream says."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from contracts.answers import Export
from contracts.events import ChapterPublished
from contracts.ids import FIRST_GENERATION, ChapterId, WorkId
from contracts.messages import Outcome
from contracts.ports import NewRecord
from contracts.scenes import Warned
from contracts.topics import CHAPTERS, dead_letters
from contracts.works import ChapterRecord, WorkRecord
from graph.grafting_plan import linked_keys
from replay.evaluation.shared_data import shared_data
from streams.session import Home
from streams.settings import Settings
from streams.wiring import open_home
from tests.e2e.homes import embedded, event_of, exported, in_memory, publish

W = WorkId("salt-stair")


@dataclass
class Told:
    """What the stream has done so far."""

    home: Home
    before: bytes = b""
    after: bytes = b""

    def export(self) -> Export:
        return Export.model_validate_json(self.after)

    def texts(self) -> dict[str, str]:
        return {chapter.chapter_id: chapter.text or "" for chapter in self.export().chapters}

    def places(self) -> dict[str, str]:
        return {c.chapter_id: str(c.ordinal) for c in self.export().chapters}

    async def work(self) -> WorkRecord:
        work = await self.home.tree.load(W)
        assert work is not None
        return work

    async def record(self, chapter: str) -> ChapterRecord:
        work = await self.work()
        return next(c for c in work.chapters if c.chapter_id == ChapterId(chapter))

    async def dead(self) -> int:
        return len(await self.home.log.read_key(dead_letters(CHAPTERS), W.encode()))


async def _fresh(settings: Settings, told: Told) -> bytes:
    """Return the export of a home that only ever saw the chapters which are there now."""
    async with open_home(settings) as home:
        await publish(
            home,
            [
                ChapterPublished(
                    work_id=W,
                    chapter_id=chapter.chapter_id,
                    ordinal=chapter.ordinal,
                    title=chapter.title,
                    body=chapter.text or "",
                )
                for chapter in told.export().chapters
            ],
        )
        return await exported(home, W)


def _indexed(chapter: str, place: str) -> Callable[[Told], Awaitable[None]]:
    async def check(told: Told) -> None:
        assert told.places()[chapter] == place
        assert (await told.record(chapter)).last_outcome is Outcome.INDEXED

    return check


def _warned(chapter: str, warning: Warned) -> Callable[[Told], Awaitable[None]]:
    async def check(told: Told) -> None:
        assert warning in (await told.record(chapter)).warnings

    return check


async def _old_text_is_gone(told: Told) -> None:
    assert b"Moving house" not in told.after
    assert b"NOT A CHAPTER" not in told.after
    work = await told.work()
    linked = frozenset(linked_keys(work, work.chapters))
    assert await told.home.vectors.keys(W, FIRST_GENERATION) == linked


async def _unchanged(told: Told) -> None:
    assert told.after == told.before
    assert (await told.record("c5")).last_outcome is Outcome.UNCHANGED


async def _inserted(told: Told) -> None:
    assert list(told.places().values())[-3:] == ["6", "6.5", "7"]


async def _edited_early(told: Told) -> None:
    assert "nobody at all" in told.texts()["c3"]
    assert b"who had 3 keys" not in told.after


async def _empty_is_dead(told: Told) -> None:
    assert told.after == told.before
    assert await told.dead() == 1
    assert "c8" not in told.places()
    gaps = await told.home.finder(W)
    assert [(gap.chapter_id, str(gap.ordinal)) for gap in gaps] == [("c8", "8")]


async def _full_text_after_the_stub(told: Told) -> None:
    assert "Subscribe to read more" not in told.texts()["c9"]
    assert not (await told.record("c9")).warnings


async def _two_chapters_of_one_text(told: Told) -> None:
    texts = told.texts()
    assert texts["c10"] == texts["c11"]


def _gone(*chapters: str) -> Callable[[Told], Awaitable[None]]:
    async def check(told: Told) -> None:
        assert not set(chapters) & set(told.places())
        assert told.places()["c3"] == "3"

    return check


async def _tied(told: Told) -> None:
    tied = [chapter for chapter, place in told.places().items() if place == "4"]
    assert tied == ["c4", "c4b"]


async def _no_op(told: Told) -> None:
    assert told.after == told.before


async def _moved(told: Told) -> None:
    assert told.places()["c999"] == "14"
    assert b"never published" not in await exported(told.home, W, "13")


async def _renumbered(told: Told) -> None:
    before, after = Export.model_validate_json(told.before), told.export()
    assert [c.chapter_id for c in before.chapters] == [c.chapter_id for c in after.chapters]
    assert [c.scenes for c in before.chapters] == [c.scenes for c in after.chapters]
    assert {s.id for s in before.storylines} == {s.id for s in after.storylines}
    assert told.places()["c12"] == "13"


async def _ranked_above(told: Told) -> None:
    assert told.texts()["c5"].endswith("Marrow was not there.")


async def _stale(told: Told) -> None:
    assert told.after == told.before
    assert (await told.record("c5")).last_outcome is Outcome.STALE


async def _all_gone(told: Told) -> None:
    assert told.after == b""
    assert await told.home.vectors.keys(W, FIRST_GENERATION) == frozenset()


async def _begun_again(told: Told) -> None:
    assert list(told.places()) == ["c1"]


CHECKS: dict[int, Callable[[Told], Awaitable[None]]] = {
    **{number: _indexed(f"c{number}", str(number)) for number in (1, 2, 3, 4)},
    5: _warned("c5", Warned.LOOKS_LIKE_NOTICE),
    6: _old_text_is_gone,
    7: _unchanged,
    8: _indexed("c7", "7"),
    9: _indexed("c6", "6"),
    10: _inserted,
    11: _edited_early,
    12: _empty_is_dead,
    13: _warned("c9", Warned.LOOKS_LIKE_PAYWALL),
    14: _full_text_after_the_stub,
    15: _indexed("c10", "10"),
    16: _two_chapters_of_one_text,
    17: _gone("c1"),
    18: _gone("c1", "c2"),
    19: _tied,
    20: _gone("c4"),
    21: _no_op,
    22: _indexed("c999", "99"),
    23: _indexed("c12", "12"),
    24: _moved,
    25: _renumbered,
    26: _ranked_above,
    27: _stale,
    28: _all_gone,
    29: _begun_again,
}


async def _live(settings: Settings, fresh: Callable[[int], Settings]) -> None:
    path = shared_data("input_shapes", "fixtures", "events_lifecycle.jsonl")
    stream = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(stream) == len(CHECKS)
    async with open_home(settings) as home:
        told = Told(home)
        for fields in stream:
            told.before = told.after
            if fields.get("body") == "":
                await _publish_raw(home, fields)
            else:
                await publish(home, [event_of(fields)])
            withdrawn = fields["kind"] == "work.withdrawn"
            told.after = b"" if withdrawn else await exported(home, W)
            try:
                await CHECKS[fields["seq"]](told)
            except AssertionError as error:
                raise AssertionError(f"event {fields['seq']}: {fields['expect']}") from error
            if not withdrawn:
                assert told.after == await _fresh(fresh(fields["seq"]), told), fields["expect"]


async def _publish_raw(home: Home, fields: dict[str, object]) -> None:
    await home.log.append([NewRecord(CHAPTERS, W.encode(), json.dumps(fields).encode())])
    await home.runner().run_until_idle()


async def test_each_event_ends_as_expected(tmp_path: Path) -> None:
    await _live(in_memory(tmp_path / "live"), lambda seq: in_memory(tmp_path / str(seq)))


@pytest.mark.real
async def test_each_event_ends_as_expected_in_the_stores_that_users_have(tmp_path: Path) -> None:
    await _live(embedded(tmp_path / "live"), lambda seq: in_memory(tmp_path / str(seq)))
