"""Rendering of tables: spans, rows of different length, layout tables."""

from __future__ import annotations

import pytest

from tests.content.rendering import page, render
from wikicrawler.content import convert
from wikicrawler.content.markdown.spans import SPAN_BUDGET, Cell, Row, expand


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


INNER = "<table><tr><th>k<th>v<tr><td>1<td>2</table>"
SHOWN = "| k | v |\n| --- | --- |\n| 1 | 2 |"


def markdown_of(inner: str) -> str:
    return convert(page(inner), "http://a/b").markdown


@pytest.mark.parametrize("kind", ["", "class=wikitable", "class=infobox", "class=mw-collapsible"])
def test_a_column_that_holds_tables_is_unfolded_under_its_title(kind):
    assert markdown_of(
        f"<table {kind}><tr><th>Title</th></tr><tr><td>{INNER}<p>and</p>{INNER}</td></tr></table>"
    ) == (f"**Title**\n\n{SHOWN}\n\nand\n\n{SHOWN}")


def test_rows_of_tables_are_unfolded():
    assert markdown_of(
        "<table class=wikitable><caption>All</caption><tr><th>A<th>B</tr>"
        f"<tr><td>{INNER}<td>{INNER}<tr><td colspan=2>note<tr><td>{INNER}<td></table>"
    ) == (f"**All**\n\n**A**\n\n**B**\n\n{SHOWN}\n\n{SHOWN}\n\nnote\n\n{SHOWN}")


@pytest.mark.parametrize(
    "inner",
    [
        f"<tr><td>text<td>{INNER}",
        "<tr><td><table><tr><td>1<td>2</table><td><table><tr><td>3<td>4</table>",
        "<tr><td><ul><li>a<li>b</ul>",
    ],
)
def test_a_table_of_data_with_a_table_in_a_cell_stays_one(inner):
    assert markdown_of(f"<table class=wikitable><tr><th>A<th>B{inner}</table>").startswith("| A |")


def test_a_cell_that_covers_a_whole_row_is_written_once():
    assert (
        markdown_of(
            "<table class=infobox><tr><th colspan=2>Penny<tr><th>Weight<td>9 g"
            "<tr><td colspan=9>a note</table>"
        )
        == "| Penny |  |\n| --- | --- |\n| Weight | 9 g |\n| a note |  |"
    )


def test_the_label_of_rows_is_repeated_without_its_link():
    assert (
        markdown_of(
            "<table class=wikitable><tr><th>A<th>B"
            "<tr><td rowspan=2><a href=/x>x y</a><td>1<tr><td>2</table>"
        )
        == "| A | B |\n| --- | --- |\n| [x y](http://a/x) | 1 |\n| x y | 2 |"
    )


def test_spans_repeat_no_more_than_the_table_has():
    long, row = "word " * 40, [Cell(f"cell {number}") for number in range(9)]
    label = Cell("label", rowspan=20)
    lines = rows(
        [label, Cell("short", colspan=2), Cell(long, colspan=70)],
        [Cell(long, rowspan=19), *row],
        *[row] * 18,
    )
    own = sum(len(cell.text) for line in lines for cell in line.cells)
    grid = expand(lines)
    assert [line[0] for line in grid] == ["label"] * 20
    assert grid[0][1:5] == ["short", "short", long, ""]
    assert [line[1] for line in grid[1:]] == [long] + [""] * 18
    assert sum(len(text) for line in grid for text in line) < 2 * own
