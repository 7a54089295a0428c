"""What building an index will cost: calls, tokens, money and time, before anything is spent."""

from streams.estimating.questions import CountTokens, no_count, published_of, questions
from streams.estimating.shares import SHARES, Shares
from streams.estimating.texts import TextEstimator

__all__ = [
    "SHARES",
    "CountTokens",
    "Shares",
    "TextEstimator",
    "no_count",
    "published_of",
    "questions",
]
