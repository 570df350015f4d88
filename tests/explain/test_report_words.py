"""Why a candidate won or lost, in words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from wikicrawler.explain.report_words import OUTCOMES, VERIFIED, why
from wikicrawler.explain.results import ReportRecord, read_results
from wikicrawler.reports.errors import Outcome

if TYPE_CHECKING:
    from pathlib import Path


def test_each_outcome_has_words() -> None:
    assert set(OUTCOMES) == set(Outcome)


def test_each_candidate_says_why(tmp_path: Path) -> None:
    record = {
        "type": "report",
        "company": {},
        "candidates": [{}, {}, {}, {}],
        "attempts": [
            {"rank": 1, "outcome": "wrong_year", "detail": "2022"},
            {"rank": 2, "outcome": "unheard-of"},
            {"rank": 3, "outcome": "ok"},
        ],
    }
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(record) + "\n")
    (report,) = read_results(path).records
    assert isinstance(report, ReportRecord)
    assert [why(report, one) for one in report.candidates] == [
        "its text is of another fiscal year, or does not name the year: 2022",
        "",
        VERIFIED,
        "not tried: rank 3 is better and was verified",
    ]
