"""Answers that nobody would send: each is read, or is an error of the provider."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.providers.edgar.asking import DEMO, asking
from wikicrawler.demo.sec_data import (
    facts_answer,
    index_page,
    search_answer,
    submissions_answer,
    tickers_answer,
)
from wikicrawler.errors import ContentError, Reason
from wikicrawler.reports.errors import FetchError, ReportError
from wikicrawler.reports.providers.edgar.facts import read_facts
from wikicrawler.reports.providers.edgar.fiscal_year import fiscal_years
from wikicrawler.reports.providers.edgar.index_page import read_index
from wikicrawler.reports.providers.edgar.search import read_hits
from wikicrawler.reports.providers.edgar.submissions import read_page, read_submissions
from wikicrawler.reports.providers.edgar.tickers import read_tickers
from wikicrawler.reports.providers.edgar.values import AnswerError, Problem, attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ANSWERS: dict[str, Any] = {
    "submissions": submissions_answer(DEMO),
    "page": submissions_answer(DEMO)["filings"]["recent"],
    "facts": facts_answer(DEMO),
    "tickers": tickers_answer([DEMO]),
    "hits": search_answer([DEMO], "demo", []),
}
READERS: dict[str, Callable[[bytes], Any]] = {
    "submissions": lambda body: read_submissions(body, 42),
    "page": read_page,
    "facts": lambda body: read_facts(body, 42),
    "tickers": read_tickers,
    "hits": read_hits,
}
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["0001-01-01", "9999-12-31", "10-K", "0000000042-23-000106", "1399"])
    | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value in *value*."""
    yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


def replaced(value: Any, path: tuple[Any, ...], junk: Any) -> Any:
    if not path:
        return junk
    copy = value.copy()
    copy[path[0]] = replaced(value[path[0]], path[1:], junk)
    return copy


@settings(max_examples=200)
@given(kind=st.sampled_from(list(READERS)), data=st.data())
def test_any_value_anywhere_is_read_or_an_error(kind: str, data: st.DataObject) -> None:
    answer = ANSWERS[kind]
    for _ in range(data.draw(st.integers(1, 3))):
        answer = replaced(answer, data.draw(st.sampled_from(list(places(answer)))), data.draw(JUNK))
    body = json.dumps(answer).encode()  # with NaN, as Python writes it
    with suppress(AnswerError):
        found = READERS[kind](body)
        if kind in ("submissions", "page"):
            filings = found.filings if kind == "submissions" else found
            fiscal_years(filings, {}, year_end=getattr(found, "year_end", None))


@given(kind=st.sampled_from(list(READERS)), body=st.binary(max_size=200))
def test_any_bytes_are_read_or_an_error(kind: str, body: bytes) -> None:
    with suppress(AnswerError):
        READERS[kind](body)


@given(body=st.binary(max_size=300))
def test_any_bytes_as_an_index_page_are_read_or_an_error(body: bytes) -> None:
    page = index_page(DEMO, DEMO.filings[0]).encode()
    for half in (len(page) // 2, page.index(b"<td"), page.index(b"</table")):
        with suppress(AnswerError):
            read_index(page[:half] + body + page[half:])
    with suppress(AnswerError):
        read_index(body)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ('<td>1<td>A<td><a href="/ix?doc=/Archives/edgar/data/1/2/a.htm">a</a><td>10-K', "a.htm"),
        ('<td>1<td>A<td><a href="http://evil.example/b.htm">a</a><td>10-K', "b.htm"),
        ('<td>1<td>A<td><a href="x/..%2f">a</a><td>10-K', None),
        ('<td>1<td>A<td><a href="/Archives/edgar/data/1/2/">a</a><td>10-K', None),
        ("<td>1<td>A<td><a>a</a><td>10-K", None),
        ("<td>1<td>A<td>a.htm<td>10-K", None),
        ('<td>1<td>A<td><a href="a.htm">a</a><td>&nbsp;', None),
        ("<td>1", None),
        ("", None),
    ],
)
def test_a_row_names_a_file_of_the_folder_or_is_ignored(row: str, expected: str | None) -> None:
    head = "<th>Seq<th>Description<th>Document<th>Type<th>Size"
    page = f'<table class="x tableFile"><tr>{head}<tr>{row}</table>'
    found = [document.name for document in read_index(page.encode())]
    assert found == ([expected] if expected else [])


def test_columns_are_found_by_their_titles() -> None:
    page = (
        '<table class="tableFile"><tr><th>Type<th>Document<th>Description'
        '<tr><td>10-K<td><a href="a.htm">a</a><td>Report</table>'
    )
    assert read_index(page.encode()) == (("a.htm", "10-K", "Report"),)
    assert read_index(b'<table class="tableFile"></table>') == ()
    with pytest.raises(AnswerError, match="has no table of documents"):
        read_index(b"<table><tr><td>x</table>")
    with pytest.raises(AnswerError, match="is not HTML"):
        read_index(b"")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{}", "names no company"),
        (b'{"0": null, "1": {"cik_str": "x", "ticker": "A"}}', "names no company"),
        (b'{"0": {"cik_str": 1, "ticker": null}}', "names no company"),
    ],
)
def test_tickers_without_a_company_are_an_error(body: bytes, message: str) -> None:
    with pytest.raises(AnswerError, match=message):
        read_tickers(body)


def test_a_company_has_one_name_among_the_tickers() -> None:
    rows = [
        {"cik_str": 1, "ticker": "A", "title": "One Inc"},
        {"cik_str": 1, "ticker": "A.B", "title": "Other"},
        {"cik_str": 2, "ticker": "C", "title": None},
    ]
    found = read_tickers(json.dumps(dict(enumerate(rows))).encode())
    assert found.ciks == {"A": 1, "A-B": 1, "C": 2}
    assert found.by_name == {"one": (1,)}


@pytest.mark.parametrize(
    "source",
    [
        None,
        {},
        {"ciks": 1, "display_names": []},
        {"ciks": ["1"], "display_names": []},
        {"ciks": ["x"], "display_names": ["X"]},
        {"ciks": ["1"], "display_names": [None]},
    ],
)
def test_a_hit_without_a_company_is_ignored(source: object) -> None:
    body = json.dumps({"hits": {"hits": [1, {"_source": source}]}}).encode()
    assert read_hits(body) == ()


def test_all_companies_of_a_hit_are_read() -> None:
    shown = ["Demo Inc.  (DMO, DMO-B)  (CIK 0000000042)", "Demo (UK) Ltd (CIK 0000000043)"]
    source = {"ciks": ["0000000042", "0000000043"], "display_names": shown}
    hits = [{"_source": source}, {"_source": {"ciks": ["43"], "display_names": shown[1:]}}]
    body = json.dumps({"hits": {"hits": hits}}).encode()
    assert read_hits(body) == ((43, "Demo (UK) Ltd"), (42, "Demo Inc."))


def test_a_worker_returns_the_message_of_an_error() -> None:
    assert attempt(read_tickers, b"{}") == Problem("names no company")


@deferred_f_from_coro_f
async def test_limits_of_the_worker_are_an_error_of_the_provider() -> None:
    with asking() as made:

        async def run(*_: object) -> None:
            raise ContentError(Reason.CPU_LIMIT)

        made.fetch.run = run  # type: ignore[method-assign]
        with pytest.raises(AnswerError, match=r"CIK0000000042\.json: could not be read: cpu_limit"):
            await made.find()


@deferred_f_from_coro_f
async def test_an_answer_that_is_too_large_is_not_read() -> None:
    with asking() as made:
        made.sec.replace("/files/company_tickers.json", b" " * (8 * 2**20 + 1))
        with pytest.raises(FetchError, match="more than 8388608 bytes"):
            await made.find(ticker="DMO")
        assert len(made.sec.requests) == 1


@pytest.mark.parametrize(
    "path", ["files/company_tickers.json", "api/xbrl/companyfacts/CIK0000000042.json"]
)
@pytest.mark.parametrize("body", [b"", b"[]", b'{"0": 1}', b"\x00", b'{"cik": 42, "facts": NaN}'])
@deferred_f_from_coro_f
async def test_hostile_answers_are_errors_of_the_provider(path: str, body: bytes) -> None:
    with asking() as made:
        made.sec.replace(f"/{path}", body)
        with pytest.raises(ReportError, match=path.rpartition("/")[2]):
            await made.find(ticker="DMO")
