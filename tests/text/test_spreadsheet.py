"""CSV that spreadsheets do not compute."""

from __future__ import annotations

import csv

import pytest

from wikicrawler.text.spreadsheet import MAX_CELL, csv_lines, is_formula


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "＝1", "＠x"])
def test_what_a_spreadsheet_computes_gets_an_apostrophe(text: str) -> None:
    assert is_formula(text)
    _, row = csv.reader(csv_lines(["a"], [{"a": text}]))
    assert not is_formula(row[0])


def test_numbers_words_and_nothing_stay_as_they_are() -> None:
    _, row = csv.reader(csv_lines(list("abcde"), [{"a": -1, "b": 0.5, "c": True, "d": "a=b"}]))
    assert row == ["-1", "0.5", "true", "a=b", ""]


def test_a_cell_is_one_line_of_limited_length() -> None:
    lines = list(csv_lines(["a"], [{"a": 'x"\r\n,' + "y" * 20_000}]))
    assert len(lines) == 2
    (row,) = csv.reader(lines[1:])
    assert row[0].startswith('x"\\r\\n,yy')
    assert len(row[0]) < MAX_CELL + 10
