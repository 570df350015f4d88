"""Reads ``companyfacts``: the fiscal year of each filing that has facts in XBRL."""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.reports.providers.edgar import values
from wikicrawler.reports.providers.edgar.filings import ACCESSION
from wikicrawler.reports.providers.edgar.values import AnswerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ANNUAL_PERIOD = "FY"
MAX_PACKED = 4 * 2**20
"""Bytes of a compressed answer that is kept to be written as a document."""


class FactYear(NamedTuple):
    """The fiscal year that the facts of a filing are labelled with."""

    year: int | None
    """None: no fact has a year."""
    agreeing: int
    """Facts with this year."""
    facts: int
    """Facts that were counted: those labelled FY; if there are none, all."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What companyfacts says of the filings of a company."""

    years: dict[str, FactYear] = field(default_factory=dict)
    """By accession."""
    packed: bytes | None = None
    """The whole answer, compressed; None if it is too large to be kept."""


def read_facts(body: bytes, cik: int) -> Facts:
    """Return the fiscal years in *body*, the facts of the company *cik*.

    A fact's ``fy`` is the fiscal year of the filing with it, not the year that the fact is about:
    a report has the figures of earlier years, too.

    :raises AnswerError: it has another shape, or is about another company
    """
    data = values.parse(body)
    if values.cik(data.get("cik")) != cik:
        raise AnswerError(f"is not about CIK {cik}")
    annual: dict[str, Counter[int]] = {}
    others: dict[str, Counter[int]] = {}
    for accession, year, period in _rows(values.mapping(data.get("facts"), "facts")):
        counts = annual if period == ANNUAL_PERIOD else others
        counter = counts.setdefault(accession, Counter())
        if year is not None:
            counter[year] += 1
    years = {accession: _majority(counter) for accession, counter in (others | annual).items()}
    packed = zlib.compress(body, 1)
    return Facts(years, packed if len(packed) <= MAX_PACKED else None)


def _majority(counter: Counter[int]) -> FactYear:
    if not counter:
        return FactYear(None, 0, 0)
    # Of equals the later year: a stray row of a report is that of the report before.
    year, agreeing = max(counter.items(), key=lambda item: (item[1], item[0]))
    return FactYear(year, agreeing, counter.total())


def _rows(facts: dict[str, Any]) -> Iterator[tuple[str, int | None, object]]:
    """Yield accession, fiscal year and fiscal period of each fact."""
    for entries in _units(facts):
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and (row := _row(entry)):
                yield row


def _units(facts: dict[str, Any]) -> Iterator[object]:
    for taxonomy in facts.values():
        for concept in _values(taxonomy):
            yield from _values(concept.get("units") if isinstance(concept, dict) else None)


def _values(value: object) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else ()


def _row(entry: dict[str, Any]) -> tuple[str, int | None, object] | None:
    accession = entry.get("accn")
    if not isinstance(accession, str) or not ACCESSION.fullmatch(accession):
        return None
    year = values.whole(entry.get("fy"))
    if year is not None and not values.FIRST_YEAR <= year <= values.LAST_YEAR:
        year = None
    return accession, year, entry.get("fp")
