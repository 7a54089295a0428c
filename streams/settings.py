"""What an operator may set: `STORYGRAFT_…` in the environment, or a TOML file.

What is given on the command line comes first, then the environment, then the file.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from contracts.chat import Sampling
from contracts.errors import StorygraftError
from contracts.prices import Prices
from graph.placement_weights import WEIGHTS, Weights, read_weights
from streams.kafka.access import SCHEMES as KAFKA_SCHEMES
from streams.kafka.access import brokers_of
from streams.kafka.settings import KafkaSettings

CONFIG_FILE: Final = "storygraft.toml"
_SCHEMES: Final = {
    "log": ("sqlite", "memory", *KAFKA_SCHEMES),
    "vectors": ("milvus-lite", "http", "https", "memory"),
    "graph": ("arcade", "bolt", "bolt+s", "neo4j", "neo4j+s", "memory"),
    "memo": ("sqlite", "bolt", "bolt+s", "neo4j", "neo4j+s", "memory"),
}


class UnusableSettings(StorygraftError):  # noqa: N818 - what is wrong, as a person would say it
    """A setting cannot be used; the text names it and says what it may be."""


class Settings(KafkaSettings):
    """All settings, read once. One URL a port; its scheme picks the adapter."""

    model_config = SettingsConfigDict(env_prefix="STORYGRAFT_", extra="forbid", frozen=True)

    home: Path = Field(
        default_factory=lambda: user_data_path("storygraft"),
        description="the data directory of everything that is embedded",
    )
    log: str = Field(
        default="sqlite:", description="sqlite: (in the home), sqlite:PATH, kafka://HOST:PORT"
    )
    vectors: str = Field(
        default="milvus-lite:",
        description="milvus-lite: (in the home), milvus-lite:PATH, http://HOST:PORT",
    )
    graph: str = Field(
        default="arcade:", description="arcade: (in the home), bolt://HOST:PORT, neo4j://HOST:PORT"
    )
    memo: str = Field(
        default="sqlite:",
        description="models' answers: sqlite: (in the home), sqlite:PATH, or a graph server's URL",
    )
    graph_user: str = Field(default="neo4j", description="user of a graph server")
    graph_password: SecretStr | None = Field(default=None, description="and its password")
    graph_database: str | None = Field(default=None, description="database on a graph server")
    generation: str = Field(
        default="",
        pattern=r"^[A-Za-z0-9_]{0,32}$",
        description="the generation that is written; empty: the one that these settings make",
    )
    reindex_share: float = Field(
        default=0.5,
        gt=0,
        le=1,
        description="of the time of a process that builds a generation beside the live one",
    )
    max_body_bytes: int = Field(
        default=4_000_000, ge=1_000, description="a larger chapter is a dead letter"
    )
    owner_idle_s: int = Field(
        default=600, ge=0, description="an owner that a command started ends after so long; 0: none"
    )
    words: int = Field(default=1_000, ge=1, description="words of evidence a search returns")
    model: str = Field(
        default="", description="an OpenAI-compatible API, as http://HOST:8000/v1; empty: no model"
    )
    model_name: str = Field(
        default="", validate_default=True, description="the model, as its server names it"
    )
    model_key: SecretStr | None = Field(default=None, description="the server's API key")
    model_timeout_s: float = Field(
        default=300.0, gt=0, description="a model's answer that takes longer is given up"
    )
    model_concurrency: int = Field(default=8, ge=1, description="requests to the model at once")
    model_context: int = Field(
        default=32_768, ge=1_024, description="tokens the model takes, its answer included"
    )
    temperature: float = Field(default=0.7, ge=0, le=2, description="of the model's sampling")
    top_p: float = Field(default=0.8, gt=0, le=1, description="of the model's sampling")
    max_output_tokens: int = Field(
        default=8_192,
        ge=256,
        validate_default=True,
        description="a model's answer is cut after so many tokens",
    )
    segmenter: Literal["", "cohesion", "litseg-lite", "litseg"] = Field(
        default="",
        validate_default=True,
        description="what cuts chapters into scenes: cohesion (no model), litseg-lite (one call a "
        "chunk), litseg (three); empty: litseg-lite where a model is set",
    )
    segment_attempts: int = Field(
        default=3, ge=1, le=20, description="answers a chunk gets before the best is mended"
    )
    segment_ahead: int = Field(
        default=0,
        ge=0,
        le=256,
        description="chapters that the model is asked about before their turn, in a process; one "
        "that is killed asks again about so many",
    )
    teacher_temperature: float = Field(default=1.0, ge=0, le=2, description="of litseg's sampling")
    teacher_top_p: float = Field(default=0.95, gt=0, le=1, description="of litseg's sampling")
    max_tokens: int = Field(
        default=0,
        ge=0,
        description="tokens that the model may cost for a generation of the index; 0: no cap",
    )
    max_tokens_per_day: int = Field(default=0, ge=0, description="the same, on one UTC day")
    max_tokens_per_work: int = Field(default=0, ge=0, description="the same, for one work")

    price_input: float = Field(default=0.0, ge=0, description="of a million tokens that it reads")
    price_output: float = Field(default=0.0, ge=0, description="of a million that it writes")
    currency: str = Field(default="", description="of the prices, as it is to be shown")

    placement_advice: Literal["close", "all", "none"] = Field(
        default="close",
        description="the scenes whose thread the model is asked about, in one call a chapter: those"
        " that the scores leave open, all, or none",
    )
    placement_weights: Path | None = Field(
        default=None,
        description="what each sign counts when a scene is placed: a table as `python -m "
        "replay.evaluation.fitting_threads` writes it; none: the built-in one",
    )

    @property
    def weights(self) -> Weights:
        """What each sign counts when a scene is placed."""
        return read_weights(self.placement_weights) if self.placement_weights else WEIGHTS

    @property
    def on_kafka(self) -> bool:
        """Whether the log is a cluster's, and workers run the stages."""
        return self.log.partition(":")[0] in KAFKA_SCHEMES

    @property
    def kafka_url(self) -> str:
        """The URL of the brokers.

        Raises:
            UnusableSettings: the log is somewhere else.
        """
        if not self.on_kafka:
            raise UnusableSettings(
                "Which Kafka? Give --to kafka://HOST:PORT, or set `log` (STORYGRAFT_LOG) to it."
            )
        return self.log

    @property
    def sampling(self) -> Sampling:
        """How the model chooses its words."""
        return Sampling(
            temperature=self.temperature,
            top_p=self.top_p,
            max_output_tokens=self.max_output_tokens,
        )

    @property
    def teacher_sampling(self) -> Sampling:
        """How the model chooses its words for `litseg`."""
        return Sampling(
            temperature=self.teacher_temperature,
            top_p=self.teacher_top_p,
            max_output_tokens=self.max_output_tokens,
        )

    @property
    def prices(self) -> Prices | None:
        """What the model costs, None where nobody has said."""
        if not self.price_input and not self.price_output:
            return None
        return Prices(input=self.price_input, output=self.price_output, currency=self.currency)

    @property
    def chosen_segmenter(self) -> str:
        """The segmenter's name, also where the settings leave it open."""
        return self.segmenter or ("litseg-lite" if self.model else "cohesion")

    @field_validator("home")
    @classmethod
    def _expanded(cls, home: Path) -> Path:
        return home.expanduser().absolute()

    @field_validator("placement_weights")
    @classmethod
    def _readable_weights(cls, file: Path | None) -> Path | None:
        if file is None:
            return None
        read_weights(file := file.expanduser().absolute())
        return file

    @field_validator("log", "vectors", "graph", "memo")
    @classmethod
    def _known_scheme(cls, url: str, info: ValidationInfo) -> str:
        known = _SCHEMES[info.field_name or ""]
        if url.partition(":")[0] not in known or ":" not in url:
            shown = ", ".join(f"{scheme}:" for scheme in known)
            raise ValueError(f"the URL begins with none of {shown}")
        if url.startswith("kafka"):
            brokers_of(url)
        return url

    @field_validator("model")
    @classmethod
    def _plain_url(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and (parts.scheme not in ("http", "https") or not parts.hostname):
            raise ValueError("the URL begins with none of http://HOST, https://HOST")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("the URL holds more than a host and a path; a key goes into model_key")
        return url

    @field_validator("model_name")
    @classmethod
    def _named(cls, name: str, info: ValidationInfo) -> str:
        if info.data.get("model") and not name:
            raise ValueError("`model` is set: say which of its models to use")
        return name

    @field_validator("segmenter")
    @classmethod
    def _has_its_model(cls, segmenter: str, info: ValidationInfo) -> str:
        if segmenter.startswith("litseg") and not info.data.get("model"):
            raise ValueError(f"{segmenter} asks a language model: set `model` and `model_name`")
        return segmenter

    @field_validator("max_output_tokens")
    @classmethod
    def _leaves_room(cls, tokens: int, info: ValidationInfo) -> int:
        context = info.data.get("model_context", tokens * 2)
        if tokens > context // 2:
            raise ValueError("more than half of model_context leaves too little for the question")
        return tokens


def load_settings(config: Path | None = None, **told: object) -> Settings:
    """Read the settings; `told` is what the command line says, None where it says nothing.

    `config` is the TOML file; without it `STORYGRAFT_CONFIG` names it, else `storygraft.toml`
    of the working directory is read where there is one.

    Raises:
        UnusableSettings: a setting or the file cannot be used.
    """
    path = config or _usual_config()
    from_file = _read_toml(path) if path else {}

    class _Read(Settings):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,
            file_secret_settings: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            file = InitSettingsSource(settings_cls, from_file)
            return init_settings, env_settings, dotenv_settings, file_secret_settings, file

    given: dict[str, Any] = {name: value for name, value in told.items() if value is not None}
    try:
        return _Read(**given)
    except ValidationError as error:
        raise UnusableSettings(_explained(error, path)) from error


def _usual_config() -> Path | None:
    named = os.environ.get("STORYGRAFT_CONFIG")
    if named:
        return Path(named)
    here = Path(CONFIG_FILE)
    return here if here.is_file() else None


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UnusableSettings(
            f"The settings file {path} cannot be read: {error.strerror}."
        ) from error
    except ValueError as error:
        raise UnusableSettings(f"The settings file {path} is no TOML: {error}.") from error


def _explained(error: ValidationError, path: Path | None) -> str:
    """Name each wrong setting; its value is not shown, since it may be a secret."""
    wrong = [
        f"{'.'.join(map(str, detail['loc']))}: {_remedy(detail['type'], detail['msg'])}"
        for detail in error.errors(include_url=False, include_input=False)
    ]
    read = f" (settings file: {path})" if path else ""
    return f"A setting cannot be used{read}: {'; '.join(wrong)}."


def _remedy(kind: str, message: str) -> str:
    if kind == "extra_forbidden":
        return f"there is no such setting; there are {', '.join(Settings.model_fields)}"
    return message.removeprefix("Value error, ")
