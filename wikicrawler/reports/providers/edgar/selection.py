"""Which filings of a company are about a fiscal year, and in which order."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.reports.providers.edgar import forms
from wikicrawler.reports.providers.edgar.fiscal_year import FiscalYear, fiscal_years

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wikicrawler.reports.fetching import Fetcher
    from wikicrawler.reports.providers.edgar.client import Client
    from wikicrawler.reports.providers.edgar.facts import FactYear
    from wikicrawler.reports.providers.edgar.filings import Filing
    from wikicrawler.reports.providers.edgar.submissions import Submissions

MAX_FILINGS = 6
"""Filings of a fiscal year that are offered."""
_YEARS_LATE = 3
"""A report is looked for among the filings of so many years after the fiscal year, and only if
there is none among later ones."""


class Chosen(NamedTuple):
    """A filing about the fiscal year."""

    filing: Filing
    year: FiscalYear
    is_second: bool
    """Another filing comes before it: the original of an amendment, the report about twelve months
    of that about a transition."""


async def filings_of(
    company: Submissions, year: int, asked: tuple[str, ...], client: Client, fetch: Fetcher
) -> tuple[Chosen, ...]:
    """Return the filings of *company* about the fiscal *year*, the best one first.

    Pages of older filings are requested if they may list one.

    :param asked: forms of the filings
    :raises ReportError: EDGAR could not be asked
    """
    facts = await client.facts(company.cik, fetch)
    labels = facts.years if facts else {}
    filings = {filing.accession: filing for filing in company.filings}
    # No report about a year is filed before the year begins that it is named after.
    pages = company.pages_between(date(year, 1, 1), date(year + _YEARS_LATE, 12, 31))
    chosen: tuple[Chosen, ...] = ()
    for group in (pages, company.pages_between(date(year, 1, 1))):
        for page in group:
            for filing in await client.older_page(page.name, fetch):
                filings.setdefault(filing.accession, filing)
        chosen = choose(tuple(filings.values()), labels, company, year, asked)
        if any(not one.filing.is_amendment for one in chosen):
            break
    return chosen


def choose(
    filings: Sequence[Filing],
    facts: Mapping[str, FactYear],
    company: Submissions,
    year: int,
    asked: tuple[str, ...],
) -> tuple[Chosen, ...]:
    """Return the filings of a *year* with a form of *asked*, the best one first."""
    years = fiscal_years(filings, facts, sic=company.sic, year_end=company.year_end)
    found = [
        filing
        for filing in filings
        if years[filing.accession].year == year and _is_wanted(filing, asked)
    ]
    found.sort(key=lambda filing: _rank(filing, years[filing.accession]))
    return tuple(
        Chosen(filing, years[filing.accession], is_second=place > 0 or filing.is_amendment)
        for place, filing in enumerate(found[:MAX_FILINGS])
    )


def _is_wanted(filing: Filing, asked: tuple[str, ...]) -> bool:
    # The report to shareholders often has the annual report in it, in the filer's own layout.
    return forms.is_asked(filing.form, asked) or (
        filing.is_shareholders and forms.is_asked("10-K", asked)
    )


def _rank(filing: Filing, year: FiscalYear) -> tuple[bool, bool, bool, bool, int, str]:
    """Originals before reports to shareholders before amendments; twelve months before transitions;
    of equals the one filed first."""
    filed = filing.filed.toordinal() if filing.filed else date.max.toordinal()
    return (
        filing.is_amendment,
        filing.is_shareholders,
        filing.is_transition,
        not year.is_certain,
        filed,
        filing.accession,
    )
