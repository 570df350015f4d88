"""Listing of a wiki's titles."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from wikicrawler.errors import Reason
from wikicrawler.pages import Action, Failure
from wikicrawler.tiers.mediawiki.all_titles import Titles, allpages_url, read_allpages


def read(data: object, **headers: str) -> Titles | Failure:
    return read_allpages(json.dumps(data).encode(), headers, 200)


def test_a_batch_continues_after_the_last_one() -> None:
    query = parse_qs(urlsplit(allpages_url("https://w.example/api.php", 14, "A&B")).query)
    assert query["apnamespace"] == ["14"]
    assert query["apcontinue"] == ["A&B"]
    assert query["apfilterredir"] == ["nonredirects"]


def test_titles_and_the_next_batch_are_read() -> None:
    answer = {
        "continue": {"apcontinue": "C"},
        "query": {"allpages": [{"title": "A"}, {"title": "B"}]},
    }
    assert read(answer) == Titles(("A", "B"), "C")


def test_invalid_titles_are_left_out() -> None:
    pages = [{"title": 5}, {}, "x", {"title": "<b>"}, {"title": "Good"}]
    assert read({"query": {"allpages": pages}}) == Titles(("Good",), None)


@pytest.mark.parametrize("answer", [{}, {"query": []}, {"query": {"allpages": 5}}, []])
def test_a_response_without_a_list_is_a_failure(answer: object) -> None:
    found = read(answer)
    assert isinstance(found, Failure)
    assert found.reason is Reason.API_ERROR


def test_a_busy_wiki_is_a_failure_to_retry() -> None:
    found = read({"error": {"code": "maxlag"}}, **{"retry-after": "5"})
    assert isinstance(found, Failure)
    assert (found.action, found.retry_after) == (Action.WAIT, 5.0)
