"""A serial of many hundred chapters: no prompt is too long, and its beginning is still found."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest

from contracts.budgets import USUAL
from contracts.events import ChapterPublished
from processors.token_bounds import tokens_at_most
from tests.corpus import WHOLE
from tests.model_server import Heard, ModelServer
from tests.unit.processors.indexed import chapter, indexed
from tests.unit.processors.walking.walkers import script, walker

CHAPTERS = 2_000 if WHOLE else 800  # its map is many times what is shown of one
PLANTED = "The midwife sewed a silver coin into the hem of the foundling's shirt."
PEOPLE = ("Hedda", "Anders", "Ysolde", "Marek", "Brother Pell", "Captain Oum", "Tilda", "Serge")
PLACES = ("harbour", "mill", "council hall", "ice road", "orchard", "mine", "archive", "ferry")
DEEDS = ("quarrelled over", "buried", "sold", "searched", "repaired", "inherited", "betrayed")
THINGS = ("lamp", "ledger", "boat", "well", "treaty", "horse", "letter", "debt", "bridge", "map")


def _chapters() -> Sequence[ChapterPublished]:
    draw = random.Random(7)  # noqa: S311 - a story, not a secret

    def sentence() -> str:
        people, thing = draw.sample(PEOPLE, 2), draw.choice(THINGS)
        return (
            f"{people[0]} and {people[1]} {draw.choice(DEEDS)} the {thing} at the "
            f"{draw.choice(PLACES)}, and it cost them {draw.randrange(2, 90)} days."
        )

    bodies = [" ".join(sentence() for _ in range(3)) for _ in range(CHAPTERS)]
    bodies[2] = PLANTED
    return [chapter(number, body) for number, body in enumerate(bodies, start=1)]


def _opens(path: Sequence[str], wanted: int) -> object:
    """A model that knows where the scene lies: it opens what is shown of the way to it."""

    def rule(heard: Heard) -> Mapping[str, object]:
        if heard.purpose == "walk_look":
            shown = heard.user.splitlines()
            if any(line.startswith(f"{wanted} [") for line in shown):
                return {"scenes": [wanted]}
            opens = [name for name in path if any(line.startswith(f"{name} ") for line in shown)]
            return {"open": opens[:1]}
        return {"known": True, "answer": "A silver coin.", "quotes": [PLANTED]}

    return rule


@pytest.mark.corpus
async def test_a_scene_of_chapter_3_is_reached(model_server: ModelServer) -> None:
    story = await indexed(_chapters())
    view = await story.view()
    with model_server.anew(context=40_000) as server:
        answerer = walker(server, story.retriever)
        told = answerer.maps.numbered(await view.outline())
        way = [told.scenes[2].home]
        while told.parents.get(way[-1]) in told.names:
            way.append(told.parents[way[-1]])
        server.script = script(_opens([told.names[each] for each in way], 3))  # type: ignore[arg-type]
        question = "What happened to somebody, somewhere, at the very beginning?"
        explained = await answerer.explained(view, question, 400)
        assert answerer.reader is not None
        await answerer.reader.chat.close()
    assert len(told.scenes) == CHAPTERS
    assert [citation.quote for citation in explained.answer.citations] == [PLANTED]
    assert not explained.explanation.map or not explained.explanation.map.whole
    for heard in server.heard:
        shown, ends, _ = heard.user.partition("END OF THE MAP")
        assert not ends or tokens_at_most(shown) <= USUAL.map_tokens
