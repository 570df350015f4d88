"""Finds and downloads the best report about companies and fiscal years."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy_spider_metadata import Args  # type: ignore[attr-defined]

from wikicrawler import options
from wikicrawler.config import project_root
from wikicrawler.errors import TierInterruptedError
from wikicrawler.reports.attempts import NoReportError
from wikicrawler.reports.models import CompanyRef
from wikicrawler.spiders.one_worker import check_one_worker
from wikicrawler.spiders.report_arguments import ReportsArguments
from wikicrawler.spiders.report_memory import ReportMemory
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.reports.models import CompanyReport
    from wikicrawler.reports.providers.base import ReportProvider
    from wikicrawler.reports.session import ReportSession

_NO_ADDRESS = "data:,"
"""The request of a company and a year leads nowhere: it stands in the queue of the crawl, so that
one that was not done is done when the crawl is resumed."""


class ReportsSpider(Args[ReportsArguments], Spider):
    """``scrapy crawl reports -a companies=… -a year=…``: the best report of each company about each
    fiscal year, verified and kept in a folder.

    The items are dicts, one for each company and year: with the file of the report, or with the
    ``error`` for which there is none; and with all candidates and attempts.

    Stats: ``reports/found``, ``reports/missing``, ``reports/candidates``, ``reports/attempts``,
    ``reports/attempts/<outcome>``.
    """

    name = "reports"
    args: ReportsArguments
    memory: ReportMemory
    session: ReportSession

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider: Self = super().from_crawler(crawler, *args, **kwargs)
        if cls.start is ReportsSpider._own_start:  # `scrapy check` and `parse` bring their own
            spider._prepare()
        return spider

    def _prepare(self) -> None:
        """Read what the crawl is to do.

        :raises ConfigError: an argument, the file of the providers or a setting is wrong
        """
        # Imported here because `scrapy list` and other crawls load this module, too.
        from wikicrawler.reports.configuration import ProviderFile, user_agent_of  # noqa: PLC0415

        settings = self.settings
        check_one_worker(settings, f"the spider {self.name}")
        self._companies = self.args.all_companies()
        file = ProviderFile.from_settings(settings)
        agent = user_agent_of(settings)
        self._providers: list[ReportProvider] = []
        for entry in file.entries:
            if entry.enabled:
                self._providers.append(entry.load(agent, file.folder))
            else:
                self.logger.info("Skipping disabled provider: %s", entry.name)
        self._folder = project_root() / options.REPORTS_FOLDER.read(settings)
        options.REPORTS_MAX_BYTES.read(settings)  # a wrong value ends the start
        self._search_seconds = options.REPORTS_SEARCH_SECONDS.read(settings)
        self._places = asyncio.Semaphore(options.REPORTS_AT_ONCE.read(settings))

    async def start(self) -> AsyncIterator[Any]:
        from wikicrawler.reports.crawl_fetcher import CrawlFetcher  # noqa: PLC0415
        from wikicrawler.reports.session import ReportSession  # noqa: PLC0415

        self.memory = ReportMemory(self)
        self.session = ReportSession(
            self._providers,
            CrawlFetcher(self.crawler),
            self._folder,
            forms=self.args.forms,
            accepted=self.args.types,
            search_seconds=self._search_seconds,
        )
        for company in self._companies:
            for year in self.args.year:
                yield self._request(company, year)

    _own_start = start

    def _request(self, company: CompanyRef, year: int) -> Request:
        facts = company.model_dump(mode="json", exclude_none=True)
        unit = sha256(f"{company.model_dump_json()} {year}".encode()).hexdigest()[:32]
        return Request(
            f"{_NO_ADDRESS}{unit}",
            callback=self.parse,
            cb_kwargs={"company": facts, "year": year, "unit": unit},
            meta={"tiers": False},
        )

    async def parse(
        self, response: Response, company: dict[str, Any], year: int, unit: str
    ) -> AsyncIterator[Any]:
        """The record of a company and a fiscal year."""
        record = self.memory.record(unit)
        if record is None:
            try:
                async with self._places:
                    record = await self._record(CompanyRef(**company), year)
            except TierInterruptedError:
                # Back to the scheduler, which stores it for the resumed crawl.
                assert response.request is not None  # noqa: S101 - it came by Scrapy's engine
                yield response.request.replace(dont_filter=True)
                return
            self.memory.add(unit, record)
        yield record

    async def _record(self, company: CompanyRef, year: int) -> dict[str, Any]:
        try:
            report = await self.session.report(company, year)
        except NoReportError as error:
            self.logger.warning("%s", one_line(error, 600))
            record = self._missing(company, year, error)
        else:
            record = self._found(report)
        self._count(record)
        return record

    def _found(self, report: CompanyReport) -> dict[str, Any]:
        facts = report.model_dump(mode="json")
        for name in ("local_path", "text_path"):
            if facts[name] is not None:
                facts[name] = _relative(Path(facts[name]), self._folder)
        return {"type": "report", "error": None, **facts}

    def _missing(self, company: CompanyRef, year: int, error: NoReportError) -> dict[str, Any]:
        lists = {name: getattr(error, name) for name in ("candidates", "attempts", "searches")}
        return {
            "type": "report",
            "error": one_line(error, 1_000),
            "company": (error.company or company).model_dump(mode="json"),
            "year": year,
            "local_path": None,
            **{name: [one.model_dump(mode="json") for one in ones] for name, ones in lists.items()},
        }

    def _count(self, record: dict[str, Any]) -> None:
        stats = self.crawler.stats
        assert stats is not None  # noqa: S101 - the crawl runs
        stats.inc_value(f"reports/{'missing' if record['error'] else 'found'}")
        stats.inc_value("reports/candidates", len(record["candidates"]))
        stats.inc_value("reports/attempts", len(record["attempts"]))
        for attempt in record["attempts"]:
            stats.inc_value(f"reports/attempts/{attempt['outcome']}")


def _relative(path: Path, folder: Path) -> str:
    """Return the path of a document relative to the folder of all documents."""
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path)
