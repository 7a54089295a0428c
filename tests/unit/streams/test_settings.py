"""Settings are read once, in one order, and a wrong one is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from streams.settings import UnusableSettings, load_settings


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("STORYGRAFT_HOME", "STORYGRAFT_CONFIG", "STORYGRAFT_WORDS"):
        monkeypatch.delenv(name, raising=False)


def test_everything_has_a_default() -> None:
    settings = load_settings()
    assert (settings.log, settings.vectors, settings.graph) == (
        "sqlite:",
        "milvus-lite:",
        "arcade:",
    )
    assert (settings.words, settings.max_body_bytes) == (1_000, 4_000_000)
    assert settings.home.name == "storygraft"


def test_command_line_before_environment_before_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "s.toml"
    file.write_text('words = 1\nhome = "/a"\ngraph = "memory:"')
    monkeypatch.setenv("STORYGRAFT_HOME", "/b")
    monkeypatch.setenv("STORYGRAFT_WORDS", "2")
    settings = load_settings(file, words=3, home=None)
    assert (settings.words, str(settings.home), settings.graph) == (3, "/b", "memory:")


def test_the_file_of_the_working_directory_or_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "storygraft.toml").write_text("words = 7")
    assert load_settings().words == 7
    (tmp_path / "other.toml").write_text("words = 8")
    monkeypatch.setenv("STORYGRAFT_CONFIG", str(tmp_path / "other.toml"))
    assert load_settings().words == 8


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("wards = 7", "wards: there is no such setting"),
        ("words = 0", "words: Input should be greater"),
        ('graph = "mysql://x"', "graph: the URL begins with none of arcade:, bolt:"),
        ('log = "sqlite"', "log: the URL begins"),
        ("words = ", "is no TOML"),
        ('model = "gpu1:8000"', "model: the URL begins"),
        ('model = "http://"', "model: the URL begins"),
        ('model = "http://me:swordfish@gpu1/v1"', "model: the URL holds more.*model_key"),
        ('model = "http://gpu1/v1?key=swordfish"', "model: the URL holds more.*model_key"),
        ('model = "http://gpu1/v1"', "model_name: `model` is set"),
        ("model_context = 9000", "max_output_tokens: more than half of model_context"),
        ("top_p = 0", "top_p: Input should be greater"),
        ('segmenter = "litseg"', "segmenter: litseg asks a language model: set `model`"),
        ('segmenter = "litseg-lite"', "segmenter: litseg-lite asks a language model"),
        ('segmenter = "magic"', "segmenter: Input should be"),
        ("segment_attempts = 0", "segment_attempts: Input should be greater"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "storygraft.toml").write_text(content)
    with pytest.raises(UnusableSettings, match=says) as caught:
        load_settings()
    assert "swordfish" not in str(caught.value)


def test_the_segmenter_asks_a_model_where_one_is_set() -> None:
    def chosen(segmenter: str | None) -> str:
        return load_settings(
            model="http://gpu1/v1", model_name="m", segmenter=segmenter
        ).chosen_segmenter

    assert load_settings().chosen_segmenter == "cohesion"
    assert chosen(None) == "litseg-lite"
    assert chosen("cohesion") == "cohesion"
    assert chosen("litseg") == "litseg"


def test_the_sampling_is_the_papers() -> None:
    settings = load_settings()
    assert (settings.sampling.temperature, settings.sampling.top_p) == (0.7, 0.8)
    assert (settings.teacher_sampling.temperature, settings.teacher_sampling.top_p) == (1.0, 0.95)


def test_a_missing_file_that_was_asked_for_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnusableSettings, match="cannot be read"):
        load_settings(tmp_path / "nowhere.toml")


def test_a_secret_is_never_shown(tmp_path: Path) -> None:
    file = tmp_path / "storygraft.toml"
    file.write_text('graph_password = "swordfish"\nmodel_key = "swordfish"')
    assert "swordfish" not in repr(load_settings())
    with pytest.raises(UnusableSettings) as caught:
        load_settings(graph="oracle://me:swordfish@host")
    assert "swordfish" not in str(caught.value)
