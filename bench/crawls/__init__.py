"""Whole crawls of one local site, by wikicrawler and by its peers; docs/benchmark.md."""
