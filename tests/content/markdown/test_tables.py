"""Rendering of tables: spans, rows of different length, layout tables."""

from __future__ import annotations

from tests.content.rendering import page, render
from wikicrawler.content import convert
from wikicrawler.content.markdown.spans import SPAN_BUDGET, expand
from wikicrawler.content.markdown.tables import Cell, Row


def rows(*lines: list[Cell]) -> list[Row]:
    return [Row(cells=list(line)) for line in lines]


def test_a_spanning_cell_is_repeated_in_every_place():
    grid = expand(
        rows(
            [Cell("a", rowspan=2), Cell("b", colspan=2)],
            [Cell("c"), Cell("d", rowspan=9)],
            [Cell("e"), Cell("f")],
        )
    )
    assert grid == [["a", "b", "b"], ["a", "c", "d"], ["e", "f", "d"]]


def test_a_rowspan_of_zero_ends_with_its_row_group():
    table = [
        Row(0, cells=[Cell("a", rowspan=0), Cell("b")]),
        Row(0, cells=[Cell("c")]),
        Row(1, cells=[Cell("d"), Cell("e")]),
    ]
    assert expand(table) == [["a", "b"], ["a", "c"], ["d", "e"]]


def test_text_repeated_by_spans_is_bounded():
    table = rows(*[[Cell("x" * 50, rowspan=65534, colspan=1000), Cell("y")] for _ in range(500)])
    grid = expand(table)
    assert len(grid) == 500
    assert sum(len(text) for line in grid for text in line) < 2 * SPAN_BUDGET


def test_text_outside_cells_is_kept_before_the_table():
    markdown = convert(
        page("<table>stray<tr><th>h<th>i<tr><td>x<td>y</table>"), "http://a/b"
    ).markdown
    assert markdown.startswith("stray\n\n| h | i |\n| --- | --- |")


def test_rows_longer_than_the_first_keep_all_cells():
    markdown = convert(
        page("<table class=wikitable><tr><th>h</th></tr><tr><td>1<td>2<td>3</tr></table>"),
        "http://a/b",
    ).markdown
    assert render(markdown).xpath("//td/text()") == ["1", "2", "3"]


def test_a_table_that_contains_a_table_is_layout():
    markdown = convert(
        page("<table><tr><td><table><tr><th>k<th>v<tr><td>1<td>2</table><td><p>right</table>"),
        "http://a/b",
    ).markdown
    assert markdown == "| k | v |\n| --- | --- |\n| 1 | 2 |\n\nright"
