"""Front matter is YAML of one line a value, whatever the page says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.suites.data import suite
from wikicrawler.feeds.markdown.front_matter import front_matter, read_head, split_page

if TYPE_CHECKING:
    from pathlib import Path

HASH = "sha256:0"
TEXTS = [
    *(
        "---",
        "a\n---\nb",
        "no",
        "yes",
        "null",
        "~",
        "1e3",
        "0x1f",
        "2026-01-01",
        "12:30",
        "- a",
        "? b",
    ),
    *(
        "a: b",
        "# c",
        "{x}",
        "[y]",
        "&a",
        "*b",
        "!t",
        "%d",
        "@e",
        "`f",
        "'",
        '"',
        "\\",
        "\t",
        " x ",
        "|",
    ),
    *("\x00", "\x85", "\u2028", "\ufeff", "\u202e", "👩‍👧", "\r\n", "url: https://other.test/"),
]


def loaded(head: str) -> Any:
    assert head.startswith("---\n")
    assert head.endswith("\n---\n")
    return yaml.safe_load(head[4:-4])


@pytest.mark.parametrize("text", [*TEXTS, *filter(None, suite("naughty_strings"))])
def test_a_text_is_read_as_it_was(text: str) -> None:
    head = front_matter({"url": "https://wiki.test/", "title": text, "content_hash": HASH})
    assert loaded(head)["title"] == text
    page = split_page(head + "\nbody\n")
    assert page == (head, "\nbody\n")
    assert (page.url, page.value("title")) == ("https://wiki.test/", text)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_is_read_as_it_was(text: str) -> None:
    head = front_matter({"url": "u", "title": text, "content_hash": HASH})
    assert split_page(head).value("title") == text == loaded(head)["title"]


def test_half_of_a_surrogate_pair_is_replaced() -> None:
    assert loaded(front_matter({"title": "a\ud800b"})) == {"title": "a\ufffdb"}


def test_lists_numbers_and_other_values_are_kept_and_empty_ones_left_out() -> None:
    values = {"a": ["x", "y: z"], "b": 3, "c": True, "d": None, "e": "", "f": [], "g": {"h": 1}}
    assert loaded(front_matter(values)) == {"a": ["x", "y: z"], "b": 3, "c": True, "g": {"h": 1}}
    assert loaded(front_matter({"a": ["x"], "b": object})) == {"a": ["x"], "b": str(object)}


def test_when_and_how_a_page_was_fetched_makes_it_no_other() -> None:
    def page(**more: str) -> str:
        return front_matter({"url": "u", "title": "t", "content_hash": HASH} | more)

    one = split_page(page(fetched_at="1", tier="http"))
    assert one.says_the_same(page(fetched_at="2", tier="mediawiki"))
    assert not one.says_the_same(page(fetched_at="1", tier="http", license="x"))
    assert not one.says_the_same(page(fetched_at="1", title="other"))


def test_a_front_matter_that_is_too_long_loses_its_longest_values(tmp_path: Path) -> None:
    values = {
        "url": "https://w.test/",
        "title": "T",
        "description": "d" * 10**6,
        "categories": ["é" * 99] * 2000,
        "lang": "en",
        "content_hash": HASH,
    }
    head = front_matter(values)
    assert loaded(head) == {
        "url": "https://w.test/",
        "title": "T",
        "lang": "en",
        "content_hash": HASH,
    }
    (tmp_path / "page.md").write_text(head + "\nbody\n")
    assert read_head(tmp_path / "page.md").url == "https://w.test/"


@pytest.mark.parametrize(
    "text",
    ["", "---\n", "---\nurl: https://a.test/\n", "# Note\n", "---\nurl: https://a.test/\n---\n"],
)
def test_a_file_of_somebody_else_is_no_page(text: str, tmp_path: Path) -> None:
    file = tmp_path / "note.md"
    file.write_text(text)
    assert read_head(file).url == ""


def test_a_long_front_matter_is_read(tmp_path: Path) -> None:
    head = front_matter({"url": "u", "categories": ["c" * 90] * 900, "content_hash": HASH})
    (tmp_path / "page.md").write_text(head + "\nbody\n")
    assert read_head(tmp_path / "page.md") == (head, "")
