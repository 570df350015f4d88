"""What the report says of crawls that grow."""

from __future__ import annotations

from bench.growth import Crawl, section

FIRST = Crawl(
    "1,000 queued", 1000, 1000, 1002, 1, rate=200, cpu=5, main=100_000_000, worker=60_000_000
)
LAST = Crawl(
    "11,000 queued", 11000, 10999, 11012, 1, rate=190, cpu=55, main=105_000_000, worker=60_000_000
)
FEW = Crawl("100 domains", 1000, 1000, 1200, 100, rate=200, cpu=3.6, main=1, worker=1)
MANY = Crawl("1,000 domains", 1000, 1000, 3000, 1000, rate=100, cpu=9.9, main=1, worker=1)


def test_speed_is_told_of_the_first_and_memory_a_page() -> None:
    text = section([FIRST, LAST], [], "bench")
    assert "| 11,000 queued | 10,999 of 11,000 | 190 | 0.95× |" in text
    assert "grows by 500 bytes a page" in text
    assert "domains" not in text
    assert "state folder" not in text
    assert "queued, in a state folder before" in section([FIRST, LAST], [], "bench", jobdir=True)


def test_one_crawl_has_no_growth() -> None:
    assert "grows" not in section([FIRST], [], "bench")
    assert "A request takes" not in section([], [FEW], "bench")


def test_robots_txt_of_each_domain_counts_as_a_request() -> None:
    text = section([], [FEW, MANY], "bench")
    assert "| 1,000 domains | 1,000 of 1,000 | 100 | 0.50× | 9.9 | 3,000 (1,000) | 3.30 |" in text
    assert "A request takes 1.10× the CPU time in the crawl of 1,000 domains" in text
