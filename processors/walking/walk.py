"""The walk: *Storyline Trees*, Algorithm 1, with a map to begin with and a budget.

A search finds scenes, and a model that reads the map names others; their passages are evidence,
from which it answers or asks for more; what it asks for is united with what there is; at the end
an answer is forced. Without a model the walk is its first search.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from contracts.answers import Gap
from contracts.budgets import Budget
from contracts.ports import BoundStory
from processors.retriever import Reading, Retriever
from processors.scene_searching import ScenePlace
from processors.story_map.showing import Maps, ShownMap
from processors.token_bounds import tokens_at_most
from processors.walking.evidence import MAP, QUERY, Evidence, gathered
from processors.walking.meter import Meter
from processors.walking.moves import Move, Said, read_move, read_said
from processors.walking.prompting import Prompt, concluding, looking, passages_shown, stepping
from processors.walking.reader import TOO_DEAR, ModelReader, Told
from processors.walking.strategies import Strategy
from processors.walking.trail import BY_MAP, BY_PASSAGES, SEARCH, Trail

ANSWERED: Final = "answered"
NOT_KNOWN: Final = "not known"
SEARCHED: Final = "searched"
"""How a walk ends, if nothing fails: the last where nobody was to answer."""

_PASSAGES_SHARE: Final = 0.25
"""Of the tokens that the model takes: what passages may have of a small context."""

_AROUND_TOKENS: Final = 2_500
"""What our own words, a long question and the answer take; the map may have all that is left."""

_WORDS_A_SCENE: Final = 60
"""Found by a query of the model's own, to name a scene: two extracts. It is read afterwards."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a walk is for. `answers` says whether a model is to answer, or only to look."""

    text: str
    words: int
    budget: Budget
    strategy: Strategy
    answers: bool = True
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True, slots=True)
class Walked:
    """Where a walk came to; `said` is None where no model answered, `failure` says why."""

    trail: Trail
    evidence: Evidence
    said: Said | None
    ended: str
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Walker:
    """Walks through a story; `reader` is the model, if there is one."""

    retriever: Retriever
    maps: Maps
    reader: ModelReader | None

    async def walk(self, view: BoundStory, question: Question, meter: Meter) -> Walked:
        """Gather evidence for a question within its budget, and an answer where a model gives one.

        What it costs is charged to `meter`, which may have been charged before.

        Raises:
            TransientError: a store or the embedder is down. A model that is down is no error.
        """
        found = await self.searched(view, question.text, question, question.words, meter)
        outline = await view.outline()
        trail = Trail(outline, self.maps.numbered(outline), found)
        meter.rounds += 1
        trail.note(SEARCH, question.text, trail.places(trail.hits))
        return await _Walk(self, view, question, meter, trail).to_its_end()

    async def searched(
        self, view: BoundStory, text: str, question: Question, words: int, meter: Meter
    ) -> Reading:
        """Search the whole story for `text`, and count it."""
        reading = await self.retriever.read(view, text, words, question.gaps)
        meter.searches += reading.searches
        return reading


@dataclass(frozen=True, slots=True)
class _Walk:
    """One walk under way."""

    walker: Walker
    view: BoundStory
    question: Question
    meter: Meter
    trail: Trail

    async def to_its_end(self) -> Walked:
        """Take looks at the map, then at passages, until there is an answer or no more to spend."""
        reader, strategy = self.walker.reader, self.question.strategy
        if reader is None:
            return await self._ended(None, SEARCHED)
        failure = ""
        if strategy.reads_map:
            failure = await self._look(reader)
        if not self.question.answers:
            return await self._ended(None, SEARCHED, failure)
        return await self._answer(reader)

    # --- looking at the map -------------------------------------------------------------------

    async def _look(self, reader: ModelReader) -> str:
        """Have scenes named on the map, storylines opened as long as some are asked for."""
        while self.meter.affords_round():
            shown = self._map(reader)
            prompt = looking(shown.text, self.question.text)
            if not reader.affords(prompt, self.meter, int(self.question.answers)):
                return TOO_DEAR
            told = await reader.ask(prompt, partial(self._move, shown), self.meter)
            if not await self._took(told, BY_MAP):
                return told.failure
            if shown.whole or not (told.value and told.value.opens):
                return ""
        return ""

    def _map(self, reader: ModelReader) -> ShownMap:
        """Return the map as it stands, and note it."""
        if not self.question.strategy.shows_map:
            return ShownMap("", True, frozenset())
        room = int(reader.context * (1 - _PASSAGES_SHARE)) - _AROUND_TOKENS
        most, trail = min(self.question.budget.map_tokens, max(0, room)), self.trail
        shown = self.walker.maps.shown(trail.outline, most, trail.hits, trail.opened)
        trail.see(shown, tokens_at_most(shown.text))
        return shown

    def _said_and_move(self, shown: ShownMap, text: str) -> tuple[Said, Move]:
        return read_said(text), self._move(shown, text)

    def _move(self, shown: ShownMap, text: str) -> Move:
        """Read where to look; of scenes those count that were shown, as a line or as text.

        On a whole map there is nothing to open.
        """
        there = shown.shown | set(self.trail.hits)
        opens = self.question.strategy.by_title or not shown.whole
        storylines = self.trail.told.storylines if opens else {}
        return read_move(text, there, storylines, self.question.budget.scenes)

    async def _took(self, told: Told[Move], by: str) -> bool:
        """Take a step where the model said to; note the round. Say whether it said anything."""
        move = told.value
        self.meter.rounds += 1
        if move is None:
            self.trail.note(by, "", (), calls=told.calls)
            return False
        before = len(self.trail.groups)
        opened, query = await self._follow(move)
        places = [place for group in self.trail.groups[before:] for place in group.places]
        self.trail.note(by, query, places, opened, move.dropped, told.calls)
        return True

    async def _follow(self, move: Move) -> tuple[list[str], str]:
        """Add what was asked for; return the storylines that were opened, and what was sought."""
        trail, strategy, text = self.trail, self.question.strategy, self.question.text
        if strategy.by_title:
            titles = [trail.title_of(trail.told.storylines[name]) for name in move.opens]
            query = "; ".join(filter(None, titles))
            await self._search(query, ranked_by=text, most=self.question.budget.scenes)
            return [], query
        named = trail.places(move.scenes)
        trail.add(named, text, MAP)
        opened = [name for name in move.opens if name not in trail.opened]
        trail.opened += opened
        query = move.query if strategy.asks and move.query not in trail.asked else ""
        if query:
            trail.asked.append(query)
            most = self.question.budget.scenes - len(named)
            await self._search(query, ranked_by=query, most=most)
        return opened, query

    async def _search(self, query: str, ranked_by: str, most: int) -> None:
        """Add the scenes that a query finds, `most` at most."""
        if not query or not most:
            return
        words = self.question.budget.scenes * _WORDS_A_SCENE
        found = await self.walker.searched(self.view, query, self.question, words, self.meter)
        best = dict.fromkeys(
            ScenePlace(e.candidate.scene_id, e.candidate.chapter_id) for e in found.extracts
        )
        named = self.trail.named
        places = [place for place in best if place.scene_id in self.trail.numbers]
        fresh = [place for place in places if place.scene_id not in named]
        self.trail.add(tuple(fresh[:most]), ranked_by, QUERY)

    # --- answering ----------------------------------------------------------------------------

    async def _answer(self, reader: ModelReader) -> Walked:
        """Have the model answer from the passages, or say where to look next."""
        while True:
            evidence = await self._evidence()
            passages = self._passages(evidence, reader)
            step = self._step(reader, passages)
            if step is None:
                return await self._concluded(reader, evidence, passages)
            shown, prompt = step
            told = await reader.ask(prompt, partial(self._said_and_move, shown), self.meter)
            if told.value is None:
                self.trail.note(BY_PASSAGES, "", (), calls=told.calls)
                return Walked(self.trail, evidence, None, told.failure, told.failure)
            said, move = told.value
            if said.answer or not self._asks_more(move):
                self.meter.rounds += 1
                self.trail.note(BY_PASSAGES, "", (), calls=told.calls)
                ended = ANSWERED if said.answer else NOT_KNOWN
                return Walked(self.trail, evidence, said, ended)
            await self._took(Told(move, told.calls), BY_PASSAGES)

    def _step(self, reader: ModelReader, passages: str) -> tuple[ShownMap, Prompt] | None:
        """Return the next question, None where the budget has room for the last one only."""
        strategy = self.question.strategy
        if not (strategy.shows_map or strategy.asks) or not self.meter.affords_round():
            return None
        shown = self._map(reader)
        prompt = stepping(shown.text, passages, self.question.text)
        return (shown, prompt) if reader.affords(prompt, self.meter, spare_calls=1) else None

    def _asks_more(self, move: Move) -> bool:
        """Say whether there is anything in what was asked for that is not there yet."""
        trail, strategy = self.trail, self.question.strategy
        if strategy.by_title:
            return bool(move.opens)
        asks = strategy.asks and bool(move.query) and move.query not in trail.asked
        opens = any(name not in trail.opened for name in move.opens)
        return asks or opens or bool(trail.places(move.scenes))

    async def _concluded(self, reader: ModelReader, evidence: Evidence, passages: str) -> Walked:
        prompt = concluding(passages, self.question.text)
        told = await reader.ask(prompt, read_said, self.meter)
        self.trail.calls += told.calls
        self.trail.concluding = tuple(made.call for made in told.calls)
        if told.value is None:
            return Walked(self.trail, evidence, None, told.failure, told.failure)
        ended = ANSWERED if told.value.answer else NOT_KNOWN
        return Walked(self.trail, evidence, told.value, ended)

    def _passages(self, evidence: Evidence, reader: ModelReader) -> str:
        most = int(reader.context * _PASSAGES_SHARE)
        return passages_shown(evidence, self.trail.numbers, most)

    async def _evidence(self) -> Evidence:
        trail, question = self.trail, self.question
        return await gathered(
            self.walker.retriever, self.view, trail.found, trail.groups, question.words
        )

    async def _ended(self, said: Said | None, ended: str, failure: str = "") -> Walked:
        return Walked(self.trail, await self._evidence(), said, ended, failure)
