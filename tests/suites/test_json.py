"""JSON: whatever the API answers, reading it raises nothing, and what is no JSON is no page."""

from __future__ import annotations

import json
from unicodedata import category

import pytest

from tests.suites.data import suite
from wikicrawler.content import convert
from wikicrawler.errors import Reason
from wikicrawler.pages import Failure
from wikicrawler.tiers.mediawiki.api import read_answer

CASES = suite("json")
# Not of the grammar, and read all the same by Python: no harm is in them.
EXTENSIONS = ("NaN", "Infinity", "-Infinity")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_an_answer_is_an_object_or_a_failure(case: dict[str, str]) -> None:
    # In the place of a value, so that each is in an object as the API's answers are.
    found = read_answer(b'{"parse":%s}' % case["input"].encode(), {}, 200)
    alone = read_answer(case["input"].encode(), {}, 200)
    assert isinstance(alone, Failure | dict)
    if case["name"].startswith("y_"):
        assert found == {"parse": json.loads(case["input"])}
    elif case["name"].startswith("n_") and isinstance(found, dict):
        assert any(word in case["input"] for word in EXTENSIONS)
    elif isinstance(found, Failure):
        assert found.reason is Reason.API_ERROR


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_linked_data_costs_no_page(case: dict[str, str]) -> None:
    script = f'<script type="application/ld+json">{{"@type":"Article","author":{case["input"]}}}'
    page = f"<html><head>{script}</script></head><body><p>The words of it.</p>"
    content = convert(page, "https://page.test/")
    assert content.markdown.endswith("The words of it.") or "<" in case["input"]
    author = str(content.metadata.get("author", ""))
    assert not [c for c in author if category(c) in {"Cc", "Cs", "Zl", "Zp"}]
