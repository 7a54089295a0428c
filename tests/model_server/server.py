"""The server in a thread of its own, on a free port of this machine."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Self

import uvicorn

from tests.model_server.accounts import Account, Accounts
from tests.model_server.application import application
from tests.model_server.script import Heard, Says, Script

_STOP_S: Final = 5.0
_OF_THE_PROCESS: Final = ("url",)


@dataclass
class _Crowd:
    """Requests being answered at once: how many now, and how many at most."""

    now: int = 0
    most: int = 0


@dataclass
class ModelServer:
    """A context manager; everything may be changed at any time.

    `version` "" is a server that does not tell; `key` "" is one that asks for none; one that
    `counts` says how many tokens a text has. `left` counts callers who did not wait for the end,
    `mistakes` are the test's own.
    """

    script: Script = lambda _: Says({})
    model: str = "small-model"
    key: str = ""
    version: str = "0.32.0"
    context: int = 32_768
    counts: bool = True
    heard: list[Heard] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)  # of the last request
    accounts: Accounts = field(default_factory=Accounts)
    mistakes: list[str] = field(default_factory=list)
    left: int = 0
    url: str = field(default="", init=False)
    _crowd: _Crowd = field(default_factory=_Crowd, init=False)

    def __enter__(self) -> Self:
        # Named as TCP, or asyncio leaves its packets to wait for each other, 40 ms an answer.
        self._socket = socket.socket(proto=socket.IPPROTO_TCP)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen()
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"
        config = uvicorn.Config(
            application(self),
            log_config=None,
            log_level="critical",
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],))
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._server.should_exit = True
        self._thread.join(_STOP_S)
        self._socket.close()
        if raised[0] is None:
            self.check()

    @contextmanager
    def anew(self, **told: Any) -> Iterator[Self]:
        """Run on as if just started, with the fields `told`; check at the end."""
        for name, value in vars(type(self)(**told)).items():
            if name not in _OF_THE_PROCESS:
                setattr(self, name, value)
        yield self
        self.check()

    def check(self) -> None:
        """Fail, once, where a script broke the rules or a schema was not strict."""
        mistakes, self.mistakes = self.mistakes, []
        assert not mistakes, mistakes

    def account(self, purpose: str) -> Account:
        """Return the account of `purpose`, empty where nothing was asked for it."""
        return self.accounts.by_purpose.get(purpose, Account())

    @property
    def calls(self) -> int:
        """How many requests came, of any purpose."""
        return len(self.heard)

    @property
    def paid_twice(self) -> int:
        """How many complete answers repeat one to the same question and attempt."""
        return self.accounts.paid_twice()

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Count a request while it is being answered."""
        crowd = self._crowd  # a late one of an earlier test leaves the crowd that it came to
        crowd.now += 1
        crowd.most = max(crowd.most, crowd.now)
        try:
            yield
        finally:
            crowd.now -= 1

    @property
    def most_at_once(self) -> int:
        """How many requests were being answered at once, at most."""
        return self._crowd.most
