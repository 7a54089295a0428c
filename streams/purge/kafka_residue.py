"""What a purge cannot take out of Kafka, and how an operator does: no record goes alone."""

from __future__ import annotations

from contracts.topics import CHAPTERS
from contracts.works import WorkRecord
from streams.purge.purge_journal import PurgeOrder
from streams.session import Home


async def kafka_residue(home: Home, order: PurgeOrder, work: WorkRecord) -> tuple[str, ...]:
    """Return in sentences where the text of `order` still lies; nothing where no log is Kafka.

    Raises:
        TransientError: the brokers do not answer.
    """
    if not home.has_workers:
        return ()
    where = await _in_chapters(home, order, work)
    days = home.settings.topic_keep_days
    kept = f"{days} days" if days else "kept without limit; topic_keep_days sets one"
    settled = (letter for letter, _ in home.finder.letters.settled())
    letters = sum(
        order.takes(letter.identity.chapter_id, letter.position)
        for letter in (*home.finder.letters.all(), *settled)
        if letter.key == order.work_id.encode()
    )
    text = (
        f"Kafka takes no single record out of a topic: the text stays in chapters{where}, scenes "
        f"and embedded, and in {letters} dead letters, until their retention ({kept}); "
        "`kafka-delete-records.sh` removes sooner all that lies before an offset, other works' "
        "events too, which can then be indexed anew no more"
    )
    return text, "answers that quote the text, and the questions, stay in their topics for 30 days"


async def _in_chapters(home: Home, order: PurgeOrder, work: WorkRecord) -> str:
    """Say where in `chapters` the last of the text lies, if it is still there."""
    positions = [
        chapter.registers.text[1]
        for chapter in work.chapters
        if chapter.chapter_id in order.chapter_ids and chapter.registers.text is not None
    ]
    last = max((*positions, order.floor))
    record = await home.log.record_at(CHAPTERS, order.work_id.encode(), last)
    return "" if record is None else f" (partition {record.partition}, up to offset {last})"
