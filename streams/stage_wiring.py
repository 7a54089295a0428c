"""Opens what some stages need and nothing else: a machine that embeds needs no graph's password."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from contracts.crash_points import Reached, go_on
from contracts.ids import FIRST_GENERATION, Generation, WorkId
from contracts.ports import EventLog, Memo, TreeStore, VectorStore
from contracts.topics import GENERATIONS
from graph.bolt.memo import BoltMemo
from graph.grafter import Grafter
from processors.lexicon import Lexicon
from processors.remembering import Payer
from processors.retriever import Retriever
from processors.sif import SifEmbedder
from processors.walking.answering import WalkingAnswerer
from streams import adapters, topology
from streams.gaps import Gaps
from streams.generations.choosing import generation_to_write
from streams.generations.registry import Generations
from streams.generations.stages import GenerationStages, Stores
from streams.hide_stage import hide
from streams.index_version import index_version
from streams.intakes import ANSWER, CARRY, EMBED, GRAFT, HIDE, SEGMENT
from streams.parking import ParkingLot
from streams.segmenters import open_segmenter
from streams.settings import Settings
from streams.stage import Stage, of_generation

if TYPE_CHECKING:
    from processors.openai_chat import OpenAIChat

_NOBODY: Final = WorkId("-")
_IN_THE_GRAPH: Final = frozenset({HIDE.name, GRAFT.name})
STAGES: Final = tuple(intake.name for intake in (HIDE, CARRY, SEGMENT, EMBED, GRAFT, ANSWER))


@asynccontextmanager
async def stages_opened(
    settings: Settings, only: Collection[str] = (), reached: Reached = go_on
) -> AsyncIterator[Sequence[Stage[Any]]]:
    """Open what the stages named in `only` need, and yield these; none named: all.

    Each store that is needed has answered, let us in, and has our format.

    Raises:
        TransientError: a store is down, or does not let us in.
        PermanentError: a store cannot be used; the text says what to do.
    """
    async with AsyncExitStack() as stack:
        wanted = [name for name in STAGES if not only or name in only]
        parts = _Parts(settings, stack, reached)
        made = [await parts.stage(name) for name in wanted]
        yield tuple(stage for stage in made if stage is not None)


class _Parts:
    """What stages are made of, each opened at its first use and closed by the stack."""

    def __init__(self, settings: Settings, stack: AsyncExitStack, reached: Reached) -> None:
        self._settings = settings
        self._stack = stack
        self._reached = reached
        self._log: EventLog | None = None
        self._memo: Memo | None = None
        self._payer: Payer | None = None
        self._chat: OpenAIChat | None = None
        self._tree: TreeStore | None = None
        self._vectors: VectorStore | None = None
        self._parking: ParkingLot | None = None
        self._building: GenerationStages | None = None
        self._thinking: tuple[SifEmbedder, Lexicon] | None = None

    async def stage(self, name: str) -> Stage[Any] | None:
        """Return the stage of that name; None for the one that copies, where none are copied."""
        if name == ANSWER.name:
            return await self._answer()
        if name in _IN_THE_GRAPH:
            await self.tree()  # first: a store that does not let us in is told of before anything
        building = await self.building()
        if name == CARRY.name:
            return await self._carry(building)
        if name == HIDE.name:
            return hide(await self.tree(), building.known.generation)
        row = of_generation(await self._of_a_chapter(name), building.known.generation)
        asks = name == SEGMENT.name and building.spares
        return building.one(row, await self.tree() if asks else None)

    async def _carry(self, building: GenerationStages) -> Stage[Any] | None:
        source = building.source
        if source is None:
            return None
        if not building.known.started.rows:
            return building.carry_scenes(source)
        embed = await self._of_a_chapter(EMBED.name)
        return building.carry_rows(source, embed, Stores(await self.tree(), await self.vectors()))

    async def _of_a_chapter(self, name: str) -> Stage[Any]:
        if name == SEGMENT.name:
            return await self._segment()
        if name == EMBED.name:
            embedder, lexicon = await self.thinking()
            vectors = await self.vectors()
            generation = await self.generation()
            return topology.embed(embedder, lexicon, vectors, generation, self._reached)
        advising = adapters.open_advising(self._settings, self.chat(), await self.payer())
        tree, vectors = await self.tree(), await self.vectors()
        return topology.graft(
            Grafter(
                tree,
                vectors,
                self._reached,
                advising=advising,
                weights=self._settings.weights,
                generation=await self.generation(),
            )
        )

    async def _segment(self) -> Stage[Any]:
        embedder, _ = await self.thinking()
        segmenter = open_segmenter(self._settings, embedder, await self.payer(), self.chat())
        ahead = adapters.open_ahead(self._settings)
        if ahead is not None:
            self._stack.push_async_callback(ahead.close)
        most = self._settings.max_body_bytes
        return topology.segment(segmenter, most, await self.parking(), ahead)

    async def _answer(self) -> Stage[Any]:
        tree, vectors = await self.tree(), await self.vectors()
        retriever = Retriever(*await self.thinking(), vectors)
        reader = adapters.open_reader(self._settings, self.chat())
        return topology.answer(tree, WalkingAnswerer(retriever, reader), Gaps(self.log(), tree))

    async def generation(self) -> Generation:
        """Return the generation that the stages write."""
        return (await self.building()).known.generation

    async def building(self) -> GenerationStages:
        """Return the generation of our own index version, and what it asks of its stages."""
        if self._building is None:
            version = await asyncio.to_thread(index_version, self._settings)
            # Are there topics at all? What is sent to none is waited for long.
            await adapters.require_topic(self._settings, GENERATIONS)
            generations = Generations(self.log())
            told = self._settings.generation
            known = await generation_to_write(generations, version, told)
            self._building = GenerationStages(generations, known, self._settings.reindex_share)
        return self._building

    def log(self) -> EventLog:
        """Return the event log."""
        if self._log is None:
            self._log = adapters.open_log(self._settings)
            self._stack.push_async_callback(self._log.close)
        return self._log

    async def parking(self) -> ParkingLot:
        """Return where events of paused works wait."""
        if self._parking is None:
            self._parking = ParkingLot(self.log(), await self.generation())
        return self._parking

    def chat(self) -> OpenAIChat | None:
        """Return the language model, None where none is set."""
        if self._chat is None:
            self._chat = adapters.open_chat(self._settings)
            if self._chat is not None:
                self._stack.push_async_callback(self._chat.close)
        return self._chat

    async def memo(self) -> Memo:
        """Return the memo; where no model fills it, it is not asked whether it is there."""
        if self._memo is None:
            self._memo = adapters.open_memo(self._settings)
            self._stack.push_async_callback(self._memo.close)
            if self.chat() is not None and isinstance(self._memo, BoltMemo):
                await self._memo.prepare()
        return self._memo

    async def payer(self) -> Payer:
        """Return who pays for calls of the model."""
        if self._payer is None:
            memo, generation = await self.memo(), await self.generation()
            self._payer = adapters.open_payer(self._settings, memo, generation)
            self._stack.push_async_callback(self._payer.close)
        return self._payer

    async def tree(self) -> TreeStore:
        """Return the graph, brought to our format."""
        if self._tree is None:
            self._tree = await adapters.open_tree(self._settings, self._stack)
        return self._tree

    async def vectors(self) -> VectorStore:
        """Return the vector store, once it has answered and its rows have our format."""
        if self._vectors is None:
            self._vectors = await asyncio.to_thread(adapters.open_vectors, self._settings)
            self._stack.push_async_callback(self._vectors.close)
            await self._vectors.keys(_NOBODY, FIRST_GENERATION)
        return self._vectors

    async def thinking(self) -> tuple[SifEmbedder, Lexicon]:
        """Return what makes vectors of texts, and weighs their words."""
        if self._thinking is None:
            self._thinking = await asyncio.to_thread(_loaded)
        return self._thinking


def _loaded() -> tuple[SifEmbedder, Lexicon]:
    return SifEmbedder(), Lexicon()
