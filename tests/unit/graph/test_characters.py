from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.advice import PersonAdvice
from contracts.ids import ChapterId, CharacterId, SceneId, WorkId, character_id
from contracts.ordinals import Ordinal
from contracts.scenes import Mention, Scene
from contracts.tree import (
    AliasRow,
    Appear,
    ChapterInputs,
    IntroduceCharacter,
    LinkAlias,
    LinkIdentity,
    SceneInputs,
)
from graph.cast_state import MAX_NAMES, MAX_PENDING
from graph.characters import EMPTY_CAST, Cast, Meeting, cast_of, display_name, meet

WORK = WorkId("work")
Names = dict[str, int]


def scene(place: str, mentions: Names, same: Sequence[tuple[str, str]] = ()) -> SceneInputs:
    return SceneInputs(
        Scene(
            scene_id=SceneId(place),
            first_sentence=1,
            last_sentence=1,
            start=0,
            end=1,
            title="",
            synopsis="",
            significance="",
            mentions=tuple(Mention(name=name, count=count) for name, count in mentions.items()),
            identities=tuple(same),
            words=1,
        ),
        b"",
    )


@dataclass
class Story:
    """A work that grows by chapters, and who each name meant."""

    cast: Cast = EMPTY_CAST
    chapters: int = 0
    names: dict[CharacterId, list[str]] = field(default_factory=dict)

    def tell(self, *scenes: Names, same: Sequence[tuple[str, str]] = ()) -> Meeting:
        self.chapters += 1
        inputs = [scene(f"{self.chapters}/{n}", names) for n, names in enumerate(scenes)]
        if same:
            inputs.append(scene(f"{self.chapters}/same", {}, same))
        chapter = ChapterInputs(
            ChapterId(str(self.chapters)), Ordinal.parse(self.chapters), "en", tuple(inputs)
        )
        meeting = meet(self.cast, WORK, chapter)
        self.cast = meeting.cast
        for operation in meeting.operations:
            if isinstance(operation, IntroduceCharacter):
                self.names[operation.character] = [operation.name]
            if isinstance(operation, LinkAlias):
                self.names.setdefault(operation.character, []).append(operation.alias)
        return meeting

    def together(self) -> set[frozenset[str]]:
        return {frozenset(names) for names in self.names.values()}


def told(*chapters: Names) -> set[frozenset[str]]:
    story = Story()
    for names in chapters:
        story.tell(names)
    return story.together()


def sets(*groups: str) -> set[frozenset[str]]:
    return {frozenset(name.strip() for name in group.split(",")) for group in groups}


@pytest.mark.parametrize(
    ("chapters", "expected"),
    [
        ([{"Jim Hawkins": 3}, {"Jim": 2}], sets("Jim Hawkins, Jim")),
        ([{"Tom": 3}, {"Tom Sawyer": 2}], sets("Tom, Tom Sawyer")),
        ([{"Jim": 2, "Jim Hawkins": 3}], sets("Jim Hawkins, Jim")),
        ([{"Mr. Hawkins": 3}, {"Hawkins": 2}], sets("Mr. Hawkins, Hawkins")),
        ([{"Mr. Hall": 3}, {"Mrs. Hall": 3}], sets("Mr. Hall", "Mrs. Hall")),
        ([{"Mr Hall": 3}, {"Mr. Hall": 3}], sets("Mr Hall")),
        ([{"Mrs. Bennet": 3}, {"Jane Bennet": 3}], sets("Mrs. Bennet", "Jane Bennet")),
        ([{"Miss Miller": 3}, {"Mrs. Miller": 3}], sets("Miss Miller", "Mrs. Miller")),
        ([{"Bettina Crake": 3}, {"Mrs. Crake": 3}], sets("Bettina Crake, Mrs. Crake")),
        (
            [{"Jane Bennet": 3}, {"Mary Bennet": 3}, {"Mrs. Bennet": 3}],
            sets("Jane Bennet", "Mary Bennet", "Mrs. Bennet"),
        ),
        ([{"Admiral Croft": 3}, {"Mrs Croft": 3}], sets("Admiral Croft", "Mrs Croft")),
        ([{"Captain Tilney": 3}, {"General Tilney": 3}], sets("Captain Tilney", "General Tilney")),
        (
            [{"Fitzwilliam Darcy": 3}, {"Colonel Fitzwilliam": 3}],
            sets("Fitzwilliam Darcy", "Colonel Fitzwilliam"),
        ),
        ([{"Elizabeth": 3}, {"Lizzy": 3}], sets("Elizabeth, Lizzy")),
        ([{"Tom Sawyer": 3}, {"Sid Sawyer": 3}], sets("Tom Sawyer", "Sid Sawyer")),
        ([{"Dr. Kemp": 3}, {"Doctor": 3}], sets("Dr. Kemp, Doctor")),
        ([{"Clemency Roe": 3}, {"Miss C. Roe": 3}], sets("Clemency Roe, Miss C. Roe")),
        ([{"Agent 7": 3}, {"Agent 8": 3}], sets("Agent 7", "Agent 8")),
        ([{"孙悟空": 3}, {"悟空": 3}], sets("孙悟空, 悟空")),
        ([{"迷亭君": 3}, {"迷亭": 3}], sets("迷亭君, 迷亭")),
    ],
)
def test_names_join_who_bears_them(chapters: list[Names], expected: set[frozenset[str]]) -> None:
    assert told(*chapters) == expected


def test_a_shared_family_name_means_who_was_there_last() -> None:
    story = Story()
    story.tell({"John Cavendish": 2, "Lawrence Cavendish": 2})
    story.tell({"Lawrence Cavendish": 2}, {"Cavendish": 2})
    assert sets("John Cavendish", "Lawrence Cavendish, Cavendish") == story.together()


def test_whoever_is_in_the_scene_goes_before_who_was_seen_last() -> None:
    story = Story()
    story.tell({"John Cavendish": 2, "Lawrence Cavendish": 2})
    story.tell({"Lawrence Cavendish": 2}, {"Cavendish": 2, "John Cavendish": 1})
    assert sets("John Cavendish, Cavendish", "Lawrence Cavendish") == story.together()


def test_what_is_named_once_waits_until_another_chapter_names_it() -> None:
    story = Story()
    assert not story.tell({"Shakespeare": 1}).operations
    assert story.cast.pending == ("Shakespeare",)
    story.tell({"Shakespeare": 1})
    assert story.together() == sets("Shakespeare")
    assert not story.cast.pending


def test_a_title_is_enough_to_be_introduced() -> None:
    assert told({"Mr. Thrupp": 1}) == sets("Mr. Thrupp")


def test_waiting_names_are_bounded() -> None:
    story = Story()
    for number in range(3 * MAX_PENDING):
        story.tell({f"Name{number}": 1})
    assert len(story.cast.pending) == MAX_PENDING


def initials(number: int) -> str:
    return " ".join(f"{chr(65 + digit)}." for digit in divmod(number, 26))


def test_the_names_of_a_person_are_bounded() -> None:
    story = Story()
    story.tell({"Tom Sawyer": 2})
    for number in range(2 * MAX_NAMES):
        story.tell({f"Tom {initials(number)} Sawyer": 2})
    (person,) = story.cast.everyone()
    assert len(person.names) == MAX_NAMES == len(story.names[person.id])


def test_ids_come_from_the_introducing_chapter() -> None:
    meeting = Story().tell({"Ann Lee": 2}, {"Bob Ray": 2})
    introduced = [op.character for op in meeting.operations if isinstance(op, IntroduceCharacter)]
    assert introduced == [character_id(WORK, "1", 0), character_id(WORK, "1", 1)]


def test_a_title_alone_means_the_bearer_seen_last() -> None:
    story = Story()
    story.tell({"Dr. Kemp": 2})
    story.tell({"Dr. Cuss": 2})
    story.tell({"Doctor": 2})
    assert story.together() == sets("Dr. Kemp", "Dr. Cuss, Doctor")


def test_appearances_add_up_and_present_is_by_id() -> None:
    meeting = Story().tell({"Jim Hawkins": 2, "Jim": 3, "Ben Gunn": 2})
    counts = {op.character: op.count for op in meeting.operations if isinstance(op, Appear)}
    assert sorted(counts.values()) == [2, 5]
    assert meeting.present[SceneId("1/0")] == tuple(sorted(counts))


def test_an_identity_links_two_lasting_ids() -> None:
    story = Story()
    story.tell({"Lemuel Thrupp": 2}, {"Edvin Pell": 2})
    thrupp, pell = (character_id(WORK, "1", n) for n in range(2))
    meeting = story.tell({"Edvin Pell": 1}, same=[("Lemuel Thrupp", "Edvin Pell")])
    links = [op for op in meeting.operations if isinstance(op, LinkIdentity)]
    assert links == [LinkIdentity(character=pell, same_as=thrupp)]
    assert meeting.present[SceneId("2/0")] == (pell,)
    after = story.tell({"Edvin Pell": 1})
    assert [op.character for op in after.operations if isinstance(op, Appear)] == [pell]
    assert after.present[SceneId("3/0")] == (thrupp,)


def test_an_identity_is_linked_once_and_never_in_a_circle() -> None:
    story = Story()
    story.tell({"Ann Lee": 2, "Bob Ray": 2, "Cy Poe": 2})
    story.tell(same=[("Ann Lee", "Bob Ray"), ("Bob Ray", "Cy Poe")])
    again = story.tell(same=[("Cy Poe", "Ann Lee"), ("Ann Lee", "Bob Ray")])
    assert not [op for op in again.operations if isinstance(op, LinkIdentity)]


def test_an_identity_of_unknown_names_introduces_them() -> None:
    story = Story()
    meeting = story.tell(same=[("Abel Magwitch", "Provis")])
    assert [operation.op for operation in meeting.operations] == [
        "introduce_character",
        "introduce_character",
        "link_identity",
    ]


_NAMES = st.sampled_from(
    ["Tom", "Tom Sawyer", "Mr. Sawyer", "Sid Sawyer", "Sawyer", "Becky", "Mrs. Sawyer", "Dr. Lee"]
)
_SCENES = st.dictionaries(_NAMES, st.integers(1, 3), max_size=4)
_CHAPTERS = st.lists(st.lists(_SCENES, min_size=1, max_size=3), max_size=6)


@settings(max_examples=30)
@given(_CHAPTERS)
def test_a_cast_put_together_again_is_the_same(chapters: list[list[Names]]) -> None:
    story = Story()
    for scenes in chapters:
        story.tell(*scenes)
    again = cast_of(story.cast.everyone(), story.cast.pending)
    assert again.digest == story.cast.digest
    next_chapter = {"Tom": 2, "Sawyer": 2, "Huck Finn": 2}
    before = Story(story.cast, story.chapters).tell(next_chapter)
    after = Story(again, story.chapters).tell(next_chapter)
    assert before.operations == after.operations


@settings(max_examples=30)
@given(_CHAPTERS)
def test_meeting_a_chapter_leaves_the_cast_before_it_as_it_was(
    chapters: list[list[Names]],
) -> None:
    story = Story()
    for scenes in chapters:
        before, people = story.cast, list(story.cast.everyone())
        digest = before.digest
        story.tell(*scenes)
        assert (list(before.everyone()), before.digest) == (people, digest)


@settings(max_examples=30)
@given(_CHAPTERS)
def test_every_mention_of_a_known_name_appears_once(chapters: list[list[Names]]) -> None:
    story = Story()
    for scenes in chapters:
        meeting = story.tell(*scenes)
        for number, names in enumerate(scenes):
            place = SceneId(f"{story.chapters}/{number}")
            appeared = sum(
                operation.count
                for operation in meeting.operations
                if isinstance(operation, Appear) and operation.scene == place
            )
            waiting = sum(count for name, count in names.items() if name in story.cast.pending)
            assert appeared == sum(names.values()) - waiting


def alias(name: str, at: int) -> AliasRow:
    return AliasRow("id", name, at)


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ([("Jim", 1), ("Jim Hawkins", 2)], "Jim Hawkins"),
        ([("Mr. Hawkins", 1), ("Jim Hawkins", 2)], "Jim Hawkins"),
        ([("Tom", 1), ("Mr. Tom", 2)], "Mr. Tom"),
        ([("Poirot", 1), ("Holmes", 1)], "Holmes"),
        ([("Sissy Jupe", 1), ("Cecilia Jupe", 5)], "Sissy Jupe"),
    ],
)
def test_the_fullest_name_is_shown(names: list[tuple[str, int]], shown: str) -> None:
    rows = [alias(name, at) for name, at in names]
    assert display_name(rows) == shown
    assert display_name(reversed(rows)) == shown


def test_a_character_without_a_name_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least the name"):
        display_name([])


# --- descriptions -----------------------------------------------------------------------------

STRANGER = {"the stranger": 3}


def test_a_description_is_nobody_who_shares_a_word_of_it() -> None:
    assert told({"the old man": 2}, {"the man": 2}, {"Old Man Harper": 2}) == sets(
        "the old man", "the man", "Old Man Harper"
    )


def test_a_description_is_the_same_under_another_article_and_case() -> None:
    assert told({"a blind beggar": 1}, {"The blind beggar": 1}, {"this blind beggar": 2}) == sets(
        "a blind beggar"
    )


def test_a_new_description_of_somebody_with_a_name_is_a_further_name() -> None:
    story = Story()
    story.tell({"Griffin": 2, "the stranger": 1}, same=[("Griffin", "the stranger")])
    assert story.together() == sets("Griffin, the stranger")


def test_an_old_description_stays_somebody_and_an_identity_links_it_from_now_on() -> None:
    story = Story()
    story.tell(STRANGER)
    met = story.tell({"Griffin": 2, "the stranger": 1}, same=[("the stranger", "Griffin")])
    assert story.together() == sets("the stranger", "Griffin")
    assert [type(each) for each in met.operations].count(LinkIdentity) == 1
    assert not any(person.hidden for person in story.cast.everyone())


def test_two_descriptions_that_prove_to_be_one_person_stay_without_a_name() -> None:
    story = Story()
    story.tell(STRANGER)
    story.tell({"the robber": 1})
    story.tell({"the robber": 1, **STRANGER}, same=[("the robber", "the stranger")])
    assert [person.names for person in story.cast.everyone() if person.hidden] == [
        ("the stranger",)
    ]


def test_what_an_adviser_knows_links_from_that_chapter_on_and_only_who_is_there() -> None:
    story = Story()
    story.tell(STRANGER)
    (stranger,) = story.cast.everyone()
    griffin, nobody = character_id(WORK, ChapterId("2"), 0), character_id(WORK, ChapterId("x"), 0)
    chapter = ChapterInputs(ChapterId("2"), Ordinal.parse(2), "en", (scene("2/0", {"Griffin": 2}),))
    advised = [
        PersonAdvice(person=stranger.id, same_as=griffin),
        PersonAdvice(person=stranger.id, same_as=nobody),
        PersonAdvice(person=griffin, same_as=stranger.id),
    ]
    met = meet(story.cast, WORK, chapter, advised)
    links = [each for each in met.operations if isinstance(each, LinkIdentity)]
    assert links == [LinkIdentity(character=griffin, same_as=stranger.id)]
    found_out = met.cast.people.get(stranger.id)
    assert found_out is not None
    assert not found_out.hidden


def test_a_description_is_shown_only_where_there_is_no_name() -> None:
    rows = [AliasRow(CharacterId("c"), name, 0) for name in ("the old blind beggar", "Pew")]
    assert display_name(rows) == "Pew"
    assert display_name(rows[:1]) == "the old blind beggar"
