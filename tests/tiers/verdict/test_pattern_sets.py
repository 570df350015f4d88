"""Patterns of which few can match a text."""

from __future__ import annotations

import pytest
import re2

from wikicrawler.tiers.verdict.pattern_sets import MAX_BYTES, PatternSet

PATTERNS = ("^going", "away$", "straße", "[0-9]{3}", "(one|two)way")


def filled() -> PatternSet:
    options = re2.Options()
    options.case_sensitive = False
    patterns = PatternSet(options)
    assert [patterns.add(pattern) for pattern in PATTERNS] == [0, 1, 2, 3, 4]
    return patterns


@pytest.mark.parametrize(
    ("text", "possible"),
    [
        ("going away", {0, 1}),
        ("Not GOING", {0}),
        ("away we go", {1}),
        ("Eine STRAßE", {2}),
        ("", set()),
        ("two-way", set()),
        ("TwoWay", {4}),
    ],
)
def test_patterns_without_a_required_string_and_those_whose_string_is_there_are_possible(
    text: str, possible: set[int]
) -> None:
    assert filled().possible_in(text.encode()) == {3, *possible}


def test_a_long_text_may_match_any_pattern() -> None:
    assert filled().possible_in(b"x" * MAX_BYTES) == {3}
    assert filled().possible_in(b"x" * (MAX_BYTES + 1)) == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(("patterns", "possible"), [((), set()), (("[0-9]", "^$"), {0, 1})])
def test_a_set_without_strings_to_look_for(patterns: tuple[str, ...], possible: set[int]) -> None:
    made = PatternSet(re2.Options())
    for pattern in patterns:
        made.add(pattern)
    assert made.possible_in(b"text") == possible


def test_a_set_that_was_used_takes_no_pattern() -> None:
    patterns = filled()
    patterns.possible_in(b"")
    with pytest.raises(RuntimeError, match="was used"):
        patterns.add("late")


def test_the_words_of_tags_are_found_however_they_are_written() -> None:
    patterns = PatternSet(re2.Options(), words=True)
    patterns.add('<form [^>]*action="/sign-in')
    assert patterns.possible_in(b"<form\n action = '/sign-in'>") == {0}
    assert patterns.possible_in(b"<form action=/sign>") == set()
