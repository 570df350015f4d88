"""Patterns that are searched for in one pass."""

from __future__ import annotations

import pytest
import re2

from wikicrawler.tiers.verdict.pattern_sets import MAX_BYTES, PatternSet

PATTERNS = (b"^go", b"away$", "(?i)straße".encode(), b"^$", b"[0-9]{3}")


def filled() -> PatternSet:
    patterns = PatternSet(re2.Options())
    assert [patterns.add(pattern) for pattern in PATTERNS] == [0, 1, 2, 3, 4]
    return patterns


@pytest.mark.parametrize("text", ["", "go away", "go", "away", "STRASSE", "Eine STRAßE 123", "x"])
def test_a_pass_finds_what_each_pattern_finds(text: str) -> None:
    alone = [n for n, pattern in enumerate(PATTERNS) if re2.search(pattern, text.encode())]
    assert filled().found_in(text.encode()) == set(alone)


def test_any_pattern_may_be_in_a_long_text() -> None:
    assert filled().found_in(b"x" * MAX_BYTES) == set()
    assert filled().found_in(b"x" * (MAX_BYTES + 1)) == {0, 1, 2, 3, 4}


def test_a_set_without_patterns_finds_none() -> None:
    assert PatternSet(re2.Options()).found_in(b"") == set()


def test_a_set_that_was_used_takes_no_pattern() -> None:
    patterns = filled()
    patterns.found_in(b"")
    with pytest.raises(RuntimeError, match="was used"):
        patterns.add(b"late")
