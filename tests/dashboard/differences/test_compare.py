"""Two versions are compared by section, by line and by word."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.dashboard.differences import compare

OLD = "# One\n\nThe price is 10 euros.\n\n## Two\n\nSame.\n\n## Three\n\nOld words here.\n"


def kinds(old: str, new: str) -> list[tuple[str, str]]:
    return [(section.kind, section.heading) for section in compare(old, new).sections]


def test_the_same_text_has_no_difference() -> None:
    difference = compare(OLD, OLD.replace("\n", "\r\n") + "\n")
    assert difference.is_empty
    assert difference.notices == ()
    assert {section.kind for section in difference.sections} == {"unchanged"}


def test_the_words_of_a_changed_line_are_found() -> None:
    difference = compare(OLD, OLD.replace("10 euros", "12 euros"))
    changed = [row for section in difference.sections for row in section.rows if row.kind != "same"]
    (row,) = changed
    assert (row.old_number, row.new_number) == (3, 3)
    assert row.old == (("same", "The price is "), ("removed", "10"), ("same", " euros."))
    assert row.new == (("same", "The price is "), ("added", "12"), ("same", " euros."))


def test_sections_are_added_and_removed() -> None:
    new = OLD.replace("## Two\n\nSame.\n\n", "") + "\n## Four\n\nMore.\n"
    assert kinds(OLD, new) == [
        ("unchanged", "One"),
        ("removed", "Two"),
        ("unchanged", "Three"),  # but for an empty line behind it
        ("added", "Four"),
    ]


def test_a_section_that_moves_is_not_removed_and_added() -> None:
    old = "# A\n\na\n\n# B\n\nb\n\n# C\n\nc\n\n# D\n\nd\n"
    new = "# A\n\na\n\n# D\n\nd\n\n# B\n\nb\n\n# C\n\nc\n"
    assert kinds(old, new) == [
        ("unchanged", "A"),
        ("moved", "D"),
        ("unchanged", "B"),
        ("unchanged", "C"),
    ]


@pytest.mark.parametrize("body", ["Text.", "Other text."])
def test_a_heading_that_changes_does_not_hide_the_section(body: str) -> None:
    old, new = "# A\n\na\n\n# B\n\nText.\n\n# C\n\nc", f"# A\n\na\n\n# X\n\n{body}\n\n# C\n\nc"
    section = compare(old, new).sections[1]
    assert (section.kind, section.heading, section.old_heading) == ("changed", "X", "B")


def test_sections_with_the_same_heading_are_told_apart_by_those_above() -> None:
    old = "# A\n\n## Notes\n\none\n\n# B\n\n## Notes\n\ntwo\n"
    new = "# B\n\n## Notes\n\ntwo\n\n# A\n\n## Notes\n\none and more\n"
    found = {
        (section.heading, section.old_place): section.new_place
        for section in compare(old, new).sections
    }
    assert found == {("A", 1): 3, ("Notes", 2): 4, ("B", 3): 1, ("Notes", 4): 2}


def test_a_number_sign_in_code_begins_no_section() -> None:
    assert kinds("# A\n\n```\n# no\n```\n", "# A\n\n```\n# no\n```\n") == [("unchanged", "A")]


def test_lines_are_paired_with_what_they_became() -> None:
    old = "Alpha beta gamma delta.\nOne two three four.\n"
    new = "Entirely new first line!\nAlpha beta gamma epsilon.\nOne two three five.\n"
    (section,) = compare(old, new).sections
    assert [(row.kind, row.old_number, row.new_number) for row in section.rows] == [
        ("added", None, 1),
        ("changed", 1, 2),
        ("changed", 2, 3),
    ]


def test_lines_without_common_words_are_not_paired() -> None:
    (section,) = compare("Alpha beta.", "Gamma delta!").sections
    assert [row.kind for row in section.rows] == ["removed", "added"]


def test_scripts_without_spaces_are_compared_by_character() -> None:
    (section,) = compare("価格は百円です", "価格は千円です").sections
    (row,) = section.rows
    assert ("removed", "百") in row.old
    assert ("added", "千") in row.new


LINES = st.lists(
    st.sampled_from(["# a", "## b", "# c", "one two", "one three", "x", "", "```", "two  one"]),
    max_size=14,
)


@given(LINES, LINES)
def test_no_line_is_lost(old: list[str], new: list[str]) -> None:
    while old and not old[-1]:
        old.pop()
    while new and not new[-1]:
        new.pop()
    rows = [
        row for section in compare("\n".join(old), "\n".join(new)).sections for row in section.rows
    ]
    before = {row.old_number: "".join(run.text for run in row.old) for row in rows}
    after = {row.new_number: "".join(run.text for run in row.new) for row in rows}
    assert [before[number] for number in range(1, len(old) + 1)] == old
    assert [after[number] for number in range(1, len(new) + 1)] == new


def test_a_long_text_is_cut_with_a_notice() -> None:
    difference = compare("a\n" * 12_000, "word " * 110_000)
    assert [notice.split(" are")[0] for notice in difference.notices] == [
        "Only the first 10000 of 12001 lines of the old version",
        "Only the first 500000 of 550000 characters of the new version",
    ]


def test_a_passage_that_would_take_long_is_replaced_as_a_whole() -> None:
    difference = compare("a!" * 100_000, "b!" * 100_000)
    assert "replaced as a whole" in difference.notices[0]


def test_half_of_a_large_text_may_change() -> None:
    chance = random.Random(1)  # noqa: S311
    lines = [" ".join(chance.choices("abcdefghijklmnop", k=40)) for _ in range(2_000)]
    new = [line if chance.random() < 0.5 else f"{line} more" for line in lines]
    counts = compare("\n".join(lines), "\n".join(new)).counts
    assert counts.added == counts.removed == 0
    assert counts.changed == sum(one != other for one, other in zip(lines, new, strict=True))
