"""What a program and the child process that crawls for it tell each other, as JSON."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - pydantic reads the annotations
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from wikicrawler.errors import ConfigError
from wikicrawler.reports import errors
from wikicrawler.reports.errors import Outcome, ReportError, WrongDocumentError
from wikicrawler.reports.models import CompanyRef, CompanyReport, SourceRef  # noqa: TC001
from wikicrawler.text.safe import one_line

_ERRORS: dict[str, type[ReportError]] = {
    name: found
    for name, found in vars(errors).items()
    if isinstance(found, type) and issubclass(found, ReportError)
}


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Job(_Message):
    """A question to a provider: what it offers, or with *source* for that document."""

    provider: str
    tier: int
    options: dict[str, Any]
    settings: dict[str, Any]
    """Scrapy settings, by name."""
    folder: Path
    forms: tuple[str, ...]
    company: CompanyRef
    year: int
    source: SourceRef | None


class SentError(_Message):
    """An exception."""

    type: str
    message: str
    outcome: Outcome | None = None
    retry_after: float | None = None

    @classmethod
    def of(cls, error: Exception) -> SentError:
        """Return what is sent of *error*."""
        if isinstance(error, ConfigError):
            return cls(type="ConfigError", message=str(error))
        said = one_line(error, 500)
        if not isinstance(error, ReportError):
            return cls(type="ReportError", message=f"{type(error).__name__}: {said}")
        known = next(one for one in type(error).__mro__ if one.__name__ in _ERRORS)
        wait = getattr(error, "retry_after", None)
        return cls(type=known.__name__, message=said, outcome=error.outcome, retry_after=wait)

    def to_exception(self) -> Exception:
        """Return the exception, with the type that it had."""
        if self.type == "ConfigError":
            return ConfigError(self.message)
        kind = _ERRORS.get(self.type, ReportError)
        if issubclass(kind, WrongDocumentError):
            return kind(self.outcome or Outcome.FAILED, self.message)
        if issubclass(kind, errors.RateLimitExceededError):
            return kind(self.message, self.retry_after)
        if issubclass(kind, errors.FetchError):
            return kind(self.message, self.outcome or Outcome.FAILED)
        return kind(self.message)


class Result(_Message):
    """The answer."""

    sources: tuple[SourceRef, ...] = ()
    report: CompanyReport | None = None
    error: SentError | None = None

    def raise_if_failed(self) -> None:
        """Raise the exception that the answer has, if any."""
        if self.error is not None:
            raise self.error.to_exception()


def read_job(data: bytes) -> Job:
    """Return the job in *data*.

    :raises ValueError: it is none
    """
    return Job.model_validate_json(data)


def read_result(data: bytes) -> Result:
    """Return the answer in *data*.

    :raises ReportError: it is none
    """
    try:
        return Result.model_validate_json(data)
    except ValidationError as error:
        raise ReportError(f"the crawl's answer cannot be read: {one_line(error, 300)}") from None
