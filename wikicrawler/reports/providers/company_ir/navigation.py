"""Which pages of a site may lead to its reports."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wikicrawler.reports.providers.company_ir.excluded_sites import is_excluded
from wikicrawler.reports.providers.company_ir.kinds import kind_of
from wikicrawler.reports.providers.company_ir.languages import language_code, language_of
from wikicrawler.reports.providers.company_ir.words import name_of, path_of, plain
from wikicrawler.reports.providers.company_ir.years import years_in
from wikicrawler.urls.sites import host_of, site_of

if TYPE_CHECKING:
    from wikicrawler.reports.providers.company_ir.anchors import Anchor
    from wikicrawler.reports.providers.company_ir.assessing import PageContext

LEAST = 5
"""Least promise of a page that is kept."""
LIKELY = 25
"""Promise from which a page is read before other ways are tried."""
INVITING = 40
"""Promise of a link that names reports or investors; only such links lead to other sites."""
IR_HOST = re.compile(r"^(?:www\.)?(?:ir|investors?|investorrelations|shareholders?|stock)\.")
_SIGNS = (
    (55, re.compile(r"\b(?:annual|financial) reports?\b|\bannuals\b|\bannual filings\b")),
    (
        45,
        re.compile(
            r"\binvestors?\b|\bshareholders?\b|\bstockholders?\b|\binvestor relations\b"
            r"|\binvestoren\b|\baktionare\b|\binvestisseurs\b|\bactionnaires\b|\binversores\b"
            r"|\baccionistas\b|\binvestidores\b|\binvestitori\b|\bbeleggers\b|\binvesterare\b"
            r"|\bsijoittajat\b|投資家|投资者|投資者|투자"
        ),
    ),
    (
        35,
        re.compile(
            r"\bfinancials?\b|\breports?\b|\breporting\b|\bpublications?\b|\b(?:sec )?filings\b"
            r"|\bfinanzberichte?\b|\bberichte\b|\bpublikationen\b|\brapports\b|\binformes\b"
            r"|\bir library\b|\bresults centre\b|\bresults\b"
        ),
    ),
    (20, re.compile(r"\barchives?\b|\bdocuments?\b|\bdownloads?\b|\blibrary\b|\bir\b")),
    (10, re.compile(r"\babout\b|\bcompany\b|\bcorporate\b|\bgroup\b|\buber uns\b")),
)
_AGAINST = (
    (
        45,
        re.compile(
            r"\bnews\b|\bpress\b|\bmedia\b|\bblog\b|\bevents?\b|\bcalendar\b|\bcareers?\b|\bjobs?\b"
            r"|\bprivacy\b|\bcookies?\b|\bterms\b|\blogin\b|\bsign in\b|\bsubscri\w+|\balerts?\b"
            r"|\brss\b|\bcontact\b|\bproducts?\b|\bshop\b|\bstore\b|\bsupport\b|\bstock quote\b"
            r"|\bshare price\b|\bfaqs?\b|\bwebcasts?\b|\bdividends?\b|\banalysts?\b"
        ),
    ),
    (25, re.compile(r"\bgovernance\b|\bsustainab\w+|\besg\b|\bboard\b|\bmanagement\b")),
    (20, re.compile(r"\bquarterl(?:y|ies)\b|\bproxy\b")),
)
_OTHER_KINDS = frozenset({"news", "presentation", "results"})
_REPORTS = re.compile(r"\breports\b|\breporting\b|\bfilings\b")
_NO_PAGE = re.compile(r"\.(?:pdf|xlsx?|csv|zip|docx?|pptx?|mp[34]|jpe?g|png|gif|svg|ics|xml|txt)$")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link to a page that may have reports or lead to them."""

    url: str
    label: str
    promise: int
    years: frozenset[int] = frozenset()
    """Years that the link names."""
    spans: tuple[tuple[int, int], ...] = ()
    """Ranges of years that it names."""
    language: str = ""
    is_guess: bool = False
    """No page links it."""

    def promise_for(self, year: int, languages: tuple[str, ...]) -> int:
        """Return how likely the page is to lead to the report of *year*."""
        promise = self.promise
        if self.years or self.spans:
            covers = any(first <= year <= last for first, last in self.spans)
            promise += 30 if year in self.years or covers else -30
        if self.language and self.language not in languages:
            promise -= 25
        return promise

    @property
    def family(self) -> str:
        """The address without its numbers: pages of a list have the same."""
        return _DIGITS.sub("#", self.url)


def page_link(anchor: Anchor, page: PageContext) -> PageLink | None:
    """Return the URL of *anchor*; None if it cannot lead to a report."""
    if _is_file(anchor.url):
        return None
    label = f"{anchor.text} {plain(anchor.title)}".strip()
    language = language_code(anchor.hreflang) or language_of(anchor.url, label, "")
    promise = _promise(f"{label} {_around(anchor, page, label)}", anchor.url)
    if anchor.in_frame:
        promise += LIKELY
    if language and page.language not in {"", language}:
        promise += LIKELY  # a reader of another language goes there; promise_for() tells whether
    if promise < LEAST or not _may_leave(anchor, page, promise):
        return None
    return _with_years(PageLink(anchor.url, label, promise, language=language))


def _around(anchor: Anchor, page: PageContext, label: str) -> str:
    """Return what a link is about whose text is but a number."""
    return " ".join((*anchor.headings[:1], page.title)) if label.isdigit() else ""


def _with_years(page: PageLink) -> PageLink:
    years = years_in(page.label or name_of(page.url))
    named = frozenset(found.year for found in years.fiscal)
    return replace(page, years=named, spans=years.spans)


def _is_file(url: str) -> bool:
    return bool(_NO_PAGE.search(urlsplit(url).path[-10:].lower()))


def page_of_sitemap(url: str) -> PageLink | None:
    """Return the page at *url*, of which only the address is known; None if it promises nothing."""
    if _is_file(url):
        return None
    name = name_of(url)
    promise = _promise(name, url)
    if promise < LIKELY:
        return None
    return _with_years(PageLink(url, name, promise, language=language_of(url, "", name)))


def _may_leave(anchor: Anchor, page: PageContext, promise: int) -> bool:
    """Return True if *anchor* stays on its site, or promises enough to leave it."""
    if is_excluded(anchor.url):
        return False
    return site_of(anchor.url) == site_of(page.url) or anchor.in_frame or promise >= INVITING


def _promise(label: str, url: str) -> int:
    """Return the promise of a page by the words of its links and its address."""
    name, folders = name_of(url), path_of(url)
    promise = max(_sign(label), _sign(name))
    if promise:
        promise += _sign(folders) // 4
    else:
        promise = _sign(folders) // 2
    if IR_HOST.match(host_of(url)):
        promise += 20 if name in {"", "default", "index", "home", "overview"} else 10
    promise -= max((cost for cost, words in _AGAINST if words.search(f"{label} {name}")), default=0)
    if _AGAINST[0][1].search(folders):
        promise -= 20
    kind = kind_of(label)
    if kind and kind.form in _OTHER_KINDS and not _REPORTS.search(label):
        promise -= 30
    return promise


def _sign(text: str) -> int:
    return next((value for value, words in _SIGNS if words.search(text)), 0)
