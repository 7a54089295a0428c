from __future__ import annotations

from contracts.ids import ChapterId, CharacterId, SceneId, StorylineId
from contracts.ordinals import Ordinal
from contracts.tree import Describe, StorylineKind
from contracts.words import count_words
from graph.describing import SYNOPSIS_WORDS, clipped, describe, is_due, short_title
from graph.profiles import profile
from graph.state import Place, Remembered, Storyline
from tests.unit.graph.stories import Told, chapter, dense, folded

ADA, GRACE, EMMY = (CharacterId(name) for name in ("ada", "grace", "emmy"))


def _scene(
    number: int, subject: int = 1, people: tuple[CharacterId, ...] = (), synopsis: str = ""
) -> Remembered:
    return Remembered(
        scene=SceneId(f"scene {number}"),
        place=Place(Ordinal.parse(number), ChapterId("c"), 0),
        dense=dense(subject, number),
        characters=people,
        threads=(),
        title=f"What happens in {number}",
        synopsis=synopsis or f"In {number} something happens.",
    )


def _storyline(*window: Remembered, kind: StorylineKind = StorylineKind.THREAD) -> Storyline:
    return Storyline(StorylineId("s"), kind, StorylineId("p"), leaf=True, window=window)


def _described(storyline: Storyline, *beside: Storyline) -> Describe:
    profiles = [profile(each.window) for each in (storyline, *beside)]
    return describe(storyline, profiles, lambda id_: id_.title())


def test_a_new_version_is_due_when_the_storyline_has_grown_by_half() -> None:
    versions = []
    described = 1
    for count in range(1, 100):
        if is_due(
            Storyline(
                StorylineId("s"),
                StorylineKind.THREAD,
                None,
                leaf=True,
                count=count,
                growth=count - described,
            )
        ):
            versions.append(count)
            described = count
    assert versions == [2, 3, 5, 8, 12, 18, 27, 41, 62, 93]


def test_nothing_is_due_without_growth() -> None:
    assert not is_due(Storyline(StorylineId("s"), StorylineKind.THREAD, None, leaf=True, count=1))


def test_a_thread_is_called_after_its_people_and_its_most_typical_scene() -> None:
    window = [_scene(n, people=(ADA, GRACE)) for n in range(5)] + [_scene(5, subject=2)]
    version = _described(_storyline(*window))
    names, title = version.title.split(": ")
    assert set(names.split(", ")) == {"Ada", "Grace"}
    assert title in {f"What happens in {n}" for n in range(5)}


def test_who_is_everywhere_stands_behind_who_is_only_here() -> None:
    here = _storyline(*(_scene(n, people=(ADA, EMMY)) for n in range(4)))
    beside = _storyline(*(_scene(n, people=(ADA,)) for n in range(8)))
    assert _described(here, beside).title.startswith("Emmy, Ada: ")


def test_an_arc_is_called_after_a_scene_alone_and_a_group_after_people_alone() -> None:
    scenes = (_scene(1, people=(ADA,)), _scene(2, people=(ADA,)))
    assert ":" not in _described(_storyline(*scenes, kind=StorylineKind.ARC)).title
    assert _described(_storyline(*scenes, kind=StorylineKind.GROUP)).title == "Ada"


def test_a_group_of_scenes_without_people_is_called_after_a_scene() -> None:
    version = _described(_storyline(_scene(1), kind=StorylineKind.GROUP))
    assert version.title == "What happens in 1"


def test_the_newest_scene_is_always_told() -> None:
    version = _described(_storyline(*(_scene(n) for n in range(6)), _scene(9, subject=2)))
    assert "scene 9" in version.inputs
    assert version.synopsis.endswith("In 9 something happens.")


def test_inputs_stand_in_story_order_and_once() -> None:
    window = [_scene(n) for n in range(8)]
    version = _described(_storyline(*window))
    order = [scene.scene for scene in window]
    assert list(version.inputs) == [scene for scene in order if scene in version.inputs]


def test_a_synopsis_keeps_to_its_words() -> None:
    window = [_scene(n, synopsis="many words in a row " * 30) for n in range(3)]
    assert 0 < count_words(_described(_storyline(*window)).synopsis) <= SYNOPSIS_WORDS


def test_scenes_without_any_words_are_described_by_nothing() -> None:
    empty = Remembered(SceneId("s"), Place(Ordinal(0), ChapterId("c"), 0), dense(0), (), (), "", "")
    version = _described(_storyline(empty))
    assert (version.title, version.synopsis, version.inputs) == ("", "", ("s",))


def test_clipping_keeps_whole_sentences() -> None:
    assert clipped("One two three four. Five six.", 5) == "One two three four."
    assert clipped("One two.", 5) == "One two."


def test_clipping_does_not_end_on_a_title_of_address() -> None:
    assert clipped("She asked Mrs. Hudson for tea and toast.", 3) == "She asked Mrs…"


def test_clipping_reads_cjk_sentences() -> None:
    assert clipped("天地初开。万物生长不息。", 6) == "天地初开。"


def test_a_long_title_is_cut() -> None:
    assert count_words(short_title("word " * 30)) == 10
    assert len(short_title("x" * 500)) == 100


def test_storylines_beneath_one_parent_have_titles_of_their_own() -> None:
    told = [
        Told(subject, stray=10 * subject + n, people=(name,))
        for subject, name in ((1, "Ada Byron"), (2, "Grace Hopper"), (3, "Emmy Noether"))
        for n in range(3)
    ]
    _, (record,) = folded([chapter("c1", 1, told)])
    titles = [op.title for op in record.operations if isinstance(op, Describe)]
    assert len(set(titles)) == len(titles) >= 3
