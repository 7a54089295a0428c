import pytest

from contracts.index_version import IndexVersion, Layer

OLD = IndexVersion(segmentation="rules=1\nmodel=small", embedding="rules=1", tree="capacity=12")


@pytest.mark.parametrize("layer", list(Layer))
def test_the_first_layer_that_differs_is_told_whatever_differs_after_it(layer: Layer) -> None:
    after = [each for each in Layer if list(Layer).index(each) >= list(Layer).index(layer)]
    new = OLD.model_copy(update={str(each): "rules=2" for each in after})

    assert OLD.first_change(new) is layer
    assert OLD.digest != new.digest


def test_equal_versions_have_one_digest_and_no_difference() -> None:
    same = IndexVersion.model_validate_json(OLD.to_json())

    assert OLD.first_change(same) is None
    assert OLD.differences(same) == ()
    assert OLD.digest == same.digest
    assert len(OLD.digest) == 16


def test_differences_name_what_changed_and_into_what() -> None:
    new = IndexVersion(
        segmentation="rules=1\nmodel=large=er\nattempts=3", embedding="rules=1", tree="window=9"
    )

    assert OLD.differences(new) == (
        "segmentation: model small -> large=er",
        "segmentation: attempts none -> 3",
        "tree: capacity 12 -> none",
        "tree: window none -> 9",
    )


def test_a_line_that_moves_to_another_layer_is_another_version() -> None:
    moved = IndexVersion(
        segmentation="rules=1", embedding="model=small\nrules=1", tree="capacity=12"
    )

    assert OLD.digest != moved.digest
