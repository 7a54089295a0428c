"""How a Kafka cluster is reached: one value for every library that speaks to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

from pydantic import SecretStr

SCHEMES: Final = ("kafka", "kafka+s")
"""Plain, and over TLS."""

Mechanism = Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]

_NAME: Final = re.compile(r"[a-zA-Z0-9._-]*")
_LONGEST_PREFIX: Final = 200  # a topic's name has 249 characters at most, ours is short


@dataclass(frozen=True, slots=True)
class Login:
    """A SASL user. The password is in no repr."""

    mechanism: Mechanism
    user: str
    password: SecretStr


@dataclass(frozen=True, slots=True)
class Tls:
    """Files in PEM form. Without `ca` the system's authorities are trusted.

    `cert` and `key`, which stand together, say who we are to brokers that ask for it.
    """

    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None


@dataclass(frozen=True, slots=True)
class KafkaAccess:
    """Brokers as `host:port`, who we are to them, and what our topics' names begin with."""

    brokers: tuple[str, ...]
    prefix: str = ""
    login: Login | None = None
    tls: Tls | None = None

    def topic(self, name: str) -> str:
        """Return what a topic of `contracts.topics` is called in this cluster."""
        return self.prefix + name

    @property
    def shown(self) -> str:
        """The brokers, for a sentence."""
        return ", ".join(self.brokers)


def brokers_of(url: str) -> tuple[str, ...]:
    """Return the `host:port` of each broker that `kafka://host:port[,host:port]` names.

    Raises:
        ValueError: it names none, or says more than brokers. The text says what to write.
    """
    scheme, _, rest = url.partition("://")
    if scheme not in SCHEMES or not rest:
        raise ValueError("write kafka://HOST:PORT[,HOST:PORT], or kafka+s:// for TLS")
    return tuple(map(_broker, rest.removesuffix("/").split(",")))


def _broker(place: str) -> str:
    if any(mark in place for mark in "@/?#"):
        raise ValueError("the URL holds more than brokers: user and password are settings")
    try:
        parts = urlsplit(f"//{place.strip()}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port:
        raise ValueError("a broker is written HOST:PORT, several with commas between them")
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_prefix(text: str) -> bool:
    """Say whether a topic's name may begin with `text`."""
    return len(text) <= _LONGEST_PREFIX and _NAME.fullmatch(text) is not None
