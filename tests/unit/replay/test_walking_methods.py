from __future__ import annotations

from replay.evaluation.walking_methods import AsksForNames, OpensStorylines

SHOWN = """PASSAGES
[1] So said Marlow, and then Jim laughed at Brierly; but Jim and old Stein knew better.
END OF THE PASSAGES

QUESTION
What did Marlow hear?
"""


def test_without_a_tree_the_names_are_asked_for_that_the_question_lacks() -> None:
    rule = AsksForNames()
    assert rule("walk_step", SHOWN) == {"query": "What did Marlow hear? Jim Brierly Stein"}
    assert rule("walk_conclude", SHOWN) == {}


def test_with_a_tree_storylines_are_named_one_a_step_until_there_are_no_more() -> None:
    rule = OpensStorylines({"What did Marlow hear?": ["S2", "S5"]})
    opened = [rule("walk_step", SHOWN)["open"] for _ in range(3)]
    assert opened == [["S2"], ["S5"], []]
    assert rule("walk_conclude", SHOWN) == {}
