"""What a wiki says of many pages at once."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from wikicrawler.errors import Reason
from wikicrawler.pages import Failure
from wikicrawler.tiers.mediawiki.page_info import (
    Infos,
    PageInfo,
    by_revision_url,
    by_title_url,
    list_url,
    read_infos,
    title_batches,
)

API = "https://wiki.example/api.php"
OLD = {"touched": "2024-01-01T00:00:00Z"}


def read(**query: object) -> Infos:
    answer = {"batchcomplete": True, "query": query}
    found = read_infos(json.dumps(answer).encode(), {}, 200)
    assert isinstance(found, Infos)
    return found


def test_pages_are_found_by_the_revision_that_was_asked_for() -> None:
    found = read(
        badrevids={"7": {"revid": 7, "missing": True}},
        pages=[
            {"title": "A", "lastrevid": 9, "revisions": [{"revid": 3}, {"revid": 4}], **OLD},
            {"title": "B", "lastrevid": 8, "redirect": True, "revisions": [{"revid": 8}]},
            {"title": "C", "missing": True},
        ],
    )
    page = PageInfo("A", 9, 1704067200)
    assert found.by_revision == {3: page, 4: page, 8: PageInfo("B", 8, 0, is_redirect=True)}
    assert set(found.pages) == {"A", "B"}


def test_the_first_format_version_is_read_too() -> None:
    found = read(pages={"5": {"title": "A", "lastrevid": 9, "redirect": ""}, "-1": {"missing": ""}})
    assert found.pages == {"A": PageInfo("A", 9, 0, is_redirect=True)}


def test_a_title_leads_through_its_spelling_and_redirects() -> None:
    found = read(
        normalized=[{"from": "a b", "to": "A b"}],
        redirects=[{"from": "A b", "to": "C"}, {"from": "X", "to": "Y"}, {"from": "Y", "to": "X"}],
        pages=[{"title": "C", "lastrevid": 9}],
    )
    assert found.page_at("a b") == PageInfo("C", 9, 0)
    assert found.page_at("X") is None  # a loop
    assert found.page_at("Nowhere") is None
    assert not found.has_none_at("Nowhere")  # the answer does not say


def test_a_page_is_absent_only_if_the_answer_says_so() -> None:
    found = read(
        redirects=[{"from": "A", "to": "B"}],
        pages=[{"title": "B", "missing": True}, {"title": "C"}, {"title": "<", "invalid": True}],
    )
    assert found.has_none_at("A")
    assert found.has_none_at("<")
    assert not found.has_none_at("C")


@pytest.mark.parametrize(
    "pages", [5, "x", [5], [{"title": 5}], [{"title": "<b>", "lastrevid": 1}], [{"title": "A"}]]
)
def test_what_is_no_page_is_left_out(pages: object) -> None:
    assert read(pages=pages).pages == {}


@pytest.mark.parametrize("answer", [{}, [], {"query": {"pages": []}}, "<html>"])
def test_an_answer_without_pages_is_a_failure(answer: object) -> None:
    found = read_infos(json.dumps(answer).encode(), {}, 200)
    assert isinstance(found, Failure)
    assert found.reason in {Reason.API_ERROR, Reason.API_OFF}


def test_long_titles_are_asked_for_in_more_requests() -> None:
    titles = [f"{number} " + "é" * 100 for number in range(30)] + ["A"] * 120
    batches = list(title_batches(API, titles))
    assert [title for batch in batches for title in batch] == titles
    assert max(map(len, batches)) == 50
    assert max(len(by_title_url(API, batch)) for batch in batches) <= 1900
    assert list(title_batches(API, ["x" * 5000])) == [["x" * 5000]]
    assert len(by_revision_url(API, range(10**10, 10**10 + 50))) < 1000


def test_a_list_goes_on_where_the_batch_before_ended() -> None:
    query = parse_qs(urlsplit(list_url(API, 14, "A&B")).query)
    assert (query["gapnamespace"], query["gapcontinue"]) == (["14"], ["A&B"])


def test_a_page_may_differ_by_its_revision_or_its_last_touch() -> None:
    fetched = datetime(2026, 1, 1, 12, tzinfo=UTC).timestamp()

    def differs(touched: float, revid: int | None = 5, skew: float = 0) -> bool:
        page = PageInfo("A", 5, int(fetched + touched))
        return Infos({}, skew=skew).may_differ(page, revid, fetched)

    assert not differs(-3600)
    assert not differs(-3600, revid=None)
    assert differs(-3600, revid=4)
    assert differs(+1)
    assert differs(-5)  # a replica may lag
    assert differs(-3600, skew=-3600)  # the wiki's clock is an hour behind ours
    assert not differs(-3600, skew=3600)
    assert Infos({}).may_differ(PageInfo("A", 5, 0), 5, fetched)  # the wiki does not say


def test_the_clock_of_the_wiki_is_compared_with_ours() -> None:
    ahead = (datetime.now(UTC) + timedelta(hours=1)).isoformat(timespec="seconds")
    answer = {"batchcomplete": True, "curtimestamp": ahead, "query": {"pages": []}}
    found = read_infos(json.dumps(answer).encode(), {}, 200)
    assert isinstance(found, Infos)
    assert 3595 < found.skew < 3605
