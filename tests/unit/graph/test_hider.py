"""A withdrawal hides at once; the tree follows when that very event is grafted."""

from __future__ import annotations

import pytest

from contracts import events
from contracts.errors import TransientError
from contracts.ids import ChapterId
from contracts.messages import EmbeddedMessage, EventPassed, Outcome
from contracts.ordinals import Ordinal
from contracts.works import Commit
from graph.exporting import export
from graph.grafter import Grafter
from graph.hider import Hider
from graph.memory import MemoryTreeStore
from tests.unit.graph.test_grafter import CLOCK, HARBOUR, PASS, Home, NeverWins, W

GONE = events.ChapterWithdrawn(work_id=W, chapter_id=ChapterId("1"))


async def hide(home: Home, *messages: EmbeddedMessage) -> None:
    """Give the hide stage the events of `messages`, as far as it looks at them."""
    told = [(each.event, each.position) for each in messages if isinstance(each, EventPassed)]
    await Hider(home.tree)(told)


async def seen(home: Home) -> list[str]:
    view = await home.tree.view(W, None)
    return [chapter.chapter_id for chapter in await view.chapters()] if view else []


async def seq(home: Home) -> int:
    work = await home.tree.load(W)
    return work.commit_seq if work else 0


async def two_chapters() -> Home:
    home = Home()
    await home.graft(home.text("1", "1", HARBOUR), home.text("2", "2", PASS, HARBOUR))
    return home


async def test_what_is_withdrawn_shows_no_more_and_the_graft_says_withdrawn() -> None:
    home = await two_chapters()
    gone = home.event(GONE)
    await hide(home, gone)
    view = await home.view()
    assert await seen(home) == ["2"]
    assert await view.texts([ChapterId("1")]) == {}
    # Hedda was brought in by the first chapter, and is told by nobody until the fold has run.
    exported = await export(view, with_text=True)
    assert [chapter.chapter_id for chapter in exported.chapters] == ["2"]
    assert "Hedda" not in [character.name for character in exported.characters]
    assert await home.graft(gone) == [Outcome.WITHDRAWN]
    only = Home()
    await only.graft(only.text("2", "2", PASS, HARBOUR))
    assert await home.exported() == await only.exported()
    await home.assert_rows_are_exactly_those_linked()


async def test_a_publication_before_it_in_the_queue_never_shows() -> None:
    home = Home()
    published, gone = home.text("1", "1", HARBOUR), home.event(GONE)
    await hide(home, gone)
    await home.graft(published)
    assert await seen(home) == []
    await home.graft(gone)
    again = home.text("1", "1", CLOCK)
    await home.graft(again)
    assert await seen(home) == ["1"]


async def test_a_stale_withdrawal_hides_nothing() -> None:
    home = Home()
    await home.graft(home.text("1", "1", HARBOUR, revision=5))
    low = GONE.model_copy(update={"revision": 4})
    await hide(home, home.event(low))
    assert (await seen(home), await seq(home)) == (["1"], 1)


async def test_one_that_loses_after_all_shows_the_chapter_when_it_is_grafted() -> None:
    home = await two_chapters()
    better = home.text("1", "1", CLOCK, revision=9)
    gone = home.event(GONE.model_copy(update={"revision": 3}))
    await hide(home, gone)
    await home.graft(better)
    assert await seen(home) == ["2"]
    assert await home.graft(gone) == [Outcome.STALE]
    assert await seen(home) == ["1", "2"]


async def test_delivered_again_it_hides_nothing_that_was_published_later() -> None:
    home = await two_chapters()
    gone = home.event(GONE)
    await hide(home, gone)
    await hide(home, gone)
    await home.graft(gone, home.text("1", "1", CLOCK))
    before = await seq(home)
    await hide(home, gone)
    assert (await seen(home), await seq(home)) == (["1", "2"], before)


async def test_a_later_publication_shows_though_the_withdrawal_never_comes() -> None:
    home = await two_chapters()
    await hide(home, home.event(GONE))
    await home.graft(home.text("1", "1", CLOCK))
    assert await seen(home) == ["1", "2"]


async def test_a_move_of_a_hidden_chapter_leaves_it_hidden() -> None:
    home = await two_chapters()
    moved = events.ChapterMoved(work_id=W, chapter_id=ChapterId("1"), ordinal=Ordinal.parse("7"))
    move, gone = home.event(moved), home.event(GONE)
    await hide(home, gone)
    await home.graft(move)
    assert await seen(home) == ["2"]
    await home.graft(gone)
    await home.assert_rows_are_exactly_those_linked()


async def test_a_second_withdrawal_hides_what_came_between_the_two() -> None:
    home = await two_chapters()
    first, again, second = home.event(GONE), home.text("1", "1", CLOCK), home.event(GONE)
    await hide(home, first, second)
    for message in (first, again):
        await home.graft(message)
        assert await seen(home) == ["2"]
    await home.graft(second)
    assert await seen(home) == ["2"]


async def test_a_withdrawn_work_is_hidden_with_what_is_still_on_its_way() -> None:
    home = await two_chapters()
    waiting = home.text("3", "3", CLOCK)
    gone = home.event(events.WorkWithdrawn(work_id=W))
    begun_again = home.text("1", "1", CLOCK)
    await hide(home, gone)
    assert await seen(home) == []
    await home.graft(waiting)
    assert await seen(home) == []
    await home.graft(gone, begun_again)
    assert await seen(home) == ["1"]
    fresh = Home()
    await fresh.graft(fresh.text("1", "1", CLOCK))
    assert await home.exported() == await fresh.exported()
    before = await seq(home)
    await hide(home, gone)
    assert await seq(home) == before


async def test_what_was_hidden_after_a_withdrawn_work_stays_hidden() -> None:
    home = await two_chapters()
    work = home.event(events.WorkWithdrawn(work_id=W))
    again, gone = home.text("1", "1", CLOCK), home.event(GONE)
    await hide(home, work, gone)
    await home.graft(work)
    await home.graft(again)
    assert await seen(home) == []
    await home.graft(gone)
    await home.assert_rows_are_exactly_those_linked()


async def test_events_that_withdraw_nothing_are_not_even_looked_up() -> None:
    described = events.WorkDescribed(work_id=W, title="Fish")
    await Hider(NeverWins())([(described, 1)])


async def test_who_always_loses_is_held() -> None:
    with pytest.raises(TransientError, match="keep committing"):
        await Hider(NeverWins())([(GONE, 1)])


class CountsInputs(MemoryTreeStore):
    """A store that says how often scenes of the story were read."""

    reads = 0

    async def inputs(self, *args, **kwargs):  # type: ignore[no-untyped-def]
        self.reads += 1
        return await super().inputs(*args, **kwargs)


async def test_after_a_hide_the_grafter_goes_on_without_reading_the_story_again() -> None:
    tree = CountsInputs()
    home = Home(tree=tree)
    await home.graft(home.text("1", "1", HARBOUR), home.text("2", "2", PASS))
    # The withdrawal waits in the queue behind a new chapter.
    new, gone = home.text("3", "3", CLOCK), home.event(GONE)
    await hide(home, gone)
    await home.graft(new)
    assert tree.reads == 0
    assert await seen(home) == ["2", "3"]
    home.grafter = Grafter(home.tree, home.vectors)
    await home.graft(gone)
    only = Home()
    await only.graft(only.text("2", "2", PASS), only.text("3", "3", CLOCK))
    assert await home.exported() == await only.exported()


async def test_a_hide_between_reading_and_committing_is_not_lost() -> None:
    class HidesFirst(MemoryTreeStore):
        async def commit(self, commit: Commit) -> bool:
            if commit.records_put and not hidden:
                hidden.append(True)
                await Hider(self)([(GONE, 99)])
            return await super().commit(commit)

    hidden: list[bool] = []
    home = Home(tree=HidesFirst())
    await home.graft(home.text("1", "1", HARBOUR))
    assert await seen(home) == []
