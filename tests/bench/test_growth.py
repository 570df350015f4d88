"""What the report says of crawls that grow."""

from __future__ import annotations

from bench.growth import Crawl, section

FIRST = Crawl("1,000 queued", 1000, 1000, rate=200, cpu_a_page=0.005, main=100_000_000, worker=60)
LAST = Crawl("11,000 queued", 11000, 10999, rate=190, cpu_a_page=0.005, main=105_000_000, worker=60)


def test_speed_is_told_of_the_first_and_memory_a_page() -> None:
    text = section([FIRST, LAST], [], "bench")
    assert "| 11,000 queued | 10,999 of 11,000 | 190 | 0.95× |" in text
    assert "grows by 500 bytes a page" in text
    assert "domains" not in text


def test_one_crawl_has_no_growth() -> None:
    assert "grows" not in section([FIRST], [], "bench")
