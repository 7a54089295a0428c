"""Segmentation by a language model, after the paper: LitSeg-Lite in one call, LitSeg in three."""

from processors.litseg.asker import Limits
from processors.litseg.lite import LitSegLite
from processors.litseg.teacher import LitSeg

__all__ = ["Limits", "LitSeg", "LitSegLite"]
