"""The summary at the end of a crawl."""

from __future__ import annotations

import logging

import pytest
from scrapy import Request, Spider
from scrapy.crawler import CrawlerRunner
from scrapy.utils.defer import deferred_f_from_coro_f, maybe_deferred_to_future

from wikicrawler.console.summary import CrawlSummary, summary_text
from wikicrawler.errors import Reason

STATS = {
    "finish_reason": "finished",
    "item_scraped_count": 1_234,
    "tier/page_count/http": 34,
    "tier/page_count/mediawiki": 1_200,
    "downloader/request_count": 1_300,
    "downloader/response_bytes": 12_345_678,
    "tier/fallback/mediawiki/api_off": 2,
    "tier/fallback/http/js_shell": 5,
    "wikicrawler/skipped/count": 7,
    "wikicrawler/skipped/missing": 7,
    "wikicrawler/wikis_discovered": 1,
}


def test_the_summary_has_counts_and_delays():
    delays = {"fast.example": 0.5, "slow.example": 12.25} | {f"{i}.example": 1 for i in range(9)}
    assert summary_text(STATS, 3_725.9, delays).splitlines() == [
        "  finish reason   finished",
        "  elapsed         1:02:05",
        "  pages written   1,234",
        "  pages fetched   1,234  (mediawiki 1,200, http 34)",
        "  requests        1,300",
        "  received        12.3 MB",
        "  fallbacks       7  (http: js_shell 5, mediawiki: api_off 2)",
        "  pages skipped   7  (missing 7)",
        "  seeds refused   0",
        "  wikis found     1",
        "  longest delays  slow.example 12.2 s, 0.example 1.0 s, 1.example 1.0 s, 2.example 1.0 s,"
        " 3.example 1.0 s",
    ]


def test_a_stopped_worker_of_several_needs_no_jobdir():
    stopped = STATS | {"finish_reason": "shutdown"}
    assert "a crawl with JOBDIR can be resumed" in summary_text(stopped, 1)
    text = summary_text(stopped, 1, job="docs")
    assert "other workers of the job docs go on; where there is none, the same command" in text
    assert "JOBDIR" not in text


def test_rows_longer_than_the_terminal_continue_at_a_word():
    stats = STATS | {"tls/refused_count": 1}
    text = summary_text(stats, 1, width=44)
    assert max(map(len, text.splitlines())) <= 44
    assert "  pages fetched  1,234  (mediawiki 1,200,\n                 http 34)" in text
    whole = summary_text(stats, 1)
    assert text.split() == whole.split()


def test_tiers_that_were_planned_but_not_tried_are_no_fallbacks():
    stats = STATS | {"tier/not_tried/browser/no_tier": 9, "tier/not_tried/mediawiki/robots": 1}
    lines = summary_text(stats, 1).splitlines()
    assert "  fallbacks        7  (http: js_shell 5, mediawiki: api_off 2)" in lines
    assert "  tiers not tried  10  (browser: no_tier 9, mediawiki: robots 1)" in lines


def test_links_left_out_are_counted_by_rule():
    stats = STATS | {"wikicrawler/left_out/session_id": 34, "wikicrawler/left_out/far_date": 1_200}
    lines = summary_text(stats, 1).splitlines()
    assert "  links left out  1,234  (far_date 1,200, session_id 34)" in lines


def test_an_empty_crawl_has_a_summary_with_a_hint():
    text = summary_text({}, 0)
    assert "pages written  0" in text
    assert "received       0 B" in text
    assert "hint           no request was sent: check the seeds, follow and exclude" in text


@pytest.mark.parametrize(
    ("stats", "hint"),
    [
        ({"downloader/request_count": 1}, "no page was written: see the warnings and errors above"),
        (
            {"downloader/request_count": 1, "downloader/exception_count": 1},
            "no page was written: the servers could not be reached",
        ),
        (
            {"wikicrawler/skipped/robots": 3, "wikicrawler/skipped/missing": 2},
            "no page was written: robots.txt forbids the pages",
        ),
        ({"wikicrawler/skipped/api_error": 3}, "no page was written: most were skipped as api_e"),
        ({"item_scraped_count": 1, "log_count/ERROR": 2}, "errors in the log: 2"),
        (
            {"item_scraped_count": 1, "finish_reason": "shutdown"},
            "a crawl with JOBDIR can be resumed",
        ),
        ({"item_scraped_count": 1, "wikicrawler/seeds/refused": 2}, "seeds were refused"),
        ({"item_scraped_count": 1, "tls/refused_count": 2}, "certificates were refused"),
    ],
)
def test_problems_are_explained_by_a_hint(stats, hint):
    (line,) = [line for line in summary_text(stats, 1).splitlines() if line.startswith("  hint")]
    assert hint in line


def test_a_successful_crawl_has_no_hint():
    assert "hint" not in summary_text(STATS, 1)


@pytest.mark.parametrize("reason", Reason)
def test_a_crawl_without_pages_has_a_hint_for_every_reason(reason):
    assert "hint" in summary_text({f"wikicrawler/skipped/{reason}": 1}, 1)


def test_what_became_of_known_pages_is_counted():
    counts = (("unchanged", 9), ("new", 2), ("deleted", 1))
    stats = STATS | {f"wikicrawler/since/pages/{c}": n for c, n in counts}
    counted = "(unchanged 9, new 2, deleted 1"
    assert f"pages checked  12  {counted})" in summary_text(stats, 1)  # a crawl that goes on
    stats["wikicrawler/since/known_count"] = 15
    assert f"15  {counted}, not checked 5)" in summary_text(stats, 1)
    stats["wikicrawler/since/known_count"] = 10
    assert f"10  {counted})" in summary_text(stats, 1)


def test_unchanged_pages_are_no_missing_ones():
    stats = {
        "finish_reason": "finished",
        "downloader/request_count": 9,
        "wikicrawler/since/pages/unchanged": 7,
        "wikicrawler/since/known_count": 7,
        "wikicrawler/skipped/missing": 1,
    }
    assert summary_text(stats, 1).endswith("nothing has changed")
    stats["wikicrawler/since/known_count"] = 9
    assert "nothing has changed; 2 pages were not checked" in summary_text(stats, 1)
    stats["finish_reason"] = "shutdown"
    assert "nothing has changed" not in summary_text(stats, 1)
    assert "no change was found before the crawl ended" in summary_text(stats, 1)


def test_dropped_items_are_counted():
    stats = {"item_dropped_count": 3, "item_dropped_reasons_count/DropItem": 3}
    assert "items dropped  3  (DropItem 3)" in summary_text(stats, 1)


def test_control_characters_in_stats_are_escaped():
    hostile = "x\n  hint  forged\x1b[2J"
    text = summary_text(
        {"finish_reason": hostile, f"tier/fallback/http/{hostile}": 1}, 1, {hostile: 1}
    )
    assert all(line.isprintable() for line in text.splitlines())
    assert len(text.splitlines()) == 11


class Three(Spider):
    name = "three"

    async def start(self):
        for text in "abc":
            yield Request(f"data:,{text}")

    def parse(self, response):
        yield {"text": response.text}


async def _summaries(caplog, **settings):
    caplog.set_level(logging.INFO)
    settings = {
        "EXTENSIONS": {CrawlSummary: 500},
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        **settings,
    }
    await maybe_deferred_to_future(CrawlerRunner(settings).crawl(Three))
    return [r.getMessage() for r in caplog.records if r.name == "wikicrawler.console.summary"]


@deferred_f_from_coro_f
async def test_a_crawl_ends_with_one_summary(caplog):
    (summary,) = await _summaries(caplog)
    lines = summary.splitlines()
    assert lines[0] == "Summary"
    assert lines[1] == "  finish reason  finished"
    assert lines[3] == "  pages written  3"
    assert lines[4] == "  requests       3"
    assert "hint" not in summary


@deferred_f_from_coro_f
async def test_the_summary_can_be_switched_off(caplog):
    assert await _summaries(caplog, WIKICRAWLER_SUMMARY_ENABLED=False) == []
