"""Asking a model no more than once: what it said is stored before its first use.

A call that fails stores nothing and may be made again; an answer that came is paid for, so it
stands, valid or not, whatever happens to the process between the answer and its use.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from contracts.memo import Asked, MemoEntry, Source, united
from contracts.ports import Memo

T = TypeVar("T")


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


async def remembered(memo: Memo, asked: Asked, sources: Sequence[Source], call: Call) -> MemoEntry:
    """Return the stored answer to `asked`; where there is none, call and store it first.

    Of two that call at once both pay, and both get the one answer that is stored. Sources that
    the entry has not yet are added, so that a purge of any of them finds it.

    Raises:
        TransientError: the model or the memo cannot be reached; nothing is stored.
        PermanentError: as `call` or the memo raise it; nothing is stored.
    """
    known = await memo.get(asked)
    drawn_on = united(tuple(sources))
    if known is None:
        said = await call(asked)
        known = MemoEntry(
            asked=asked,
            answer=said.answer,
            sources=drawn_on,
            input_tokens=said.input_tokens,
            output_tokens=said.output_tokens,
        )
    elif set(drawn_on) <= set(known.sources):
        return known
    return await memo.put_if_absent(known.model_copy(update={"sources": drawn_on}))


async def first_valid(
    memo: Memo,
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
        spent.append(await remembered(memo, attempt, sources, counted))
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
