"""The base of every value that is written as JSON."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """An immutable value; an unknown field is an error, since we are the only writer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_json(self) -> bytes:
        """Return UTF-8 JSON: declared order of fields, nothing escaped that need not be."""
        return self.model_dump_json().encode()


class Span(Frozen):
    """Code points `[start, end)` of a chapter's text."""

    start: int
    end: int
