"""Measurements against gold annotations, and the baselines they are held against."""
