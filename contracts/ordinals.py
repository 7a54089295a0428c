"""Exact decimal ordinals: a chapter's place in the story.

Up to nine digits before and nine after the point, held as an integer of billionths, so that
every store compares them exactly and "6.10" equals "6.1".
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Final

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

SCALE: Final = 10**9
_FORM: Final = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?", re.ASCII)
_EXACT_FLOAT_DIGITS: Final = 15  # a double keeps every decimal of so many significant digits


class Ordinal(int):
    """A place in the story, as a count of billionths. `str()` gives the canonical decimal."""

    __slots__ = ()

    @classmethod
    def parse(cls, value: object) -> Ordinal:
        """Read `"6.5"`, `7` or `6.5`; an `Ordinal` passes through.

        Raises:
            ValueError: not a decimal of at most 9 + 9 digits, negative, or a float with more
                digits than a double keeps (write such an ordinal as a string).
        """
        if isinstance(value, cls):
            return value
        text = _decimal_text(value)
        match = _FORM.fullmatch(text)
        if match is None:
            raise ValueError(
                f"ordinal {text[:40]!r} is not a decimal like 7 or 6.5 "
                "(at most 9 digits before and 9 after the point, not negative)"
            )
        whole, fraction = match.group(1), match.group(2) or ""
        return cls(int(whole) * SCALE + int(fraction.ljust(9, "0")))

    def __str__(self) -> str:
        whole, fraction = divmod(int(self), SCALE)
        return f"{whole}.{fraction:09d}".rstrip("0").rstrip(".")

    def __repr__(self) -> str:
        return f"Ordinal({str(self)!r})"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        accepted = core_schema.union_schema(  # strict: `true` is no 1
            [
                core_schema.str_schema(strict=True),
                core_schema.int_schema(strict=True),
                core_schema.float_schema(strict=True),
            ]
        )
        return core_schema.json_or_python_schema(
            json_schema=core_schema.no_info_after_validator_function(cls.parse, accepted),
            python_schema=core_schema.no_info_plain_validator_function(cls.parse),
            serialization=core_schema.plain_serializer_function_ser_schema(
                str, return_schema=core_schema.str_schema()
            ),
        )


def _decimal_text(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        raise ValueError(f"an ordinal is a decimal number, not {type(value).__name__}")
    if isinstance(value, float):
        return _float_text(value)
    return str(value).strip()


def _float_text(value: float) -> str:
    shown = Decimal(repr(value))
    if not shown.is_finite() or len(shown.as_tuple().digits) > _EXACT_FLOAT_DIGITS:
        raise ValueError(
            f"ordinal {value!r} is not exact as a JSON number: write it as a string, "
            'like "6.123456789"'
        )
    return format(shown.normalize(), "f")
