"""Verification of the audit log in the database."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikicrawler.store.audit_chain import head, links
from wikicrawler.store.audit_sums import Sums, stored_sums, stored_times
from wikicrawler.store.audit_triggers import missing_triggers
from wikicrawler.store.chain_text import GENESIS, digest_of, hash_of

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    connection: Connection, anchors: Sequence[Anchor] = (), *, with_sums: bool = False
) -> Verification:
    """Verify the whole chain: each hash, the order, the end of each crawl and the triggers.

    :param anchors: must be in the chain
    :param with_sums: also compare the sums with the records, which takes several times as long
    """
    result = Verification()
    kept = {anchor.sequence: anchor for anchor in anchors}
    runs: dict[str, int] = {}  # operations so far, of the crawls that have not ended
    sums = Sums()
    previous, expected = GENESIS, 1
    for sequence, text, stated_previous, stated in links(connection):
        computed = hash_of(digest_of(text), previous)
        if (
            sequence != expected
            or stated_previous != previous
            or stated != computed
            or f'"sequence":{sequence},' not in text
        ):
            _fault(
                result, _describe(sequence, expected, stated_previous, previous, stated, computed)
            )
            if len(result.faults) >= _MAX_FAULTS:
                result.faults.append("further faults are not listed")
                return result
        if sequence in kept:
            _check_anchor(result, kept.pop(sequence), stated)
        if '"kind":"request"' in text:
            if with_sums:
                sums.add(json.loads(text))
        else:
            _follow_run(result, runs, text, sums if with_sums else None)
        previous, expected = stated, sequence + 1
        result.records += 1
    result.head = previous
    _check_anchors(result, kept)
    result.unfinished = sorted(runs)
    _check_end(connection, result)
    if with_sums:
        _check_sums(connection, result, sums)
    return result


def _fault(result: Verification, message: str) -> None:
    if len(result.faults) < _MAX_FAULTS:
        result.faults.append(message)


def _describe(
    sequence: int, expected: int, stated_previous: str, previous: str, stated: str, computed: str
) -> str:
    if sequence != expected:
        return f"record {expected}: missing (the next record is {sequence})"
    if stated_previous != previous:
        return f"record {sequence}: does not follow the record before it (its prev_hash differs)"
    if stated != computed:
        return f"record {sequence}: was changed (its text does not have its hash)"
    return f"record {sequence}: its text states another sequence"


def _follow_run(result: Verification, runs: dict[str, int], text: str, sums: Sums | None) -> None:
    fields = json.loads(text)
    if fields["kind"] == "start":
        runs[fields["run_id"]] = 0
    elif fields["kind"] == "end":
        runs.pop(fields["run_id"], None)
    elif sums is not None:
        sums.add(fields)


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
