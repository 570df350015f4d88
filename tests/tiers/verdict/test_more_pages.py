"""The verdict on pages that the rules were not written for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from wikicrawler.tiers.verdict.full_verdict import full_verdict

HTML = {"content-type": "text/html; charset=utf-8"}
PAGES: dict[str, dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("more_pages.yml").read_text("utf-8")
)


@pytest.mark.parametrize(
    ("word", "name"), [(word, name) for word, pages in PAGES.items() for name in pages]
)
def test_the_verdict_is_right(word: str, name: str) -> None:
    assert full_verdict(200, HTML, PAGES[word][name].encode()).word == word
