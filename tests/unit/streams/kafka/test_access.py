"""One value says how a cluster is reached, to every library alike, and never shows a password."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from faust import SASLCredentials, SSLCredentials
from faust.transport.drivers.aiokafka import credentials_to_aiokafka_auth
from pydantic import SecretStr

from contracts.errors import PermanentError
from streams.kafka.access import KafkaAccess, Login, Tls, brokers_of
from streams.kafka.arguments import client_arguments, faust_arguments, producer_arguments
from streams.settings import Settings, UnusableSettings, load_settings

SECRET = "hush-hush"
PLAIN = KafkaAccess(("a:9092", "b:9093"))
LOGGED_IN = replace(PLAIN, login=Login("SCRAM-SHA-512", "storygraft", SecretStr(SECRET)))


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate and its key."""
    folder = tmp_path_factory.mktemp("pem")
    cert, key = folder / "cert.pem", folder / "key.pem"
    what = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=us")
    where = ("-keyout", str(key), "-out", str(cert))
    subprocess.run(("openssl", *what, *where), check=True, capture_output=True)
    return cert, key


@pytest.mark.parametrize(
    ("url", "brokers"),
    [
        ("kafka://localhost:9092", ("localhost:9092",)),
        ("kafka+s://a:1,b:2/", ("a:1", "b:2")),
        ("kafka://[::1]:9092, b:2", ("[::1]:9092", "b:2")),
    ],
)
def test_brokers_are_read_from_the_url(url: str, brokers: tuple[str, ...]) -> None:
    assert brokers_of(url) == brokers


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("kafka:", "write kafka://HOST:PORT"),
        ("kafka://", "write kafka://HOST:PORT"),
        ("http://a:1", "write kafka://HOST:PORT"),
        ("kafka://a", "HOST:PORT"),
        ("kafka://a:1,", "HOST:PORT"),
        ("kafka://a:many", "HOST:PORT"),
        ("kafka://u:hush-hush@a:1", "settings"),
        ("kafka://a:1/topic", "more than brokers"),
    ],
)
def test_a_url_that_names_no_brokers_is_refused_with_what_to_write(url: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as refused:
        brokers_of(url)
    assert SECRET not in str(refused.value)


def test_topics_carry_the_prefix() -> None:
    assert replace(PLAIN, prefix="acme.").topic("scenes.g1") == "acme.scenes.g1"


def test_all_libraries_are_given_the_same_plain_cluster() -> None:
    assert client_arguments(PLAIN) == {
        "bootstrap_servers": ["a:9092", "b:9093"],
        "security_protocol": "PLAINTEXT",
    }
    faust = faust_arguments(PLAIN)
    assert faust["broker"] == "kafka://a:9092;kafka://b:9093"
    assert "broker_credentials" not in faust


def test_all_libraries_are_given_the_same_user() -> None:
    client = client_arguments(LOGGED_IN)
    assert client["security_protocol"] == "SASL_PLAINTEXT"
    assert client["sasl_mechanism"] == "SCRAM-SHA-512"
    assert (client["sasl_plain_username"], client["sasl_plain_password"]) == ("storygraft", SECRET)
    credentials = faust_arguments(LOGGED_IN)["broker_credentials"]
    assert isinstance(credentials, SASLCredentials)
    assert credentials.mechanism.value == "SCRAM-SHA-512"
    assert credentials.protocol.value == "SASL_PLAINTEXT"
    assert (credentials.username, credentials.password) == ("storygraft", SECRET)


def test_all_libraries_are_given_the_same_certificates(pem: tuple[Path, Path]) -> None:
    over_tls = replace(PLAIN, tls=Tls(pem[0], *pem))
    client = client_arguments(over_tls)
    assert client["security_protocol"] == "SSL"
    assert [authority["subject"] for authority in client["ssl_context"].get_ca_certs()]
    credentials = faust_arguments(over_tls)["broker_credentials"]
    assert isinstance(credentials, SSLCredentials)
    assert credentials.context.get_ca_certs() == client["ssl_context"].get_ca_certs()

    both = replace(LOGGED_IN, tls=Tls(pem[0]))
    assert client_arguments(both)["security_protocol"] == "SASL_SSL"
    credentials = faust_arguments(both)["broker_credentials"]
    assert isinstance(credentials, SASLCredentials)
    assert credentials.protocol.value == "SASL_SSL"
    assert credentials.ssl_context is not None


@pytest.mark.parametrize("access", [PLAIN, LOGGED_IN], ids=["anybody", "user"])
@pytest.mark.parametrize("over_tls", [False, True])
def test_faust_tells_aiokafka_what_we_tell_it(
    access: KafkaAccess, pem: tuple[Path, Path], *, over_tls: bool
) -> None:
    access = replace(access, tls=Tls(pem[0])) if over_tls else access
    ours: dict[str, object] = {**client_arguments(access)}
    theirs = credentials_to_aiokafka_auth(faust_arguments(access).get("broker_credentials"))
    told = {name: value for name, value in theirs.items() if value is not None}
    del ours["bootstrap_servers"]
    assert (told.pop("ssl_context", None) is None) == (ours.pop("ssl_context", None) is None)
    assert told == ours


def test_a_producer_waits_for_all_brokers_and_takes_large_messages() -> None:
    arguments = producer_arguments(LOGGED_IN)
    assert arguments["acks"] == "all"
    assert arguments["enable_idempotence"]
    assert arguments["max_request_size"] > 16_000_000
    assert faust_arguments(PLAIN)["producer_max_request_size"] == arguments["max_request_size"]


def test_no_repr_shows_the_password() -> None:
    shown = (LOGGED_IN, client_arguments(LOGGED_IN), producer_arguments(LOGGED_IN))
    credentials = faust_arguments(LOGGED_IN).get("broker_credentials")
    for value in (*shown, credentials, vars(credentials)):
        assert SECRET not in repr(value)
        assert SECRET not in str(value)


def test_files_that_are_no_certificates_are_named(tmp_path: Path, pem: tuple[Path, Path]) -> None:
    wrong = tmp_path / "notes.txt"
    wrong.write_text("not a certificate", "utf-8")
    with pytest.raises(PermanentError, match=r"kafka_ca .*notes\.txt holds no PEM"):
        client_arguments(replace(PLAIN, tls=Tls(ca=wrong)))
    with pytest.raises(PermanentError, match=r"kafka_cert .* and kafka_key .*notes\.txt are no"):
        client_arguments(replace(PLAIN, tls=Tls(cert=pem[0], key=wrong)))


def test_settings_give_the_access(tmp_path: Path, pem: tuple[Path, Path]) -> None:
    settings = Settings(
        home=tmp_path,
        kafka_user="storygraft",
        kafka_password=SecretStr(SECRET),
        kafka_mechanism="PLAIN",
        kafka_ca=pem[0],
        topic_prefix="acme.",
    )
    plain = settings.kafka_access("kafka://a:1,b:2")
    assert plain == KafkaAccess(
        ("a:1", "b:2"), "acme.", Login("PLAIN", "storygraft", SecretStr(SECRET))
    )
    assert settings.kafka_access("kafka+s://a:1").tls == Tls(pem[0])


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"log": "kafka://"}, r"log: write kafka://HOST:PORT"),
        ({"log": f"kafka://u:{SECRET}@a:1"}, r"log: the URL holds more than brokers"),
        ({"kafka_user": "u"}, r"kafka_password: set kafka_user and kafka_password both"),
        ({"kafka_password": SECRET}, r"kafka_password: set kafka_user and kafka_password both"),
        ({"kafka_mechanism": "GSSAPI"}, r"kafka_mechanism: .*'SCRAM-SHA-512'"),
        ({"kafka_ca": "/nowhere.pem"}, r"kafka_ca: there is no such file"),
        ({"topic_prefix": "a/b"}, r"topic_prefix: a topic's name has letters"),
        ({"topic_partitions": 0}, r"topic_partitions: .*greater than or equal to 1"),
    ],
)
def test_wrong_settings_are_refused_with_what_to_set(told: dict[str, object], said: str) -> None:
    with pytest.raises(UnusableSettings, match=said) as refused:
        load_settings(None, **told)
    assert SECRET not in str(refused.value)
