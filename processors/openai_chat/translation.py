"""The vendor's errors as ours: can waiting help, or is the input unfit?"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from openai import APIConnectionError, APIResponseValidationError, APITimeoutError

from contracts.errors import PermanentError, TransientError
from processors.openai_chat.refusal import Fault, Refused
from processors.openai_chat.reply import NoAnswerError

_LONGEST_RETRY_AFTER_S: Final = 60.0  # who asks for more gets it from the runner, which holds
_JITTER_S: Final = 0.5
_UNFIT: Final = (Fault.LENGTH, Fault.INPUT)


def may_help(error: Exception) -> bool | float:
    """Say whether the same request may succeed later; a number says after how many seconds."""
    if not isinstance(error, Refused):
        return isinstance(error, APIConnectionError | NoAnswerError | TimeoutError)
    if error.fault is not Fault.OVERLOAD:
        return False
    if error.retry_after is None:
        return True
    if error.retry_after > _LONGEST_RETRY_AFTER_S:
        return False
    return error.retry_after + random.uniform(0, _JITTER_S)  # noqa: S311 - no secret


@contextmanager
def translated(url: str) -> Iterator[None]:
    """Raise the vendor's errors as ours; `url` is where the server should be."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise PermanentError("asking the model: half a surrogate pair is no text") from error
    except (TimeoutError, APITimeoutError) as error:
        raise TransientError(
            f"asking the model: {url} took too long; see that it is not overloaded "
            "(model_concurrency), or give it more time (model_timeout_s)"
        ) from error
    except (APIConnectionError, OSError) as error:
        raise TransientError(
            f"asking the model: {url} is out of reach; see that the server runs, and `model`"
        ) from error
    except (NoAnswerError, APIResponseValidationError) as error:
        raise TransientError(
            f"asking the model: {url} sent no answer: {error}; see the server's log, and that "
            "`model` is the URL of an OpenAI-compatible API, with its /v1"
        ) from error
    except Refused as error:
        kind = PermanentError if error.fault in _UNFIT else TransientError
        raise kind(f"asking the model: {url} answers with {error}") from error
