"""The provider of reports on companies' own sites."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, ClassVar

from wikicrawler.reports.errors import DocumentNotFoundError
from wikicrawler.reports.providers.base import ReportProvider
from wikicrawler.reports.providers.company_ir.choosing import Wanted, references
from wikicrawler.reports.providers.company_ir.options import read_options
from wikicrawler.reports.providers.company_ir.search import Search
from wikicrawler.reports.providers.company_ir.survey import Survey

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.reports.fetching import Fetcher
    from wikicrawler.reports.models import CompanyRef, SourceRef

_MAX_SURVEYS = 100
"""Sites of which the pages are remembered."""
_MAX_YEARS = 8


class CompanyIrProvider(ReportProvider):
    """Finds reports on the investor relations pages of a company's site.

    The homepage is the company's ``website``, or that of the option ``websites``. Documents may be
    on other hosts. PDF files have the score 50, HTML pages 60; what answers the request less well
    (a summary, an amendment, another language) has a higher one.

    Options:

    - ``websites``: homepage or domain by CIK, ticker or name
    - ``max_pages``: requests for pages of a company and year, 12 by default; robots.txt, up to five
      sitemaps and two feeds come on top
    - ``languages``: codes of the languages that are wanted, ``[en]`` by default
    """

    name: ClassVar[str] = "company_ir"

    def __init__(self, tier: int, options: Mapping[str, Any], *, user_agent: str) -> None:
        super().__init__(tier, options, user_agent=user_agent)
        self._options = read_options(options)
        self._surveys: OrderedDict[str, Survey] = OrderedDict()

    async def find(
        self, company: CompanyRef, year: int, forms: tuple[str, ...], fetch: Fetcher
    ) -> list[SourceRef]:
        """Return the reports of *company* for *year*, best first.

        :param forms: besides the forms of SEC, ``annual``, ``integrated``, ``sustainability``,
            ``quarterly``, ``proxy`` and ``presentation``; annual reports of all kinds answer a
            request for one of them
        :raises DocumentNotFoundError: the homepage is not known, or the site has no such report
        :raises ReportError: no page of the site could be read
        """
        homepage = self._options.homepage_of(company)
        if homepage is None:
            raise DocumentNotFoundError(
                f"the homepage of {company.label} is not known: give its website with the company, "
                "or add it to websites of the provider company_ir"
            )
        survey = self._survey(homepage)
        wanted = Wanted(year, forms, self._options.languages)
        async with survey.lock:
            choices = await Search(survey, wanted, fetch, self._options.max_pages).run()
        found = list(references(choices, self.tier, self.name))
        if not found:
            raise _none_found(survey, year)
        return found

    def _survey(self, homepage: str) -> Survey:
        survey = self._surveys.get(homepage)
        if survey is None:
            survey = self._surveys[homepage] = Survey(homepage)
            while len(self._surveys) > _MAX_SURVEYS:
                self._surveys.popitem(last=False)
        self._surveys.move_to_end(homepage)
        return survey


def _none_found(survey: Survey, year: int) -> Exception:
    """Return the error for a site without a report of *year*."""
    if not survey.pages_read and survey.failure is not None:
        return survey.failure
    years = {
        document.year
        for document in survey.documents.values()
        if document.year is not None and document.kind is not None and document.kind.is_annual
    }
    listed = ", ".join(map(str, sorted(years, reverse=True)[:_MAX_YEARS]))
    message = (
        f"no report of fiscal {year} among {len(survey.documents):,} documents on "
        f"{survey.pages_read} pages of {survey.homepage}"
    )
    if listed:
        message += f" (annual reports of {listed})"
    for note in survey.notes[:3]:
        message += f"; {note}"
    return DocumentNotFoundError(message)
