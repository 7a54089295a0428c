"""Where a work's rows lie: names of collections, primary keys, filters.

Filters hold integers and our own hexadecimal names only, never a text of anybody's: Milvus Lite
takes no parameters in them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from contracts.ids import Generation, RowKey, WorkId
from contracts.ports import SearchScope
from graph import vector_rules

_KEY_DIGITS = 32
_ABOVE_EVERY_DIGIT = "g"


@dataclass(frozen=True, slots=True)
class Place:
    """A collection, and what in it belongs to one work: all of it, or one partition key's rows."""

    collection: str
    partition: str = ""

    def primary(self, key: RowKey) -> str:
        """Return the primary key of a row: works in one collection never share one."""
        return f"{self.partition}{key}"

    def row_key(self, primary: str) -> RowKey:
        """Return the row's key."""
        return RowKey(primary[-_KEY_DIGITS:])

    def rows(self) -> str:
        """Return the filter of all the work's rows; empty for a whole collection."""
        return f'partition == "{self.partition}"' if self.partition else ""

    def seen(self, scope: SearchScope, prefix: str = "") -> str:
        """Return the filter of what a search may see, of rows whose key begins with `prefix`.

        The one place where the as-of of a search is enforced.
        """
        terms = [f"level == {int(scope.level)}", f"ordinal <= {int(scope.as_of)}"]
        if self.partition:
            terms.append(self.rows())
        if prefix:
            low = self.primary(RowKey(prefix))
            terms.append(f'key >= "{low}" and key < "{low}{_ABOVE_EVERY_DIGIT}"')
        return " and ".join(terms)


@dataclass(frozen=True, slots=True)
class Layout:
    """How works are spread over collections.

    Milvus Lite searches a collection as a whole, so there each work has its own; a server holds
    few collections and many partition keys, so there works share one for each generation.
    """

    shared: bool

    def place(self, work_id: WorkId, generation: Generation) -> Place:
        """Return where the rows of a work lie.

        Raises:
            PermanentError: the generation cannot be part of a name.
        """
        vector_rules.check_generation(generation)
        digest = hashlib.blake2b(work_id.encode("utf-8", "surrogatepass"), digest_size=16)
        work = digest.hexdigest()
        if self.shared:
            return Place(f"sg_{generation}", work)
        return Place(f"sg_{work}_{generation}")
