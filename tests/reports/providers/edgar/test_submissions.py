"""What is read of a company's submissions, its facts and its pages of older filings."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.providers.edgar.asking import DEMO, asking
from wikicrawler.demo.sec_data import SecFiling, facts_answer, submissions_answer
from wikicrawler.reports.providers.edgar.facts import FactYear, read_facts
from wikicrawler.reports.providers.edgar.filings import Filing
from wikicrawler.reports.providers.edgar.submissions import read_submissions
from wikicrawler.reports.providers.edgar.values import AnswerError

LONG_LIVED = replace(
    DEMO,
    filings=tuple(
        SecFiling(
            f"0000000042-{(year + 1) % 100:02}-000106",
            "10-K",
            date(year + 1, 2, 3),
            date(year, 12, 31),
            f"dmo-{year}1231.htm",
            year if year > 2008 else None,
        )
        for year in range(2024, 1994, -1)
    ),
    older=12,
)
PAGE = "/submissions/CIK0000000042-submissions-001.json"


def answer(**changes: Any) -> bytes:
    return json.dumps(submissions_answer(DEMO) | changes).encode()


def answer_with_recent(**changes: Any) -> bytes:
    data = submissions_answer(DEMO)
    data["filings"]["recent"].update(changes)
    data["filings"]["recent"] = {
        name: column for name, column in data["filings"]["recent"].items() if column != "missing"
    }
    return json.dumps(data).encode()


# --- Requests


@deferred_f_from_coro_f
async def test_pages_of_older_filings_are_requested_if_they_matter() -> None:
    with asking(LONG_LIVED) as made:
        assert (await made.best(2020, cik="42")).accession == "0000000042-21-000106"  # type: ignore[union-attr]
        assert PAGE not in made.sec.paths()
        assert (await made.best(2000, cik="42")).accession == "0000000042-01-000106"  # type: ignore[union-attr]
        assert (await made.best(1996, cik="42")).accession == "0000000042-97-000106"  # type: ignore[union-attr]
        assert made.sec.paths().count(PAGE) == 1


@deferred_f_from_coro_f
async def test_each_document_is_requested_once_in_a_crawl() -> None:
    with asking(LONG_LIVED) as made:
        asks = [
            made.find(year, **company)
            for year in range(1995, 2025)
            for company in ({"ticker": "DMO"}, {"name": "Demo"}, {"cik": "42"})
        ]
        assert all(await asyncio.gather(*asks))
        paths = made.sec.paths()
        assert len(paths) == len(set(paths)) == 1 + 1 + 1 + 1 + 30  # tickers … and index pages


@deferred_f_from_coro_f
async def test_that_there_is_nothing_is_remembered() -> None:
    with asking(replace(DEMO, filings=())) as made:
        for year in (2020, 2021, 2022):
            assert await made.find(year) == []
        assert made.sec.paths() == [
            "/submissions/CIK0000000042.json",
            "/api/xbrl/companyfacts/CIK0000000042.json",
        ]


@pytest.mark.parametrize("year", [0, 1899, 2201, 9999])
@deferred_f_from_coro_f
async def test_no_report_is_of_an_impossible_year(year: int) -> None:
    with asking() as made:
        assert await made.find(year) == []


@deferred_f_from_coro_f
async def test_an_answer_of_another_shape_is_an_error_once() -> None:
    with asking() as made:
        made.sec.replace("/submissions/CIK0000000042.json", b"[]")
        for _ in range(3):
            with pytest.raises(AnswerError, match=r"CIK0000000042\.json: the answer is list and"):
                await made.find()
        assert len(made.sec.requests) == 1


# --- Shapes


def test_a_company_is_read() -> None:
    company = replace(DEMO, former=(("OLD", date(1994, 1, 26), date(2007, 1, 4)),), older=1)
    found = read_submissions(json.dumps(submissions_answer(company)).encode(), 42)
    assert (found.cik, found.name, found.tickers, found.sic) == (
        42,
        "Demo Inc.",
        ("DMO", "DMO-B"),
        3571,
    )
    assert found.year_end == (12, 31)
    assert found.filings == (
        Filing(
            "0000000042-23-000106",
            "10-K",
            date(2024, 2, 3),
            date(2023, 12, 31),
            "dmo-20231231.htm",
            "10-K",
        ),
    )
    assert [page.name for page in found.pages] == ["CIK0000000042-submissions-001.json"]
    assert found.name_on(date(2000, 1, 1)) == "OLD"
    assert found.name_on(date(2020, 1, 1)) == found.name_on(None) == "Demo Inc."


@pytest.mark.parametrize(
    "body",
    [
        answer(cik="42"),  # as in 2023
        answer(cik=42),
        answer(cik="42", sic=None, fiscalYearEnd=None, formerNames=None, tickers=None),
        answer(sic="", fiscalYearEnd="1300", formerNames=[1, {}, {"name": "x"}], tickers=[None]),
        answer_with_recent(reportDate="missing", primaryDocument="missing"),
        answer_with_recent(reportDate=[None] * 4, primaryDocument=[None, 1, {}, []]),
        answer_with_recent(core_type="missing", size=[1]),
    ],
)
def test_missing_and_older_values_are_accepted(body: bytes) -> None:
    found = read_submissions(body, 42)
    assert [filing.accession[-9:] for filing in found.filings] == ["23-000106", "22-000106"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"<html>", "is not JSON"),
        (b'{"cik": NaN}', "NaN is not a number of JSON"),
        (b'{"cik": ' + b"9" * 5000 + b"}", "is not JSON"),
        (b"[" * 200_000, "is nested too deep"),
        (b'{"a":' * 200_000, "is nested too deep"),
        (b"null", "the answer is missing"),
        (answer(cik="43"), "is not about CIK 42"),
        (answer(cik=True), "is not about CIK 42"),
        (answer(filings=None), "filings is missing"),
        (answer(filings=[]), "filings is list"),
        (answer(filings={"recent": 1}), "filings.recent is int"),
        (answer_with_recent(accessionNumber="missing"), "accessionNumber is missing"),
        (answer_with_recent(form="missing"), "form is missing"),
        (answer_with_recent(form={}), "form is dict and not an array"),
        (
            answer_with_recent(form=["10-K"]),
            "form has 1 entries, and accessionNumber 4",
        ),
        (answer_with_recent(reportDate=[]), "reportDate has 0 entries"),
    ],
)
def test_another_shape_is_an_error(body: bytes, message: str) -> None:
    with pytest.raises(AnswerError, match=message):
        read_submissions(body, 42)


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd",
        "..",
        ".htaccess",
        "a/b.htm",
        "a?b=c",
        "a#b",
        "a%2Fb",
        "a b.htm",
        "a\nb",
        "@evil.example",
        "x" * 300,
        "ü.htm",
    ],
)
def test_what_is_no_file_name_is_ignored(name: str) -> None:
    body = answer_with_recent(
        primaryDocument=[name] * 4, accessionNumber=["0000000042-23-000106", "..", "x", None]
    )
    (found,) = read_submissions(body, 42).filings
    assert found.document == ""


@pytest.mark.parametrize("page", [None, 1, {"name": "../x.json"}, {"name": None}, {}])
def test_what_is_no_page_is_ignored(page: object) -> None:
    data = submissions_answer(DEMO)
    data["filings"]["files"] = [page]
    assert read_submissions(json.dumps(data).encode(), 42).pages == ()


# --- Facts


def rows(*entries: Any) -> bytes:
    concept = {"units": {"USD": list(entries)}}
    return json.dumps({"cik": 42, "facts": {"us-gaap": {"Assets": concept}}}).encode()


def fact(year: Any, period: Any = "FY", accession: Any = "0000000042-23-000106") -> dict[str, Any]:
    return {"accn": accession, "fy": year, "fp": period, "val": 1, "end": "2023-12-31"}


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([fact(2023), fact(2023), fact(2022)], FactYear(2023, 2, 3)),
        ([fact(2022), fact(2023)], FactYear(2023, 1, 2)),
        ([fact(2022, "Q1"), fact(2022, "Q1"), fact(2023)], FactYear(2023, 1, 1)),
        ([fact(2022, "Q4"), fact(2022, None)], FactYear(2022, 2, 2)),
        ([fact(None), fact("x"), fact(2023.0), fact(True)], FactYear(None, 0, 0)),
        ([fact("2023")], FactYear(2023, 1, 1)),
        ([fact(10**30), fact(-1), fact(0)], FactYear(None, 0, 0)),
    ],
)
def test_the_year_of_most_annual_facts_is_that_of_the_filing(
    entries: list[Any], expected: FactYear
) -> None:
    assert read_facts(rows(*entries), 42).years == {"0000000042-23-000106": expected}


@pytest.mark.parametrize(
    "body",
    [
        rows(None, 1, [], {}, fact(2023, accession=None), fact(2023, accession="../x")),
        json.dumps({"cik": 42, "facts": {}}).encode(),
        json.dumps({"cik": 42, "facts": {"a": None, "b": {"c": None, "d": {}}}}).encode(),
        json.dumps({"cik": 42, "facts": {"a": {"b": {"units": 1}}}}).encode(),
        json.dumps({"cik": 42, "facts": {"a": {"b": {"units": {"USD": None}}}}}).encode(),
    ],
)
def test_what_is_no_fact_is_ignored(body: bytes) -> None:
    assert read_facts(body, 42).years == {}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{}", "is not about CIK 42"),
        (b'{"cik": 42}', "facts is missing"),
        (b'{"cik": 42, "facts": []}', "facts is list"),
        (json.dumps(facts_answer(replace(DEMO, cik=7))).encode(), "is not about CIK 42"),
    ],
)
def test_facts_of_another_shape_or_company_are_an_error(body: bytes, message: str) -> None:
    with pytest.raises(AnswerError, match=message):
        read_facts(body, 42)
