"""The exceptions of the package, and the reasons for which a page fails.

::

    Exception
    ├── ValueError
    │   └── ConfigError        a file or argument of the operator is invalid
    ├── ContentError           a page could not be converted to Markdown (has a Reason)
    ├── TierError              the service of a tier returned no page; not the site's fault
    │   ├── TierInterruptedError     the crawl ended before the service answered
    │   ├── tiers.service.client.ServiceDownError, ServiceRefusedError
    │   ├── spending.ledger.CreditsUsedUpError   the operator's limit of credits is reached
    │   ├── tiers.crawl4ai.errors.BrowserError and its subclasses
    │   └── tiers.logins.errors.SiteLoginError   nobody is logged in to the page's wiki
    ├── StateError             the state folder (JOBDIR) cannot be used
    │   └── StateLockedError   another process uses the state folder
    ├── StoreError             the database is unavailable
    ├── sources.manifest.activation.ActivationRefused    a manifest cannot be activated
    ├── ImportError
    │   └── LibraryVersionError   a library lacks a private name
    ├── frontier.protocol.FrontierError     the frontier of a running crawl failed: the crawl stops
    ├── guard.bodies.EncodingError    a body does not match its Content-Encoding
    ├── scrapy DownloadCancelledError
    │   └── guard.connection_errors.HeadersTooLargeError   a response has too large headers
    ├── scrapy DownloadFailedError
    │   ├── guard.connection_errors.CertificateError   a certificate cannot be verified
    │   └── guard.connection_errors.KeptConnectionLostError   lost before the first byte
    └── scrapy IgnoreRequest
        ├── politeness.robots.RobotsDisallowed   robots.txt disallows the URL
        └── tiers.failures.TiersExhausted      every tier failed (has a Reason and attempts)

Exceptions with a module name are defined there, the others here.

:class:`Reason` is the closed list of reasons for which a tier fails or a page is skipped. Logs,
stats, ``attempts`` of a record and ``skipped.jsonl`` use these words and no others.
"""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why a tier failed on a page, or why a page has no record."""

    # reaching the server
    ROBOTS = "robots"  # robots.txt disallows the URL
    PRIVATE_ADDRESS = "private_address"  # private addresses only, and not named by the operator
    NETWORK = "network"  # connection refused or reset, DNS, TLS, truncated response
    TIMEOUT = "timeout"
    REDIRECT = "redirect"  # endless, or to an invalid URL
    URL_LENGTH = "url_length"  # longer than URLLENGTH_LIMIT, not requested
    HTTP_ERROR = "http_error"  # 4xx and 5xx without a reason of their own
    # answers of the server about the page
    MISSING = "missing"  # 404, 410, or the API's missingtitle and nosuchpageid
    INVALID_TITLE = "invalid_title"  # the wiki cannot have a page of that title
    BUSY = "busy"  # 429, maxlag, ratelimited, also after the retries
    API_ERROR = "api_error"  # the API reports another error
    API_OFF = "api_off"  # the API answers with HTML or nothing, or keeps failing
    # content of the response
    BLOCKED = "blocked"  # 403 or a block page
    BLOCKED_CAPTCHA = "blocked_captcha"
    CONSENT = "consent"  # a consent wall instead of the page
    LOGIN = "login"  # a login form or an API error instead of the page, or a log-in that failed
    ERROR_PAGE = "error_page"  # an error, a notice or a parked domain instead of the page
    EMPTY = "empty"  # no text
    JS_SHELL = "js_shell"  # an empty page that needs a script
    NOT_HTML = "not_html"
    TOO_LARGE = "too_large"
    # conversion
    CPU_LIMIT = "cpu_limit"
    MEMORY_LIMIT = "memory_limit"
    CONVERSION = "conversion"  # the converter raised an error
    # crawl4ai's server
    BROWSER_DOWN = "browser_down"  # refused, reset, busy, 5xx, incomplete response
    BROWSER_CONFIG = "browser_config"  # refuses the token or the configuration
    BROWSER_ADDRESS = "browser_address"  # does not fetch private or unresolvable hosts
    # another service behind a tier
    SERVICE_DOWN = "service_down"  # refused, reset, busy, 5xx, incomplete response
    SERVICE_CONFIG = "service_config"  # refuses the token, the configuration or more requests; or
    # the credits that the operator allows are used up
    # decisions of the crawl
    PAUSED = "paused"  # the site is paused because it blocked every tier
    NO_TITLE = "no_title"  # the URL is not a page of the wiki
    NO_TIER = "no_tier"  # no configured tier can be tried (any more)
    DUPLICATE = "duplicate"  # leads to a page that already has a record
    OFFSITE = "offsite"  # a redirect led to a site that is not crawled
    NOINDEX = "noindex"  # the page asks robots not to index it
    CHROME = "chrome"  # a page of the wiki engine itself, without content
    NAMESPACE = "namespace"  # a redirect led into an excluded namespace
    UNREADABLE = "unreadable"  # its request in the state folder is damaged, or of another spider
    ERROR = "error"  # a bug: the log has the traceback


SERVICE_OUTAGES = frozenset({Reason.BROWSER_DOWN, Reason.SERVICE_DOWN})
"""Reasons of a failure of a service that may end by itself."""


class ConfigError(ValueError):
    """A configuration file or argument of the operator is invalid.

    The message has the file, line and key, what is wrong and what would be right.
    """


class ContentError(Exception):
    """A page could not be converted; :attr:`reason` is the kind of failure."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else str(reason))
        self.reason = reason
        self.detail = detail

    def __reduce__(self) -> tuple[type[ContentError], tuple[Reason, str]]:
        return type(self), (self.reason, self.detail)


class TierError(Exception):
    """The service of a tier returned no page, for a reason that is not the site's fault."""

    reason = Reason.SERVICE_DOWN
    """Reason of the attempt."""
    is_final = False
    """Whether no other tier could succeed."""
    retry_after: float | None = None
    """Seconds for which the service is left alone, by its circuit breaker or its Retry-After; None
    if it is not."""


class TierInterruptedError(TierError):
    """The crawl is ending before the service of a tier has answered: the request is kept."""


class StateError(Exception):
    """The state folder (``JOBDIR``) cannot be used; the message says why and what to do."""


class StateLockedError(StateError):
    """Another process uses the state folder; the message identifies it."""


class StoreError(Exception):
    """The database is unavailable; the message has its location and the reason."""


class ControlRefused(Exception):  # noqa: N818 - an answer, not a failure
    """A control cannot be used this way; the message says why, and what would be right. Nothing was
    changed."""


class LibraryVersionError(ImportError):
    """The installed version of a library lacks a private name that this package uses; the message
    has that version, and one that works."""
