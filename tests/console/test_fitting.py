"""What of a line fits a terminal."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from wikicrawler.console.fitting import Form, fit
from wikicrawler.console.progress import progress_parts
from wikicrawler.scope.outlook import PagesLeft, Precision

STATS = {
    "item_scraped_count": 1_234,
    "tier/page_count/http": 34,
    "tier/page_count/mediawiki": 1_200,
    "wikicrawler/skipped/count": 5,
}
PARTS = progress_parts(STATS, 2_000, 3, 61.7, {"b.example": 12.25}, delayed=70)


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (
            140,
            "1,234 pages (mediawiki 1,200, http 34) | 5 skipped | 2,000 queued (70 for later), "
            "3 active | 62/min | delay 12.2 s (b.example)",
        ),
        (76, "1,234 pages | 5 skipped | 2,000 queued, 3 active | 62/min | delay 12.2 s"),
        (36, "1,234 pages | 5 skipped | 62/min"),
        (15, "1,234 pages"),
        (5, ""),
    ],
)
def test_what_does_not_fit_is_left_out_by_rank(width: int, line: str) -> None:
    assert fit(PARTS, width) == line


def test_at_every_width_the_line_consists_of_whole_forms() -> None:
    forms = {form.text for part in PARTS for form in part}
    for width in range(150):
        line = fit(PARTS, width)
        assert len(line) <= width
        assert set(filter(None, line.split(" | "))) <= forms


def test_wide_characters_count_as_two_columns() -> None:
    parts = [(Form("日本", 0),), (Form("a", 1),)]
    assert [fit(parts, width) for width in (7, 8)] == ["a", "日本 | a"]
    assert cell_len(fit(parts, 8)) == 8


@pytest.mark.parametrize(
    ("left", "shown"),
    [
        (PagesLeft(600, Precision.EXACT), "1,234 of 1,834 pages | 0:10:00 left"),
        (PagesLeft(600, Precision.ABOUT), "1,234 of about 1,834 pages | 0:10:00 left"),
        (PagesLeft(600, Precision.AT_LEAST), "1,234 of 1,834+ pages | 0:10:00+ left"),
        (PagesLeft(600, Precision.AT_MOST), "1,234 of up to 1,834 pages"),
        (None, "1,234 pages"),
    ],
)
def test_the_line_says_of_how_many_and_the_time_left(left: PagesLeft | None, shown: str) -> None:
    line = fit(progress_parts({"item_scraped_count": 1_234}, 7, 1, 60.0, {}, left=left), 200)
    assert line == f"{shown} | 7 queued, 1 active | 60/min"
