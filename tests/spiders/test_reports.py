"""The spider ``reports``: whole crawls with a scripted SEC and the site of a company."""

from __future__ import annotations

import json
import os
import signal
import time
from collections import Counter
from dataclasses import replace
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests import scrapy_runs
from tests.crawling import project_settings, run
from tests.scrapy_runs import Running
from wikicrawler.demo.investors import InvestorSite
from wikicrawler.demo.sec import DemoSec
from wikicrawler.demo.sec_companies import APPLE, NVIDIA, TESLA
from wikicrawler.errors import ConfigError
from wikicrawler.spiders.reports import ReportsSpider

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.crawling import Outcome

CONTACT = {"WIKICRAWLER_CONTACT": "tester@example.org"}


@pytest.fixture
def sec() -> Iterator[DemoSec]:
    with DemoSec([APPLE, NVIDIA, TESLA]) as server:
        yield server


@pytest.fixture
def investors() -> Iterator[InvestorSite]:
    with InvestorSite() as site:
        yield site


def providers(folder: Path, *lines: str) -> dict[str, str]:
    path = folder / "providers.yml"
    path.write_text("providers:\n" + "".join(f"  {line}\n" for line in lines))
    return {
        "WIKICRAWLER_REPORTS_PROVIDERS": str(path),
        "WIKICRAWLER_REPORTS_FOLDER": str(folder / "documents"),
    }


def edgar(server: DemoSec) -> str:
    hosts = f'www: "{server.www}", data: "{server.data}", efts: "{server.efts}"'
    return f"sec_edgar: {{tier: 1, {hosts}}}"


async def crawl(folder: Path, lines: list[str], **arguments: str) -> Outcome:
    settings = project_settings(**CONTACT, **providers(folder, *lines))
    return await run(ReportsSpider, settings, **arguments)


def document(outcome_item: dict[str, Any], folder: Path) -> bytes:
    return (folder / "documents" / outcome_item["local_path"]).read_bytes()


# What is found


@deferred_f_from_coro_f
async def test_the_10_k_of_a_fiscal_year_is_downloaded_and_proved(
    sec: DemoSec, tmp_path: Path
) -> None:
    outcome = await crawl(tmp_path, [edgar(sec)], companies="AAPL", year="2023")
    (item,) = outcome.items
    assert item["error"] is None
    assert (item["accession"], item["form"]) == ("0000320193-23-000106", "10-K")
    assert item["source"]["url"].endswith("/aapl-20230930.htm")
    assert item["company"]["name"] == "Apple Inc."
    body = document(item, tmp_path)
    assert (sha256(body).hexdigest(), len(body)) == (item["sha256"], item["size"])
    text = (tmp_path / "documents" / item["text_path"]).read_text()
    assert "For the fiscal year ended September 30, 2023" in text
    assert [one["outcome"] for one in item["attempts"]] == ["not_accepted", "ok"]
    assert outcome.stats["reports/found"] == 1
    assert max(Counter(sec.paths()).values()) == 1  # one request for each document


@deferred_f_from_coro_f
async def test_several_years_of_a_company_share_what_is_known_of_it(
    sec: DemoSec, tmp_path: Path
) -> None:
    outcome = await crawl(tmp_path, [edgar(sec)], companies="Apple Inc.,320193", year="2022-2023")
    assert [item["error"] for item in outcome.items] == [None] * 4
    assert {(item["year"], item["accession"][:13]) for item in outcome.items} == {
        (2022, "0000320193-22"),
        (2023, "0000320193-23"),
    }
    asked = Counter(sec.paths("data"))
    assert set(asked.values()) == {1}


@deferred_f_from_coro_f
async def test_facts_are_downloaded_where_they_are_asked_for(sec: DemoSec, tmp_path: Path) -> None:
    outcome = await crawl(tmp_path, [edgar(sec)], companies="AAPL", year="2023", types="json")
    (item,) = outcome.items
    assert item["content_type"] == "application/json"
    assert json.loads(document(item, tmp_path))["cik"] == 320193
    assert item["text_path"] is None


@deferred_f_from_coro_f
async def test_the_next_candidate_is_taken_where_the_best_is_an_error_page(
    sec: DemoSec, investors: InvestorSite, tmp_path: Path
) -> None:
    (tmp_path / "index.csv").write_text(
        "name,year,url,content_type\n"
        f"Amber Hives,2023,{investors.url}/members/annual-report-2023.pdf,application/pdf\n"
    )
    lines = [
        edgar(sec),
        "catalogue: {tier: 2, source: index.csv}",
        f'company_ir: {{tier: 3, websites: {{Amber Hives: "{investors.url}"}}}}',
    ]
    outcome = await crawl(tmp_path, lines, companies="Amber Hives", year="2023")
    (item,) = outcome.items
    outcomes = [(one["source"]["provider"], one["outcome"]) for one in item["attempts"]]
    assert outcomes == [("catalogue", "wrong_type"), ("company_ir", "ok")]
    assert document(item, tmp_path).startswith(b"%PDF-")
    assert "Annual Report" in (tmp_path / "documents" / item["text_path"]).read_text()
    assert len(list((tmp_path / "documents").iterdir())) == 2  # nothing of the error page


@deferred_f_from_coro_f
async def test_a_company_without_a_report_has_a_record_with_the_reason(
    sec: DemoSec, tmp_path: Path
) -> None:
    outcome = await crawl(tmp_path, [edgar(sec)], companies="ZZZZ,TSLA", year="1999")
    errors = {item["company"]["ticker"]: item["error"] for item in outcome.items}
    assert errors == {
        "ZZZZ": "No report candidates found for ZZZZ (1999). Searched 1 providers across 1 tiers.",
        "TSLA": "No report candidates found for Tesla, Inc. (1999). Searched 1 providers across "
        "1 tiers.",
    }
    assert outcome.stats["reports/missing"] == 2


@deferred_f_from_coro_f
async def test_a_document_of_another_year_is_never_reported(sec: DemoSec, tmp_path: Path) -> None:
    page = (
        "<html><head><title>Apple Inc. 10-K</title></head><body><h1>FORM 10-K</h1>"
        "<p>For the fiscal year ended September 24, 2022</p><p>Apple Inc. (Exact name of registrant"
        " as specified in its charter)</p>"
        + "<p>Item 1. Business. Item 7. Management's Discussion. Item 8. Financial Statements.</p>"
        * 60
        + "</body></html>"
    )
    path = "/Archives/edgar/data/320193/000032019323000106/aapl-20230930.htm"
    sec.replace(path, page.encode(), content_type="text/html")
    outcome = await crawl(tmp_path, [edgar(sec)], companies="AAPL", year="2023")
    (item,) = outcome.items
    assert item["attempts"][-1]["outcome"] == "wrong_year"
    assert item["error"].startswith("Failed to download report for Apple Inc. (2023) after trying")
    assert list((tmp_path / "documents").iterdir()) == []


@deferred_f_from_coro_f
async def test_a_filing_in_one_text_is_a_report(tmp_path: Path) -> None:
    filing = replace(
        APPLE.filings[1],
        accession="0000320193-99-000106",
        form="10-K405",
        filed=date(1999, 12, 22),
        end=date(1999, 9, 25),
        document="",
        fiscal_year=None,
    )
    with DemoSec([replace(APPLE, filings=(filing,))]) as server:
        outcome = await crawl(tmp_path, [edgar(server)], companies="AAPL", year="1999")
    (item,) = outcome.items
    assert item["error"] is None
    assert (item["content_type"], item["form"]) == ("text/plain", "10-K405")
    assert b"For the fiscal year ended September 25, 1999" in document(item, tmp_path)


@deferred_f_from_coro_f
async def test_a_report_under_a_former_name_is_of_the_company(tmp_path: Path) -> None:
    former = ("Apple Inc.", date(1990, 1, 1), date(2023, 12, 1))
    renamed = replace(APPLE, name="Amber Orchard Inc.", former=(former,))
    with DemoSec([renamed]) as server:
        outcome = await crawl(tmp_path, [edgar(server)], companies="320193", year="2023-2024")
    assert [item["error"] for item in outcome.items] == [None, None]
    found = {item["year"]: item["source"]["former_name"] for item in outcome.items}
    assert found == {2023: "Apple Inc.", 2024: ""}


# The pace


@deferred_f_from_coro_f
async def test_all_hosts_of_sec_together_get_at_most_eight_requests_a_second(
    sec: DemoSec, tmp_path: Path
) -> None:
    outcome = await crawl(tmp_path, [edgar(sec)], companies="AAPL,NVDA,TSLA", year="2023-2024")
    assert outcome.stats["reports/found"] >= 4
    times = sorted(one.time for one in sec.requests if one.path != "/robots.txt")
    assert len(times) > 16
    # The server sees a request later than it was sent, by what the machine takes.
    assert all(later - first > 0.9 for first, later in zip(times, times[8:], strict=False))


@pytest.mark.parametrize(
    ("path", "status"), [("submissions", 429), ("companyfacts", 200), (".htm", 403), (".htm", 200)]
)
@deferred_f_from_coro_f
async def test_nothing_is_asked_of_sec_for_a_while_after_a_block(
    sec: DemoSec, tmp_path: Path, path: str, status: int
) -> None:
    line = edgar(sec).replace("tier: 1", "tier: 1, silence: 2")
    sec.block_at(path, status)
    outcome = await crawl(tmp_path, [line], companies="AAPL,NVDA", year="2023")
    assert [item["error"] for item in outcome.items] == [None, None]
    requests = [one for one in sec.requests if one.path != "/robots.txt"]
    (blocked,) = [place for place, one in enumerate(requests) if one.is_blocked]
    assert requests[blocked].path == requests[blocked + 1].path
    assert requests[blocked + 1].time - requests[blocked].time >= 2


# The arguments


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"companies": "AAPL"}, "year"),
        ({"year": "2023"}, "companies"),
        ({"companies": "AAPL", "year": "23"}, "is not a year (like 2023 or 2019-2023)"),
        ({"companies": "AAPL", "year": "2023", "types": "doc"}, "there are: pdf, html, json"),
        ({"companies": "AAPL", "year": "2023", "forms": ";"}, "is not a form"),
        ({"companies": "AAPL", "year": "2023", "form": "10-K"}, "did you mean forms"),
        ({"companies": "none.csv", "year": "2023"}, "none.csv does not exist"),
    ],
)
@deferred_f_from_coro_f
async def test_a_wrong_argument_ends_the_start(
    sec: DemoSec, tmp_path: Path, arguments: dict[str, str], said: str
) -> None:
    with pytest.raises((ConfigError, ValueError)) as raised:
        await crawl(tmp_path, [edgar(sec)], **arguments)
    assert said in str(raised.value)
    assert sec.requests == []


@deferred_f_from_coro_f
async def test_without_a_contact_the_start_says_what_to_set(sec: DemoSec, tmp_path: Path) -> None:
    settings = project_settings(**providers(tmp_path, edgar(sec)))
    with pytest.raises(ConfigError, match=r"providers.yml:2: sec_edgar: .*WIKICRAWLER_CONTACT"):
        await run(ReportsSpider, settings, companies="AAPL", year="2023")


# Kills and stops


def command(folder: Path, server: DemoSec, companies: str, years: str) -> list[str]:
    given = {
        **CONTACT,
        **providers(folder, edgar(server)),
        "JOBDIR": str(folder / "job"),
        "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
        "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": "6000",
        "WIKICRAWLER_REPORTS_AT_ONCE": "2",
    }
    parts = [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
    asked = ["-a", f"companies={companies}", "-a", f"year={years}"]
    out = ["-o", str(folder / "out.jsonl")]
    return ["crawl", "reports", *asked, *parts, *out]


def documents_of(server: DemoSec) -> Counter[str]:
    return Counter(path for path in server.paths("www") if path.endswith(".htm"))


def stop_after(server: DemoSec, requests: int, line: list[str], number: signal.Signals) -> None:
    """Run *line*, and send its process a signal after so many requests to SEC."""
    with (
        Path(os.devnull).open("w") as nothing,
        Running(line, stdout=nothing, stderr=nothing, start_new_session=True) as process,
    ):
        while process.poll() is None and len(server.requests) < requests:
            time.sleep(0.02)
        if process.poll() is None:
            os.killpg(process.pid, number) if number == signal.SIGKILL else process.send_signal(
                number
            )
        process.wait(timeout=120)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_each_company_and_year_has_one_record_after_kills_and_stops(
    sec: DemoSec, tmp_path: Path, number: signal.Signals
) -> None:
    line = command(tmp_path, sec, "AAPL,TSLA", "2022-2024")
    for requests in (8, 20):
        stop_after(sec, requests, line, number)
    done = scrapy_runs.run(line)
    assert done.returncode == 0, done.stderr
    records = [json.loads(text) for text in (tmp_path / "out.jsonl").read_text().splitlines()]
    units = Counter((one["company"]["ticker"], one["year"]) for one in records)
    assert set(units) == {(name, year) for name in ("AAPL", "TSLA") for year in (2022, 2023, 2024)}
    assert set(units.values()) == {1}
    for one in records:
        if one["error"] is None:
            body = (tmp_path / "documents" / one["local_path"]).read_bytes()
            assert sha256(body).hexdigest() == one["sha256"]
    requests = len(sec.requests)
    again = scrapy_runs.run(line)
    assert again.returncode == 0, again.stderr
    assert len(sec.requests) == requests


def test_a_crawl_that_finds_nothing_ends_with_exit_code_3(sec: DemoSec, tmp_path: Path) -> None:
    line = command(tmp_path, sec, "ZZZZ", "2023")
    done = scrapy_runs.run(line)
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
