"""A project with the ADDONS line crawls as it did without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.projects.crawls import SPIDERS, crawl

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", SPIDERS)
def test_the_line_changes_nothing(name: str, tmp_path: Path) -> None:
    if name == "wallpapers":
        pytest.importorskip("PIL")
    before = crawl(name, tmp_path, addon=False)
    after = crawl(name, tmp_path, addon=True)

    assert before.items
    assert after.items == before.items, after.log
    assert after.requests == before.requests, after.log
    assert after.log.count("What wikicrawler changes in this project (docs/addon.md): ") == 1
