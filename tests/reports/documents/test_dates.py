"""Dates as reports write them."""

from __future__ import annotations

from datetime import date

import pytest

from wikicrawler.reports.documents.dates import date_at, read_date


@pytest.mark.parametrize(
    "text",
    [
        "September 30, 2023",
        "SEPTEMBER 30 , 2023",
        "Sept. 30, 2023",
        "30 September 2023",
        "30th of September 2023",
        "2023-09-30",
        "30.09.2023",
        "30. September 2023",
        "30 septembre 2023",
        "30 de septiembre de 2023",
        "30 settembre 2023",
        "30 de setembro de 2023",
        "30 września 2023",
        "2023年9月30日",
        "2023 年 9 月 30 日",
        "9/30/2023",
        "30/9/2023",
    ],
)
def test_a_date_is_read_in_any_form(text: str) -> None:
    assert read_date(text) == date(2023, 9, 30)


@pytest.mark.parametrize("text", ["", "2023", "February 30, 2023", "99/99/2023", "on May 1, 2023"])
def test_other_texts_are_no_dates(text: str) -> None:
    assert read_date(text) is None


def test_a_date_beyond_the_range_is_not_found() -> None:
    text = "year ended on the last day of december 31, 2023"
    assert date_at(text, 10, len(text)) == (date(2023, 12, 31), len(text))
    assert date_at(text, 10, 20) is None
    assert date_at("february 30, 2023, march 1, 2023", 0, 30) == (date(2023, 3, 1), 32)
