"""Does an export account for every visible code point, and does every span lie where it says?"""

from __future__ import annotations

from collections import Counter

from contracts.answers import Export, ExportedChapter


def troubles(export: Export, bodies: dict[str, str]) -> list[str]:
    """Compare an export (with texts) of `format: text` chapters with the published bodies.

    Every non-space code point must lie in exactly one home scene or in one paratext span; the
    text must be the body. Returns what is wrong, one sentence a chapter.
    """
    wrong = []
    exported = {str(chapter.chapter_id): chapter for chapter in export.chapters}
    for chapter_id, body in bodies.items():
        chapter = exported.get(chapter_id)
        if chapter is None:
            wrong.append(f"chapter {chapter_id} is not in the export")
        elif chapter.text != body:
            wrong.append(f"chapter {chapter_id}: the text is not the published body")
        else:
            wrong += _uncovered(chapter, body)
    return wrong


def _uncovered(chapter: ExportedChapter, body: str) -> list[str]:
    times = Counter[int]()
    spans = [(scene.start, scene.end) for scene in chapter.scenes]
    spans += [(part.start, part.end) for part in chapter.paratext]
    for start, end in spans:
        times.update(range(start, end))
    missing = [at for at, char in enumerate(body) if not char.isspace() and times[at] == 0]
    twice = [at for at, char in enumerate(body) if not char.isspace() and times[at] > 1]
    wrong = []
    if missing:
        wrong.append(
            f"chapter {chapter.chapter_id}: {len(missing)} code points lie nowhere, the first at "
            f"{missing[0]}: {body[missing[0] : missing[0] + 20]!r}"
        )
    if twice:
        wrong.append(
            f"chapter {chapter.chapter_id}: {len(twice)} code points lie in two places, the first "
            f"at {twice[0]}: {body[twice[0] : twice[0] + 20]!r}"
        )
    return wrong
