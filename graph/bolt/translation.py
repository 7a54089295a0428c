"""The vendor's errors as ours: can waiting help, or is the input unfit?"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from neo4j.exceptions import ConstraintError, DriverError, IncompleteCommit, Neo4jError

from contracts.errors import PermanentError, TransientError

# Only what the statement or its values are to blame for. A wrong password or a full disk is not
# the chapter's fault: the event waits for somebody to mend it.
_UNFIT: Final = ("Neo.ClientError.Statement.", "Neo.ClientError.Schema.")


_MADE_MEANWHILE: Final = "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"
_NAME_TAKEN: Final = "Neo.ClientError.Schema.IndexWithNameAlreadyExists"

_REFUSED: Final = "Neo.ClientError.Security."
_LET_IN: Final = "set graph_user and graph_password to those of the graph server"
_AWAY: Final = "the graph server is out of reach"
_START: Final = "start it, or set `graph` to where it is"
_REMEDY: Final = "see that the server's disk is not full, and what its log says"


class StoryMovedError(Exception):
    """Another commit came between two statements of one reading: read again."""


class NameTakenError(PermanentError):
    """An index has the name of a constraint that is wanted, and belongs to none."""


def may_help(error: Exception) -> bool:
    """Say whether the same transaction, run again, may succeed.

    A race of two that create one node shows as a broken constraint, which the driver does not
    count among the errors that pass: at the statement in Neo4j, at the commit in ArcadeDB.
    Nor does it count a commit whose answer was lost; ours know themselves again. Of two that
    make one index at once, Neo4j tells the second that it is there, whatever IF NOT EXISTS says.
    """
    if isinstance(error, Neo4jError) and error.code == _MADE_MEANWHILE:
        return True
    if isinstance(error, ConstraintError | IncompleteCommit | StoryMovedError):
        return True
    return isinstance(error, Neo4jError | DriverError) and error.is_retryable()


@contextmanager
def translated(deed: str) -> Iterator[None]:
    """Raise the vendor's errors as ours; `deed` says what was being done, as in "reading X"."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise PermanentError(f"{deed}: half a surrogate pair is no text") from error
    except zlib.error as error:
        raise PermanentError(f"{deed}: what is stored is damaged: {error}") from error
    except (OverflowError, TypeError, ValueError) as error:
        raise PermanentError(f"{deed}: a value cannot be sent: {error}") from error
    except TimeoutError as error:
        raise TransientError(f"{deed}: the graph server took too long") from error
    except StoryMovedError as error:
        raise TransientError(f"{deed}: the work is being written to all the time") from error
    except Neo4jError as error:
        told = f"{deed}: {error.message or error.code}"
        if error.code == _NAME_TAKEN:
            raise NameTakenError(told) from error
        if (error.code or "").startswith(_UNFIT):
            raise PermanentError(told) from error
        refused = (error.code or "").startswith(_REFUSED)
        raise TransientError(f"{told}; {_LET_IN if refused else _REMEDY}") from error
    except (DriverError, OSError) as error:
        raise TransientError(f"{deed}: {_AWAY}: {error}; {_START}") from error
