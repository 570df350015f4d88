"""markdownify's behaviour, case by case: what we keep of it, and where and why we differ.

In `markdownify_cases.json`, by subject: *html* becomes our *markdown*; where *markdownify* differs,
the case says *why*.
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
def test_ours(case):
    # A page without any text has no Markdown.
    with nullcontext() if case["markdown"] else pytest.raises(ContentError):
        assert convert(page(case["html"]), URL).markdown == case["markdown"]


@pytest.mark.parametrize("case", CASES, ids=[case["html"] for case in CASES])
def test_markdownify_gives_the_same_or_what_is_said(case):
    theirs = markdownify(case["html"], heading_style="atx", bullets="-", bs4_options="lxml")
    assert theirs.strip("\n") == case.get("markdownify", case["markdown"])
    assert ("markdownify" in case) == ("why" in case)
