"""What a job reports, as the page shows it."""

from __future__ import annotations

from typing import Any

import pytest

from wikicrawler.control.jobs import Job
from wikicrawler.dashboard.running.crawls import crawl_of
from wikicrawler.dashboard.running.words import argument_text, described_end


def job(arguments: dict[str, Any] | None = None, spider: str = "sources", **progress: Any) -> Job:
    unknown: dict[str, Any] = dict.fromkeys(
        ("requested_by", "via", "pid", "host", "started", "heartbeat", "ended", "finish_reason")
    )
    unknown |= dict.fromkeys(("log_file", "stop_requested_at", "stop_requested_by"))
    return Job("id", spider, arguments or {}, "running", 1.0, progress=progress, **unknown)


def test_a_known_number_of_pages_is_a_share() -> None:
    crawl = crawl_of(job(items=30, pages_left=10, pages_left_precision="exact"), None)
    assert crawl.total == ("pages", 30, 40)
    assert crawl.pages_text == "30 of 40"


@pytest.mark.parametrize(("precision", "words"), [("at_least", "at least"), ("at_most", "at most")])
def test_a_bound_is_no_share(precision: str, words: str) -> None:
    crawl = crawl_of(job(items=30, pages_left=10, pages_left_precision=precision), None)
    assert crawl.total is None
    assert crawl.pages_text == f"30 of {words} 40"


@pytest.mark.parametrize(
    ("arguments", "total"),
    [
        ({"only": "a,b,c", "force": "true"}, 3),
        ({"force": "true"}, 7),
        ({"force": "false"}, None),  # nobody knows which are due
        ({"scheduled": "true"}, None),
        ({"manifest": "/m.json", "only": "a"}, None),
    ],
)
def test_a_crawl_over_sources_counts_its_sources(
    arguments: dict[str, str], total: int | None
) -> None:
    found = crawl_of(job(arguments, sources_visited=2), 7).total
    assert found == (None if total is None else ("sources", 2, total))


def test_sites_that_are_paused_come_first() -> None:
    crawl = crawl_of(job(delays={"a": 1.0, "b": 9.0, "c": 2.0}, pauses={"c": 60.0}), None)
    assert [(one.name, one.delay, one.pause) for one in crawl.sites] == [
        ("c", 2.0, 60.0),
        ("b", 9.0, None),
        ("a", 1.0, None),
    ]


@pytest.mark.parametrize("value", [None, "x", [1], {"a": "b"}, {"a": None}, True])
def test_figures_of_another_version_do_no_harm(value: Any) -> None:
    names = ("items", "pages_left", "pages_left_precision", "pages_per_minute", "skipped")
    names += ("delays", "pauses", "pages_by_tier", "documents", "sources_visited")
    crawl = crawl_of(job({"only": "a"}, **dict.fromkeys(names, value)), None)
    assert crawl.pages_per_second is None
    assert (crawl.sites, crawl.counts) == ([], ())
    assert crawl.total == ("sources", 0, 1)
    assert crawl.pages_text == "0"


def test_what_it_crawls_is_said() -> None:
    assert argument_text("sources", {"scheduled": "true"}) == "what is due"
    assert argument_text("sources", {"only": "a,b"}) == "a, b"
    assert argument_text("sources", {"only": '["a", "b"]'}) == "a, b"
    many = ",".join(f"s{number}" for number in range(50))
    assert argument_text("sources", {"only": many}).endswith("s7 and 42 more")
    assert argument_text("sources", {"force": "true"}) == "all sources"
    assert argument_text("wiki", {"seeds": "http://a/"}) == "wiki: seeds=http://a/"


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("finished", "ok"),
        ("stopped", "info"),
        ("shutdown", "info"),
        ("killed by signal 9", "failed"),
    ],
)
def test_how_it_ended_is_a_word(reason: str, kind: str) -> None:
    assert described_end(reason)[0] == kind
