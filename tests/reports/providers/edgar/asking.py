"""Providers that ask a scripted SEC, in virtual time."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any

from tests.reports.fetcher import AGENT, Clock, PlainFetcher
from wikicrawler.demo.sec import DemoSec
from wikicrawler.demo.sec_data import SecCompany, SecFiling
from wikicrawler.reports.models import JSON, CompanyRef, SourceRef
from wikicrawler.reports.providers.edgar import SecEdgarProvider

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMS = ("10-K", "20-F", "40-F")
DEMO = SecCompany(
    42,
    "Demo Inc.",
    ("DMO", "DMO-B"),
    sic="3571",
    filings=(
        SecFiling(
            *("0000000042-23-000106", "10-K", date(2024, 2, 3), date(2023, 12, 31)),
            "dmo-20231231.htm",
            2023,
        ),
        SecFiling(
            *("0000000042-22-000106", "10-K", date(2023, 2, 3), date(2022, 12, 31)),
            "dmo-20221231.htm",
            2022,
        ),
    ),
)


class Asking:
    """A provider, its server and its time."""

    def __init__(self, sec: DemoSec, clock: Clock, **options: Any) -> None:
        self.sec = sec
        self.clock = clock
        self.fetch = PlainFetcher(clock)
        bases = {"www": sec.www, "data": sec.data, "efts": sec.efts}
        self.provider = SecEdgarProvider(1, bases | options, user_agent=AGENT, clock=clock)

    async def find(
        self, year: int = 2023, forms: tuple[str, ...] = FORMS, **company: Any
    ) -> list[SourceRef]:
        ref = CompanyRef(**(company or {"cik": "42"}))
        return await self.provider.find(ref, year, forms, self.fetch)

    async def best(self, year: int, **company: Any) -> SourceRef | None:
        """The first candidate that a person can read."""
        found = await self.find(year, **company)
        return next((source for source in found if source.content_type != JSON), None)


@contextmanager
def asking(*companies: SecCompany, **options: Any) -> Iterator[Asking]:
    clock = Clock()
    settings = {k: options.pop(k) for k in ("missing_status",) if k in options}
    with DemoSec(companies or (DEMO,), clock, **settings) as sec:
        yield Asking(sec, clock, **options)
