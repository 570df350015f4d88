"""A difference is readable without colour, by a screen reader, and within a bound."""

from __future__ import annotations

import re

import pytest
from lxml import html as lxml_html

from wikicrawler.dashboard.differences import compare, inline, side_by_side
from wikicrawler.dashboard.differences.rendering import MAX_ROWS, MAX_SECTIONS

OLD = "# One\n\n" + "\n".join(f"line {number}" for number in range(20)) + "\nThe old word.\n"
NEW = OLD.replace("old", "new")
BOTH = pytest.mark.parametrize("render", [side_by_side, inline])


def test_both_versions_stand_side_by_side() -> None:
    tree = lxml_html.fromstring(side_by_side(compare(OLD, NEW)))
    (row,) = tree.findall(".//tr[@class='difference-row-changed']")
    cells = [cell.text_content() for cell in row]
    assert cells == ["23", "The removed: old (end) word.", "23", "The added: new (end) word."]


def test_inline_what_is_removed_stands_before_what_is_added() -> None:
    html = inline(compare(OLD, NEW))
    text = re.sub(r"<span[^>]*>[^<]*</span>", "", html)
    assert (
        'The <del class="difference-removed">old</del><ins class="difference-added">new</ins> word.'
        in text
    )


@BOTH
def test_lines_without_a_change_are_folded(render: type) -> None:
    tree = lxml_html.fromstring(render(compare(OLD, NEW)))
    (fold,) = tree.findall(".//details")
    assert fold.find("summary").text == "19 lines not changed"
    assert "line 16" in fold.text_content()
    assert "line 17" not in fold.text_content()


@BOTH
def test_sections_without_a_change_are_one_fold(render: type) -> None:
    rest = "".join(f"# S{number}\n\ntext\n\n" for number in range(8))
    html = render(compare(OLD + rest, NEW + rest))
    assert "8 sections not changed: S0, S1, S2, S3, S4 and 3 more" in html


@BOTH
def test_everything_from_outside_is_escaped(render: type) -> None:
    old = "# <script>a</script>\n\n<img src=x> one\u202e two\n"
    new = "# <script>b</script>\n\n<img src=y> one\x00 two\n"
    html = render(compare(old, new))
    assert "<script" not in html
    assert "<img" not in html
    assert "\\u202e" in html
    assert "\\x00" in html


@BOTH
def test_a_change_that_cannot_be_seen_is_made_visible(render: type) -> None:
    assert "\\u200b" in render(compare("one two three", "one\u200b two three"))
    assert "\\xa0" in render(compare("one two three", "one\xa0two three"))


@BOTH
def test_the_same_versions_are_a_sentence(render: type) -> None:
    assert "The two versions are the same." in render(compare(OLD, OLD))


@BOTH
def test_a_page_is_bounded(render: type) -> None:
    new = "\n".join(f"new {number} {number * 7}" for number in range(9_000))
    html = render(compare("", new))
    assert html.count("<tr class") == MAX_ROWS
    assert f"Only {MAX_ROWS} of 9000 lines are shown." in html
    headings = render(compare("", "".join(f"# {number}\n" for number in range(5_000))))
    assert headings.count("difference-section") == MAX_SECTIONS
    assert "4700 more sections are not shown." in headings


@BOTH
def test_ids_begin_with_the_key_and_differ(render: type) -> None:
    html = render(compare("# A\n\na\n\n# B\n\nb", "# A\n\nx\n\n# B\n\ny"), key="k", level=4)
    assert re.findall(r'id="([^"]+)"', html) == ["k-1", "k-2"]
    assert re.findall(r"<h(\d)", html) == ["4", "4"]


@BOTH
def test_a_moved_section_says_from_where(render: type) -> None:
    html = render(
        compare("# A\n\na\n\n# B\n\nb\n\n# C\n\nc\n", "# C\n\nc\n\n# A\n\na\n\n# B\n\nb\n")
    )
    assert "moved from place 3 to 1" in html


@BOTH
def test_there_is_no_style_and_no_script(render: type) -> None:
    assert not re.search(r"\sstyle=|<style|\son\w+=|<script|href", render(compare(OLD, NEW)))
