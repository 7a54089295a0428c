"""The only place that names adapters: each is chosen by the scheme of its URL in the settings.

They are imported where they are made: a command that only prints its help, or asks the owner of a
home, does not pay for them.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platformdirs import user_cache_path

from contracts.errors import PermanentError
from streams.ahead import Ahead
from streams.backup.restore_journal import unfinished_restore
from streams.caps import Caps, capped_payer, for_placing

if TYPE_CHECKING:
    from contracts.chat import Chat
    from contracts.ids import Generation
    from contracts.ports import EventLog, Memo, TreeStore, VectorStore
    from graph.advising import Advising
    from graph.arcade_process import ArcadeAddress
    from processors.openai_chat import OpenAIChat
    from processors.remembering import Payer
    from processors.walking.reader import ModelReader
    from streams.settings import Settings

_LOG_FILE: Final = "events.sqlite"
_VECTOR_FILE: Final = "vectors.db"
_GRAPH_FOLDER: Final = "graph"
_MEMO_FILE: Final = "memo.sqlite"


def is_empty(settings: Settings) -> bool:
    """Say whether nothing was ever indexed in the home, without opening it."""
    files = (log_file(settings), vector_folder(settings), graph_folder(settings))
    return files[0] is not None and not any(file and file.exists() for file in files)


def lives_in_home(settings: Settings) -> bool:
    """Say whether any store is embedded: two processes must not open it."""
    urls = (settings.log, settings.vectors, settings.graph)
    return any(_scheme(url) in ("sqlite", "milvus-lite", "arcade") for url in urls)


def graph_folder(settings: Settings) -> Path | None:
    """Return where the embedded graph lies, None if it is not embedded."""
    return _path(settings.graph, "arcade", settings.home / _GRAPH_FOLDER)


def vector_folder(settings: Settings) -> Path | None:
    """Return where the embedded vectors lie, None if they are not embedded."""
    return _path(settings.vectors, "milvus-lite", settings.home / _VECTOR_FILE)


def log_file(settings: Settings) -> Path | None:
    """Return where the event log lies, None if it is no file."""
    return _path(settings.log, "sqlite", settings.home / _LOG_FILE)


def memo_file(settings: Settings) -> Path | None:
    """Return where the memo lies, None if it is no file."""
    return _path(settings.memo, "sqlite", settings.home / _MEMO_FILE)


async def require_topic(settings: Settings, topic: str) -> None:
    """Return if the log can have the topic: a local one makes it at its first record.

    Raises:
        TransientError: no broker answers.
        PermanentError: the brokers refuse us, or have no such topic.
    """
    if settings.on_kafka:
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
    if settings.on_kafka:
        from streams.kafka.event_log import KafkaEventLog

        return KafkaEventLog(settings.kafka_access(settings.kafka_url))
    from streams.logs.sqlite_log import SqliteEventLog

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


def _path(url: str, scheme: str, usual: Path) -> Path | None:
    """Return the path that `url` names, `usual` if it names none; None if it has another scheme."""
    found, _, path = url.partition(":")
    return Path(path or usual) if found == scheme else None
