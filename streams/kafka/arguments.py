"""What each library is to be given to reach the same cluster: aiokafka, kafka-python and Faust.

A password stands among the arguments, for a library wants it; no repr of them shows it.
"""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Final, TypedDict

from contracts.errors import PermanentError
from streams.kafka.access import KafkaAccess, Tls
from streams.message_sizes import MAX_MESSAGE_BYTES, ROOM_FOR_HEADERS

if TYPE_CHECKING:
    from faust.types.auth import CredentialsT

_LARGEST_BYTES: Final = MAX_MESSAGE_BYTES + ROOM_FOR_HEADERS  # that of a dead letter


class Hidden(str):
    """A text that no repr, and so no log of a whole configuration, shows."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'**********'"


class ClientArguments(TypedDict, total=False):
    """What aiokafka's clients and kafka-python's take alike."""

    bootstrap_servers: list[str]
    security_protocol: str
    ssl_context: ssl.SSLContext
    sasl_mechanism: str
    sasl_plain_username: str
    sasl_plain_password: str


class ProducerArguments(ClientArguments, total=False):
    """What `aiokafka.AIOKafkaProducer` takes, for a producer that writes each event once."""

    acks: str
    enable_idempotence: bool
    max_request_size: int


class FaustArguments(TypedDict, total=False):
    """What `faust.App` takes."""

    broker: str
    broker_credentials: CredentialsT
    producer_max_request_size: int


def client_arguments(access: KafkaAccess) -> ClientArguments:
    """Return what `AIOKafkaConsumer`, `KafkaAdminClient` and their like take.

    Raises:
        PermanentError: a TLS file cannot be used.
    """
    arguments = ClientArguments(
        bootstrap_servers=list(access.brokers), security_protocol=_protocol(access)
    )
    if access.tls is not None:
        arguments["ssl_context"] = _context(access.tls)
    if access.login is not None:
        arguments["sasl_mechanism"] = access.login.mechanism
        arguments["sasl_plain_username"] = access.login.user
        arguments["sasl_plain_password"] = Hidden(access.login.password.get_secret_value())
    return arguments


def producer_arguments(access: KafkaAccess) -> ProducerArguments:
    """Return what a producer takes whose events arrive once and in order, as long as it lives.

    Raises:
        PermanentError: a TLS file cannot be used.
    """
    return ProducerArguments(
        **client_arguments(access),
        acks="all",
        enable_idempotence=True,
        max_request_size=_LARGEST_BYTES,
    )


def faust_arguments(access: KafkaAccess) -> FaustArguments:
    """Return what a Faust app takes.

    Raises:
        PermanentError: a TLS file cannot be used.
    """
    arguments = FaustArguments(
        broker=";".join(f"kafka://{broker}" for broker in access.brokers),
        producer_max_request_size=_LARGEST_BYTES,
    )
    credentials = _faust_credentials(access)
    if credentials is not None:
        arguments["broker_credentials"] = credentials
    return arguments


def _faust_credentials(access: KafkaAccess) -> CredentialsT | None:
    from faust import SASLCredentials, SSLCredentials

    context = None if access.tls is None else _context(access.tls)
    if access.login is None:
        return None if context is None else SSLCredentials(context)
    return SASLCredentials(
        mechanism=access.login.mechanism,
        username=access.login.user,
        password=Hidden(access.login.password.get_secret_value()),
        ssl_context=context,
    )


def _protocol(access: KafkaAccess) -> str:
    below = "PLAINTEXT" if access.tls is None else "SSL"
    return below if access.login is None else f"SASL_{below}"


def _context(tls: Tls) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=tls.ca)
    except (OSError, ssl.SSLError) as error:
        raise PermanentError(f"kafka_ca {tls.ca} holds no PEM certificates.") from error
    if tls.cert is not None:
        try:
            context.load_cert_chain(tls.cert, tls.key, password=_no_password)
        except (OSError, ssl.SSLError) as error:
            raise PermanentError(
                f"kafka_cert {tls.cert} and kafka_key {tls.key} are no certificate and its "
                "private key in PEM form, without a password."
            ) from error
    return context


def _no_password() -> str:
    """Without it, OpenSSL asks at the terminal for the password of a locked key."""
    return ""
