"""Whatever happened, a home ends as one that was told the survivors in story order.

Byte for byte, at every as-of: exports with their texts, chapters, passage counts, graft records
and the rows of the vector store. `HISTORIES` and `SERVER_HISTORIES` say how many lives are tried,
`CHAPTERS` of how many chapters a work is made at most.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from contracts.crash_points import CrashPoint
from contracts.placement import AdviceScope
from graph.advising import Advising
from graph.bolt import BoltTreeStore
from graph.memory import MemoryVectorStore
from graph.milvus import MilvusVectorStore
from tests.advisers import FixedAdviser
from tests.conftest import BoltServer
from tests.crashes import Dies
from tests.e2e.any_home import AnyHome
from tests.histories import CHAPTERS, PLACES, History, histories, orders, survivors

EXAMPLES: Final = int(os.environ.get("HISTORIES", "50"))
SERVER_EXAMPLES: Final = int(os.environ.get("SERVER_HISTORIES", "6"))

_SERIAL: Final = Path("streams/demo/serial")
_TEXTS: Final = [
    (Path(__file__).parents[2] / _SERIAL / f"{number:02}.txt").read_text("utf-8")
    for number in range(1, 6)
]


def _paragraphs(text: str, first: int, last: int) -> str:
    return "\n\n".join(text.split("\n\n")[first:last])


BODIES: Final = (
    *_TEXTS[:3],
    _paragraphs(_TEXTS[3], 0, 6),
    _paragraphs(_TEXTS[4], 2, 9),
    _paragraphs(_TEXTS[0], 0, -1),  # an edit that leaves most scenes as they are
    _TEXTS[1].replace("Hedda", "Hilda"),  # an edit that renames somebody
    "A stranger came to the scale. The stranger was Hedda Klaasen, and nobody had known it.",
    "The stranger and the tall rower waited. The mute lodger came. The stranger saw him.",
    "The tall rower was the stranger. Arne Voss and Hedda Klaasen laughed. Arne Voss left.",
    "The mute lodger was Arne Voss. Arne Voss had hidden for years. Hedda Klaasen wept.",
    "Hedda Klaasen weighed the herring.",
    "* * *\n\n---",  # no scene at all
    "悟空拿着金箍棒走进山洞。“师父在哪里？”悟空问。唐僧不说话。",
)

Opened = Callable[[], AbstractAsyncContextManager[AnyHome]]
CRASHES: Final = st.lists(
    st.tuples(st.sampled_from(list(CrashPoint)), st.integers(1, 4)), max_size=2
)
SHARES: Final = st.lists(st.floats(0, 1, exclude_max=True), max_size=2)


async def live(home: AnyHome, history: History, data: st.DataObject) -> None:
    """Let everything arrive, a portion at a time, with deaths and repetitions on the way."""
    arrivals = data.draw(orders(history), label="arrivals")
    while arrivals:
        size = data.draw(st.sampled_from((1, 1, 2, 3, len(arrivals))))
        portion, arrivals = arrivals[:size], arrivals[size:]
        await home.publish(portion)
        await home.redeliver(data.draw(SHARES, label="told again"))
        for point, nth in data.draw(CRASHES, label="dies at"):
            died = await home.run_and_die(Dies(point, nth))
            event(f"died {point.value}" if died else "outlived the point")
        await home.run(anew=data.draw(st.booleans(), label="anew"))


async def check(opened: Opened, history: History, data: st.DataObject) -> None:
    scope = data.draw(st.sampled_from([None, *AdviceScope]), label="advised on")
    advising = Advising(FixedAdviser(), scope) if scope else None
    fresh = AnyHome(advising=advising)
    on_the_way: dict[str | None, object] = {}
    for chapter in survivors(history):
        await fresh.publish([chapter])
        await fresh.run()
        on_the_way[str(chapter.ordinal)] = await fresh.shown(str(chapter.ordinal))
    async with opened() as lived:
        lived.advising = advising
        lived.checkpoint_every = data.draw(st.integers(1, 4), label="checkpoint every")
        await live(lived, history, data)
        for place in (*PLACES, None):
            expected = await fresh.shown(place)
            assert await lived.shown(place) == expected, f"as of {place}"
            if place in on_the_way:
                assert on_the_way[place] == expected, f"what came after {place} shows in it"
        assert await lived.records() == await fresh.records()
        assert await lived.rows() == await fresh.rows()
        assert await lived.stray() == frozenset()
        await lived.log.close()
    await fresh.log.close()


@asynccontextmanager
async def in_memory() -> AsyncIterator[AnyHome]:
    yield AnyHome()


@pytest.mark.timeout(max(600, 2 * EXAMPLES))
@settings(max_examples=EXAMPLES, deadline=None, print_blob=True)
@given(history=histories(BODIES, 12 * CHAPTERS // 8), data=st.data())
def test_any_life_ends_as_a_fresh_build(history: History, data: st.DataObject) -> None:
    asyncio.run(check(in_memory, history, data))


def on(server: BoltServer, milvus_uri: str | None) -> Opened:
    """Open homes on real servers, each as if it were the first."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[AnyHome]:
        tree = BoltTreeStore(server.uri, server.auth, server.database)
        vectors = MilvusVectorStore(milvus_uri) if milvus_uri else MemoryVectorStore()
        home = AnyHome(tree, vectors)
        try:
            await tree.prepare()
            await home.forget()
            yield home
            await home.forget()
        finally:
            await vectors.close()
            await tree.close()

    return opened


_ON_SERVERS: Final = settings(
    max_examples=SERVER_EXAMPLES,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.real
@pytest.mark.timeout(max(600, 30 * SERVER_EXAMPLES))
@_ON_SERVERS
@given(history=histories(BODIES, CHAPTERS), data=st.data())
def test_any_life_on_arcade_and_milvus(
    arcade_bolt: BoltServer, milvus_uri: str, history: History, data: st.DataObject
) -> None:
    asyncio.run(check(on(arcade_bolt, milvus_uri), history, data))


@pytest.mark.real
@pytest.mark.timeout(max(600, 30 * SERVER_EXAMPLES))
@_ON_SERVERS
@given(history=histories(BODIES, CHAPTERS), data=st.data())
def test_any_life_on_neo4j(neo4j_bolt: BoltServer, history: History, data: st.DataObject) -> None:
    asyncio.run(check(on(neo4j_bolt, None), history, data))
