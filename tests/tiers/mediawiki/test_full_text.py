"""Search in a wiki's pages."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from wikicrawler.errors import Reason
from wikicrawler.pages import Action, Failure
from wikicrawler.tiers.mediawiki.full_text import (
    MAX_HITS,
    Hit,
    Hits,
    plain_snippet,
    read_hits,
    search_url,
)


def read(data: object, **headers: str) -> Hits | Failure:
    return read_hits(json.dumps(data).encode(), headers, 200)


def test_the_query_is_asked_as_it_is() -> None:
    query = parse_qs(urlsplit(search_url("https://w.example/api.php", "a&b=c #d", 500)).query)
    assert query["srsearch"] == ["a&b=c #d"]
    assert query["srlimit"] == [str(MAX_HITS)]


def test_pages_are_read_with_what_the_wiki_says_of_them() -> None:
    row = {
        "title": "Lamp",
        "snippet": 'A <span class="searchmatch">lamp</span> &amp; more',
        "wordcount": 120,
        "timestamp": "2024-01-02T03:04:05Z",
    }
    info = {"totalhits": 7, "suggestion": "lamps"}
    expected = Hit("Lamp", "A lamp & more", 120, "2024-01-02T03:04:05Z")
    assert read({"query": {"searchinfo": info, "search": [row]}}) == Hits((expected,), 7, "lamps")


def test_what_is_wrong_is_left_out() -> None:
    rows = [
        4,
        {},
        {"title": "<b>"},
        {"title": "Good", "snippet": 5, "wordcount": True, "timestamp": "yesterday"},
    ]
    answer = {"query": {"searchinfo": {"totalhits": -1, "suggestion": 3}, "search": rows}}
    assert read(answer) == Hits((Hit("Good", "", None, None),), None, None)
    many = [{"title": f"Page {number}"} for number in range(500)]
    found = read({"query": {"search": many}})
    assert isinstance(found, Hits)
    assert len(found.hits) == MAX_HITS


def test_a_snippet_is_text() -> None:
    assert plain_snippet("<b onclick='x'>a</b> &lt;i&gt; <unclosed") == "a <i> <unclosed"
    assert len(plain_snippet("x" * 10**6)) <= 2000


@pytest.mark.parametrize("answer", [{}, {"query": []}, {"query": {"search": 5}}, []])
def test_a_response_without_a_list_is_a_failure(answer: object) -> None:
    found = read(answer)
    assert isinstance(found, Failure)
    assert found.reason is Reason.API_ERROR


def test_a_busy_wiki_is_asked_again() -> None:
    found = read({"error": {"code": "maxlag"}}, **{"retry-after": "5"})
    assert isinstance(found, Failure)
    assert (found.action, found.retry_after) == (Action.WAIT, 5.0)
