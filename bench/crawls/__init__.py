"""Whole crawls of one local site by wikicrawler and by its peers, side by side; docs/benchmark.md."""
