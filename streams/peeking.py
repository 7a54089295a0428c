"""What a record may be, told from its bytes: to decode a whole chapter would cost far more."""

from __future__ import annotations

from typing import Final

from contracts.ports import Record

_WITHDRAWN: Final = b"withdrawn"
_ESCAPED_LETTERS: Final = (b"\\u006", b"\\u007")  # JSON may write any letter of it as its number


def may_withdraw(record: Record) -> bool:
    """Say whether the record may be a withdrawal; False only where it cannot be one."""
    value = record.value or b""
    return _WITHDRAWN in value or any(escape in value for escape in _ESCAPED_LETTERS)
