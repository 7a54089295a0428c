"""The settings of Kafka, which those of everything else are read with."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings

from streams.kafka.access import KafkaAccess, Login, Mechanism, Tls, brokers_of, is_prefix
from streams.kafka.topic_plan import TopicShape


class KafkaSettings(BaseSettings):
    """Who we are to the brokers, and how topics are made. The brokers are in `log`."""

    kafka_user: str = Field(default="", description="SASL user; empty: none is asked for")
    kafka_password: SecretStr | None = Field(
        default=None, validate_default=True, description="and its password"
    )
    kafka_mechanism: Mechanism = Field(
        default="SCRAM-SHA-512", description="how the SASL user shows who it is"
    )
    kafka_ca: Path | None = Field(
        default=None,
        description="PEM file of the authorities that kafka+s:// trusts; none: the system's",
    )
    kafka_cert: Path | None = Field(
        default=None, description="PEM file of our own certificate, where brokers ask for one"
    )
    kafka_key: Path | None = Field(
        default=None, validate_default=True, description="and of its private key"
    )
    topic_prefix: str = Field(default="", description="what the names of all topics begin with")
    topic_partitions: int = Field(
        default=8,
        ge=1,
        le=10_000,
        description="partitions a topic: at most so many workers share a stage",
    )
    topic_replication: int = Field(
        default=1, ge=1, le=100, description="brokers that keep each partition"
    )
    topic_keep_days: int = Field(
        default=0,
        ge=0,
        description="days that what replay reads is kept (chapters, scenes, embedded, dead "
        "letters); 0: without limit",
    )

    @field_validator("kafka_password")
    @classmethod
    def _of_somebody(cls, password: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if (password is None) == bool(info.data.get("kafka_user")):
            raise ValueError("set kafka_user and kafka_password both, or neither")
        return password

    @field_validator("kafka_ca", "kafka_cert", "kafka_key")
    @classmethod
    def _is_there(cls, file: Path | None) -> Path | None:
        if file is not None and not file.is_file():
            raise ValueError("there is no such file")
        return file

    @field_validator("kafka_key")
    @classmethod
    def _of_a_certificate(cls, key: Path | None, info: ValidationInfo) -> Path | None:
        if (key is None) == bool(info.data.get("kafka_cert")):
            raise ValueError("set kafka_cert and kafka_key both, or neither")
        return key

    @field_validator("topic_prefix")
    @classmethod
    def _fits_a_name(cls, prefix: str) -> str:
        if not is_prefix(prefix):
            raise ValueError("a topic's name has letters, digits, dots, hyphens and underscores")
        return prefix

    @property
    def topic_shape(self) -> TopicShape:
        """How topics are made."""
        return TopicShape(self.topic_partitions, self.topic_replication, self.topic_keep_days)

    def kafka_access(self, url: str) -> KafkaAccess:
        """Return how the brokers of `url`, which is a usable one, are reached."""
        password = self.kafka_password
        login = Login(self.kafka_mechanism, self.kafka_user, password) if password else None
        tls = Tls(self.kafka_ca, self.kafka_cert, self.kafka_key)
        over_tls = url.startswith("kafka+s:")
        return KafkaAccess(brokers_of(url), self.topic_prefix, login, tls if over_tls else None)
