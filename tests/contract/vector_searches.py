"""What searches find: exactly, best first, nothing of later chapters."""

from __future__ import annotations

from contracts.ports import VectorStore
from contracts.vectors import (
    DENSE_SCALE,
    TERM_NUMBERS,
    Level,
)
from tests.contract.rows import (
    ZERO,
    a_book,
    a_row,
    a_scope,
    axis,
    expected_dense,
    expected_sparse,
    unit,
    words,
    written,
)
from tests.contract.story import new_work

_HIGHEST = 10**18 - 1


class SearchContract:
    async def test_a_search_where_nothing_is_finds_nothing(self, store: VectorStore) -> None:
        nowhere = a_scope(new_work())
        assert await store.search_dense(nowhere, axis(0), 5) == ()
        assert await store.search_sparse(nowhere, ((1, 1),), 5) == ()

    async def test_scores_are_exact_best_first(self, store: VectorStore) -> None:
        rows = a_book(400)
        work = await written(store, *rows)
        for level in Level:
            for as_of in (0, 1, 5, 10):
                scope = a_scope(work, as_of, level=level)
                for seed, limit in ((1, 7), (2, 1), (9_001, 1_000)):
                    dense, sparse = unit(seed), words(seed, 20)
                    assert list(await store.search_dense(scope, dense, limit)) == expected_dense(
                        rows, scope, dense, limit
                    )
                    assert list(await store.search_sparse(scope, sparse, limit)) == expected_sparse(
                        rows, scope, sparse, limit
                    )

    async def test_extreme_scores_are_exact(self, store: VectorStore) -> None:
        full = tuple((n, 256) for n in range(128))
        rows = [
            a_row("itself", dense=unit(5), sparse=full),
            a_row("few", dense=unit(5, spread=2), sparse=((TERM_NUMBERS - 1, 1),)),
            a_row("least", dense=axis(0, 1), sparse=((0, 1),)),
            a_row("opposite", dense=axis(0, -DENSE_SCALE)),
            a_row("empty"),
        ]
        work = await written(store, *rows)
        scope = a_scope(work)
        for dense in (unit(5), axis(0, 1), axis(0, -1), axis(0)):
            found = await store.search_dense(scope, dense, 9)
            assert list(found) == expected_dense(rows, scope, dense, 9)
        # Weights of a query sum to 512 at most: here as one term, and as many.
        for sparse in (
            ((0, 65_536),),
            tuple((n, 512) for n in range(128)),
            ((0, 1), (TERM_NUMBERS - 1, 1)),
        ):
            words_found = await store.search_sparse(scope, sparse, 9)
            assert list(words_found) == expected_sparse(rows, scope, sparse, 9)

    async def test_only_scores_above_zero_are_found(self, store: VectorStore) -> None:
        rows = [a_row("for", dense=axis(0)), a_row("against", dense=axis(0, -9)), a_row("none")]
        work = await written(store, *rows)
        assert [hit.score for hit in await store.search_dense(a_scope(work), axis(0), 9)] == [1.0]
        assert await store.search_dense(a_scope(work), ZERO, 9) == ()
        assert await store.search_sparse(a_scope(work), ((1, 1),), 9) == ()

    async def test_an_empty_query_finds_nothing(self, store: VectorStore) -> None:
        work = await written(store, a_row("a", sparse=((1, 64),)), a_row("b"))
        assert await store.search_sparse(a_scope(work), (), 9) == ()

    async def test_ties_are_broken_by_item_id_then_key(self, store: VectorStore) -> None:
        rows = [
            a_row(f"line {n}", dense=axis(0), sparse=((1, 64),), position=p)
            for n in range(150)
            for p in range(2)
        ]
        better = [a_row(f"better {n}", dense=axis(0), sparse=((1, 65),)) for n in range(3)]
        work = await written(store, *rows, *better)
        scope = a_scope(work)
        everything = [*rows, *better]
        for limit in (1, 3, 4, 50, 302, 303, 500):
            found = await store.search_sparse(scope, ((1, 128),), limit)
            assert list(found) == expected_sparse(everything, scope, ((1, 128),), limit)
            near = await store.search_dense(scope, axis(0), limit)
            assert list(near) == expected_dense(everything, scope, axis(0), limit)

    async def test_a_limit_of_zero_finds_nothing(self, store: VectorStore) -> None:
        work = await written(store, a_row("a", dense=axis(0), sparse=((1, 64),)))
        assert await store.search_dense(a_scope(work), axis(0), 0) == ()
        assert await store.search_sparse(a_scope(work), ((1, 1),), 0) == ()

    async def test_rows_above_the_as_of_are_never_seen(self, store: VectorStore) -> None:
        ordinals = [0, 1, 10**9, 10**9 + 1, _HIGHEST - 1, _HIGHEST]
        rows = [
            a_row(f"at {ordinal}", ordinal=ordinal, dense=axis(0), sparse=((1, 64),))
            for ordinal in ordinals
        ]
        work = await written(store, *rows)
        for as_of in (0, 1, 2, 10**9, 10**9 + 1, _HIGHEST - 2, _HIGHEST - 1, _HIGHEST):
            scope = a_scope(work, as_of)
            assert list(await store.search_dense(scope, axis(0), 9)) == expected_dense(
                rows, scope, axis(0), 9
            )
            assert list(await store.search_sparse(scope, ((1, 1),), 9)) == expected_sparse(
                rows, scope, ((1, 1),), 9
            )

    async def test_what_comes_later_changes_no_score(self, store: VectorStore) -> None:
        rows = a_book(200)
        early = [row for row in rows if row.ordinal <= 4]
        whole, part = await written(store, *rows), await written(store, *early)
        for seed in range(3):
            now, then = a_scope(whole, 4), a_scope(part, 10)
            assert await store.search_dense(now, unit(seed), 20) == await store.search_dense(
                then, unit(seed), 20
            )
            assert await store.search_sparse(now, words(seed), 20) == await store.search_sparse(
                then, words(seed), 20
            )
