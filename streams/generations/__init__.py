"""Generations: built beside each other from the log, verified, swapped, dropped."""
