"""Inputs of `index` and `publish`: what people have, read into chapter events (`reading`)."""
