"""A broker that lets nobody in without a password, over plain TCP and over TLS."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from kafka import KafkaAdminClient
from kafka.admin import ScramMechanism, UserScramCredentialUpsertion

from deploy.kafka_server import KafkaHome
from graph.loopback import free_port
from streams.kafka.access import KafkaAccess
from streams.kafka.arguments import client_arguments
from tests.conftest import SHORT_LIVED

USER = "storygraft"
PASSWORD = 'a "strange" pass\\wörd #1'

_JAAS = (
    "org.apache.kafka.common.security.plain.PlainLoginModule required "
    'username="broker" password="between-brokers" user_broker="between-brokers" '
    'user_{user}="{password}";'
)

_SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required;"


@dataclass(frozen=True, slots=True)
class SecuredBroker:
    """Its listeners' URLs, and the certificate that it shows, which is its own authority."""

    plain: str
    tls: str
    certificate: Path


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of 127.0.0.1 and its key."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    what = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=broker")
    where = ("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(cert))
    subprocess.run(("openssl", *what, *where), check=True, capture_output=True)
    return cert, key


def let_in_by_scram(access: KafkaAccess) -> None:
    """Give the user its password for SCRAM too, which the brokers keep themselves."""
    client = KafkaAdminClient(**client_arguments(access))
    try:
        wanted = UserScramCredentialUpsertion(USER, ScramMechanism.SCRAM_SHA_512, PASSWORD)
        assert client.alter_user_scram_credentials([wanted]) == {USER: None}
    finally:
        client.close()


def secured(home: Path, jars: Path) -> tuple[KafkaHome, SecuredBroker]:
    """How such a broker is started, and how it is reached then."""
    home.mkdir()
    cert, key = certificate(home)
    store = home / "store.pem"
    store.write_bytes(key.read_bytes() + cert.read_bytes())
    plain, tls, controller = free_port(), free_port(), free_port()
    ours = f"CLIENT://127.0.0.1:{plain},SECURE://127.0.0.1:{tls}"
    escaped = PASSWORD.replace("\\", "\\\\").replace('"', '\\"')
    login = _JAAS.format(user=USER, password=escaped)
    settings = {
        "listeners": f"{ours},CONTROLLER://127.0.0.1:{controller}",
        "advertised.listeners": ours,
        "controller.quorum.voters": f"1@127.0.0.1:{controller}",
        "listener.security.protocol.map": (
            "CLIENT:SASL_PLAINTEXT,SECURE:SASL_SSL,CONTROLLER:PLAINTEXT"
        ),
        "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-512",
        "sasl.mechanism.inter.broker.protocol": "PLAIN",
        "listener.name.client.plain.sasl.jaas.config": login,
        "listener.name.secure.plain.sasl.jaas.config": login,
        "listener.name.client.scram-sha-512.sasl.jaas.config": _SCRAM,
        "listener.name.secure.scram-sha-512.sasl.jaas.config": _SCRAM,
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(store),
    }
    place = KafkaHome(home, jars, settings=settings, jvm_flags=SHORT_LIVED)
    urls = (f"kafka://127.0.0.1:{plain}", f"kafka+s://127.0.0.1:{tls}")
    return place, SecuredBroker(*urls, cert)
