"""Any bytes as JSON can hold them."""

from __future__ import annotations

import base64
from typing import Literal

from contracts.frozen import Frozen


class Bytes(Frozen):
    """Any bytes: as text where they are UTF-8."""

    encoding: Literal["utf-8", "base64"]
    data: str

    @classmethod
    def of(cls, content: bytes) -> Bytes:
        """Return `content` as JSON can hold it."""
        try:
            return cls(encoding="utf-8", data=content.decode())
        except UnicodeDecodeError:
            return cls(encoding="base64", data=base64.b64encode(content).decode())

    @property
    def content(self) -> bytes:
        """The bytes.

        Raises:
            ValueError: they are not what the encoding says.
        """
        if self.encoding == "utf-8":
            return self.data.encode()
        return base64.b64decode(self.data, validate=True)
