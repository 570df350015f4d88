"""Errors of crawl4ai: it returned no page, and the page's site is not at fault.

::

    wikicrawler.errors.TierError
    └── BrowserError
        ├── BrowserConfigError        it rejects the token or the configuration
        ├── BrowserUnavailableError   it is down or busy, or its response is broken
        ├── BrowserTimeoutError       it did not respond within CRAWL4AI_TIMEOUT
        ├── BrowserHungError          nor to a page that needs no network (a subclass of both)
        ├── BrowserAddressError       it refuses to fetch the address (private, unresolvable)
        └── BrowserFileError          the address leads to a file, which a browser saves
    scrapy.exceptions.DownloadFailedError
    └── PageNavigatingError           the page was loading its next document
"""

from __future__ import annotations

from scrapy.exceptions import DownloadFailedError

from wikicrawler.errors import Reason, TierError


class BrowserError(TierError):
    """crawl4ai returned no page, and the page's site is not at fault."""


class BrowserConfigError(BrowserError):
    """crawl4ai rejects the configuration: its address, its token or a parameter."""

    reason = Reason.BROWSER_CONFIG


class BrowserUnavailableError(BrowserError):
    """crawl4ai is down or busy, its response is partial or invalid, or its breaker is open."""

    reason = Reason.BROWSER_DOWN


class BrowserTimeoutError(BrowserError):
    """crawl4ai sent no complete response within ``CRAWL4AI_TIMEOUT``."""

    reason = Reason.TIMEOUT


class BrowserHungError(BrowserUnavailableError, BrowserTimeoutError):
    """crawl4ai sent no complete response within ``CRAWL4AI_TIMEOUT``, and fails with a page that
    needs no network too."""


class BrowserAddressError(BrowserError):
    """crawl4ai refuses to fetch the address: its host is private, loopback or unresolvable."""

    reason = Reason.BROWSER_ADDRESS


class BrowserFileError(BrowserError):
    """The address leads to a file that a browser saves instead of displaying it."""

    reason = Reason.NOT_HTML
    is_final = True


class PageNavigatingError(DownloadFailedError):
    """The page was loading its next document when its HTML was asked for.

    Challenges that solve themselves and pages that redirect by a script do so.
    """
