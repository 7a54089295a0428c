"""The only place that names adapters: settings in, an opened home out.

Adapters and models are imported where they are made: a command that only prints its help, or
refuses its input, does not pay for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platformdirs import user_cache_path

from contracts.ports import EventLog, Segmenter, TextEmbedder, TreeStore, VectorStore
from streams.home_lock import held
from streams.session import Home, nothing_indexed
from streams.settings import Settings
from streams.sqlite_log import SqliteEventLog

if TYPE_CHECKING:
    from graph.arcade_process import ArcadeAddress
    from processors.lexicon import Lexicon

_LOG_FILE: Final = "events.sqlite"
_VECTOR_FILE: Final = "vectors.db"
_GRAPH_FOLDER: Final = "graph"


@dataclass(frozen=True, slots=True)
class _Loaded:
    """What thinks, and the vector store."""

    segmenter: Segmenter
    embedder: TextEmbedder
    lexicon: Lexicon
    vectors: VectorStore


@asynccontextmanager
async def open_home(settings: Settings, *, must_exist: bool = False) -> AsyncIterator[Home]:
    """Open a home, made if it is not there, and close everything in order at the end.

    Raises:
        NotFound: `must_exist`, and nothing was ever indexed there.
        HomeInUse: another process has it.
        TransientError: a store is down.
        PermanentError: a store cannot be used.
    """
    if must_exist and is_empty(settings):
        raise nothing_indexed(settings)
    async with AsyncExitStack() as stack:
        if _lives_in_home(settings):
            stack.enter_context(held(settings.home))
        log = _open_log(settings)
        stack.push_async_callback(log.close)
        tree, loaded = await _tree_and_rest(settings, stack)
        yield _home(settings, log, tree, loaded)


def is_empty(settings: Settings) -> bool:
    """Say whether nothing was ever indexed in the home, without opening it."""
    file = _log_file(settings)
    return file is not None and not file.exists()


def _home(settings: Settings, log: EventLog, tree: TreeStore, loaded: _Loaded) -> Home:
    from processors.answerer import Answerer
    from processors.retriever import Retriever
    from streams.topology import Ports, topology

    ports = Ports(
        log=log,
        segmenter=loaded.segmenter,
        embedder=loaded.embedder,
        lexicon=loaded.lexicon,
        vectors=loaded.vectors,
        tree=tree,
        max_body_bytes=settings.max_body_bytes,
    )
    retriever = Retriever(loaded.embedder, loaded.lexicon, loaded.vectors)
    return Home(
        settings, log, tree, loaded.vectors, topology(ports), retriever, Answerer(retriever)
    )


async def _tree_and_rest(settings: Settings, stack: AsyncExitStack) -> tuple[TreeStore, _Loaded]:
    """Open the graph, and beside it, since a server takes seconds to start, all the rest."""
    loading = asyncio.create_task(asyncio.to_thread(_load, settings))
    try:
        tree = await _open_tree(settings, stack)
    finally:
        await asyncio.wait({loading})  # a thread cannot be cancelled
        if loading.exception() is None:
            stack.push_async_callback(loading.result().vectors.close)
    return tree, loading.result()


def _load(settings: Settings) -> _Loaded:
    import streams.topology  # noqa: F401 - what it imports takes longest
    from processors.cohesion import CohesionSegmenter
    from processors.lexicon import Lexicon
    from processors.sif import SifEmbedder

    embedder = SifEmbedder()
    vectors = _open_vectors(settings)
    return _Loaded(CohesionSegmenter(embedder), embedder, Lexicon(), vectors)


# --- adapters by scheme -----------------------------------------------------------------------


def _lives_in_home(settings: Settings) -> bool:
    """Say whether any store is embedded: two processes must not open it."""
    urls = (settings.log, settings.vectors, settings.graph)
    return any(_scheme(url) in ("sqlite", "milvus-lite", "arcade") for url in urls)


def _log_file(settings: Settings) -> Path | None:
    if _scheme(settings.log) == "memory":
        return None
    return Path(_rest(settings.log) or settings.home / _LOG_FILE)


def _open_log(settings: Settings) -> EventLog:
    return SqliteEventLog(_log_file(settings) or Path(":memory:"))


def _open_vectors(settings: Settings) -> VectorStore:
    if _scheme(settings.vectors) == "memory":
        from graph.memory import MemoryVectorStore

        return MemoryVectorStore()
    from graph.milvus import MilvusVectorStore

    if _scheme(settings.vectors) == "milvus-lite":
        return MilvusVectorStore(_rest(settings.vectors) or str(settings.home / _VECTOR_FILE))
    return MilvusVectorStore(settings.vectors)


async def _open_tree(settings: Settings, stack: AsyncExitStack) -> TreeStore:
    """Open the graph, starting its server where it is embedded; clients close before it ends."""
    if _scheme(settings.graph) == "memory":
        from graph.memory import MemoryTreeStore

        return MemoryTreeStore()
    from graph.bolt.store import BoltTreeStore

    if _scheme(settings.graph) == "arcade":
        address = await _start_server(settings, stack)
        tree = BoltTreeStore(address.uri, (address.user, address.password), address.database)
    else:
        secret = settings.graph_password
        auth = (settings.graph_user, secret.get_secret_value()) if secret else None
        tree = BoltTreeStore(settings.graph, auth, settings.graph_database)
    stack.push_async_callback(tree.close)
    await tree.prepare()
    return tree


async def _start_server(settings: Settings, stack: AsyncExitStack) -> ArcadeAddress:
    from graph.arcade_process import ArcadeProcess

    folder = Path(_rest(settings.graph) or settings.home / _GRAPH_FOLDER)
    server = ArcadeProcess(folder, startup_cache=user_cache_path("storygraft"))
    stack.callback(server.stop)
    return await asyncio.to_thread(server.start)


def _scheme(url: str) -> str:
    return url.partition(":")[0]


def _rest(url: str) -> str:
    return url.partition(":")[2]
