"""A record that settles a letter is told from a letter, whoever wrote either."""

from __future__ import annotations

from dataclasses import replace

from contracts.ports import Record
from contracts.reports import Settled
from streams.settlements import Settlement, settled_by, settlement


def returned(key: bytes | None = b"w") -> Record:
    said = settlement("chapters.dlq", 7, key, Settled.DROPPED, 99)
    return Record(said.topic, 9, said.key, said.value, said.headers, 5)


def test_it_comes_back_and_holds_nothing_else() -> None:
    assert settled_by(returned()) == Settlement(7, Settled.DROPPED, 99)
    assert settled_by(returned(None)) == Settlement(7, Settled.DROPPED, 99)
    assert returned().value == b""
    assert settled_by(replace(returned(), value=None)) is not None


def test_what_has_bytes_or_says_half_of_it_is_a_letter() -> None:
    record = returned()
    assert settled_by(replace(record, value=b"x")) is None
    for name, value in (("letter", b"-1"), ("letter", b"9" * 99), ("how", b"burnt")):
        headers = {**dict(record.headers), f"storygraft-settled-{name}": value}
        assert settled_by(replace(record, headers=tuple(headers.items()))) is None
    assert settled_by(replace(record, headers=())) is None


def test_without_a_time_it_is_the_records() -> None:
    headers = tuple(pair for pair in returned().headers if "time" not in pair[0])
    assert settled_by(replace(returned(), headers=headers)) == Settlement(7, Settled.DROPPED, 5)
