"""The proof of a source on a day, from the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.audit.proof import build_proof
from wikicrawler.store.audit_chain import Head, links
from wikicrawler.store.audit_queries import outcomes_of, sequences_of_day
from wikicrawler.store.chain_text import digest_of, hash_of

if TYPE_CHECKING:
    from datetime import date

    from sqlalchemy import Connection


class NothingRecordedError(Exception):
    """The log has no record of the source on the day."""


class BrokenChainError(Exception):
    """The chain cannot be followed; ``scrapy audit verify`` says where."""


def export_proof(connection: Connection, source: str, day: date) -> tuple[bytes, Head]:
    """Return the proof of the records of *source* on *day* (in UTC), with the outcomes of its
    operations, and the end of the chain.

    :raises NothingRecordedError: there is no record
    :raises BrokenChainError: the chain is broken
    """
    of_day = sequences_of_day(connection, source, day)
    if not of_day:
        raise NothingRecordedError
    shown = {*of_day, *outcomes_of(connection, of_day)}
    first = min(shown)
    chain: list[str | dict[str, str]] = []
    start = previous = ""
    sequence = first - 1
    for rows in links(connection, first):
        for stored, text, stated_previous, stated in rows:
            if not chain:
                start = previous = stated_previous
            digest = digest_of(text)
            sequence += 1
            if (
                stored != sequence
                or stated_previous != previous
                or stated != hash_of(digest, previous)
            ):
                raise BrokenChainError
            chain.append({"text": text} if sequence in shown else digest)
            previous = stated
    proof = build_proof(source, day.isoformat(), (first, start), chain, previous)
    return proof, Head(sequence, previous)
