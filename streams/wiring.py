"""The only place that names adapters: settings in, an opened home out.

Adapters and models are imported where they are made: a command that only prints its help, or
refuses its input, does not pay for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from platformdirs import user_cache_path

from contracts.chat import Chat
from contracts.crash_points import Reached, go_on
from contracts.errors import PermanentError
from contracts.ids import Generation
from contracts.ports import EventLog, Memo, Segmenter, TextEmbedder, TreeStore, VectorStore
from processors.remembering import Payer
from streams.ahead import Ahead
from streams.backup.restore_journal import unfinished_restore
from streams.caps import Caps, capped_payer, for_placing
from streams.doctor.losses import lost_store
from streams.gaps import Gaps
from streams.generations.choosing import OtherIndex, generation_to_write, take_over
from streams.generations.registry import Generations
from streams.generations.stages import GenerationStages, Stores
from streams.home_lock import held
from streams.logs.sqlite_log import SqliteEventLog
from streams.purge.purge_journal import unfinished_purge
from streams.session import Home, nothing_indexed
from streams.settings import Settings

if TYPE_CHECKING:
    from graph.advising import Advising
    from graph.arcade_process import ArcadeAddress
    from processors.lexicon import Lexicon
    from processors.openai_chat import OpenAIChat
    from processors.walking.reader import ModelReader
    from streams.stage import Stage
    from streams.topology import Ports

_LOG_FILE: Final = "events.sqlite"
_VECTOR_FILE: Final = "vectors.db"
_GRAPH_FOLDER: Final = "graph"
_MEMO_FILE: Final = "memo.sqlite"


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


def is_empty(settings: Settings) -> bool:
    """Say whether nothing was ever indexed in the home, without opening it."""
    files = (log_file(settings), vector_folder(settings), graph_folder(settings))
    return files[0] is not None and not any(file and file.exists() for file in files)


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

    if settings.log.startswith("kafka"):
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


# --- adapters by scheme -----------------------------------------------------------------------


def lives_in_home(settings: Settings) -> bool:
    """Say whether any store is embedded: two processes must not open it."""
    urls = (settings.log, settings.vectors, settings.graph)
    return any(_scheme(url) in ("sqlite", "milvus-lite", "arcade") for url in urls)


def graph_folder(settings: Settings) -> Path | None:
    """Return where the embedded graph lies, None if it is not embedded."""
    if _scheme(settings.graph) != "arcade":
        return None
    return Path(_rest(settings.graph) or settings.home / _GRAPH_FOLDER)


def vector_folder(settings: Settings) -> Path | None:
    """Return where the embedded vectors lie, None if they are not embedded."""
    if _scheme(settings.vectors) != "milvus-lite":
        return None
    return Path(_rest(settings.vectors) or settings.home / _VECTOR_FILE)


def log_file(settings: Settings) -> Path | None:
    """Return where the event log lies, None if it is no file."""
    if _scheme(settings.log) != "sqlite":
        return None
    return Path(_rest(settings.log) or settings.home / _LOG_FILE)


def memo_file(settings: Settings) -> Path | None:
    """Return where the memo lies, None if it is no file."""
    if _scheme(settings.memo) != "sqlite":
        return None
    return Path(_rest(settings.memo) or settings.home / _MEMO_FILE)


async def require_topic(settings: Settings, topic: str) -> None:
    """Return if the log can have the topic: a local one makes it at its first record.

    Raises:
        TransientError: no broker answers.
        PermanentError: the brokers refuse us, or have no such topic.
    """
    if settings.log.startswith("kafka"):
        from streams.kafka.admin import require_topics

        access = settings.kafka_access(settings.kafka_url)
        await require_topics(access, [access.topic(topic)])


def open_log(settings: Settings) -> EventLog:
    """Return the event log, which any number of processes may have open.

    Raises:
        PermanentError: restoring the home was cut off, and what is written now would be lost.
    """
    if log_file(settings) is not None and unfinished_restore(settings):
        raise PermanentError(
            f"Restoring the home {settings.home} was cut off: `storygraft status` ends it; then "
            "run this again."
        )
    if settings.log.startswith("kafka"):
        from streams.kafka.event_log import KafkaEventLog

        return KafkaEventLog(settings.kafka_access(settings.kafka_url))
    return SqliteEventLog(log_file(settings) or Path(":memory:"))


def open_memo(settings: Settings) -> Memo:
    """Return the memo, which opens its file, or connects, at its first use."""
    if _scheme(settings.memo) == "memory":
        from graph.memory import MemoryMemo

        return MemoryMemo()
    file = memo_file(settings)
    if file is not None:
        from streams.logs.sqlite_memo import SqliteMemo

        return SqliteMemo(file)
    from graph.bolt.memo import BoltMemo

    return BoltMemo(settings.memo, _graph_auth(settings), settings.graph_database)


def open_chat(settings: Settings) -> OpenAIChat | None:
    """Return the language model, which connects at its first use; None where none is set."""
    if not settings.model:
        return None
    from processors.openai_chat import Endpoint, OpenAIChat

    return OpenAIChat(
        Endpoint(
            url=settings.model,
            model=settings.model_name,
            key=settings.model_key,
            timeout_s=settings.model_timeout_s,
            concurrency=settings.model_concurrency,
        )
    )


def open_payer(settings: Settings, memo: Memo, generation: Generation) -> Payer:
    """Return who pays for the calls that build `generation`, as far as the settings allow."""
    caps = Caps(settings.max_tokens, settings.max_tokens_per_day, settings.max_tokens_per_work)
    return capped_payer(memo, generation, caps)


def open_ahead(settings: Settings) -> Ahead | None:
    """Return what has the model asked about chapters before their turn, where one cuts them."""
    asks = bool(settings.model) and settings.chosen_segmenter != "cohesion"
    return Ahead(settings.segment_ahead) if asks and settings.segment_ahead else None


def open_advising(settings: Settings, chat: Chat | None, payer: Payer) -> Advising | None:
    """Return who is asked where a scene belongs, if anybody is."""
    if chat is None or settings.placement_advice == "none":
        return None
    from contracts.placement import AdviceScope
    from graph.advising import Advising
    from processors.placing import ChatPlacementAdviser

    paying = for_placing(payer)
    adviser = ChatPlacementAdviser(chat, paying, settings.sampling, settings.model_context)
    return Advising(adviser, AdviceScope(settings.placement_advice))


def open_reader(settings: Settings, chat: Chat | None) -> ModelReader | None:
    """Return what reads maps and passages for questions, if there is a model."""
    if chat is None:
        return None
    from processors.walking.reader import ModelReader

    return ModelReader(chat, settings.sampling, settings.model_context)


def open_vectors(settings: Settings) -> VectorStore:
    """Return the vector store, which opens its directory, or connects, at its first use."""
    if _scheme(settings.vectors) == "memory":
        from graph.memory import MemoryVectorStore

        return MemoryVectorStore()
    from graph.milvus import MilvusVectorStore

    folder = vector_folder(settings)
    if folder is None:
        return MilvusVectorStore(settings.vectors)
    from graph.hot_vectors import HotVectorStore

    return HotVectorStore(MilvusVectorStore(str(folder)))


async def open_tree(settings: Settings, stack: AsyncExitStack) -> TreeStore:
    """Open the graph, starting its server where it is embedded; clients close before it ends."""
    if _scheme(settings.graph) == "memory":
        from graph.memory import MemoryTreeStore

        return MemoryTreeStore()
    folder = graph_folder(settings)
    starting = None if folder is None else asyncio.create_task(_start_server(folder, stack))
    await asyncio.sleep(0)  # the server starts while its client is imported
    from graph.bolt.store import BoltTreeStore

    if starting is not None:
        address = await starting
        auth = (address.user, address.password)
        tree = BoltTreeStore(address.uri, auth, address.database, restarted=True)
    else:
        tree = BoltTreeStore(settings.graph, _graph_auth(settings), settings.graph_database)
    stack.push_async_callback(tree.close)
    await tree.prepare()
    return tree


def _graph_auth(settings: Settings) -> tuple[str, str] | None:
    secret = settings.graph_password
    return (settings.graph_user, secret.get_secret_value()) if secret else None


def startup_cache_folder() -> Path:
    """Return where the graph server's start-up cache lies, the same for all homes."""
    return user_cache_path("storygraft")


async def _start_server(folder: Path, stack: AsyncExitStack) -> ArcadeAddress:
    from graph.arcade_process import ArcadeProcess
    from graph.arcade_watch import kept_running

    server = ArcadeProcess(folder, startup_cache=startup_cache_folder())
    return await stack.enter_async_context(kept_running(server))


def _scheme(url: str) -> str:
    return url.partition(":")[0]


def _rest(url: str) -> str:
    return url.partition(":")[2]
