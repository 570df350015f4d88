"""Comparison with markdownify, case by case.

`markdownify_cases.json` has the cases by subject: *html* becomes our *markdown*. If markdownify
differs, *markdownify* is its result and *why* the reason of the difference.
"""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path

import pytest
from markdownify import markdownify

from tests.content.rendering import page
from wikicrawler.content import convert
from wikicrawler.errors import ContentError

URL = "https://wiki.example/wiki/T"

SUBJECTS = json.loads(Path(__file__).with_name("markdownify_cases.json").read_text("utf-8"))
CASES = [case for cases in SUBJECTS.values() for case in cases]


@pytest.mark.parametrize("case", CASES, ids=[case["html"] for case in CASES])
def test_our_markdown_is_as_documented(case):
    # A page without text raises an error.
    with nullcontext() if case["markdown"] else pytest.raises(ContentError):
        assert convert(page(case["html"]), URL).markdown == case["markdown"]


@pytest.mark.parametrize("case", CASES, ids=[case["html"] for case in CASES])
def test_markdownifys_markdown_is_as_documented(case):
    theirs = markdownify(case["html"], heading_style="atx", bullets="-", bs4_options="lxml")
    assert theirs.strip("\n") == case.get("markdownify", case["markdown"])
    assert ("markdownify" in case) == ("why" in case)
