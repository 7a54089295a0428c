"""A placement case as a model reads it, and its answer as advice.

What is quoted stands in JSON strings, one object a line: no text can end its line or its list. The
answer's schema names every scene and thread, so it is finite: an answer that follows it ends.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from contracts.advice import MAX_TOUCHES, Advice, PersonAdvice, SceneAdvice
from contracts.ids import CharacterId, StorylineId
from contracts.placement import PlacementCase, ShownScene, ShownThread
from contracts.words import iter_words
from processors.asking import closed_object

_TITLE_WORDS: Final = 20
_SYNOPSIS_WORDS: Final = 60
_NAME_WORDS: Final = 6
_WORDING_WORDS: Final = 12
_MOST_NAMES: Final = 12
_LETTERS_A_WORD: Final = 12  # a text without spaces is one word to the count
_NONE: Final = "none"


class _Placed(BaseModel):
    """What the wire says of one scene; models that no schema binds add words of their own."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    home: str
    touches: str = _NONE
    touches_too: str = _NONE


_ANSWER: Final[TypeAdapter[dict[str, object]]] = TypeAdapter(dict[str, object])


def shown(case: PlacementCase, synopses: int) -> str:
    """Return what the model is shown of `case`, with so many `synopses` a thread.

    Our own words stand last.
    """
    names = _names_of_threads(case)
    threads = (
        {
            "id": names[thread.storyline],
            "title": _clipped(thread.title, _TITLE_WORDS),
            "latest": [
                _clipped(synopsis, _SYNOPSIS_WORDS) for synopsis in _newest(thread, synopses)
            ],
        }
        for thread in case.threads
    )
    scenes = (_shown_scene(scene, names) for scene in case.scenes)
    undecided = ", ".join(_name_of(scene) for scene in case.close_calls) or "none"
    told = f"THREADS\n{_lines(threads)}\nSCENES\n{_lines(scenes)}\n{_shown_persons(case)}"
    return f"{told}Undecided are: {undecided}."


def answer_schema(case: PlacementCase) -> dict[str, object]:
    """Return the JSON Schema of the answer."""
    threads = list(_names_of_threads(case).values())
    scenes = [_name_of(scene) for scene in case.close_calls]
    home, touch = {"$ref": "#/$defs/home"}, {"$ref": "#/$defs/touch"}
    definitions: dict[str, object] = {}
    if scenes:
        definitions |= {
            "home": {"type": "string", "enum": [*threads, *_new_threads(case)]},
            "touch": {"type": "string", "enum": [_NONE, *threads]},
            "placed": closed_object({"home": home, "touches": touch, "touches_too": touch}),
        }
    if case.hidden:
        definitions["who"] = {"type": "string", "enum": [_NONE, *_names_of_named(case)]}
    asked = {scene: {"$ref": "#/$defs/placed"} for scene in scenes}
    asked |= {person: {"$ref": "#/$defs/who"} for person in _names_of_hidden(case)}
    return {"$defs": definitions, **closed_object(asked)}


def read_advice(answer: str, case: PlacementCase) -> Advice:
    """Read an answer; what it says of things that were not shown is dropped and counted.

    Raises:
        ValueError: it is no JSON object, or says nothing of what was asked.
    """
    told = _ANSWER.validate_json(answer)
    threads = {name: thread for thread, name in _names_of_threads(case).items()}
    scenes, opened = [], dict[str, int]()
    persons = _names_of_hidden(case)
    dropped = len(told.keys() - {_name_of(scene) for scene in case.close_calls} - persons.keys())
    for scene in case.close_calls:
        placed = _read_placed(told.get(_name_of(scene)))
        if placed is None or placed.home not in {*threads, *_new_threads(case)}:
            dropped += _name_of(scene) in told
            continue
        touches = [name for name in (placed.touches, placed.touches_too) if name != _NONE]
        dropped += sum(name not in threads for name in touches)
        kept = {threads[name]: None for name in touches if name in threads and name != placed.home}
        opens = None if placed.home in threads else opened.setdefault(placed.home, len(opened) + 1)
        scenes.append(
            SceneAdvice(
                number=scene.number,
                home=threads.get(placed.home),
                opens=opens,
                touches=tuple(islice(kept, MAX_TOUCHES)),
            )
        )
    if not scenes and (case.close_calls or not persons.keys() & told.keys()):
        raise ValueError("the answer places no scene, or knows no person, that was asked about")
    known, strange = _read_persons(told, case)
    return Advice(scenes=tuple(scenes), persons=known, dropped=dropped + strange)


def _read_persons(
    told: Mapping[str, object], case: PlacementCase
) -> tuple[tuple[PersonAdvice, ...], int]:
    """Return who proves to be who, and how often somebody was named who was not shown."""
    named = _names_of_named(case)
    said = {name: told[name] for name in _names_of_hidden(case) if name in told}
    known = tuple(
        PersonAdvice(person=person, same_as=named[same])
        for name, person in _names_of_hidden(case).items()
        if isinstance(same := said.get(name), str) and same in named
    )
    return known, sum(each != _NONE for each in said.values()) - len(known)


def _read_placed(told: object) -> _Placed | None:
    try:
        return _Placed.model_validate(told)
    except ValidationError:
        return None


def _newest(thread: ShownThread, number: int) -> tuple[str, ...]:
    return thread.synopses[max(0, len(thread.synopses) - number) :]


def _shown_scene(scene: ShownScene, names: Mapping[StorylineId, str]) -> dict[str, object]:
    said: dict[str, object] = {
        "number": scene.number,
        "title": _clipped(scene.title, _TITLE_WORDS),
        "account": _clipped(scene.synopsis, _SYNOPSIS_WORDS),
        "people": [_clipped(name, _NAME_WORDS) for name in scene.characters[:_MOST_NAMES]],
    }
    if scene.candidates:
        said["likely"] = [names[each] for each in scene.candidates]
    return said


def _names_of_threads(case: PlacementCase) -> dict[StorylineId, str]:
    return {thread.storyline: f"t{n}" for n, thread in enumerate(case.threads, start=1)}


def _names_of_hidden(case: PlacementCase) -> dict[str, CharacterId]:
    return {f"person_{n}": each.character for n, each in enumerate(case.hidden, start=1)}


def _names_of_named(case: PlacementCase) -> dict[str, CharacterId]:
    return {f"c{n}": each.character for n, each in enumerate(case.named, start=1)}


def _shown_persons(case: PlacementCase) -> str:
    if not case.hidden:
        return ""
    hidden = (
        {
            "id": name,
            "words": [_clipped(words, _WORDING_WORDS) for words in person.words],
            "seen": _clipped(person.synopsis, _SYNOPSIS_WORDS),
        }
        for name, person in zip(_names_of_hidden(case), case.hidden, strict=True)
    )
    named = (
        {"id": name, "name": _clipped(person.name, _NAME_WORDS)}
        for name, person in zip(_names_of_named(case), case.named, strict=True)
    )
    return f"WITHOUT A NAME\n{_lines(hidden)}\nIN THESE SCENES\n{_lines(named)}\n"


def _new_threads(case: PlacementCase) -> list[str]:
    return [f"n{n}" for n, _ in enumerate(case.close_calls, start=1)]


def _name_of(scene: ShownScene) -> str:
    return f"scene_{scene.number}"


def _lines(values: Iterable[Mapping[str, object]]) -> str:
    return "\n".join(json.dumps(value, ensure_ascii=False) for value in values)


def _clipped(text: str, words: int) -> str:
    """Return the first `words` words of `text` in one line."""
    flat = " ".join(text.split())[: words * _LETTERS_A_WORD]
    ends = [end for _, end in islice(iter_words(flat), words + 1)]
    return flat if len(ends) <= words else f"{flat[: ends[words - 1]]} …"
