"""A model that is asked about placement: paid once, foreseen, and right at every as-of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.events import ChapterPublished, WorkDescribed
from contracts.forecasts import Forecast, Proposal
from contracts.ids import FIRST_GENERATION, WorkId
from contracts.memo import MemoEntry
from contracts.requests import Chapters, Standing, Withdrawal
from streams.operations import DOCTOR, FORECAST, INDEX, WITHDRAW
from streams.performing import Here
from streams.session import Home
from streams.settings import Settings
from streams.wiring import open_home
from tests.e2e.homes import chapters_of, embedded, exported, in_memory
from tests.model_server import Fails, Heard, ModelServer, Reply, Says
from tests.model_server.gold import GoldScript

W = WorkId("alice-in-wonderland")
CHAPTERS = 8
LETTERS = 6_000


def decided(heard: Heard) -> Reply:
    """Place each scene by what it tells: with one of its likely threads, or in a new one."""
    lists = heard.user.split("\nSCENES\n")[1].split("\nWITHOUT A NAME\n")[0]
    scenes = [json.loads(line) for line in lists.splitlines() if line.startswith("{")]
    persons = [name for name in heard.schema["properties"] if name.startswith("person_")]
    answer: dict[str, object] = dict.fromkeys(persons, "none")
    for scene in scenes:
        if "likely" in scene:
            told = hashlib.blake2b(scene["account"].encode(), digest_size=4).digest()
            choice = int.from_bytes(told, "big") % (len(scene["likely"]) + 1)
            home = [*scene["likely"], "n1"][choice]
            answer[f"scene_{scene['number']}"] = {
                "home": home,
                "touches": "none",
                "touches_too": "none",
            }
    return Says(answer)


def steadfast(heard: Heard) -> Reply:
    """Say of a scene always the same: every chapter is a plot of its own, or two."""
    scenes = [name for name in heard.schema["properties"] if name.startswith("scene_")]
    persons = dict.fromkeys(heard.schema["properties"].keys() - scenes, "none")
    return Says(
        persons
        | {
            name: {
                "home": "n1" if number % 2 or len(scenes) == 1 else "n2",
                "touches": "none",
                "touches_too": "none",
            }
            for number, name in enumerate(scenes)
        }
    )


@pytest.fixture
def server(model_server: ModelServer) -> Iterator[ModelServer]:
    with model_server.anew(script=decided) as server:
        yield server


def advised(settings: Settings, server: ModelServer, scope: str = "all") -> Settings:
    told = {
        "model": server.url,
        "model_name": server.model,
        "placement_advice": scope,
        "segmenter": "cohesion",
    }
    return settings.model_copy(update=told)


def story(chapters: int = CHAPTERS) -> list[ChapterPublished]:
    """Return the beginning of each of the book's first chapters."""
    found = chapters_of("books", W)[:chapters]
    return [each.model_copy(update={"body": each.body[:LETTERS]}) for each in found]


def given(chapters: list[ChapterPublished]) -> Chapters:
    return Chapters(described=WorkDescribed(work_id=W, title="Alice"), chapters=tuple(chapters))


def edited(chapters: list[ChapterPublished], number: int) -> list[ChapterPublished]:
    """Return the story with another beginning of one chapter."""
    changed = list(chapters)
    kept = changed[number - 1].body[LETTERS // 3 :]
    body = f"Alice went to sea with the Gryphon, and nobody saw her for a year.\n\n{kept}"
    changed[number - 1] = changed[number - 1].model_copy(update={"body": body})
    return changed


async def keys(home: Home) -> set[str]:
    """Return by key what the memo holds of the work."""
    return {entry.asked.key for entry in await entries(home)}


async def entries(home: Home) -> tuple[MemoEntry, ...]:
    return await home.memo.of_work(W)


async def foreseen(home: Home, change: Chapters | Withdrawal) -> Forecast:
    return await Here(home).call(FORECAST, Proposal(change=change))


@pytest.mark.parametrize("scope", ["all", "close"])
async def test_a_chapter_is_one_call_at_most_and_its_tokens_are_counted(
    tmp_path: Path, server: ModelServer, scope: str
) -> None:
    async with open_home(advised(in_memory(tmp_path), server, scope)) as home:
        await Here(home).call(INDEX, given(story()))
        records = await home.tree.records(W, FIRST_GENERATION)
        account = server.account("placement")
        advice = [record for record in records if record.advice]
        assert 0 < server.calls == len(advice) < CHAPTERS
        assert sum(r.tokens for r in records) == account.input_tokens + account.output_tokens
        assert (await Here(home).call(DOCTOR, Standing())).sound
        assert server.calls == len(advice), "the doctor asks nobody"


async def test_an_edit_pays_for_what_the_forecast_said(tmp_path: Path, server: ModelServer) -> None:
    server.script = steadfast
    async with open_home(advised(in_memory(tmp_path), server)) as home:
        here = Here(home)
        await here.call(INDEX, given(story()))
        before, calls = await keys(home), server.calls
        change = given(edited(story(), 3))
        told = await foreseen(home, change)
        assert server.calls == calls, "a forecast asks nobody"
        assert await keys(home) == before
        await here.call(INDEX, change)
        new = await keys(home) - before
        assert new == {call.key for call in told.calls}
        assert server.calls - calls == len(new)
        assert told.calls[0].chapter_id == story()[2].chapter_id
        assert told.folded + len(told.calls) > 1
        nothing = await foreseen(home, change)
        assert (nothing.events, nothing.calls) == (0, ())


async def test_a_withdrawal_pays_for_what_the_forecast_said(
    tmp_path: Path, server: ModelServer
) -> None:
    server.script = steadfast
    async with open_home(advised(in_memory(tmp_path), server)) as home:
        here = Here(home)
        await here.call(INDEX, given(story()))
        gone = Withdrawal(work_id=W, chapter_ids=(story()[2].chapter_id,))
        told = await foreseen(home, gone)
        before, calls = await keys(home), server.calls
        await here.call(WITHDRAW, gone)
        await home.runner().run_until_idle()
        assert await keys(home) - before == {call.key for call in told.calls}
        assert server.calls - calls == len(told.calls)


async def test_a_chapter_that_is_not_there_is_a_problem_of_the_forecast(
    tmp_path: Path, server: ModelServer
) -> None:
    async with open_home(advised(in_memory(tmp_path), server)) as home:
        await Here(home).call(INDEX, given(story(2)))
        gone = Withdrawal(work_id=W, chapter_ids=(story(9)[8].chapter_id,))
        told = await foreseen(home, gone)
        assert told.events == 0
        assert len(told.problems) == 1


async def test_calls_that_cut_chapters_are_foreseen_too(
    tmp_path: Path, server: ModelServer
) -> None:
    gold = GoldScript(W)

    def both(heard: Heard) -> Reply:
        return steadfast(heard) if heard.purpose == "placement" else gold(heard)

    server.script = both
    whole = chapters_of("books", W)[:3]
    settings = advised(in_memory(tmp_path), server).model_copy(update={"segmenter": "litseg-lite"})
    async with open_home(settings) as home:
        here = Here(home)
        await here.call(INDEX, given(whole[:2]))
        calls, before = server.calls, await keys(home)
        told = await foreseen(home, given(whole))
        assert server.calls == calls
        assert [(c.chapter_id, c.purpose) for c in told.calls] == [
            (whole[2].chapter_id, "segmentation"),
            (whole[2].chapter_id, "placement"),
        ]
        await here.call(INDEX, given(whole))
        assert server.calls - calls == 2
        assert told.calls[0].key in await keys(home) - before
        assert not (await foreseen(home, given(whole))).calls


async def test_with_the_memo_another_home_pays_nothing_and_is_the_same(
    tmp_path: Path, server: ModelServer
) -> None:
    async with open_home(advised(in_memory(tmp_path / "one"), server)) as home:
        for chapter in reversed(story()):  # each is grafted before those after it
            await Here(home).call(INDEX, given([chapter]))
        await Here(home).call(INDEX, given(edited(story(), 5)))
        expected = {
            str(each.ordinal): await exported(home, W, str(each.ordinal)) for each in story()
        }
        known = await entries(home)
    calls = server.calls
    server.script = lambda _: Fails(500)
    async with open_home(advised(in_memory(tmp_path / "two"), server)) as other:
        for entry in known:
            await other.memo.put_if_absent(entry)
        await Here(other).call(INDEX, given(edited(story(), 5)))
        for as_of, export in expected.items():
            assert await exported(other, W, as_of) == export, f"as of {as_of}"
    assert server.calls == calls


async def test_a_server_that_is_down_holds_the_chapter_and_burns_no_attempt(
    tmp_path: Path, server: ModelServer
) -> None:
    async with open_home(advised(in_memory(tmp_path), server)) as home:
        await Here(home).call(INDEX, given(story(2)))
        server.script = lambda _: Fails(503)
        report = await Here(home).call(INDEX, given(story(3)))
        assert [hold.stage for hold in report.held] == ["graft"]
        server.script = decided
        report = await Here(home).call(INDEX, given(story(3)))
        assert not report.held
        assert {entry.asked.attempt for entry in await entries(home)} == {0}


@pytest.mark.real
async def test_advice_holds_in_the_stores_that_users_have(
    tmp_path: Path, server: ModelServer
) -> None:
    async with open_home(advised(in_memory(tmp_path / "memory"), server)) as home:
        await Here(home).call(INDEX, given(story(5)))
        expected = await exported(home, W)
    async with open_home(advised(embedded(tmp_path / "embedded"), server)) as home:
        for number in (4, 5, 1, 3, 2):
            await Here(home).call(INDEX, given([story(5)[number - 1]]))
        assert await exported(home, W) == expected
        assert (await Here(home).call(DOCTOR, Standing())).sound
