"""What a person is told when Java or Maven is not there, and when jars are fetched again."""

from pathlib import Path

import pytest

from contracts.errors import StorygraftError
from deploy.java import java_at_least
from deploy.maven import fetched_jars

MAVEN = """
for word; do case "$word" in -DoutputDirectory=*) lib="${word#*=}";; esac; done
mkdir -p "$lib" && echo code > "$lib/one.jar" && echo code > "$lib/two.jar"
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder where programs are looked for, besides the system's own."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def program(folder: Path, name: str, script: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\nPATH=/bin:/usr/bin\n{script}", "utf-8")
    file.chmod(0o755)


class Fetches:
    """Fetches into a cache, and counts how often that was announced."""

    def __init__(self, folder: Path) -> None:
        self.pom = folder / "server" / "pom.xml"
        self.pom.parent.mkdir()
        self.pom.write_text("<project/>", "utf-8")
        self.cache = folder / "cache"
        self.announced: list[str] = []

    def __call__(self) -> list[str]:
        lib = fetched_jars(self.pom, self.cache, self.announced.append)
        return sorted(jar.name for jar in lib.iterdir())


@pytest.fixture
def fetches(tmp_path: Path) -> Fetches:
    return Fetches(tmp_path)


@pytest.mark.parametrize(("said", "version"), [("17.0.15", 17), ("1.8.0_392", 8), ("21", 21)])
def test_javas_version_is_read(programs: Path, said: str, version: int) -> None:
    program(programs, "java", f"""echo 'openjdk version "{said}" 2025-04-15' >&2""")
    assert java_at_least(version) == str(programs / "java")
    with pytest.raises(StorygraftError, match=rf"Java {version + 1} is needed.*version {version}:"):
        java_at_least(version + 1)


def test_a_missing_java_is_reported_with_what_to_install(programs: Path) -> None:
    with pytest.raises(StorygraftError, match=r"not found: install a JRE 17"):
        java_at_least(17)


def test_a_java_that_does_not_work_is_reported(programs: Path) -> None:
    program(programs, "java", "echo 'no runtime present' >&2; exit 1")
    with pytest.raises(StorygraftError, match=r"no runtime present.*install a JRE"):
        java_at_least(17)


def test_a_missing_maven_is_reported_with_what_to_install(programs: Path, fetches: Fetches) -> None:
    with pytest.raises(StorygraftError, match="install it"):
        fetches()


def test_jars_are_fetched_once(programs: Path, fetches: Fetches) -> None:
    program(programs, "mvn", MAVEN)
    assert fetches() == ["one.jar", "two.jar"]
    assert fetches() == ["one.jar", "two.jar"]
    assert len(fetches.announced) == 1


def test_jars_are_fetched_again_when_one_is_gone(programs: Path, fetches: Fetches) -> None:
    program(programs, "mvn", MAVEN)
    fetches()
    (fetches.cache / "lib" / "two.jar").unlink()
    assert fetches() == ["one.jar", "two.jar"]


def test_jars_are_fetched_again_when_the_pom_has_changed(programs: Path, fetches: Fetches) -> None:
    program(programs, "mvn", MAVEN)
    fetches()
    fetches.pom.write_text("<project>another version</project>", "utf-8")
    fetches()
    assert len(fetches.announced) == 2


def test_a_failed_fetch_is_reported_and_tried_again(programs: Path, fetches: Fetches) -> None:
    program(programs, "mvn", MAVEN + "rm \"$lib/two.jar\"; echo 'Connection refused'; exit 1")
    with pytest.raises(StorygraftError, match=r"(?s)reaches a repository.*Connection refused"):
        fetches()
    program(programs, "mvn", MAVEN)
    assert fetches() == ["one.jar", "two.jar"]
