"""The exceptions of reports.

::

    Exception
    └── ReportError                     has an outcome
        ├── DocumentNotFoundError       the provider does not have the document (404, 410)
        ├── RateLimitExceededError      the provider asks to wait, or blocks (429, 503)
        ├── RequestTimeoutError         the provider did not answer in time
        ├── FetchError                  the connection failed, or robots.txt or a guard forbids it
        └── WrongDocumentError          what was downloaded is not the document that was offered

When no candidate is left, :class:`RuntimeError` is raised.
"""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """What became of a question to a provider, or of a candidate."""

    OK = "ok"
    # of requests
    NOT_FOUND = "not_found"  # 404, 410, or a page that says so with status 200
    RATE_LIMITED = "rate_limited"  # 429, 503 or a block page
    TIMEOUT = "timeout"
    ROBOTS = "robots"  # robots.txt disallows the URL
    FAILED = "failed"  # any other error: network, status, an exception of the provider
    # of searches
    WRONG_ANSWER = "wrong_answer"  # the provider returned something else than references
    DISABLED = "disabled"
    # of documents
    NOT_ACCEPTED = "not_accepted"  # a content type that was not asked for
    WRONG_TYPE = "wrong_type"  # the bytes are of another type than declared
    TOO_SMALL = "too_small"
    TOO_LARGE = "too_large"
    TRUNCATED = "truncated"  # the file ends before the document does
    ERROR_PAGE = "error_page"  # an error, a login or a block page in place of the document
    UNREADABLE = "unreadable"  # damaged, encrypted, without text, or too costly to read
    WRONG_COMPANY = "wrong_company"  # the text does not name the company
    WRONG_YEAR = "wrong_year"  # the text is of another fiscal year, or does not name it
    WRONG_KIND = "wrong_kind"  # another kind of document: a quarterly report, a press release


class ReportError(Exception):
    """Base class; :attr:`outcome` is the kind of failure."""

    outcome = Outcome.FAILED
    status: int | None = None
    """Status of the answer; None: there was none, or it does not matter."""
    body: bytes = b""
    """The first kilobytes of the answer's body, if its status is the error."""


class DocumentNotFoundError(ReportError):
    """The provider does not have the document."""

    outcome = Outcome.NOT_FOUND


class RateLimitExceededError(ReportError):
    """The provider asks to wait, or blocks.

    :param retry_after: seconds to wait; None: unknown
    """

    outcome = Outcome.RATE_LIMITED

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RequestTimeoutError(ReportError):
    """The provider did not answer in time."""

    outcome = Outcome.TIMEOUT


class FetchError(ReportError):
    """A request got no answer."""

    def __init__(self, message: str, outcome: Outcome = Outcome.FAILED) -> None:
        super().__init__(message)
        self.outcome = outcome


class WrongDocumentError(ReportError):
    """A file is not the document that was offered; :attr:`outcome` says why."""

    def __init__(self, outcome: Outcome, message: str) -> None:
        super().__init__(message)
        self.outcome = outcome
