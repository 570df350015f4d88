"""What can go wrong, in one place.

::

    Exception
    ├── ValueError
    │   └── ConfigError        the operator's file or argument is wrong: says where
    ├── ContentError           a page could not be turned into Markdown (carries a Reason)
    ├── TierError              a tier's own service returned no page; the site is not to blame
    │   ├── TierInterruptedError     the crawl ends before the service has answered
    │   └── tiers.crawl4ai.errors.BrowserError and its kinds
    ├── StateError             the state folder (JOBDIR) cannot be used: says what to do
    │   └── StateLockedError   another process uses it
    ├── StoreError             the database cannot be used now: says which, and why
    ├── ImportError
    │   └── LibraryVersionError   a library lacks a private name: says what to install
    ├── guard.tls.CertificateError    the ones from here on are where they are raised
    ├── frontier.protocol.FrontierError     the state of a running crawl cannot be kept: it stops
    ├── guard.bodies.EncodingError    a body is not what its Content-Encoding says
    ├── scrapy DownloadCancelledError
    │   └── guard.headers.HeadersTooLargeError   an answer's headers do not end
    └── scrapy IgnoreRequest
        ├── politeness.robots.RobotsDisallowed   robots.txt forbids the URL
        └── tiers.failures.TiersExhausted      no tier brought the page: Reason and attempts

:class:`Reason` is the closed list of reasons for which a tier fails or a page is skipped. Logs,
stats, ``attempts`` of a record and ``skipped.jsonl`` use these words and no others.
"""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why a tier failed on a page, or why a page has no record."""

    # the way to the server
    ROBOTS = "robots"  # robots.txt forbids the URL
    PRIVATE_ADDRESS = "private_address"  # its host has none but private addresses, and is not named
    NETWORK = "network"  # refused, reset, DNS, TLS, cut short
    TIMEOUT = "timeout"
    REDIRECT = "redirect"  # without end, or to what cannot be asked for
    URL_LENGTH = "url_length"  # longer than URLLENGTH_LIMIT: it was not asked for
    HTTP_ERROR = "http_error"  # 4xx and 5xx that no other reason names
    # what the server said of the page
    MISSING = "missing"  # 404, 410, or the API's missingtitle and nosuchpageid
    INVALID_TITLE = "invalid_title"  # the wiki cannot have a page of that title
    BUSY = "busy"  # 429, maxlag, ratelimited: still so after the retries
    API_ERROR = "api_error"  # the API answered with an error of its own
    API_OFF = "api_off"  # the API answers HTML, nothing, or kept failing
    # what came back
    BLOCKED = "blocked"  # 403 or a block page
    BLOCKED_CAPTCHA = "blocked_captcha"
    CONSENT = "consent"  # a wall that asks for consent in the place of the page
    LOGIN = "login"  # a sign-in form in the place of the page
    ERROR_PAGE = "error_page"  # an error, a notice or a parked domain that came as a page
    EMPTY = "empty"  # no text in it
    JS_SHELL = "js_shell"  # an empty shell that a script would fill
    NOT_HTML = "not_html"
    TOO_LARGE = "too_large"
    # what the conversion said
    CPU_LIMIT = "cpu_limit"
    MEMORY_LIMIT = "memory_limit"
    CONVERSION = "conversion"  # the converter failed on it
    # what crawl4ai's server said of itself
    BROWSER_DOWN = "browser_down"  # refused, reset, busy, 5xx, half an answer
    BROWSER_CONFIG = "browser_config"  # it refuses our token or configuration
    BROWSER_ADDRESS = "browser_address"  # it does not fetch private or unresolvable hosts
    # what another service behind a tier said of itself
    SERVICE_DOWN = "service_down"  # refused, reset, busy, 5xx, an incomplete answer
    SERVICE_CONFIG = "service_config"  # it refuses our token, our configuration or more requests
    # what we decided
    PAUSED = "paused"  # its site is left alone for a while: every tier was blocked there
    NO_TITLE = "no_title"  # the URL names no page of the wiki
    NO_TIER = "no_tier"  # no tier is configured that could be tried (any more)
    DUPLICATE = "duplicate"  # leads to a page that has its record already
    OFFSITE = "offsite"  # a redirect led off the sites that are crawled
    NAMESPACE = "namespace"  # a redirect led into a namespace that is not wanted
    ERROR = "error"  # a fault of ours: the log has the traceback


class ConfigError(ValueError):
    """The operator's configuration or argument is wrong.

    The message names the file, the line and the key, what is wrong and what would be right.
    """


class ContentError(Exception):
    """A page could not be converted; :attr:`reason` says which kind of failure it was."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else str(reason))
        self.reason = reason
        self.detail = detail

    def __reduce__(self) -> tuple[type[ContentError], tuple[Reason, str]]:
        return type(self), (self.reason, self.detail)


class TierError(Exception):
    """A tier's own service returned no page, for a reason that says nothing against the site.

    A subclass says which :class:`Reason` its page's attempt gets, and whether no other tier could
    do better.
    """

    reason = Reason.SERVICE_DOWN
    is_final = False


class TierInterruptedError(TierError):
    """The crawl is ending, and a tier's service has not answered yet: the request is kept."""


class StateError(Exception):
    """The state folder (``JOBDIR``) cannot be used; the message says why, and what to do."""


class StateLockedError(StateError):
    """Another process crawls with the state folder; the message says which."""


class StoreError(Exception):
    """The database cannot be used now; the message says which, and why."""


class LibraryVersionError(ImportError):
    """The installed version of a library lacks a private name that this package uses; the message
    names that version, and one that has it."""
