"""What a provider of reports is. To add one, subclass :class:`ReportProvider` and name the class
in ``config/providers.yml``; for a provider without an event loop, see :class:`BaseDataProvider`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from wikicrawler.reports.errors import FetchError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from wikicrawler.reports.fetching import Fetcher, SavedFile
    from wikicrawler.reports.models import CompanyRef, CompanyReport, SourceRef


class ReportProvider(ABC):
    """A provider that a crawl asks. One instance serves all companies of a crawl, several at once.

    :param tier: quality tier, 1 to 3, for the references
    :param options: what the provider's entry in the configuration has beside ``class``, ``tier``
        and ``enabled``
    :param user_agent: of the crawl, with the operator's contact, if there is one
    :raises ConfigError: an option is unknown or wrong, or something that the provider needs is
        missing; the message names the key and what would be right
    """

    name: ClassVar[str]
    """One lower-case word: ``provider`` of the references."""
    enabled: bool = True
    why_disabled: ClassVar[str] = ""
    """One line for a person, of a provider that cannot work."""
    folder: Path | None = None
    """Of the configuration file, which relative paths among the options refer to; None: they refer
    to the working directory."""

    def __init__(self, tier: int, options: Mapping[str, Any], *, user_agent: str) -> None:
        self.tier = tier

    async def identify(self, company: CompanyRef, fetch: Fetcher) -> CompanyRef:
        """Return *company* with what the provider knows of it and the reference lacks: its name, to
        recognise its documents, or its CIK.

        :raises ReportError: the provider could not be asked, or does not know the company
        """
        return company

    @abstractmethod
    async def find(
        self, company: CompanyRef, year: int, forms: tuple[str, ...], fetch: Fetcher
    ) -> list[SourceRef]:
        """Return the documents about the fiscal *year* of *company*, in any order.

        :param forms: forms of SEC that are asked for, like ``("10-K", "20-F", "40-F")``
        :raises ReportError: the provider could not be asked; other providers are asked all the same
        """

    async def download(
        self, source: SourceRef, company: CompanyRef, year: int, target: Path, fetch: Fetcher
    ) -> SavedFile:
        """Download the document of *source*, one of :meth:`find`'s, to *target*.

        :raises ReportError: it was not downloaded
        """
        if source.url is None:
            raise FetchError("the reference has no URL")
        return await fetch.save(str(source.url), target)


class BaseDataProvider:
    """A provider without an event loop, for
    :class:`~wikicrawler.reports.multi_source.MultiSourceCrawler`.

    Several searches may run at once, each in a thread.
    """

    enabled: bool = True

    def search(self, company: CompanyRef, year: int, tier: int) -> list[SourceRef]:
        """Return the documents about the fiscal *year* of *company*.

        :param tier: quality tier of the provider, for the references
        """
        raise NotImplementedError

    def download(self, source_ref: SourceRef, company: CompanyRef, year: int) -> CompanyReport:
        """Download a document of :meth:`search`.

        :raises DocumentNotFoundError: there is none
        :raises RateLimitExceededError: the provider asks to wait
        :raises RequestTimeoutError: the provider did not answer in time
        """
        raise NotImplementedError
