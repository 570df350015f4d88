"""What envelopes say of their body."""

from __future__ import annotations

from typing import Any

import pytest

from wikicrawler.sources.envelopes.hints import processing_hints, token_estimate

TABLE = "| a | b |\n| --- | --- |\n| 1 | 2 |\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Text.", {"suggested_chunk_strategy": "paragraph", "estimated_complexity": "simple"}),
        ("# One\n\nx\n\n## Two\n\ny", {"suggested_chunk_strategy": "section_aware"}),
        ("```\n# One\n# Two\n- x\n```", {"suggested_chunk_strategy": "paragraph"}),
        ("```\n# One\n- x\n```", {"has_code_blocks": True, "has_lists": False}),
        ("x\n\n- one\n- two", {"has_lists": True, "has_tables": False}),
        ("1. one\n2. two", {"has_lists": True}),
        (TABLE, {"has_tables": True, "estimated_complexity": "medium"}),
        ("\n".join([TABLE] * 3), {"estimated_complexity": "complex"}),
        ("word " * 1000, {"estimated_complexity": "medium"}),
        ("word " * 10_000, {"estimated_complexity": "complex"}),
    ],
)
def test_hints_of_markdown(body: str, expected: dict[str, Any]) -> None:
    hints = processing_hints(body, "markdown", [], [])
    assert {name: hints[name] for name in expected} == expected


def test_raw_data_has_no_structure() -> None:
    hints = processing_hints('{"a": 1}', "raw", [], [])
    assert hints["suggested_chunk_strategy"] == "fixed_size"
    assert hints["has_tables"] is None


def test_linked_pdfs_are_noticed() -> None:
    links = ["https://x/a.PDF?download=1", "https://x/b"]
    assert processing_hints("x", "markdown", links, [])["has_embedded_pdfs"]
    assert not processing_hints("x", "markdown", links[1:], [])["has_embedded_pdfs"]


def test_tokens_are_a_quarter_of_the_characters() -> None:
    assert token_estimate("x" * 14_523) == 3630
