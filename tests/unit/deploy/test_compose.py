"""compose.yaml and the Dockerfile, read as text: there is no Docker here to run them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from streams.cli.application import app
from streams.message_sizes import MAX_MESSAGE_BYTES
from streams.settings import Settings

ROOT = Path(__file__).parents[3]
COMPOSE: Any = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
SERVICES: Any = COMPOSE["services"]
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
OURS = [name for name, service in SERVICES.items() if "build" in service]
OURS_ONLY_ONCE = "topics"  # ends when its work is done

_VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")
_VERSION = re.compile(r"\d+\.\d+")


def instructions(name: str) -> list[str]:
    found = [line.split(maxsplit=1) for line in DOCKERFILE.splitlines() if line[:1].isalpha()]
    return [words[1] for words in found if words[0] == name]


def substituted(value: object, **given: str) -> str:
    def one(match: re.Match[str]) -> str:
        name, kind, default = match.groups()
        assert kind == "-" or name in given, f"{name} has no default and is not asked for"
        return given.get(name) or default

    return _VARIABLE.sub(one, str(value))


def environment(service: str) -> dict[str, str]:
    given = {"STORYGRAFT_GRAPH_PASSWORD": "secret", "MINIO_PASSWORD": "secret"}
    told = SERVICES[service].get("environment", {})
    return {name: substituted(value, **given) for name, value in told.items()}


def run_by_us(words: list[str]) -> None:
    """Assert that there is such a command, with such options."""
    command: Any = get_command(app)
    while hasattr(command, "commands"):
        command = command.commands[words.pop(0)]
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("-")} <= known


@pytest.mark.parametrize("name", SERVICES)
def test_every_image_has_a_version(name: str) -> None:
    image, _, tag = SERVICES[name]["image"].rpartition(":")
    assert image
    assert _VERSION.search(tag) or tag.startswith("RELEASE.")


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_has_limits_comes_back_and_is_watched(name: str) -> None:
    service = SERVICES[name]
    assert service["deploy"]["resources"]["limits"]["memory"]
    assert service["restart"] in ("unless-stopped", "on-failure")
    assert service["logging"]["options"]["max-size"]
    if name != OURS_ONLY_ONCE:
        assert service["healthcheck"]["test"][0] == "CMD"


@pytest.mark.parametrize("name", SERVICES)
def test_ports_are_open_to_this_machine_alone(name: str) -> None:
    for port in SERVICES[name].get("ports", ()):
        assert port.startswith("127.0.0.1:")


def test_what_is_kept_lies_in_volumes_that_there_are() -> None:
    used = {
        volume.partition(":")[0]
        for service in SERVICES.values()
        for volume in service.get("volumes", ())
    }
    assert used == set(COMPOSE["volumes"])
    stores = ("kafka", "neo4j", "etcd", "minio", "milvus")
    assert all(SERVICES[name]["volumes"] for name in stores)


def test_services_wait_for_those_that_they_need() -> None:
    for name, service in SERVICES.items():
        for needed, how in service.get("depends_on", {}).items():
            once = how["condition"] == "service_completed_successfully"
            assert once == (needed == OURS_ONLY_ONCE), name
            assert once or "healthcheck" in SERVICES[needed]
    assert set(SERVICES["worker"]["depends_on"]) == {"topics", "neo4j", "milvus"}


@pytest.mark.parametrize("name", OURS)
def test_our_settings_exist_and_fit(name: str, tmp_path: Path) -> None:
    told = environment(name)
    fields = {key.removeprefix("STORYGRAFT_").lower(): value for key, value in told.items()}
    assert set(fields) <= set(Settings.model_fields)
    settings = Settings.model_validate({"home": str(tmp_path), **fields})
    assert settings.kafka_access(settings.kafka_url).brokers == ("kafka:19092",)
    for setting, service in (("graph", "neo4j"), ("vectors", "milvus"), ("memo", "neo4j")):
        assert f"//{service}:" in fields[setting]


@pytest.mark.parametrize("name", OURS)
def test_our_commands_exist(name: str) -> None:
    run_by_us(list(SERVICES[name]["command"]))


def test_the_worker_is_asked_for_its_health_where_it_answers() -> None:
    worker = SERVICES["worker"]
    port = worker["command"][worker["command"].index("--port") + 1]
    asked = worker["healthcheck"]["test"][-1]
    assert f"127.0.0.1:{port}/health" in asked
    compile(asked, "healthcheck", "exec")


@pytest.mark.parametrize("name", SERVICES)
def test_no_password_is_written_down(name: str) -> None:
    for key, value in SERVICES[name].get("environment", {}).items():
        if re.search("PASSWORD|SECRET|AUTH", key):
            assert re.search(r"\$\{\w+:\?", str(value)), f"{name}: {key}"


def test_brokers_take_our_largest_message_and_make_no_topics() -> None:
    kafka = environment("kafka")
    assert int(kafka["KAFKA_MESSAGE_MAX_BYTES"]) >= MAX_MESSAGE_BYTES
    assert int(kafka["KAFKA_REPLICA_FETCH_MAX_BYTES"]) >= MAX_MESSAGE_BYTES
    assert kafka["KAFKA_AUTO_CREATE_TOPICS_ENABLE"] == "false"
    for address in kafka["KAFKA_ADVERTISED_LISTENERS"].split(","):
        listener, _, port = address.partition("://")[0], *address.rpartition(":")[1:]
        assert f"{listener}://:{port}" in kafka["KAFKA_LISTENERS"].split(",")
    assert re.fullmatch(r"[\w-]{22}", kafka["CLUSTER_ID"])


def test_the_image_is_of_one_version_and_runs_as_nobody_special() -> None:
    (base,) = instructions("FROM")
    assert re.search(r":3\.11\.\d+-", base)
    assert instructions("USER") == ["storygraft"]
    assert instructions("ENTRYPOINT") == ['["storygraft"]']
    assert 'storygraft = "streams.cli:main"' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_the_image_runs_a_command_that_there_is() -> None:
    (command,) = instructions("CMD")
    run_by_us(yaml.safe_load(command))


def test_what_the_image_copies_is_there_and_let_through() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for copied in instructions("COPY"):
        for source in shlex.split(copied)[:-1]:
            assert (ROOT / source).exists()
            assert f"!{source}" in ignored


def test_the_settings_of_the_image_exist() -> None:
    (told,) = instructions("ENV")
    names = [word.partition("=")[0] for word in shlex.split(told)]
    ours = [name.removeprefix("STORYGRAFT_").lower() for name in names if "STORYGRAFT" in name]
    assert ours == ["home"]
    assert set(ours) <= set(Settings.model_fields)


def test_the_image_is_called_what_compose_calls_it() -> None:
    for name in OURS:
        build = SERVICES[name]["build"]
        assert (ROOT / "deploy" / build["context"]).resolve() == ROOT
        assert (ROOT / build["dockerfile"]).is_file()
