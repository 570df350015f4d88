"""Parts of the web by site."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.errors import ConfigError
from wikicrawler.urls.parts import Part

SITES = [f"https://www.site{number}.example/wiki/A" for number in range(1000)]


@given(st.sampled_from(SITES), st.integers(1, 50))
def test_each_site_is_in_just_one_part(url: str, count: int) -> None:
    assert sum(Part(number, count).has(url) for number in range(1, count + 1)) == 1


def test_all_addresses_of_a_site_are_in_one_part() -> None:
    english = "https://en.wikipedia.org/wiki/A"
    part = next(part for n in range(1, 8) if (part := Part(n, 7)).has(english))
    assert part.has("http://de.wikipedia.org:8080/x?y")


def test_the_parts_are_of_about_one_size() -> None:
    sizes = Counter(n for n in range(1, 5) for url in SITES if Part(n, 4).has(url))
    assert min(sizes.values()) > 200


def test_the_division_never_changes() -> None:
    # What is in a part was crawled for it: another version must not move it.
    own = Part(2, 4).of_these(SITES[:25])
    assert [url.split(".")[1] for url in own] == [
        "site13",
        "site14",
        "site16",
        "site17",
        "site22",
        "site24",
    ]


@pytest.mark.parametrize(
    "text", ["", "2", "0/4", "5/4", "1/0", "a/b", "-1/4", "1/4/4", "1/1000000000"]
)
def test_what_names_no_part_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected like 2/4"):
        Part.parse(text)


def test_a_part_is_written_as_it_is_read() -> None:
    assert str(Part.parse(" 2 / 4 ")) == "2/4"


def test_a_part_without_seeds_is_an_error() -> None:
    others = [url for url in SITES if not Part(1, 500).has(url)]
    with pytest.raises(ConfigError, match=r"none of the seeds .* is in part 1/500"):
        Part(1, 500).of_these(others)
