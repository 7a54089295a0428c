"""The vendor's errors as ours: can waiting help, or is the input unfit?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import grpc
from pymilvus.client.types import Status
from pymilvus.exceptions import DataNotMatchException, MilvusException, ParamError

from contracts.errors import PermanentError, TransientError

_ILLEGAL_ARGUMENT: Final = 6  # Milvus Lite's word for it
_BAD_PARAMETERS: Final = range(1100, 1200)  # a server's
_AWAY: Final = "the vector store is out of reach"
_START: Final = "start it, or set `vectors` to where it is"


@contextmanager
def translated(deed: str) -> Iterator[None]:
    """Raise the vendor's errors as ours; `deed` says what was being done, as in "searching"."""
    try:
        yield
    except (ParamError, DataNotMatchException) as error:
        raise PermanentError(f"{deed}: {error.message}") from error
    except MilvusException as error:
        if error.code == Status.CONNECT_FAILED:
            raise TransientError(f"{deed}: {_AWAY}: {error.message}; {_START}") from error
        kind = PermanentError if _is_unfit(error) else TransientError
        raise kind(f"{deed}: {error.message}") from error
    except (grpc.RpcError, OSError) as error:
        raise TransientError(f"{deed}: {_AWAY}: {error}; {_START}") from error


def _is_unfit(error: MilvusException) -> bool:
    code = int(error.code) if isinstance(error.code, int) else 0
    return bool(error.is_input_error) or code == _ILLEGAL_ARGUMENT or code in _BAD_PARAMETERS
