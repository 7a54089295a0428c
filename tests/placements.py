"""Placement cases of a small story, for everybody who asks about one."""

from __future__ import annotations

from contracts.ids import ChapterId, StorylineId, WorkId
from contracts.placement import PlacementCase, ShownScene, ShownThread

LEDGER, STORM, MATCH = (StorylineId(name) for name in ("ledger", "storm", "match"))


def thread(storyline: StorylineId, title: str, *synopses: str, drawn_on: str = "1") -> ShownThread:
    return ShownThread(
        storyline=storyline, title=title, synopses=synopses, drawn_on=(ChapterId(drawn_on),)
    )


def scene(
    number: int, synopsis: str, *candidates: StorylineId, people: tuple[str, ...] = ("Hedda",)
) -> ShownScene:
    return ShownScene(
        number=number,
        title=f"Scene {number}",
        synopsis=synopsis,
        characters=people,
        candidates=candidates,
    )


THREADS = (
    thread(LEDGER, "Hedda seeks the ledger", "Hedda finds the drawer empty.", drawn_on="1"),
    thread(STORM, "The boats and the storm", "Three boats go out.", "Two return.", drawn_on="2"),
    thread(MATCH, "Ilse will not marry", "Ilse refuses the notary.", drawn_on="3"),
)
SCENES = (
    scene(1, "Hedda asks the notary for the ledger.", LEDGER, MATCH),
    scene(2, "The wind turns.", people=()),
    scene(3, "A stranger is washed ashore.", STORM),
)


def case(
    threads: tuple[ShownThread, ...] = THREADS, scenes: tuple[ShownScene, ...] = SCENES
) -> PlacementCase:
    return PlacementCase(
        work_id=WorkId("w"), chapter_id=ChapterId("4"), threads=threads, scenes=scenes
    )


def told(home: str, touches: str = "none", touches_too: str = "none") -> dict[str, str]:
    """Say of one scene what the wire says."""
    return {"home": home, "touches": touches, "touches_too": touches_too}


ANSWER = {"scene_1": told("t1", "t3"), "scene_3": told("n1")}
"""A fit answer to `case()`."""
