from __future__ import annotations

from dataclasses import replace

import numpy as np

from contracts.ids import ChapterId, CharacterId, SceneId
from contracts.ordinals import Ordinal
from graph.clusters import Cluster, Comparison, of_scene
from graph.placement_weights import WEIGHTS
from graph.rarity import SCALE
from graph.state import Place, Remembered
from tests.unit.graph.stories import NOTHING, dense

ADA, GRACE, EMMY = (CharacterId(name) for name in ("ada", "grace", "emmy"))


def _scene(
    number: int, subject: int, *people: CharacterId, stray: int = 0, threads: tuple[str, ...] = ()
) -> Cluster:
    return of_scene(
        Remembered(
            SceneId(f"s{number}"),
            Place(Ordinal.parse(1), ChapterId("c1"), number),
            dense(subject, stray) if subject else NOTHING,
            people,
            threads,
            "",
            "",
        )
    )


FOUR = [
    _scene(0, 1, ADA, stray=1),
    _scene(10, 1, ADA, stray=2),
    _scene(20, 2, GRACE),
    _scene(30, 3, EMMY),
]


def _score(one: Cluster, other: Cluster) -> int:
    return Comparison([*FOUR, one, other], WEIGHTS).bonds(one, [other])[0].score


def test_a_bond_is_the_same_from_either_side() -> None:
    compared = Comparison(FOUR, WEIGHTS)
    one, pair = FOUR[3], FOUR[0].joined(FOUR[1])
    assert compared.bonds(one, [pair]) == compared.bonds(pair, [one])


def test_meaning_company_and_nearness_each_bind() -> None:
    plain = _score(_scene(50, 4), _scene(90, 5))
    assert _score(_scene(50, 4), _scene(90, 4, stray=1)) > plain
    assert _score(_scene(50, 4, EMMY), _scene(90, 5, EMMY)) > plain
    assert _score(_scene(50, 4), _scene(55, 5)) > plain


def test_the_first_two_scenes_of_a_book_are_no_opposites() -> None:
    one, other = _scene(0, 1, stray=1), _scene(500, 1, stray=2)
    (bond,) = Comparison([one, other], WEIGHTS).bonds(one, [other])
    assert bond.fit > 0


def test_what_no_vector_tells_anything_about_goes_against_nothing() -> None:
    silent = _scene(500, 0)
    bonds = Comparison([*FOUR, silent], WEIGHTS).bonds(silent, FOUR)
    assert [bond.score for bond in bonds] == [0, 0, 0, 0]


def test_nearness_counts_from_the_nearest_scenes() -> None:
    far, near = _scene(0, 4), _scene(40, 4)
    here = _scene(42, 5)
    assert _score(here, far.joined(near)) > _score(here, far)


def test_scenes_of_one_local_thread_are_bound() -> None:
    one, other = _scene(50, 4, threads=("war",)), _scene(90, 5, threads=("war", "love"))
    assert _score(one, other) - _score(one, replace(other, local=frozenset())) == 30 * SCALE


def test_joining_adds_up() -> None:
    pair = FOUR[0].joined(FOUR[1])
    assert pair.scenes == 2
    assert pair.members == (0, 10)
    assert dict(pair.company) == {ADA: 2}
    assert (pair.total == FOUR[0].total + FOUR[1].total).all()
    assert pair.total.dtype == np.int64


def test_recency_fades_and_ends() -> None:
    left = [WEIGHTS.faded(scenes) for scenes in range(200)]
    assert left[0] == SCALE
    assert left == sorted(left, reverse=True)
    assert left[-1] == 0
