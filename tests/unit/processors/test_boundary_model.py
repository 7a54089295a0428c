from __future__ import annotations

import json

import numpy as np
import pytest

from processors.boundary_features import Feature
from processors.boundary_model import WEIGHTS_FILE, BoundaryModel, shipped_model
from processors.chapter_features import AS_THEY_ARE, CENTRED, read_features


def test_the_table_says_all_and_nothing_else() -> None:
    table = json.loads(WEIGHTS_FILE.read_text())
    model = BoundaryModel.parse(table)
    assert model == shipped_model()
    assert model.as_table() == table
    assert set(model.spreads) == set(Feature) - AS_THEY_ARE - CENTRED
    table["weights"].pop("valley")
    with pytest.raises(ValueError, match="every feature"):
        BoundaryModel.parse(table)
    table["weights"]["mood"] = 1
    with pytest.raises(ValueError, match="mood"):
        BoundaryModel.parse(table)


def test_the_digest_changes_with_any_weight() -> None:
    model = shipped_model()
    weights = {**model.weights, Feature.VALLEY: model.weights[Feature.VALLEY] + 0.001}
    assert BoundaryModel(weights, model.lengths, model.spreads).digest != model.digest


def test_a_score_is_the_weighted_sum_of_what_was_read() -> None:
    model = shipped_model()
    table = {name: np.array([0.0, 1.0]) for name in Feature}
    assert model.scores(table) == pytest.approx([0, sum(model.weights.values())])


def test_what_a_language_cannot_tell_is_neutral() -> None:
    unknown = {name: np.full(5, np.nan) for name in Feature}
    flat = {name: np.zeros(5) for name in CENTRED}
    (read,) = read_features([{**unknown, **flat}], shipped_model().spreads)
    for name in Feature:
        assert read[name].tolist() == [0.0] * 5
