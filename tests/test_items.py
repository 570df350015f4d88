"""Records match their published JSON Schema."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

from wikicrawler.errors import Reason
from wikicrawler.items import ChunkedResult, CrawlResult, hash_text

SCHEMA = json.loads(
    (Path(__file__).parents[1] / "docs" / "crawl-result.schema.json").read_text("utf-8")
)


def test_the_schema_has_the_fields_of_a_record_in_order() -> None:
    names = [field.name for field in fields(CrawlResult)]
    assert SCHEMA["required"] == names
    assert list(SCHEMA["properties"]) == [field.name for field in fields(ChunkedResult)]


def test_the_schema_lists_all_reasons() -> None:
    attempt = SCHEMA["properties"]["attempts"]["items"]["properties"]
    assert attempt["reason"]["enum"] == ["ok", *Reason]


def test_the_hash_depends_on_the_content_only() -> None:
    one = CrawlResult(url="http://a/", title="A", content="Ä")
    other = CrawlResult(url="http://b/", title="B", content="Ä")
    assert one.content_hash == other.content_hash == hash_text("Ä")
    digest = "2fe5ca1c1a3d50bd92f1d3cf6da34ceddabe02022b2a0183ab0b805ada6f787a"
    assert one.content_hash == f"sha256:{digest}"
