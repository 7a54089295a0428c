"""The map of a work: its scenes, a line each, for a model that is to say where to look.

`numbering` gives scenes and storylines the short names that they go by, `whole` writes the map
of a work that fits, `partial` what fits of one that does not; `showing` chooses between them.
"""
