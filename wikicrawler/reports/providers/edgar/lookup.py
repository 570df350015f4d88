"""Finds SEC's number of a company by ticker or name. It does not guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.reports.errors import DocumentNotFoundError
from wikicrawler.reports.providers.edgar import forms
from wikicrawler.reports.providers.edgar.names import normalised, searched
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wikicrawler.reports.fetching import Fetcher
    from wikicrawler.reports.models import CompanyRef
    from wikicrawler.reports.providers.edgar.client import Client

MAX_FORMER = 5
"""Companies of a search whose former names are compared."""
MAX_LISTED = 8
"""Candidates in an error."""
_ADVICE = "give the CIK"


async def find_cik(company: CompanyRef, client: Client, fetch: Fetcher) -> int:
    """Return the CIK of *company*: the one that it names, else that of its ticker, else that of its
    name.

    A ticker is looked up among the companies whose shares are traded. A name is compared with
    theirs, then with those of the companies whose filings have it in their text, then with their
    former names.

    :raises DocumentNotFoundError: there is no such company, or there are several; the message lists
        them
    :raises ReportError: EDGAR could not be asked
    """
    if company.cik:
        return int(company.cik)
    if company.ticker:
        found = (await client.tickers(fetch)).ciks.get(company.ticker)
        if found is not None:
            return found
        if not company.name:
            raise DocumentNotFoundError(
                f"{quoted(company.ticker)} is not among the tickers of SEC, which has none of "
                f"companies that are no longer listed: {_ADVICE} or the name"
            )
    return await _by_name(company.name, client, fetch)


async def _by_name(name: str, client: Client, fetch: Fetcher) -> int:
    asked = normalised(name)
    if not asked:
        raise DocumentNotFoundError(f"{quoted(name)} is not a name of a company")
    tickers = await client.tickers(fetch)
    listed = tickers.by_name.get(asked, ())
    if listed:
        return _only(name, listed, tickers.names)
    hits = await client.search(searched(name), forms.ANNUAL, fetch)
    names = dict(hits)
    if found := await _among(asked, hits, client, fetch):
        return _only(name, found, names)
    similar = tickers.similar(asked, MAX_LISTED)
    raise DocumentNotFoundError(
        f"no company is named {quoted(name)}"
        + _listing(
            "; similar names or filings that mention it: ",
            [*similar, *(cik for cik in names if cik not in similar)],
            {**names, **tickers.names},
        )
        + f": {_ADVICE} or the exact name"
    )


async def _among(
    asked: str, hits: Sequence[tuple[int, str]], client: Client, fetch: Fetcher
) -> list[int]:
    """Return the companies of *hits* with the normalised name *asked*; if there is none, those that
    had it once."""
    same = [cik for cik, shown in hits if normalised(shown) == asked]
    if same:
        return same
    return [cik for cik, _ in hits[:MAX_FORMER] if asked in await _former_names(cik, client, fetch)]


async def _former_names(cik: int, client: Client, fetch: Fetcher) -> set[str]:
    try:
        submissions = await client.submissions(cik, fetch)
    except DocumentNotFoundError:
        return set()
    return {normalised(former.name) for former in submissions.former}


def _only(name: str, ciks: Sequence[int], names: Mapping[int, str]) -> int:
    if len(ciks) == 1:
        return ciks[0]
    raise DocumentNotFoundError(
        f"several companies are named {quoted(name)}" + _listing(": ", ciks, names) + f": {_ADVICE}"
    )


def _listing(before: str, ciks: Sequence[int], names: Mapping[int, str]) -> str:
    shown = [f"{names.get(cik, '')} (CIK {cik})" for cik in ciks[:MAX_LISTED]]
    more = ", …" if len(ciks) > MAX_LISTED else ""
    return before + ", ".join(shown) + more if shown else ""
