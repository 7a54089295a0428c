"""Generations on real servers: rebuilt, swapped, rolled back and dropped while readers read."""
