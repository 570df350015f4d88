"""A company is found by CIK, ticker or name, and never guessed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.providers.edgar.asking import DEMO, asking
from wikicrawler.demo.sec_data import SecCompany, SecFiling
from wikicrawler.reports.errors import DocumentNotFoundError, FetchError
from wikicrawler.reports.models import CompanyRef
from wikicrawler.reports.providers.edgar.names import normalised, searched


def company(cik: int, name: str, *tickers: str, former: str = "") -> SecCompany:
    filings = tuple(
        SecFiling(
            f"{cik:010}-{year - 2000 + 1:02}-000001",
            "10-K",
            date(year + 1, 3, 1),
            date(year, 12, 31),
            f"form-{year}.htm",
        )
        for year in (2019, 2015)
    )
    old = ((former, date(2000, 1, 1), date(2017, 1, 1)),) if former else ()
    return SecCompany(cik, name, tickers, filings=filings, former=old)


BERKSHIRE = company(1067983, "BERKSHIRE HATHAWAY INC", "BRK-B", "BRK-A")
IMUNON = company(749647, "Imunon, Inc.", "IMNN", former="CELSION CORP")
TWITTER = company(1418091, "TWITTER, INC.")
APPLE = company(320193, "Apple Inc.", "AAPL")
APPLE_REIT = company(1418121, "Apple Hospitality REIT, Inc.", "APLE")
DELTA, OTHER_DELTA = company(27904, "DELTA AIR LINES, INC."), company(2, "Delta Air Lines Inc /DE/")
ALL = (BERKSHIRE, IMUNON, TWITTER, APPLE, APPLE_REIT, DELTA, OTHER_DELTA)


@pytest.mark.parametrize(
    ("asked", "cik"),
    [
        ({"ticker": "BRK.B"}, 1067983),
        ({"ticker": "brk-a"}, 1067983),
        ({"name": "Berkshire Hathaway"}, 1067983),
        ({"cik": "CIK0001067983"}, 1067983),
        ({"name": "The Apple Company"}, 320193),
        ({"name": "Twitter Inc"}, 1418091),  # without a ticker
        ({"name": "Twitter", "ticker": "TWTR"}, 1418091),  # no longer listed
        ({"name": "Celsion Corp"}, 749647),  # a former name
        ({"name": "Apple", "cik": "749647"}, 749647),
    ],
)
@deferred_f_from_coro_f
async def test_a_company_is_found(asked: dict[str, str], cik: int) -> None:
    with asking(*ALL) as made:
        found = await made.provider.identify(CompanyRef(**asked), made.fetch)
        assert found.cik == f"{cik:010}"
        assert await made.find(2019, **asked)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"ticker": "TWTR"}, "'TWTR' is not among the tickers.*give the CIK or the name"),
        (
            {"name": "Delta Air Lines"},
            r"several companies are named 'Delta Air Lines': DELTA AIR LINES, INC. \(CIK 27904\), "
            r"Delta Air Lines Inc /DE/ \(CIK 2\): give the CIK",
        ),
        (
            {"name": "Hospitality"},
            r"similar names .*: Apple Hospitality REIT, Inc. \(CIK 1418121\)",
        ),
        ({"name": "Air Lines"}, r"CIK 27904\), Delta .* \(CIK 2\): give the CIK or the exact name"),
        ({"name": "Nobody"}, "no company is named 'Nobody': give the CIK"),
        ({"name": "…"}, "'…' is not a name of a company"),
        ({"cik": "4711"}, "SEC has no company with the CIK 4711"),
    ],
)
@deferred_f_from_coro_f
async def test_what_is_not_found_or_ambiguous_is_an_error(
    asked: dict[str, str], message: str
) -> None:
    with asking(*ALL) as made, pytest.raises(DocumentNotFoundError, match=message):
        await made.find(2019, **asked)


@deferred_f_from_coro_f
async def test_a_shared_name_lists_the_companies_with_tickers() -> None:
    twins = [company(cik, "Twin Corp", f"T{cik}") for cik in range(1, 12)]
    message = r"Twin Corp \(CIK 8\), …: give the CIK"
    with asking(*twins) as made, pytest.raises(DocumentNotFoundError, match=message):
        await made.find(name="twin")


@deferred_f_from_coro_f
async def test_a_name_is_searched_among_annual_reports() -> None:
    with asking(*ALL) as made:
        await made.find(2019, name="Celsion Corp")
        (path,) = made.sec.paths("efts")
        assert path == "/LATEST/search-index?q=%22Celsion%22&forms=10-K%2C20-F%2C40-F"
        assert not [path for path in made.sec.paths() if path.startswith("/cgi-bin")]


@deferred_f_from_coro_f
async def test_the_search_is_retried_when_it_fails_at_random() -> None:
    with asking(*ALL) as made:
        made.sec.fail("search-index", 2)
        assert await made.find(2019, name="Celsion Corp")
        made.sec.fail("search-index", 3)
        with pytest.raises(FetchError, match="answers 500"):
            await made.find(2019, name="Another")


@deferred_f_from_coro_f
async def test_a_company_of_the_search_without_submissions_is_passed_over() -> None:
    with asking(*ALL) as made:
        made.sec.replace("/submissions/CIK0000749647.json", b"", 404)
        with pytest.raises(DocumentNotFoundError, match="no company is named 'Celsion"):
            await made.find(2019, name="Celsion Corp")


@deferred_f_from_coro_f
async def test_a_resolved_company_has_the_name_that_sec_writes() -> None:
    with asking(*ALL) as made:
        found = await made.provider.identify(CompanyRef(cik="1067983"), made.fetch)
        assert (found.name, found.ticker) == ("BERKSHIRE HATHAWAY INC", "BRK-B")
        own = await made.provider.identify(CompanyRef(name="Celsion Corp"), made.fetch)
        assert (own.name, own.ticker) == ("Celsion Corp", "IMNN")


@deferred_f_from_coro_f
async def test_a_title_has_the_name_of_the_time() -> None:
    with asking(*ALL) as made:
        (old,) = await made.find(2015, cik="749647")
        (new,) = await made.find(2019, cik="749647")
        assert old.title.startswith("CELSION CORP: 10-K")
        assert new.title.startswith("Imunon, Inc.: 10-K")
    nameless = replace(DEMO, name="")
    with asking(nameless) as made:
        assert (await made.find())[0].title.startswith("CIK 42: 10-K")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Walt Disney Company", "Walt Disney Co"),
        ("JPMorgan Chase", "JPMORGAN CHASE & CO"),
        ("J.P. Morgan", "JP MORGAN"),
        ("Home Depot", "HOME DEPOT, INC."),
        ("Nestlé S.A.", "NESTLE SA"),
        ("Novo Nordisk", "NOVO NORDISK A/S"),
        ("Anheuser-Busch InBev", "Anheuser-Busch InBev SA/NV"),
        ("Lowe's Companies", "LOWES COMPANIES INC"),
        ("Trade Desk", "Trade Desk, Inc. (The)"),
        ("Alcoa", "ALCOA INC /PA/"),
        ("The The", "THE"),
    ],
)
def test_names_are_compared_without_their_legal_form(one: str, other: str) -> None:
    assert normalised(one) == normalised(other) != ""


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("Celsion Corp.", "Celsion"),
        ("The Walt Disney Company", "Walt Disney"),
        ("Johnson & Johnson", "Johnson & Johnson"),
        ("Twitter, Inc.", "Twitter"),
        ("Novo Nordisk A/S", "Novo Nordisk"),
        ("Inc.", "Inc."),
    ],
)
def test_texts_are_searched_for_the_name_without_its_legal_form(name: str, phrase: str) -> None:
    assert searched(name) == phrase


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Apple Inc.", "Apple Hospitality REIT"),
        ("Delta Air Lines", "Delta Apparel"),
        ("Company", "Corporation"),
    ],
)
def test_other_names_stay_apart(one: str, other: str) -> None:
    assert normalised(one) != normalised(other)
