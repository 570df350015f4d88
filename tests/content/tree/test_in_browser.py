"""Chromium builds the same trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conftest import cannot
from tests.content.tree.blocks import blocks_in_chromium, blocks_of
from tests.content.tree.misnested import CASES, HARMLESS, LEFT, random_page
from tests.servers.crawl4ai import BROWSER
from wikicrawler.content.parse import parse, utf8

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def _browser() -> None:
    if not BROWSER.exists():
        cannot("needs Debian's chromium-headless-shell (run scripts/install-test-packages)")


def ours(page: str) -> list[str]:
    root = parse(utf8(page))
    assert root is not None
    return blocks_of(root)


def test_the_blocks_of_the_pages_are_those_of_chromium(tmp_path: Path) -> None:
    cases = {**CASES, **HARMLESS, **LEFT}
    found = blocks_in_chromium([page for page, _ in cases.values()], tmp_path)
    assert dict(zip(cases, found, strict=True)) == {
        name: expected for name, (_, expected) in cases.items()
    }


def test_pages_with_a_random_mistake_are_read_as_chromium_reads_them(tmp_path: Path) -> None:
    pages = [random_page(seed) for seed in range(1000)]
    found = blocks_in_chromium(pages, tmp_path)
    other = [page for page, blocks in zip(pages, found, strict=True) if ours(page) != blocks]
    assert len(other) < len(pages) / 50
    # A heading without an end is left to libxml2, which closes it before a paragraph or a table.
    unexpected = [page for page in other if page.count("<h2") <= page.count("</h2")]
    assert len(unexpected) < len(pages) / 200, unexpected
