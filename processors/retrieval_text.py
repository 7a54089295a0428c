"""A scene as it is searched: its text with the sentences without which it cannot be understood.

After the paper's reconstruction of a chunk: what the scene shares with an earlier one and the
context sentences stand around its home as they do in the chapter, and the subtitle before all.
"""

from __future__ import annotations

from contracts.scenes import Scene


def retrieval_text(text: str, scene: Scene) -> str:
    """Return what `scene` of a chapter with this `text` is found by, its pieces on lines.

    A title that was extracted is left out: its words stand in the scene already.
    """
    pieces = sorted(
        [(scene.start, scene.end)]
        + [(span.start, span.end) for span in (*scene.extra_spans, *scene.context_spans)]
    )
    title = [] if "title" in scene.filled else [scene.title]
    return "\n".join([*title, *(text[start:end] for start, end in pieces)])
