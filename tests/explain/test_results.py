"""Records of feeds are read with bounds, and broken lines are reported."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from wikicrawler.errors import ConfigError
from wikicrawler.explain import results as module
from wikicrawler.explain.results import FieldsRecord, OtherRecord, ReportRecord, read_results

if TYPE_CHECKING:
    from pathlib import Path

PAGE = {
    "type": "page",
    "url": "https://a.org/",
    "data": {"title": "<b>"},
    "content": "The <b> book",
    "findings": [
        {
            "field": "title",
            "value": "<b>",
            "marks": ["hidden", 3],
            "evidence": {"url": "u", "start": 4, "end": 7, "text": "<b>", "score": 1},
        },
        {"field": "x", "evidence": {"start": -4, "end": 10**9, "text": "no"}},
        "nothing",
    ],
    "usage": {"requests": 1, "prompt_tokens": 5, "completion_tokens": 2, "cost": None},
}
REPORT = {
    "type": "report",
    "company": {"name": "Apple", "cik": "0000320193"},
    "year": 2023,
    "candidates": [{"provider": "sec", "tier": 1}, {"provider": "ir", "tier": 2}, 7],
    "attempts": [
        {"rank": 1, "outcome": "wrong_year", "detail": "2022"},
        {"rank": 2, "outcome": "ok"},
    ],
    "searches": [{"provider": "sec", "outcome": "ok", "found": 1}],
}


def feed(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "out.jsonl"
    path.write_text("".join(lines), "utf-8")
    return path


def test_evidence_has_its_place_only_where_it_stands(tmp_path: Path) -> None:
    (record,) = read_results(feed(tmp_path, json.dumps(PAGE) + "\n")).records
    assert isinstance(record, FieldsRecord)
    first, second = record.findings
    assert first.place is not None
    assert second.place is not None
    assert (first.place.is_in_content, first.marks, second.place.is_in_content) == (
        *(True, ("hidden",)),
        False,
    )
    assert (record.tokens, record.cost) == (7, None)


def test_candidates_have_what_became_of_them(tmp_path: Path) -> None:
    (record,) = read_results(feed(tmp_path, json.dumps(REPORT) + "\n")).records
    assert isinstance(record, ReportRecord)
    assert record.winner is not None
    assert (record.winner.provider, record.candidates[0].outcome) == ("ir", "wrong_year")
    assert record.searches[0].found == 1


def test_broken_and_long_lines_are_told_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_LINE", 2_000)
    page = json.dumps(PAGE) + "\n"
    deep = "[" * 1_900 + "\n"
    path = feed(
        tmp_path, "{\n", '"x' + "y" * 9_000 + '"\n', deep, "[]\n", '{"type": 3}\n', page, page[:9]
    )
    found = read_results(path)
    assert [isinstance(one, OtherRecord) for one in found.records] == [*[True] * 5, False]
    assert found.records[-1].line == 6
    assert found.next is None


def test_pages_of_records_follow_each_other(tmp_path: Path) -> None:
    path = feed(
        tmp_path, *(json.dumps(PAGE | {"url": f"https://a.org/{n}"}) + "\n" for n in range(5))
    )
    start, urls = (0, 1), []
    while True:
        found = read_results(path, start, limit=2)
        urls += [(one.line, one.url) for one in found.records if isinstance(one, FieldsRecord)]
        if found.next is None:
            break
        start = found.next
    assert urls == [(n + 1, f"https://a.org/{n}") for n in range(5)]


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path, tmp_path / "a\0b"):
        with pytest.raises(ConfigError, match="cannot be read"):
            read_results(path)
