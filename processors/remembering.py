"""Asking a model no more than once: what it said is stored before its first use.

A call that fails stores nothing and may be made again; an answer that came is paid for, so it
stands, valid or not, whatever happens to the process between the answer and its use.

Two never ask the same at once, in one process or in two: who asks has claimed the question in the
memo, and the others wait for the answer. And a call that has begun is not given up when nobody
here wants its answer any more, as when its chapter's partition becomes another worker's: it is
paid for in any case, so it is waited for and stored, and the other worker finds it. An answer that
comes while the memo is down is kept here until it can be stored.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Final, Generic, Protocol, TypeVar

from contracts import clock
from contracts.errors import StorygraftError, TransientError
from contracts.ids import Generation
from contracts.memo import Asked, MemoEntry, Source, united
from contracts.ports import Memo
from contracts.spending import NO_GENERATION, Payment

T = TypeVar("T")
_NS_A_MS: Final = 1_000_000
_CLAIM_S: Final = 15.0  # what a killed process claimed is free after so long: as its partitions are
_RENEW_S: Final = _CLAIM_S / 3
_LOOK_AGAIN_S: Final = 0.3


@dataclass(frozen=True, slots=True)
class Said:
    """A complete answer of a model and what it cost."""

    answer: str
    input_tokens: int = 0
    output_tokens: int = 0


Call = Callable[[Asked], Awaitable[Said]]
"""Asks the model for real. It returns only complete answers; a transport error is raised."""

Parse = Callable[[str], T]
"""Reads an answer: pure, so that a stored answer always reads the same; ValueError if unfit."""


class Purse(Protocol):
    """What calls are paid from."""

    def paying(
        self, asked: Asked, sources: Sequence[Source]
    ) -> AbstractAsyncContextManager[object]:
        """Return a block within which a call that shows `sources` may be made.

        It may be waited for until it begins, and raises TransientError where the call may not be
        made now; the text says why, and what to do.
        """

    def note(self, entry: MemoEntry) -> None:
        """Take notice, within the block, of an answer that was paid for."""


class OpenPurse:
    """A purse that permits every call."""

    def paying(
        self, _asked: Asked, _sources: Sequence[Source]
    ) -> AbstractAsyncContextManager[object]:
        """See `Purse.paying`."""
        return nullcontext()

    def note(self, _entry: MemoEntry) -> None:
        """See `Purse.note`."""


@dataclass(slots=True)
class _Asking:
    """A question that is being asked: `wanted` by so many, and whether the model has `heard` it."""

    wanted: int = 0
    heard: bool = False
    task: asyncio.Task[MemoEntry] = field(init=False)


@dataclass(frozen=True, slots=True)
class Payer:
    """Who pays for calls: where answers are kept, for which generation, and from which purse.

    `now_ms` (ms since 1970) stamps payments, `name` stands in claims: a nonce on which no result
    depends. Use it from one event loop, and `close` it before the memo and the model.
    """

    memo: Memo
    generation: Generation = NO_GENERATION
    purse: Purse = field(default_factory=OpenPurse)
    now_ms: Callable[[], int] = clock.now_ms
    name: str = field(default_factory=lambda: str(uuid.uuid4()))
    _asking: dict[str, _Asking] = field(default_factory=dict, repr=False, compare=False)
    _unstored: dict[str, MemoEntry] = field(default_factory=dict, repr=False, compare=False)

    async def pay(self, asked: Asked, sources: tuple[Source, ...], call: Call) -> MemoEntry:
        """Make a call, if that is permitted; return what the memo has then. Raises as both do.

        Where the same is being asked already, here or elsewhere, that answer is waited for. When
        this is cancelled, a call that has begun goes on, and its answer is stored.
        """
        asking = self._asking.get(asked.key)
        if asking is None:
            asking = self._begin(asked, sources, call)
        asking.wanted += 1
        try:
            return await asyncio.shield(asking.task)
        finally:
            asking.wanted -= 1
            if not asking.wanted and not asking.heard:
                asking.task.cancel()
                self._ended(asked, asking)

    async def close(self) -> None:
        """Give up every call that has not ended."""
        tasks = [each.task for each in self._asking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, asked: Asked, sources: tuple[Source, ...], call: Call) -> _Asking:
        asking = self._asking[asked.key] = _Asking()
        asking.task = asyncio.create_task(self._ask(asked, sources, call, asking))
        asking.task.add_done_callback(lambda _: self._ended(asked, asking))
        return asking

    def _ended(self, asked: Asked, asking: _Asking) -> None:
        if self._asking.get(asked.key) is asking:
            del self._asking[asked.key]
        if asking.task.done() and not asking.task.cancelled():
            asking.task.exception()  # looked at: nobody may be left who waits for it

    async def _ask(
        self, asked: Asked, sources: tuple[Source, ...], call: Call, asking: _Asking
    ) -> MemoEntry:
        while not await self.memo.claim(asked, self.name, _CLAIM_S):
            known = await self.memo.get(asked)
            if known is not None:
                return known
            await asyncio.sleep(_LOOK_AGAIN_S)
        async with self._claimed(asked):
            paid = self._unstored.pop(asked.key, None)
            if paid is None:
                async with self.purse.paying(asked, sources):
                    asking.heard = True
                    paid = await self._answer(asked, sources, call)
                    self.purse.note(paid)
            try:
                return await self.memo.put_if_absent(paid)
            except (TransientError, asyncio.CancelledError):
                self._unstored[asked.key] = paid
                raise

    async def _answer(self, asked: Asked, sources: tuple[Source, ...], call: Call) -> MemoEntry:
        began = time.monotonic_ns()
        said = await call(asked)
        took_ms = (time.monotonic_ns() - began) // _NS_A_MS
        return MemoEntry(
            asked=asked,
            answer=said.answer,
            sources=sources,
            input_tokens=said.input_tokens,
            output_tokens=said.output_tokens,
            paid=Payment(generation=self.generation, at_ms=self.now_ms(), took_ms=took_ms),
        )

    @asynccontextmanager
    async def _claimed(self, asked: Asked) -> AsyncIterator[None]:
        """Keep the claim to a question that is ours, and let go of it at the end of the block."""
        keeping = asyncio.create_task(self._keep(asked))
        try:
            yield
        finally:
            keeping.cancel()
            with suppress(StorygraftError):  # it ends by itself
                await self.memo.release(asked, self.name)

    async def _keep(self, asked: Asked) -> None:
        while True:
            await asyncio.sleep(_RENEW_S)
            with suppress(StorygraftError):  # it lasts a while longer, and is asked for again
                await self.memo.claim(asked, self.name, _CLAIM_S)


@dataclass(frozen=True, slots=True)
class Tried(Generic[T]):
    """How asking until an answer is valid went.

    `value` is None where every attempt was spent on unfit answers. The tokens are those of all
    `attempts`, whoever paid for them and when: the same on every reading. `calls` says how many
    were made now.
    """

    value: T | None
    attempts: int
    input_tokens: int
    output_tokens: int
    calls: int


async def remembered(
    payer: Payer, asked: Asked, sources: Sequence[Source], call: Call
) -> MemoEntry:
    """Return the stored answer to `asked`; where there is none, call and store it first.

    Sources that the entry has not yet are added, so that a purge of any of them finds it.

    Raises:
        TransientError: the model or the memo cannot be reached, or the call is not permitted;
            nothing is stored.
        PermanentError: as `call` or the memo raise it; nothing is stored.
    """
    drawn_on = united(tuple(sources))
    known = await payer.memo.get(asked) or await payer.pay(asked, drawn_on, call)
    if set(drawn_on) <= set(known.sources):
        return known
    return await payer.memo.put_if_absent(known.model_copy(update={"sources": drawn_on}))


async def first_valid(
    payer: Payer,
    asked: Asked,
    sources: Sequence[Source],
    call: Call,
    parse: Parse[T],
    attempts: int,
) -> Tried[T]:
    """Return the first answer that `parse` takes, of at most `attempts` remembered ones.

    The n-th attempt is `asked` with `attempt` n, from 0: a stored answer that is unfit counts as
    its attempt spent, so that a chapter which is delivered again costs nothing again.

    Raises:
        TransientError: see `remembered`; the attempts before it stay stored.
        PermanentError: see `remembered`.
    """
    calls = 0

    async def counted(asked: Asked) -> Said:
        nonlocal calls
        calls += 1
        return await call(asked)

    spent: list[MemoEntry] = []
    value: T | None = None
    while value is None and len(spent) < attempts:
        attempt = asked.model_copy(update={"attempt": len(spent)})
        spent.append(await remembered(payer, attempt, sources, counted))
        value = _read(parse, spent[-1].answer)
    return Tried(
        value=value,
        attempts=len(spent),
        input_tokens=sum(entry.input_tokens for entry in spent),
        output_tokens=sum(entry.output_tokens for entry in spent),
        calls=calls,
    )


def _read(parse: Parse[T], answer: str) -> T | None:
    try:
        return parse(answer)
    except ValueError:
        return None
