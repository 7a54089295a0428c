"""Whether brokers let us in, and if not, why: clients tell only that they could not connect."""

from __future__ import annotations

import asyncio
import socket
import ssl
from dataclasses import dataclass
from typing import Final

from aiokafka import errors
from aiokafka.conn import create_conn
from aiokafka.protocol.metadata import MetadataRequest

from contracts.errors import PermanentError, StorygraftError, TransientError
from streams.kafka.access import KafkaAccess
from streams.kafka.arguments import client_arguments

_ANSWER_MS: Final = 10_000  # a broker that does not answer in this is down to whoever waits


@dataclass(frozen=True, slots=True)
class _Advice:
    """What an error is to us, and its sentence."""

    of: type[Exception]
    kind: type[StorygraftError]
    text: str


_NO_ANSWER: Final = "{broker} does not answer: start it, or look at its address in `log` or --to."

_ADVICE: Final = (  # the first that fits
    _Advice(
        errors.SaslAuthenticationFailed,
        PermanentError,
        "{broker} refuses the user {user!r}: look at kafka_user, kafka_password, kafka_mechanism.",
    ),
    _Advice(
        errors.UnsupportedSaslMechanismError,
        PermanentError,
        "{broker} does not take {mechanism}: set kafka_mechanism to one that it takes.",
    ),
    _Advice(
        errors.IllegalSaslStateError,
        PermanentError,
        "{broker} asks for no user at that port: give the port that does, or leave out kafka_user "
        "and kafka_password.",
    ),
    _Advice(
        ssl.SSLCertVerificationError,
        PermanentError,
        "{broker} shows a certificate that is not trusted ({why}): look at kafka_ca, and at the "
        "name by which you reach it.",
    ),
    _Advice(
        ssl.SSLError,
        PermanentError,
        "{broker} does not agree on TLS ({why}): look at kafka_cert and kafka_key, and whether "
        "that port speaks TLS.",
    ),
    _Advice(
        socket.gaierror,
        TransientError,
        "{broker} has no address: look at its name in `log` or --to.",
    ),
    _Advice(ConnectionRefusedError, TransientError, _NO_ANSWER),
    _Advice(TimeoutError, TransientError, _NO_ANSWER),
    _Advice(
        Exception,
        TransientError,
        "{broker} closed the connection: if it is up, it wants TLS (kafka+s:// in place of "
        "kafka://, or the other way round) or a user (kafka_user).",
    ),
)


async def require_brokers(access: KafkaAccess) -> None:
    """Return if one of the brokers lets us in.

    Raises:
        TransientError: none answers, as each of them was asked.
        PermanentError: one refuses who we are; the text says what to do.
    """
    found = await asyncio.gather(*(_trouble(access, broker) for broker in access.brokers))
    troubles = [trouble for trouble in found if trouble is not None]
    if len(troubles) < len(found):
        return
    refusals = [trouble for trouble in troubles if isinstance(trouble, PermanentError)]
    raise next(iter(refusals), troubles[0])


async def _trouble(access: KafkaAccess, broker: str) -> StorygraftError | None:
    try:
        await _asked(access, broker)
    except (OSError, errors.KafkaError) as error:
        explained = _explained(access, broker, error)
        explained.__cause__ = error
        return explained
    return None


async def _asked(access: KafkaAccess, broker: str) -> None:
    host, _, port = broker.rpartition(":")
    arguments = client_arguments(access)
    connection = await create_conn(
        host.strip("[]"),
        int(port),
        request_timeout_ms=_ANSWER_MS,
        ssl_context=arguments.get("ssl_context"),
        security_protocol=arguments["security_protocol"],
        sasl_mechanism=arguments.get("sasl_mechanism"),
        sasl_plain_username=arguments.get("sasl_plain_username"),
        sasl_plain_password=arguments.get("sasl_plain_password"),
    )
    try:
        await connection.send(MetadataRequest([]))
    finally:
        connection.close()


def _explained(
    access: KafkaAccess, broker: str, error: OSError | errors.KafkaError
) -> StorygraftError:
    """Say what a person can do about it."""
    advice = next(advice for advice in _ADVICE if isinstance(error, advice.of))
    text = advice.text.format(
        broker=broker,
        user=access.login.user if access.login else "",
        mechanism=access.login.mechanism if access.login else "",
        why=getattr(error, "verify_message", "") or getattr(error, "reason", ""),
    )
    return advice.kind(f"The Kafka broker {text}")
