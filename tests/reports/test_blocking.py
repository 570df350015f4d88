"""The providers of the package in a program without an event loop."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from wikicrawler.demo.investors import InvestorSite
from wikicrawler.demo.sec import DemoSec
from wikicrawler.demo.sec_companies import APPLE
from wikicrawler.errors import ConfigError
from wikicrawler.reports import (
    CompanyIRProvider,
    CompanyRef,
    DocumentNotFoundError,
    GRIProvider,
    MultiSourceCrawler,
    SECEdgarProvider,
    WrongDocumentError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SETTINGS = {
    "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": "6000",
    "WIKICRAWLER_CONTENT_WORKERS": "0",
}
COMPANY = CompanyRef(ticker="AAPL")


@pytest.fixture
def sec() -> Iterator[DemoSec]:
    with DemoSec([APPLE]) as server:
        yield server


def edgar(server: DemoSec, folder: Path, **more: Any) -> SECEdgarProvider:
    hosts = {"www": server.www, "data": server.data, "efts": server.efts}
    return SECEdgarProvider("me@example.org", folder=folder, settings=SETTINGS, **hosts, **more)


def test_the_best_report_is_downloaded(sec: DemoSec, tmp_path: Path) -> None:
    crawler = MultiSourceCrawler(tiers=[[edgar(sec, tmp_path)], [GRIProvider()]])
    report = crawler.download_best_report(COMPANY, 2023)
    assert report.accession == "0000320193-23-000106"
    # No types were asked for, so the best candidate is taken: the facts.
    assert report.content_type == "application/json"
    assert sha256(report.local_path.read_bytes()).hexdigest() == report.sha256
    assert report.local_path.parent == tmp_path
    assert [note.outcome for note in report.searches] == ["ok", "disabled"]


@deferred_f_from_coro_f
async def test_a_call_works_inside_a_running_loop(sec: DemoSec, tmp_path: Path) -> None:
    crawler = MultiSourceCrawler(tiers=[[edgar(sec, tmp_path)]])
    found = crawler.search_company_reports(COMPANY, 2023)  # the loop stands still meanwhile
    assert [one.priority_score for one in found] == [5, 20]
    assert all(one.fiscal_year == 2023 for one in found)


def test_an_exception_of_the_provider_keeps_its_type(sec: DemoSec, tmp_path: Path) -> None:
    with pytest.raises(DocumentNotFoundError, match="ZZZZ"):
        edgar(sec, tmp_path).search(CompanyRef(ticker="ZZZZ"), 2023, tier=1)


def test_a_document_that_is_not_the_report_is_an_exception(tmp_path: Path) -> None:
    with InvestorSite() as site:
        provider = CompanyIRProvider(
            folder=tmp_path, settings=SETTINGS, websites={"Amber Hives": site.url}
        )
        company = CompanyRef(name="Amber Hives")
        (found,) = provider.search(company, 2023, tier=3)
        with pytest.raises(WrongDocumentError) as raised:
            provider.download(found, CompanyRef(name="Cobalt Dairies"), 2023)
    assert raised.value.outcome == "wrong_company"
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_option_is_an_exception(tmp_path: Path, sec: DemoSec) -> None:
    with pytest.raises(ConfigError, match="requests_per_second"):
        edgar(sec, tmp_path, requests_per_second=50).search(COMPANY, 2023, tier=1)
    with pytest.raises(ConfigError, match="WIKICRAWLER_CONTACT"):
        SECEdgarProvider("").search(COMPANY, 2023, tier=1)
    assert sec.requests == []
