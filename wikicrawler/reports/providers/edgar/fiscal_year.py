"""Which fiscal year a filing is about. EDGAR has no label for it.

The first of these that says something decides:

1. *Facts*: ``fy`` of the filing's own facts in companyfacts. It is believed if the period touches
   that year for more than two months.
2. *Practice*: how the company's own facts name a year with the same end, in the filing nearest in
   time.
3. *Rules* about the end of the period:

   - 1 to 7 January: the year before. The year has 52 or 53 weeks, and ends near 31 December.
   - 8 January to 7 March, if the company is a retailer, a restaurant or a maker of clothes (SIC 23,
     31, 52 to 59) and the year has 52 or 53 weeks (its ends are not the last of a month): the year
     before. Most of them name a year by its start (Target, Home Depot); those with a year that ends
     on 31 January name it by its end (Walmart).
   - Any other day: the year of the end (NVIDIA, Apple, Microsoft).

An amendment is about the year of the report that it amends: the one with the same end, else the
last one filed before. The rules are uncertain for ends in January to May, where companies differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from wikicrawler.reports.providers.edgar.periods import (
    Period,
    days_apart_in_year,
    is_month_end,
    period_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from wikicrawler.reports.providers.edgar.facts import FactYear
    from wikicrawler.reports.providers.edgar.filings import Filing

_WEEK = timedelta(days=7)
_SAME_END = 10
"""Days by which the ends of two fiscal years of the same calendar differ at most."""
_CLOTHES = (23, 31)
_RETAIL = range(52, 60)
"""Major groups of the Standard Industrial Classification."""
_LAST_UNCERTAIN_MONTH = 5


@dataclass(frozen=True, slots=True)
class FiscalYear:
    """The fiscal year that a filing is about."""

    year: int | None
    """None: nothing says it."""
    end: date | None
    reason: str
    """How the year is known, for a person."""
    is_certain: bool = True


def fiscal_years(
    filings: Sequence[Filing],
    facts: Mapping[str, FactYear],
    *,
    sic: int | None = None,
    year_end: tuple[int, int] | None = None,
) -> dict[str, FiscalYear]:
    """Return the fiscal year of each of *filings*, all of one company, by accession.

    :param facts: by accession, for the filings that have some
    :param sic: industry of the company
    :param year_end: month and day of the present end of its fiscal year
    """
    company = _Company(filings, facts, sic, year_end)
    originals = {
        filing.accession: company.year_of(filing) for filing in filings if filing.is_original
    }
    return originals | {
        filing.accession: _year_of_follower(filing, company, originals)
        for filing in filings
        if filing.accession not in originals
    }


class _Company:
    def __init__(
        self,
        filings: Sequence[Filing],
        facts: Mapping[str, FactYear],
        sic: int | None,
        year_end: tuple[int, int] | None,
    ) -> None:
        self.filings = {filing.accession: filing for filing in filings}
        self._facts = facts
        self._sic = sic
        self.periods = {filing.accession: period_of(filing, year_end) for filing in filings}
        full = [one for one in filings if one.is_original and not one.is_transition]
        self._ends = [end for one in full if (end := self._sure_end(one))]
        self._practice = list(self._offsets(full))

    def _offsets(self, filings: Iterable[Filing]) -> Iterator[tuple[date, int]]:
        """Yield the end of the period of filings with facts, and the years from the end to the name
        of the fiscal year."""
        for filing in filings:
            end, known = self._sure_end(filing), self.known(filing)
            if end and known and known.year is not None:
                yield end, known.year - _base_year(end)

    def _sure_end(self, filing: Filing) -> date | None:
        period = self.periods[filing.accession]
        return period.end if period.is_sure else None

    def known(self, filing: Filing) -> FactYear | None:
        """Return the year of the filing's own facts, if it is to be believed."""
        found, end = self._facts.get(filing.accession), self.periods[filing.accession].end
        if found is None or found.year is None:
            return None
        return found if end is None or found.year in _touched_years(end) else None

    def year_of(self, filing: Filing) -> FiscalYear:
        """Return the year of *filing*, by facts, practice or rule."""
        period = self.periods[filing.accession]
        if (known := self.known(filing)) is not None:
            return FiscalYear(
                known.year,
                period.end,
                f"companyfacts labels {known.agreeing} of {known.facts} facts of this filing with "
                f"fiscal {known.year}",
            )
        doubt = self._doubt(filing)
        if period.end is None:
            return FiscalYear(None, None, doubt + period.source, is_certain=False)
        if (offset := self._practice_for(period.end)) is not None:
            year = _base_year(period.end) + offset
            reason = f"{period.source}, and companyfacts names other years of this company so"
            return FiscalYear(year, period.end, doubt + reason, period.is_sure and not doubt)
        found = self._by_rule(period, period.end)
        return FiscalYear(
            found.year, found.end, doubt + found.reason, found.is_certain and not doubt
        )

    def last_before(self, filing: Filing, accessions: Iterable[str]) -> str | None:
        """Return which of *accessions* was filed last before *filing*."""
        before = [
            (other.filed, other.accession)
            for other in map(self.filings.__getitem__, accessions)
            if other.filed and filing.filed and other.filed <= filing.filed
        ]
        return max(before)[1] if before else None

    def _doubt(self, filing: Filing) -> str:
        found = self._facts.get(filing.accession)
        if found is None or found.year is None:
            return ""
        return f"companyfacts says fiscal {found.year}, which the period does not touch; "

    def _practice_for(self, end: date) -> int | None:
        alike = [
            (abs((known - end).days), offset)
            for known, offset in self._practice
            if days_apart_in_year(known, end) <= _SAME_END
        ]
        return min(alike)[1] if alike else None

    def _by_rule(self, period: Period, end: date) -> FiscalYear:
        base = _base_year(end)
        if base < end.year:
            reason = "a year of 52 or 53 weeks that ends in the first week of January"
            return FiscalYear(base, end, f"by rule: {period.source}, {reason}", period.is_sure)
        if (end - _WEEK).month <= 2 and self._is_retailer() and self._has_weeks(end):
            reason = "and retailers with years of 52 or 53 weeks name them by their start"
            return FiscalYear(
                base - 1, end, f"by rule, uncertain: {period.source}, {reason}", is_certain=False
            )
        if (end - _WEEK).month <= _LAST_UNCERTAIN_MONTH:
            reason = "and most companies name a year by its end"
            return FiscalYear(
                base, end, f"by rule, uncertain: {period.source}, {reason}", is_certain=False
            )
        rule = "by rule" if period.is_sure else "by rule, uncertain"
        return FiscalYear(base, end, f"{rule}: {period.source}", period.is_sure)

    def _is_retailer(self) -> bool:
        group = self._sic // 100 if self._sic is not None else 0
        return group in _CLOTHES or group in _RETAIL

    def _has_weeks(self, end: date) -> bool:
        """Return True for a year of 52 or 53 weeks, which may by chance end on the last of a
        month."""
        alike = [one for one in self._ends if days_apart_in_year(one, end) <= _SAME_END]
        return not all(map(is_month_end, [*alike, end]))


def _base_year(end: date) -> int:
    return (end - _WEEK).year


def _touched_years(end: date) -> set[int]:
    return {end.year, _base_year(end), (end - timedelta(days=300)).year}


def _year_of_follower(
    filing: Filing, company: _Company, originals: Mapping[str, FiscalYear]
) -> FiscalYear:
    """Return the year of an amendment or of a report to shareholders: that of its original."""
    own = company.year_of(filing)
    if company.known(filing) is not None:
        return own
    same_end = _with_end(own.end, originals)
    if same_end is not None:
        followed, how = same_end, "with the same end of the period"
    elif (before := company.last_before(filing, originals)) is not None:
        followed, how = before, "filed last before it"
    else:
        return own
    original = originals[followed]
    return FiscalYear(
        original.year,
        original.end,
        f"as {company.filings[followed].form} {followed}, {how}: {original.reason}",
        original.is_certain and same_end is not None,
    )


def _with_end(end: date | None, originals: Mapping[str, FiscalYear]) -> str | None:
    """Return the original whose period ends on *end* or a few days from it, the last of several:
    lists have the latest filing first."""
    if end is None:
        return None
    found = [
        accession
        for accession, original in originals.items()
        if original.end and abs(original.end - end) < _WEEK
    ]
    return found[-1] if found else None
