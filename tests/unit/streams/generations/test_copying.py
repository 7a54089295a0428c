"""Where only the tree is to be another, rows are copied: nothing is embedded, nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.events import ChapterEvent, ChapterMoved, WorkReordered
from contracts.generations import Source
from contracts.ids import ChapterId, Generation
from contracts.ordinals import Ordinal
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS
from contracts.vectors import VectorRow
from streams.generations.carrying import Carried
from streams.inprocess import InProcessRunner
from streams.session import Home
from streams.wiring import opened
from tests.e2e.homes import publish
from tests.unit.streams.generations.rebuilds import LIFE, Rebuild, W, gone, settings, text, told


def moved(chapter: int, to: int) -> ChapterMoved:
    return ChapterMoved(
        work_id=W, chapter_id=ChapterId(str(chapter)), ordinal=Ordinal.parse(to), revision=None
    )


async def rows(home: Home, generation: Generation) -> list[tuple[object, ...]]:
    """All rows of the work, but for their keys."""
    keys = await home.vectors.keys(W, generation)
    found = await home.vectors.fetch(W, generation, keys)
    return sorted(map(_but_for_its_key, found.values()), key=repr)


def _but_for_its_key(row: VectorRow) -> tuple[object, ...]:
    return tuple(getattr(row, name) for name in row.__slots__ if name != "key")


REORDERED = WorkReordered(
    work_id=W,
    chapters=[
        {"chapter_id": "1", "ordinal": "4"},
        {"chapter_id": "4", "ordinal": "1"},
    ],
)
LIVES: dict[str, list[ChapterEvent]] = {
    "edited and withdrawn": LIFE,
    "moved": [text(1), text(2), moved(1, 3), text(4)],
    "moved twice, and edited": [text(1), text(2), moved(1, 3), text(1, edition=1), moved(1, 5)],
    "reordered": [text(1), text(2), text(4), REORDERED],
    "withdrawn and back": [text(1), text(2), gone(1), text(1)],
}


@pytest.mark.parametrize("life", LIVES.values(), ids=LIVES)
async def test_nothing_is_embedded_and_it_is_the_same(
    tmp_path: Path, life: list[ChapterEvent]
) -> None:
    async with opened(settings(tmp_path)) as home:
        await publish(home, life)
        rebuild = await Rebuild.started(home, "tree")
        assert rebuild.known.started.rows
        report = await rebuild.run()
        assert (report.dead, report.held) == ((), ())
        assert not rebuild.embedder.texts
        assert not rebuild.segmenter.cut
        assert await told(home, rebuild.generation) == await told(home)
        assert await rows(home, rebuild.generation) == await rows(home, Generation("g1"))
        # What comes next goes the whole way, once.
        await publish(home, [text(6), gone(2)])
        await rebuild.run()
        assert len(rebuild.segmenter.cut) == 1
        assert rebuild.embedder.texts
        assert await told(home, rebuild.generation) == await told(home)
        assert await rows(home, rebuild.generation) == await rows(home, Generation("g1"))


async def test_a_copy_of_a_copy_is_the_same(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as home:
        await publish(home, LIFE)
        first = await Rebuild.started(home, "tree")
        await first.run()
        await home.tree.point(first.generation, Generation("g1"))
        again = await Rebuild.started(home, "tree", otherwise=2)
        assert (again.known.started.beside, again.known.started.rows) == ("g2", True)
        await again.run()
        assert not again.segmenter.cut
        assert await told(home, again.generation) == await told(home, Generation("g1"))


async def test_rows_that_the_store_lost_are_embedded_anew(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as home:
        await publish(home, [text(1), text(2)])
        whole = await rows(home, Generation("g1"))
        rebuild = await Rebuild.started(home, "tree")
        work = await home.tree.load(W, Generation("g1"))
        assert work is not None
        keys = sorted(await home.vectors.keys(W, Generation("g1")))
        found = await home.vectors.fetch(W, Generation("g1"), keys)
        lost = next(key for key in keys if found[key].chapter_id == "1")
        await home.vectors.delete(W, Generation("g1"), [lost])
        await rebuild.run()
        assert rebuild.embedder.texts, "those of the chapter that misses one"
        assert not any("room 20" in each for each in rebuild.embedder.texts)
        assert await rows(home, rebuild.generation) == whole


async def test_an_embedder_that_is_another_embeds_all(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as home:
        await publish(home, [text(1)])
        rebuild = await Rebuild.started(home, "embedding")
        started = rebuild.known.started
        assert (started.source, started.rows) == (Source.SCENES, False)
        await rebuild.run()
        assert rebuild.embedder.texts


async def test_what_was_cut_and_not_embedded_yet_is_cut_again(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as home:
        await publish(home, [text(1)])
        later = [text(2), text(1, edition=1)]
        records = [NewRecord(CHAPTERS, each.work_id.encode(), each.to_json()) for each in later]
        await home.log.append(records)
        segment = [each for each in home.stages if each.intake.name == "segment"]
        await InProcessRunner(home.log, segment).run_until_idle()
        rebuild = await Rebuild.started(home, "tree")
        (frontier,) = rebuild.known.started.frontier
        assert (frontier.chapters, frontier.embedded) == (1, 1)
        await rebuild.run()
        assert await Carried(home.log, rebuild.known.started)()
        assert len(rebuild.segmenter.cut) == 2
        await home.runner().run_until_idle()
        assert await told(home, rebuild.generation) == await told(home)


async def test_where_something_could_not_be_embedded_the_scenes_are_copied(tmp_path: Path) -> None:
    async with opened(settings(tmp_path)) as home:
        await publish(home, [text(1), text(2)])
        await home.log.append([NewRecord("scenes.g1.dlq", b"w", b"{}")])
        rebuild = await Rebuild.started(home, "tree")
        assert not rebuild.known.started.rows
        await rebuild.run()
        assert await told(home, rebuild.generation) == await told(home)
