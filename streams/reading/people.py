"""Who is in the story, and all about one of them."""

from __future__ import annotations

from contracts.answers import ExportedAlias
from contracts.ids import CharacterId
from contracts.ordinals import Ordinal
from contracts.ports import BoundStory
from contracts.reports import (
    CharacterLine,
    CharacterReport,
    CharactersReport,
    Companion,
    NamedCharacter,
    Revealed,
)
from contracts.story_graph import CastPlace, Member, StoryGraph, StoryPlace, Stretch
from contracts.tree import IdentityRow
from streams.reading.naming import Names, called, names_of
from streams.reading.paging import Turn
from streams.reading.scenes import scene_lines


async def characters(view: BoundStory, turn: Turn[CastPlace]) -> CharactersReport:
    """Return a page of the characters, those of most scenes first."""

    async def read(graph: StoryGraph) -> CharactersReport:
        found = await graph.cast(turn.one_more, turn.after)
        page = found[: turn.limit]
        names = await names_of(graph, [member.id for member in page])
        return CharactersReport(
            work_id=graph.work_id,
            generation=graph.generation,
            as_of=graph.as_of,
            characters=tuple(_line(member, names) for member in page),
            next=turn.next(found, [member.place for member in found], graph.as_of),
        )

    return await view.consult(read)


async def character(view: BoundStory, name: str, turn: Turn[StoryPlace]) -> CharacterReport:
    """Return the character called `name`, or whose id begins so, with a page of the scenes.

    Raises:
        NotFound: nobody is called so as of then, or (`Ambiguous`) several are.
    """

    async def read(graph: StoryGraph) -> CharacterReport:
        id_ = await called(graph, name)
        (member,) = await graph.members([id_])
        together = await graph.companions([id_])
        identities = await graph.identities([id_])
        wanted = Stretch(turn.one_more, of_character=id_, after=turn.after)
        found = await graph.stretch(wanted)
        others = [each.other for each in together[: turn.limit]]
        revealed = [_other(row, id_) for row in identities]
        names = await names_of(graph, [id_, *others, *revealed])
        return CharacterReport(
            work_id=graph.work_id,
            generation=graph.generation,
            as_of=graph.as_of,
            character=_named(id_, names),
            first_ordinal=member.first,
            last_ordinal=member.last,
            revealed=tuple(
                Revealed(id=other, name=names.name(other), from_ordinal=Ordinal(row.from_ordinal))
                for row, other in zip(identities, revealed, strict=True)
            ),
            companion_count=len(together),
            companions=tuple(
                Companion(id=each.other, name=names.name(each.other), scenes=each.scenes)
                for each in together[: turn.limit]
            ),
            scene_count=member.scenes,
            scenes=await scene_lines(graph, found[: turn.limit]),
            next=turn.next(found, [each.place for each in found], graph.as_of),
        )

    return await view.consult(read)


def _line(member: Member, names: Names) -> CharacterLine:
    name = names.name(member.id)
    return CharacterLine(
        id=member.id,
        name=name,
        aliases=tuple(row.alias for row in names.rows[member.id] if row.alias != name),
        first_ordinal=member.first,
        last_ordinal=member.last,
        scenes=member.scenes,
    )


def _named(id_: CharacterId, names: Names) -> NamedCharacter:
    return NamedCharacter(
        id=id_,
        name=names.name(id_),
        aliases=tuple(
            ExportedAlias(alias=row.alias, from_ordinal=Ordinal(row.from_ordinal))
            for row in names.rows[id_]
        ),
    )


def _other(row: IdentityRow, id_: CharacterId) -> CharacterId:
    return CharacterId(row.same_as if row.character == id_ else row.character)
