"""Who is let in by real brokers, and what those are told who are not."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from contracts.errors import PermanentError, TransientError
from contracts.ports import NewRecord
from contracts.topics import CHAPTERS
from deploy.kafka_server import KafkaServer
from graph.loopback import free_port
from streams.kafka import topics
from streams.kafka.access import KafkaAccess, Login, brokers_of
from streams.kafka.admin import require_topics
from streams.kafka.probing import require_brokers
from streams.kafka.producing import record_producer
from streams.kafka.topic_plan import TopicShape
from streams.settings import Settings
from tests.e2e.kafka.reading import records_of
from tests.e2e.kafka.secured_broker import (
    PASSWORD,
    USER,
    SecuredBroker,
    certificate,
    let_in_by_scram,
    secured,
)

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory, kafka_jars: Path) -> Iterator[SecuredBroker]:
    place, reached = secured(tmp_path_factory.mktemp("kafka") / "secured", kafka_jars)
    server = KafkaServer(place)
    server.start()
    try:
        plain = KafkaAccess(
            brokers_of(reached.plain), "", Login("PLAIN", USER, SecretStr(PASSWORD))
        )
        let_in_by_scram(plain)
        yield reached
    finally:
        server.stop()


Access = Callable[..., KafkaAccess]


@pytest.fixture
def access(tmp_path: Path) -> Access:
    """The access that settings of the right user give, but for what is told otherwise."""

    def of(url: str, **told: object) -> KafkaAccess:
        right = {"kafka_user": USER, "kafka_password": PASSWORD, "kafka_mechanism": "PLAIN"}
        return Settings.model_validate({"home": tmp_path, **right, **told}).kafka_access(url)

    return of


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-512"])
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
async def test_every_library_is_let_in_with_the_password(
    broker: SecuredBroker, access: Access, mechanism: str, *, tls: bool
) -> None:
    entered = access(
        broker.tls if tls else broker.plain,
        kafka_ca=broker.certificate,
        kafka_mechanism=mechanism,
        topic_prefix=f"{mechanism}.{tls}.",
    )
    assert not (await topics.create(entered, TopicShape(partitions=1))).faults
    async with record_producer(entered) as producer:
        await producer.send(NewRecord(CHAPTERS, b"key", b"value", (("source", b"test"),)))
    (record,) = await records_of(entered, CHAPTERS)
    assert (record.key, record.value, record.headers) == (
        b"key",
        b"value",
        (("source", b"test"),),
    )


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"kafka_password": SecretStr("guessed-wrong")}, "refuses the user 'storygraft'"),
        (
            {"kafka_mechanism": "SCRAM-SHA-512", "kafka_password": SecretStr("guessed-wrong")},
            "refuses the user 'storygraft'",
        ),
        ({"kafka_mechanism": "SCRAM-SHA-256"}, "does not take SCRAM-SHA-256"),
    ],
)
async def test_the_wrong_password_or_mechanism_is_refused_with_the_setting_to_look_at(
    broker: SecuredBroker, access: Access, told: dict[str, object], said: str
) -> None:
    with pytest.raises(PermanentError, match=said) as refused:
        await require_topics(access(broker.plain, **told), [CHAPTERS])
    assert "kafka_mechanism" in str(refused.value)
    assert "guessed-wrong" not in str(refused.value)


async def test_whoever_gives_no_user_or_no_tls_is_told_what_may_be_missing(
    broker: SecuredBroker, access: Access
) -> None:
    nobody = KafkaAccess(access(broker.plain).brokers)
    with pytest.raises(TransientError, match=r"wants TLS .* or a user"):
        await require_brokers(nobody)
    without_tls = access(broker.tls.replace("kafka+s", "kafka"))
    with pytest.raises(TransientError, match=r"wants TLS .* or a user"):
        await require_brokers(without_tls)


async def test_a_certificate_of_a_stranger_is_refused(
    broker: SecuredBroker, access: Access, tmp_path: Path
) -> None:
    another, _ = certificate(tmp_path)
    with pytest.raises(PermanentError, match=r"certificate that is not trusted.*kafka_ca"):
        await require_brokers(access(broker.tls, kafka_ca=another))
    with pytest.raises(PermanentError, match=r"certificate that is not trusted.*kafka_ca"):
        await require_brokers(access(broker.tls))


async def test_a_password_where_nobody_asks_for_one_is_refused(
    kafka_url: str, access: Access
) -> None:
    with pytest.raises(PermanentError, match="asks for no user at that port"):
        await require_brokers(access(kafka_url))


async def test_a_broker_that_is_not_there_is_waited_for_by_whoever_wants_to() -> None:
    port = free_port()
    with pytest.raises(TransientError, match=rf"127\.0\.0\.1:{port} does not answer: start it"):
        await require_brokers(KafkaAccess((f"127.0.0.1:{port}",)))
    with pytest.raises(TransientError, match="has no address: look at its name"):
        await require_brokers(KafkaAccess(("no-such-host.invalid:9092",)))


async def test_one_broker_that_answers_is_enough(kafka_url: str) -> None:
    there = kafka_url.removeprefix("kafka://")
    await require_brokers(KafkaAccess((f"127.0.0.1:{free_port()}", there)))


async def test_what_listens_but_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streams.kafka.probing._ANSWER_MS", 200)
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        with pytest.raises(TransientError, match="does not answer"):
            await require_brokers(KafkaAccess((f"127.0.0.1:{mute.getsockname()[1]}",)))
