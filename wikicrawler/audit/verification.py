"""Verification of the audit log in the database."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from wikicrawler.store.audit_chain import head, links
from wikicrawler.store.audit_sums import Sums, stored_sums, stored_times
from wikicrawler.store.audit_triggers import missing_triggers
from wikicrawler.store.chain_text import GENESIS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from wikicrawler.audit.anchor import Anchor

_MAX_FAULTS = 20


@dataclass
class Verification:
    """The result."""

    records: int = 0
    head: str = GENESIS
    """Hash of the last record."""
    faults: list[str] = field(default_factory=list)
    """What is wrong; at most 20 lines. The chain is whole if there is none."""
    unfinished: list[str] = field(default_factory=list)
    """Crawls without an end in the log: they still run or were killed, and then the log may lack
    their last second."""
    anchors: int = 0
    """Number of anchors that the chain contains."""


def verify(
    connection: Connection,
    anchors: Sequence[Anchor] = (),
    *,
    with_sums: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Verification:
    """Verify the whole chain: each hash, the order, the end of each crawl and the triggers.

    :param anchors: must be in the chain
    :param with_sums: also compare the sums with the records, which takes several times as long
    :param progress: called with the number of records that were read, every few thousand. What it
        raises ends the verification
    """
    result = Verification()
    walk = _Walk(result, {anchor.sequence: anchor for anchor in anchors}, with_sums)
    for rows in links(connection):
        walk.follow(rows)
        if progress is not None:
            progress(walk.records)
        if len(result.faults) >= _MAX_FAULTS:
            result.faults.append("further faults are not listed")
            return result
    result.records, result.head = walk.records, walk.previous
    _check_anchors(result, walk.anchors)
    result.unfinished = sorted(walk.unfinished)
    _check_end(connection, result)
    if walk.sums is not None:
        _check_sums(connection, result, walk.sums)
    return result


class _Walk:
    """A walk along the chain."""

    def __init__(self, result: Verification, anchors: dict[int, Anchor], with_sums: bool) -> None:
        self.anchors = anchors
        """Anchors that were not met yet, by their sequence."""
        self.unfinished: set[str] = set()
        """Crawls that have begun and not ended."""
        self.sums = Sums() if with_sums else None
        self.previous = GENESIS
        self.records = 0
        self._expected = 1
        self._result = result

    def follow(self, rows: list[tuple[int, str, str, str]]) -> None:
        """Follow *rows*. This is the loop that takes the time."""
        previous, expected = self.previous, self._expected
        for sequence, text, stated_previous, stated in rows:
            digest = sha256(text.encode()).hexdigest()  # digest_of() and hash_of(), in place
            if (
                sequence != expected
                or stated_previous != previous
                or stated != sha256(f"{digest}\n{previous}".encode()).hexdigest()
                or f'"sequence":{sequence},' not in text
            ):
                why = "was changed (its text does not have its hash)"
                if sequence != expected:
                    why = f"missing (the next record is {sequence})"
                elif stated_previous != previous:
                    why = "does not follow the record before it (its prev_hash differs)"
                _fault(self._result, f"record {expected}: {why}")
            if self.anchors and sequence in self.anchors:
                _check_anchor(self._result, self.anchors.pop(sequence), stated)
            # The text of a request begins so.
            if self.sums is not None or not text.startswith('{"bytes":'):
                self._read(text)
            previous, expected = stated, sequence + 1
        self.previous, self._expected = previous, expected
        self.records += len(rows)

    def _read(self, text: str) -> None:
        try:
            fields = json.loads(text)
            kind, run = fields["kind"], fields.get("run_id", "")
            if self.sums is not None:
                self.sums.add(fields)
        except (ValueError, LookupError, TypeError):
            return  # changed, which its hash shows
        if kind == "start":
            self.unfinished.add(run)
        elif kind == "end":
            self.unfinished.discard(run)


def _fault(result: Verification, message: str) -> None:
    if len(result.faults) < _MAX_FAULTS:
        result.faults.append(message)


def _check_anchor(result: Verification, anchor: Anchor, stated: str) -> None:
    if anchor.hash == stated:
        result.anchors += 1
    else:
        _fault(
            result,
            f"record {anchor.sequence}: has another hash than the anchor of {anchor.timestamp}: "
            "the chain was built anew",
        )


def _check_anchors(result: Verification, kept: dict[int, Anchor]) -> None:
    """Check the anchors that no record has."""
    for anchor in kept.values():
        if anchor.sequence == 0:
            result.anchors += 1  # of an empty chain
        else:
            _fault(
                result,
                f"record {anchor.sequence}: missing, though there is an anchor of "
                f"{anchor.timestamp}: the end of the chain was removed",
            )


def _check_end(connection: Connection, result: Verification) -> None:
    end = head(connection)
    if end.sequence and end.hash != result.head and not result.faults:
        _fault(result, "the last record is not the end of the chain")
    for name in missing_triggers(connection):
        _fault(result, f"trigger {name}: missing, disabled or changed: rows can be changed")


def _check_sums(connection: Connection, result: Verification, sums: Sums) -> None:
    stored = dict(stored_sums(connection))
    for cell in sorted(stored.keys() | sums.numbers.keys()):
        if [round(n, 6) for n in stored.get(cell, ())] != [
            round(n, 6) for n in sums.numbers.get(cell, ())
        ]:
            _fault(result, f"sums of {cell.period}: differ from the records")
    if dict(stored_times(connection)) != dict(sums.times):
        _fault(result, "response times: their counts differ from the records")
