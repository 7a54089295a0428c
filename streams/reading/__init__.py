"""What readers ask of a story's graph as of an ordinal: who, which threads, how linked, when.

Everything is asked of a bound view, errors and suggestions too: there is nothing here that could
tell more than the view does.
"""
