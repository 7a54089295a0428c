"""Asking a model no more than once: what it said is stored before its first use.

A call that fails stores nothing and may be made again; an answer that came is paid for, so it
stands, valid or not, whatever happens to the process between the answer and its use.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Final, Generic, Protocol, TypeVar

from contracts.ids import Generation
from contracts.memo import Asked, MemoEntry, Source, united
from contracts.ports import Memo
from contracts.spending import NO_GENERATION, Payment

T = TypeVar("T")
_NS_A_MS: Final = 1_000_000


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
        """Take notice, within the block, of an answer that was paid for and stored."""


class OpenPurse:
    """A purse that permits every call."""

    def paying(
        self, _asked: Asked, _sources: Sequence[Source]
    ) -> AbstractAsyncContextManager[object]:
        """See `Purse.paying`."""
        return nullcontext()

    def note(self, _entry: MemoEntry) -> None:
        """See `Purse.note`."""


@dataclass(frozen=True, slots=True)
class Payer:
    """Who pays for calls: where answers are kept, for which generation, and from which purse.

    `now_ms` (ms since 1970) stamps payments.
    """

    memo: Memo
    generation: Generation = NO_GENERATION
    purse: Purse = field(default_factory=OpenPurse)
    now_ms: Callable[[], int] = lambda: time.time_ns() // _NS_A_MS

    async def pay(self, asked: Asked, sources: tuple[Source, ...], call: Call) -> MemoEntry:
        """Make a call, if that is permitted; return what the memo has then. Raises as both do."""
        async with self.purse.paying(asked, sources):
            began = time.monotonic_ns()
            said = await call(asked)
            took_ms = (time.monotonic_ns() - began) // _NS_A_MS
            paid = MemoEntry(
                asked=asked,
                answer=said.answer,
                sources=sources,
                input_tokens=said.input_tokens,
                output_tokens=said.output_tokens,
                paid=Payment(generation=self.generation, at_ms=self.now_ms(), took_ms=took_ms),
            )
            stored = await self.memo.put_if_absent(paid)
            self.purse.note(paid)
        return stored


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

    Of two that call at once both pay, and both get the one answer that is stored. Sources that
    the entry has not yet are added, so that a purge of any of them finds it.

    Raises:
        TransientError: the model or the memo cannot be reached, or the call is not permitted;
            nothing is stored.
        PermanentError: as `call` or the memo raise it; nothing is stored.
    """
    known = await payer.memo.get(asked)
    drawn_on = united(tuple(sources))
    if known is None:
        return await payer.pay(asked, drawn_on, call)
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
