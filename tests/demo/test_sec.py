"""The scripted SEC: EDGAR's files, and when it blocks."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pypdfium2
import pytest

from wikicrawler.demo.sec import DemoSec
from wikicrawler.demo.sec_companies import APPLE, COMPANIES, NVIDIA
from wikicrawler.demo.sec_data import document_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

AGENT = "tests (+tests@example.org)"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sec(clock: Clock) -> Iterator[DemoSec]:
    with DemoSec(COMPANIES, clock) as server:
        yield server


def ask(url: str, **headers: str) -> tuple[int, bytes, Any]:
    headers = {"User-Agent": AGENT} | {k.replace("_", "-"): v for k, v in headers.items()}
    request = urllib.request.Request(url, headers=headers)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310
            return response.status, response.read(), response.headers
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(), error.headers


def test_each_host_has_its_own_files(sec: DemoSec, clock: Clock) -> None:
    paths = {
        f"{sec.www}/files/company_tickers.json": "application/json",
        f"{sec.data}/submissions/CIK0000320193.json": "application/json",
        f"{sec.data}/api/xbrl/companyfacts/CIK0000320193.json": "application/json",
        f"{sec.efts}/LATEST/search-index?q=%22apple%22&forms=10-K": "application/json",
    }
    folder = f"{sec.www}/Archives/edgar/data/320193/000032019323000106"
    paths[f"{folder}/0000320193-23-000106-index.htm"] = "text/html"
    paths[f"{folder}/aapl-20230930.htm"] = "text/html"
    paths[f"{folder}/0000320193-23-000106.txt"] = "text/plain"
    for url, kind in paths.items():
        status, body, headers = ask(url)
        assert (status, headers["Content-Type"]) == (200, kind), url
        assert body
        others = {sec.www: sec.efts, sec.data: sec.www, sec.efts: sec.data}
        base = next(base for base in others if url.startswith(base))
        assert ask(url.replace(base, others[base]))[0] == 404
        clock.now += 1
    assert ask(f"{sec.www}/robots.txt")[1].startswith(b"User-agent: *")


def test_the_columns_of_filings_are_parallel(sec: DemoSec) -> None:
    _, body, _ = ask(f"{sec.data}/submissions/CIK0000320193.json")
    recent = json.loads(body)["filings"]["recent"]
    assert {len(column) for column in recent.values()} == {2 * len(APPLE.filings)}
    place = recent["accessionNumber"].index("0000320193-23-000106")
    assert recent["primaryDocument"][place] == "aapl-20230930.htm"


@pytest.mark.parametrize("missing_status", [404, 403])
def test_a_missing_file_is_an_xml_error(missing_status: int) -> None:
    with DemoSec([APPLE], missing_status=missing_status) as sec:
        for url in (
            f"{sec.data}/submissions/CIK0000000001.json",
            f"{sec.www}/Archives/edgar/data/320193/000032019323000106/x.htm",
            f"{sec.www}/Archives/edgar/data/1/000032019323000106/aapl-20230930.htm",
            f"{sec.efts}/LATEST/other",
        ):
            status, body, headers = ask(url)
            assert (status, headers["Content-Type"]) == (missing_status, "application/xml")
            assert b"<Error><Code>" in body


def test_more_than_ten_requests_a_second_are_blocked_for_ten_minutes(
    sec: DemoSec, clock: Clock
) -> None:
    url = f"{sec.data}/submissions/CIK0000320193.json"
    assert [ask(url)[0] for _ in range(10)] == [200] * 10
    status, body, _ = ask(f"{sec.www}/files/company_tickers.json")  # all hosts count together
    assert status == 403
    assert b"Request Rate Threshold Exceeded" in body
    clock.now = 599
    assert ask(url)[0] == 403  # and going on extends it
    clock.now = 1198
    assert ask(url)[0] == 403
    clock.now = 1798
    assert ask(url)[0] == 200


def test_a_user_agent_without_an_address_is_refused(sec: DemoSec) -> None:
    status, body, _ = ask(f"{sec.www}/files/company_tickers.json", User_Agent="bot")
    assert status == 403
    assert b"Undeclared Automated Tool" in body


def test_a_download_is_continued(sec: DemoSec) -> None:
    url = f"{sec.www}/Archives/edgar/data/1045810/000104581024000029/nvda-2024-10k.pdf"
    _, whole, headers = ask(url)
    status, rest, part = ask(url, Range="bytes=100-", If_Range=headers["ETag"])
    assert (status, rest) == (206, whole[100:])
    assert part["Content-Range"] == f"bytes 100-{len(whole) - 1}/{len(whole)}"
    assert ask(url, Range="bytes=100-", If_Range='"other"')[:2] == (200, whole)


def test_a_pdf_has_the_text_of_the_report() -> None:
    data = document_bytes(NVIDIA, NVIDIA.filings[0], "nvda-2024-10k.pdf")
    pdf = pypdfium2.PdfDocument(data)
    text = pdf[0].get_textpage().get_text_range()
    assert len(pdf) == 3
    assert "NVIDIA CORP" in text
    assert "For the fiscal year ended January 28, 2024" in text


def test_a_transition_and_another_end_are_in_the_text() -> None:
    filing = APPLE.filings[1]
    other = replace(filing, form="10-KT", title_end=filing.filed)
    text = document_bytes(APPLE, other, "x.htm")
    assert b"For the transition period ended November 3, 2023" in text
    assert b"Apple Inc." in text


def test_failures_and_blocks_are_scripted(sec: DemoSec) -> None:
    url = f"{sec.data}/submissions/CIK0000320193.json"
    sec.fail("/submissions/", 2)
    sec.block(1, 200)
    assert [ask(url)[0] for _ in range(4)] == [200, 500, 500, 200]
    sec.replace("/submissions/CIK0000320193.json", b"[]")
    assert ask(url)[1] == b"[]"
    assert sec.paths("data") == ["/submissions/CIK0000320193.json"] * 5
    assert [request.status for request in sec.requests] == [200, 500, 500, 200, 200]
