"""A line that was changed anywhere is known to be damaged."""

from __future__ import annotations

import pytest

from contracts.encoded import Bytes
from contracts.log_lines import LogEnd, LogRecord
from streams.log_files.seals import DamagedLine, Digest, sealed, unsealed

LINE = LogRecord(
    topic="chapters",
    partition=1,
    offset=7,
    time_ms=5,
    key=Bytes.of(b"w"),
    value=Bytes.of("第一章\r\n\u2028".encode()),
    headers=(("h", Bytes.of(b"\x00\xff")),),
)


def test_a_line_comes_back_as_it_was() -> None:
    line = sealed(LINE)
    assert line.endswith(b'"}\n')
    assert line.count(b"\n") == 1
    assert unsealed(line) == LINE
    assert unsealed(line.rstrip() + b"\r\n") == LINE
    assert LINE.headers[0][1].content == b"\x00\xff"


@pytest.mark.parametrize("at", [0, 10, 60, -40, -3])
def test_a_changed_byte_is_seen(at: int) -> None:
    line = bytearray(sealed(LINE))
    line[at] ^= 1
    with pytest.raises(DamagedLine):
        unsealed(bytes(line))


def test_what_is_cut_off_or_none_of_ours_is_seen() -> None:
    for line in (b"", b"{}\n", sealed(LINE)[:-9], sealed(Bytes.of(b"x"))):
        with pytest.raises(DamagedLine):
            unsealed(line)


def test_the_digest_knows_order_and_number() -> None:
    one, other = sealed(LINE), sealed(LINE.model_copy(update={"offset": 8}))
    ends: list[LogEnd] = []
    for lines in ((one, other), (other, one), (one,)):
        digest = Digest()
        for line in lines:
            digest.add(line)
        ends.append(digest.end())
    assert len({end.digest for end in ends}) == 3
    assert [end.records for end in ends] == [2, 2, 1]
