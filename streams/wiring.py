"""Settings in, an opened home out.

What computes is imported where it is made, while the graph's server starts.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from contracts.crash_points import Reached, go_on
from contracts.errors import PermanentError
from contracts.ids import Generation
from contracts.ports import EventLog, Memo, Segmenter, TextEmbedder, TreeStore, VectorStore
from processors.remembering import Payer
from streams.adapters import (
    is_empty,
    lives_in_home,
    open_advising,
    open_ahead,
    open_chat,
    open_log,
    open_memo,
    open_payer,
    open_reader,
    open_tree,
    open_vectors,
)
from streams.backup.restore_journal import unfinished_restore
from streams.doctor.losses import lost_store
from streams.gaps import Gaps
from streams.generations.choosing import OtherIndex, generation_to_write, take_over
from streams.generations.registry import Generations
from streams.generations.stages import GenerationStages, Stores
from streams.home_lock import held
from streams.not_found import nothing_indexed
from streams.purge.purge_journal import unfinished_purge
from streams.session import Home
from streams.settings import Settings

if TYPE_CHECKING:
    from graph.advising import Advising
    from processors.lexicon import Lexicon
    from processors.openai_chat import OpenAIChat
    from processors.walking.reader import ModelReader
    from streams.stage import Stage
    from streams.topology import Ports


@dataclass(frozen=True, slots=True)
class _Thinking:
    """What asks a model, where there is one."""

    segmenter: Segmenter
    advising: Advising | None
    reader: ModelReader | None


@dataclass(frozen=True, slots=True)
class _Loaded:
    """What makes vectors of texts, and where they are kept."""

    embedder: TextEmbedder
    lexicon: Lexicon
    vectors: VectorStore


@asynccontextmanager
async def open_home(
    settings: Settings,
    *,
    must_exist: bool = False,
    repairing: bool = False,
    reached: Reached = go_on,
) -> AsyncIterator[Home]:
    """Open a home, made if it is not there, and close everything in order at the end.

    `reached` is told of every crash point of the stages. A home of which a whole store is lost
    opens only to those who are `repairing`: it refuses to index and to answer until that is done.

    Raises:
        NotFound: `must_exist`, and nothing was ever indexed there.
        HomeInUse: another process has it.
        TransientError: a store is down.
        PermanentError: a store cannot be used, or is lost; the text says what to do.
    """
    if must_exist and is_empty(settings):
        raise nothing_indexed(settings)
    async with AsyncExitStack() as stack:
        if lives_in_home(settings):
            stack.enter_context(held(settings.home))
            await end_what_was_begun(settings)
        home = await stack.enter_async_context(opened(settings, reached))
        home.losses.told = await lost_store(home)
        if not repairing:
            home.losses.refuse()
        yield home


async def end_what_was_begun(settings: Settings) -> None:
    """End a restore or a purge of the home that was cut off; the caller holds it.

    Raises:
        TransientError: a store cannot be used now.
        PermanentError: a journal or a store cannot be used at all.
    """
    if unfinished_restore(settings):
        from streams.backup.restoring import finish as finish_restore

        finish_restore(settings)
    if unfinished_purge(settings):
        from streams.purge.purging import finish as finish_purge

        await finish_purge(settings)


@asynccontextmanager
async def opened(settings: Settings, reached: Reached = go_on) -> AsyncIterator[Home]:
    """Open the stores of a home that the caller holds, and close them in order at the end."""
    async with AsyncExitStack() as stack:
        log = open_log(settings)
        stack.push_async_callback(log.close)
        memo = open_memo(settings)
        stack.push_async_callback(memo.close)
        chat = open_chat(settings)
        if chat is not None:
            stack.push_async_callback(chat.close)
        tree, loaded = await _tree_and_rest(settings, stack)
        generations = Generations(log)
        writing = await _writing(settings, generations, tree)
        payer = open_payer(settings, memo, writing.generation)
        stack.push_async_callback(payer.close)
        thinking = _thinking(settings, loaded.embedder, payer, chat)
        stores = _Stores(log, memo, tree, generations, writing, loaded, thinking)
        home = _home(settings, stores, reached)
        if home.ports.ahead is not None:
            stack.push_async_callback(home.ports.ahead.close)
        yield home


@dataclass(frozen=True, slots=True)
class _Writing:
    """The generation of a home, and why it may not be written, if it may not."""

    generation: Generation
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class _Stores:
    """All that a home is made of."""

    log: EventLog
    memo: Memo
    tree: TreeStore
    generations: Generations
    writing: _Writing
    loaded: _Loaded
    thinking: _Thinking


def _home(settings: Settings, stores: _Stores, reached: Reached) -> Home:
    from processors.retriever import Retriever
    from processors.walking.answering import WalkingAnswerer
    from streams.topology import Ports

    loaded = stores.loaded
    gaps = Gaps(stores.log, stores.tree)
    generation = stores.writing.generation
    ports = Ports(
        log=stores.log,
        segmenter=stores.thinking.segmenter,
        embedder=loaded.embedder,
        lexicon=loaded.lexicon,
        vectors=loaded.vectors,
        tree=stores.tree,
        gaps=gaps,
        generation=generation,
        max_body_bytes=settings.max_body_bytes,
        advising=stores.thinking.advising,
        weights=settings.weights,
        reader=stores.thinking.reader,
        ahead=open_ahead(settings),
        reached=reached,
    )
    retriever = Retriever(loaded.embedder, loaded.lexicon, loaded.vectors)
    return Home(
        settings=settings,
        log=stores.log,
        tree=stores.tree,
        vectors=loaded.vectors,
        memo=stores.memo,
        generations=stores.generations,
        ports=ports,
        stages=_stages(settings, stores, ports),
        retriever=retriever,
        answerer=WalkingAnswerer(retriever, stores.thinking.reader),
        reached=reached,
        refusal=stores.writing.refusal,
    )


def _stages(settings: Settings, stores: _Stores, ports: Ports) -> Sequence[Stage[Any]]:
    """Return the stages of the home: those of its generation, and that of questions."""
    from streams.topology import chapter_path, question_path

    path = chapter_path(ports)
    known = stores.generations.get(ports.generation)
    if known is not None:
        of_it = GenerationStages(stores.generations, known, settings.reindex_share)
        path = tuple(of_it.all_of(path, Stores(stores.tree, ports.vectors)))
    return (*path, question_path(ports))


async def _writing(settings: Settings, generations: Generations, tree: TreeStore) -> _Writing:
    """Return which generation the stages of the home write; where none may be, the live one.

    Workers choose for themselves, and a cluster's log is not written to for having been looked at.
    """
    from streams.index_version import index_version

    if settings.on_kafka:
        return _Writing(await tree.live())
    version = index_version(settings)
    try:
        await take_over(generations, version, tree)
        known = await generation_to_write(generations, version, settings.generation)
    except OtherIndex as error:
        return _Writing(await tree.live(), str(error))
    except PermanentError:
        # A log that cannot be read: whoever repairs it is told by its faults.
        return _Writing(await tree.live())
    return _Writing(known.generation)


async def _tree_and_rest(settings: Settings, stack: AsyncExitStack) -> tuple[TreeStore, _Loaded]:
    """Open the graph, and beside it, since a server takes seconds to start, all the rest."""
    loading = asyncio.create_task(asyncio.to_thread(_load, settings))
    try:
        tree = await open_tree(settings, stack)
    finally:
        await asyncio.wait({loading})  # a thread cannot be cancelled
        if loading.exception() is None:
            stack.push_async_callback(loading.result().vectors.close)
    return tree, loading.result()


def _thinking(
    settings: Settings, embedder: TextEmbedder, payer: Payer, chat: OpenAIChat | None
) -> _Thinking:
    from streams.segmenters import open_segmenter

    return _Thinking(
        open_segmenter(settings, embedder, payer, chat),
        open_advising(settings, chat, payer),
        open_reader(settings, chat),
    )


def _load(settings: Settings) -> _Loaded:
    import streams.segmenters
    import streams.topology  # noqa: F401 - what these import takes longest
    from processors.lexicon import Lexicon
    from processors.sif import SifEmbedder

    return _Loaded(SifEmbedder(), Lexicon(), open_vectors(settings))
