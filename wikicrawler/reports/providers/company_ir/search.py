"""The search of a company's site: which pages are read, in which order, and when it ends."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wikicrawler.errors import ContentError, Reason
from wikicrawler.reports.errors import (
    DocumentNotFoundError,
    FetchError,
    RateLimitExceededError,
    ReportError,
)
from wikicrawler.reports.models import HTML, PDF
from wikicrawler.reports.providers.company_ir import feeds, missing
from wikicrawler.reports.providers.company_ir.choosing import HTML_SCORE, STRONG, Choice, choose
from wikicrawler.reports.providers.company_ir.guesses import guesses_for
from wikicrawler.reports.providers.company_ir.maps import SiteMaps
from wikicrawler.reports.providers.company_ir.navigation import IR_HOST, LEAST, LIKELY, PageLink
from wikicrawler.reports.providers.company_ir.page_facts import PageFacts, read_page
from wikicrawler.reports.providers.company_ir.survey import HOMEPAGE
from wikicrawler.urls.sites import host_of, is_public_host, site_of

if TYPE_CHECKING:
    from wikicrawler.reports.fetching import Fetcher
    from wikicrawler.reports.providers.company_ir.choosing import Wanted
    from wikicrawler.reports.providers.company_ir.survey import Survey

MAX_FEEDS = 2
_PDF_MAGIC = "%PDF-"
_UNREACHABLE = (Reason.NETWORK, Reason.PRIVATE_ADDRESS)
_NO_PAGE = (Reason.NOT_HTML, Reason.TOO_LARGE)
_RESERVE = 4
"""Pages kept for the sitemaps' pages and for guesses."""
_OF_FAMILY = 3
"""Pages alike but for numbers that are read, unless their links name the year."""
_CHECKED = 3
"""HTML candidates that are checked."""


class Search:
    """A search for the report of one year.

    :param survey: what earlier searches of the site have found; its lock is held
    :param max_pages: requests for pages
    """

    def __init__(self, survey: Survey, wanted: Wanted, fetch: Fetcher, max_pages: int) -> None:
        self._survey = survey
        self._wanted = wanted
        self._fetch = fetch
        self._left = max_pages
        self._families: dict[str, int] = {}
        self._refused: set[str] = set()
        """Pages that were blocked, but guesses."""

    async def run(self) -> list[Choice]:
        """Return the documents that answer the request, best first.

        The pages that are linked are read first, then those of the sitemaps, then the places where
        such pages often are, until a report is found or the bound on pages is reached.
        """
        survey = self._survey
        await self._read_pages(LIKELY, 0 if survey.has_guesses else min(_RESERVE, self._left // 2))
        if not survey.has_maps and not self._has_report():
            survey.has_maps = True
            await SiteMaps(survey, self._fetch).read()
            await self._read_pages(LIKELY, 0)
        if not self._has_report():
            if not survey.has_guesses:
                survey.has_guesses = True
                survey.add_pages(guesses_for(survey.root))
            await self._read_pages(LEAST, 0)
        await self._check_pages()
        return self._choices()

    def _choices(self) -> list[Choice]:
        return choose(self._survey.documents.values(), self._wanted)

    def _has_report(self) -> bool:
        return any(
            choice.score <= HTML_SCORE and choice.cost <= STRONG for choice in self._choices()
        )

    async def _read_pages(self, least: int, reserve: int) -> None:
        """Read pages of at least the promise *least*, the most promising first."""
        while self._left > reserve and not any(found.is_strong for found in self._choices()):
            page = self._next(least)
            if page is None:
                return
            await self._visit(page)

    def _next(self, least: int) -> PageLink | None:
        wanted, best, best_promise = self._wanted, None, least - 1
        for page in self._survey.waiting.values():
            promise = page.promise_for(wanted.year, wanted.languages)
            if promise > best_promise and not self._is_one_of_many(page):
                best, best_promise = page, promise
        return best

    def _is_one_of_many(self, page: PageLink) -> bool:
        is_named = self._wanted.year in page.years or bool(page.spans)
        return not is_named and self._families.get(page.family, 0) >= _OF_FAMILY

    async def _visit(self, page: PageLink) -> None:
        """Read *page*, and add what it has to the survey."""
        self._survey.take(page)
        self._families[page.family] = self._families.get(page.family, 0) + 1
        try:
            facts = await self._read(page.url, is_guess=page.is_guess)
        except BaseException:  # the search was cancelled: a later one may read the page
            self._survey.give_back(page)
            raise
        if facts is None:
            if self._may_have_feed(page):
                await self._read_feed(page.url)
            return
        if await self._is_missing(facts, page):
            self._survey.documents.pop(page.url, None)
            return
        self._survey.pages_read += 1
        if page.url in {self._survey.homepage, self._survey.root}:
            self._survey.root = facts.url
            self._survey.sites.add(site_of(facts.url))
        self._survey.asked.add(facts.url)
        self._survey.waiting.pop(facts.url, None)
        self._survey.add_documents(facts.documents)
        self._survey.add_pages(facts.pages)
        if facts.is_q4:
            await self._read_feed(facts.url)

    async def _read(self, url: str, *, is_guess: bool = False) -> PageFacts | None:
        """Return what the page at *url* says, or None; a failure is noted."""
        self._left -= 1
        try:
            page = await self._fetch.page(url)
            if page.html.startswith(_PDF_MAGIC) or (page.markdown and not page.html):
                self._is_file(url)
                return None
            return await self._fetch.run(read_page, page.html, page.url)
        except (ReportError, ContentError) as exc:
            self._failed(url, exc, is_guess=is_guess)
            return None

    def _failed(self, url: str, error: ReportError | ContentError, *, is_guess: bool) -> None:
        survey = self._survey
        if isinstance(error, FetchError) and str(error).startswith(_NO_PAGE):
            self._is_file(url)
            return
        if isinstance(error, DocumentNotFoundError):
            survey.documents.pop(url, None)
        if is_guess:
            return
        if url == survey.root and str(error).startswith(_UNREACHABLE):
            self._try_www(url)
        if isinstance(error, RateLimitExceededError):
            self._refused.add(url)
        survey.note(url, error)
        if survey.failure is None and isinstance(error, ReportError):
            survey.failure = error

    def _try_www(self, url: str) -> None:
        """Take the host with ``www.`` for the site's; without it, look for nothing on the site."""
        survey, parts = self._survey, urlsplit(url)
        if parts.hostname and parts.hostname == site_of(url) and is_public_host(parts.hostname):
            survey.root = parts._replace(netloc=f"www.{parts.netloc}").geturl()
            survey.add_pages([PageLink(survey.root, "", HOMEPAGE)])
        else:
            survey.has_maps = survey.has_guesses = True

    def _is_file(self, url: str) -> None:
        """Offer a document that is not a page as a PDF; its download shows what it is."""
        document = self._survey.documents.get(url)
        if document is not None:
            self._survey.documents[url] = replace(document, content_type=PDF)

    def _may_have_feed(self, page: PageLink) -> bool:
        """Return True for an investors' page that was refused: its feed may be open."""
        is_home = page.url == self._survey.homepage
        is_investors = is_home or bool(IR_HOST.match(host_of(page.url)))
        return page.url in self._refused and is_investors

    async def _is_missing(self, facts: PageFacts, page: PageLink) -> bool:
        """Return True if the site replies as it does for pages that do not exist.

        Another request is made for a page that was guessed, or that is a report itself.
        """
        if missing.says_missing(facts):
            return True
        if not page.is_guess and page.url not in self._survey.documents:
            return False
        absent = await self._absent_page(facts.url)
        return absent is not None and missing.is_like(facts, absent)

    async def _absent_page(self, url: str) -> PageFacts | None:
        absent, host = self._survey.absent, host_of(url)
        if host not in absent:
            absent[host] = None
            if self._left > 0:
                absent[host] = await self._read(missing.impossible_url(url), is_guess=True)
        return absent[host]

    async def _check_pages(self) -> None:
        """Read the best HTML candidates that were not read yet: some may not exist."""
        unread = [
            choice.document
            for choice in self._choices()
            if choice.document.content_type == HTML
            and choice.document.url not in self._survey.asked
        ]
        if any(choice.is_strong for choice in self._choices()):
            return
        for document in unread[:_CHECKED]:
            if self._left > 0:
                await self._visit(PageLink(document.url, document.label, LIKELY))

    async def _read_feed(self, url: str) -> None:
        """Read the feed of Q4's platform at the site of *url*, once."""
        survey, feed = self._survey, feeds.feed_of(url)
        if feed in survey.feeds or len(survey.feeds) >= MAX_FEEDS:
            return
        survey.feeds.add(feed)
        try:
            answer = await self._fetch.get(feed, max_bytes=feeds.MAX_BYTES, retries=False)
            if answer.status != 200:
                return
            found = await self._fetch.run(feeds.read_feed, answer.body, answer.url)
        except (ReportError, ContentError) as exc:
            survey.note(feed, exc)
            return
        if found.problem:
            survey.note(feed, DocumentNotFoundError(found.problem))
            return
        survey.pages_read += 1
        survey.add_documents(found.documents)
