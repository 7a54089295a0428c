"""The two kinds of errors that cross a port, and nothing else does.

Adapters translate every vendor error to one of them, always `from` the original, so that the
runner has one question to ask: can waiting help?
"""


class StorygraftError(Exception):
    """Base of the errors whose text is written for the person who reads it."""


class TransientError(StorygraftError):
    """Waiting may help: a store is down, a call timed out, the disk is full.

    The adapter has retried already. The runner holds the event and tries again later.
    """


class WorkMustWait(TransientError):  # noqa: N818 - what is so, as a person would say it
    """Waiting may help, and only this work has to: a stage that parks pauses it, and goes on."""


class PermanentError(StorygraftError):
    """Waiting cannot help: the input is unfit. The runner dead-letters the original bytes."""
