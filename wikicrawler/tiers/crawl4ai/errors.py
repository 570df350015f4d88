"""Errors of crawl4ai: it returned no page, for a reason that says nothing against the page's site.

::

    wikicrawler.errors.TierError
    └── BrowserError
        ├── BrowserConfigError        it refuses our token or our configuration
        ├── BrowserUnavailableError   it is down, busy, or its answer is broken
        ├── BrowserTimeoutError       it gave no answer within CRAWL4AI_TIMEOUT
        ├── BrowserAddressError       it does not fetch the address (private, unresolvable)
        └── BrowserFileError          the address leads to a file, which a browser saves
"""

from __future__ import annotations

from wikicrawler.errors import Reason, TierError


class BrowserError(TierError):
    """crawl4ai returned no page, for a reason that says nothing against the page's site."""


class BrowserConfigError(BrowserError):
    """crawl4ai refuses what is configured: its address, its token, a parameter."""

    reason = Reason.BROWSER_CONFIG


class BrowserUnavailableError(BrowserError):
    """crawl4ai is down or busy, gave a partial or invalid answer, or is left alone for a while."""

    reason = Reason.BROWSER_DOWN


class BrowserTimeoutError(BrowserError):
    """crawl4ai gave no complete answer within ``CRAWL4AI_TIMEOUT``."""

    reason = Reason.TIMEOUT


class BrowserAddressError(BrowserError):
    """crawl4ai does not fetch the address: its host is private, loopback or has no address."""

    reason = Reason.BROWSER_ADDRESS


class BrowserFileError(BrowserError):
    """The address leads to a file that a browser saves instead of showing it."""

    reason = Reason.NOT_HTML
    is_final = True
