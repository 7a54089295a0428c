"""The bundled serial is whole, and its questions are about it."""

from __future__ import annotations

from streams.demo_story import read_story


def test_the_story_is_read_like_any_folder() -> None:
    story = read_story()
    assert story.given.problems == ()
    assert len(story.given.chapters) == 10
    assert story.work_id == "the-fifty-seventh-fish"
    assert [str(chapter.ordinal) for chapter in story.given.chapters[:2]] == ["1", "2"]
    assert len(story.up_to(3).chapters) == 3


def test_a_secret_has_chapters_before_it() -> None:
    story = read_story()
    assert story.first("reveal").chapter > story.given.chapters[0].ordinal
    assert story.first("fact").answer
