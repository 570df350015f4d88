"""What was found and tried for a report, as text."""

from __future__ import annotations

from typing import Any

import pytest

from wikicrawler.explain.report_text import is_about, is_report, report_lines

COMPANY = {"name": "Apple Inc.", "cik": "0000320193", "ticker": "AAPL", "website": None}
PDF = {
    "provider": "sec_edgar",
    "tier": 1,
    "priority_score": 10,
    "content_type": "application/pdf",
    "url": "https://x.example/a.pdf",
    "form": "10-K",
    "filed": "2023-11-03",
    "note": "fiscal 2023 by the facts",
}
RECORD: dict[str, Any] = {
    "type": "report",
    "error": None,
    "company": COMPANY,
    "year": 2023,
    "source": PDF,
    "local_path": "apple.pdf",
    "sha256": "ab" * 32,
    "size": 12_345,
    "evidence": ["fiscal year 2023: “fiscal year ended September 30, 2023”"],
    "candidates": [PDF, PDF | {"content_type": "text/html", "title": "An annual report " * 9}],
    "attempts": [{"rank": 1, "outcome": "ok", "detail": ""}],
    "searches": [
        {"provider": "sec_edgar", "tier": 1, "outcome": "ok", "found": 2},
        {"provider": "gri", "tier": 2, "outcome": "disabled", "detail": "closed"},
    ],
}


def test_the_document_and_its_proof_come_first() -> None:
    text = "\n".join(report_lines(RECORD))
    assert text.startswith("Apple Inc. (AAPL, CIK 0000320193), fiscal year 2023\n")
    for part in ("10-K, filed 2023-11-03, 12,345 bytes", "apple.pdf", "“fiscal year ended Sept"):
        assert part in text


def test_each_candidate_has_its_result() -> None:
    rows = [line.split() for line in report_lines(RECORD) if line[:6].strip().isdigit()]
    assert [row[0] for row in rows] == ["1", "2"]
    assert rows[0][-1] == "ok"
    assert rows[1][-2:] == ["not", "tried"]


def test_each_provider_and_the_choice_is_explained() -> None:
    text = " ".join(" ".join(report_lines(RECORD)).split())
    assert "sec_edgar (tier 1): 2 candidates" in text
    assert "gri (tier 2): disabled: closed" in text
    assert "verified: the best candidate that proved to be what it claims" in text
    assert "(offered: fiscal 2023 by the facts)" in text


def test_a_record_without_a_report_says_why() -> None:
    record = {"type": "report", "error": "No report", "company": COMPANY, "year": 2023}
    assert list(report_lines(record))[1] == "  no report   No report"


def test_what_a_page_says_controls_no_terminal() -> None:
    evil = PDF | {"title": "\x1b[2J\u202eevil", "url": "https://x.example/\x1b"}
    text = "".join(report_lines(RECORD | {"source": evil, "candidates": [evil]}))
    assert text.isprintable()


@pytest.mark.parametrize(
    "facts",
    [{"searches": 5}, {"candidates": ["x"]}, {"attempts": None}, {"source": None}, {"size": 0}],
)
def test_a_record_with_other_facts_than_ours_is_shown_as_far_as_it_goes(
    facts: dict[str, Any],
) -> None:
    assert len(list(report_lines(RECORD | facts))) > 3


@pytest.mark.parametrize(
    ("asked", "is_it"),
    [("aapl", True), ("320193", True), ("apple", True), ("AAP", False), ("", False), ("1", False)],
)
def test_a_company_is_named_by_ticker_cik_or_a_part_of_its_name(asked: str, is_it: bool) -> None:
    assert is_about(RECORD, asked) is is_it


def test_records_of_pages_are_not_reports() -> None:
    assert is_report(RECORD)
    assert not is_report({"url": "https://x.example/", "title": "x"})
    assert not is_report({"type": "report", "company": "x"})
