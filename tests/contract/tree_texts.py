"""Texts and names of every kind and size come back as they were."""

from __future__ import annotations

import hashlib

import pytest

from contracts.errors import PermanentError
from contracts.ids import ChapterId, WorkId
from contracts.ports import TreeStore
from contracts.tree import (
    AliasRow,
    CharacterRow,
    ChildRow,
    DescriptionRow,
    HomeRow,
    StorylineKind,
    StorylineRow,
    TreeRow,
)
from tests.contract.story import Writer, a_chapter, a_content, a_record, new_work, rows

_HOSTILE = {
    "cypher": "'}) DETACH DELETE n //",
    "quotes": "\"'`´’“ ${1} $work {key: 1} %s {0}",
    "backslashes": "\\ \\\\ \\' \\u0041 \\n",
    "nul": "before\u0000after",
    "controls": "\u0001\t\n\r\u001f\u007f\u0085\u2028",
    "combining": "\u0301e\u0301 \u0301",
    "astral": "😀 𝔈𝔪𝔪𝔞 \U0010ffff",
    "scripts": "Эмма 愛瑪 إيما एम्मा",
    "unnormalised": "e\u0301 é ﬁ Å Å",
    "noncharacters": "\ufeff\ufffe\uffff\ufdd0",
    "long": "long " * 2_000,
}
_MEBIBYTE = 2**20


def _noise(seed: object, length: int) -> str:
    return hashlib.shake_256(str(seed).encode()).hexdigest(length // 2)


class TextContract:
    async def test_any_text_comes_back_as_it_was(self, store: TreeStore) -> None:
        writer = Writer(store, title="".join(_HOSTILE.values()))
        stem, texts = writer.work_id, list(_HOSTILE.values())
        chapters = [
            a_chapter(name, n).model_copy(update={"title": text, "language": text})
            for n, (name, text) in enumerate(_HOSTILE.items())
        ]
        contents = [
            a_content(stem, name, scenes=1, text=text, terms={text: 3})
            for name, text in _HOSTILE.items()
        ]
        threads = [StorylineRow(f"{stem}-{t}", StorylineKind.THREAD, 1) for t in _HOSTILE]
        person = CharacterRow(f"{stem}-p", 1)
        told = [
            DescriptionRow(thread.id, 1, "a", text, text, ())
            for thread, text in zip(threads, texts, strict=True)
        ]
        names = [AliasRow(person.id, text, 1) for text in texts]
        records = [
            a_record(chapter, digest=text) for chapter, text in zip(chapters, texts, strict=True)
        ]
        changes = rows(*threads, person, *told, *names)
        await writer.write(writer.commit(chapters, contents, changes, records=records))
        loaded = await store.load(stem)
        in_order = tuple(sorted(chapters, key=lambda chapter: chapter.chapter_id))
        assert loaded == writer.work(1).model_copy(update={"chapters": in_order})
        view = await store.view(stem, None)
        assert view is not None
        assert await view.texts([*map(ChapterId, _HOSTILE)]) == _HOSTILE
        assert (await view.passage_counts(texts)).counts == dict.fromkeys(texts, 3)
        snapshot = await view.snapshot()
        assert set(snapshot.descriptions) == set(told)
        assert set(snapshot.aliases) == set(names)
        assert await store.records(stem, writer.generation) == tuple(records)

    @pytest.mark.parametrize(
        "text",
        [t for t in _HOSTILE.values() if len(t) < 100],
        ids=[k for k, t in _HOSTILE.items() if len(t) < 100],
    )
    async def test_any_id_is_only_an_id(self, store: TreeStore, text: str) -> None:
        stem = new_work()
        writer = Writer(store, WorkId(f"{stem}{text}"))
        chapter, content = a_chapter(text, 1), a_content(writer.work_id, text)
        root = StorylineRow(f"{text}{stem}", StorylineKind.GROUP, 1)
        thread = StorylineRow(f"{stem}{text}", StorylineKind.THREAD, 1)
        scene = content.scenes[0].scene.scene_id
        edges: list[TreeRow] = [
            ChildRow(thread.id, root.id, 1, None),
            HomeRow(scene, thread.id, 1, None),
        ]
        told = DescriptionRow(thread.id, 1, text, "title", "synopsis", (scene,))
        await writer.write(
            writer.commit(
                [chapter], [content], rows(root, thread, *edges, told), records=[a_record(chapter)]
            )
        )
        view = await store.view(writer.work_id, None)
        assert view is not None
        snapshot = await view.snapshot()
        assert (*snapshot.children, *snapshot.homes) == tuple(edges)
        assert snapshot.descriptions == (told,)
        assert await view.texts([ChapterId(text)]) == {text: content.text}
        assert await view.confirm([(scene, 1)]) == {(scene, 1)}
        assert await store.load(stem) is None

    async def test_half_a_surrogate_pair_is_refused_or_kept(self, store: TreeStore) -> None:
        writer = Writer(store)
        content = a_content(writer.work_id, "c1", text="half \ud83d")
        commit = writer.commit([a_chapter("c1", 1)], [content])
        try:
            await writer.write(commit)
        except PermanentError:
            assert await store.load(writer.work_id) is None
        else:
            view = await store.view(writer.work_id, None)
            assert view is not None
            assert await view.texts([ChapterId("c1")]) == {"c1": content.text}

    async def test_ids_as_long_as_they_may_be(self, store: TreeStore) -> None:
        writer = Writer(store, WorkId((new_work() + "😀" * 500)[:500]))
        chapter_id = "𝔈" * 500
        await writer.publish(chapter_id, 1)
        view = await store.view(writer.work_id, None)
        assert view is not None
        assert [each.chapter_id for each in await view.chapters()] == [chapter_id]
        assert set(await view.texts([ChapterId(chapter_id)])) == {chapter_id}

    async def test_a_chapter_of_four_megabytes(self, store: TreeStore) -> None:
        # Noise, so that no store can compress its way around a limit.
        noise = _noise(7, 4 * _MEBIBYTE)
        writer = Writer(store)
        terms = {noise[n : n + 12]: n % 5 + 1 for n in range(0, 24 * 50_000, 24)}
        content = a_content(writer.work_id, "c1", scenes=300, text=noise, terms=terms)
        await writer.write(writer.commit([a_chapter("c1", 1)], [content]))
        view = await store.view(writer.work_id, None)
        assert view is not None
        assert (await view.texts([ChapterId("c1")]))[ChapterId("c1")] == noise
        some = sorted(terms)[:20]
        assert (await view.passage_counts(some)).counts == {term: terms[term] for term in some}
        inputs = await store.inputs(writer.work_id, writer.generation)
        assert inputs[ChapterId("c1")].scenes == content.scenes

    async def test_one_commit_of_more_than_a_message_may_hold(self, store: TreeStore) -> None:
        writer = Writer(store)
        chapters = [a_chapter(f"c{n}", n) for n in range(1, 7)]
        contents = [
            a_content(writer.work_id, c.chapter_id, text=_noise(c.chapter_id, 3 * _MEBIBYTE))
            for c in chapters
        ]
        thread = StorylineRow(f"{writer.work_id}-t", StorylineKind.THREAD, 1)
        told = [
            DescriptionRow(thread.id, n, "c1", "title", _noise(n, _MEBIBYTE), ())
            for n in range(1, 18)
        ]
        await writer.write(writer.commit(chapters, contents, rows(thread, *told)))
        view = await store.view(writer.work_id, None)
        assert view is not None
        texts = await view.texts([c.chapter_id for c in chapters])
        assert texts == {c.chapter_id: c.text for c in contents}
        assert (await view.snapshot()).descriptions == (told[-1],)
