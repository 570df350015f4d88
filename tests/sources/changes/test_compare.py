from __future__ import annotations

import json

import pytest

from wikicrawler.sources.changes import Limits, SectionChange, WordEdit, compare


def actions(old: str, new: str) -> list[tuple[tuple[str, ...], str]]:
    change = compare(old, new)
    assert change is not None
    return [(section.headings, section.action) for section in change.sections]


def test_noise_is_no_change() -> None:
    assert compare("Text\n\nPosted 2 hours ago", "Text\n\nPosted 3 hours ago") is None


def test_words_are_reported_with_those_before_them() -> None:
    change = compare("# T\n\nThe fee is $300 a year.", "# T\n\nThe fee is $350 a year.")
    assert change is not None
    assert change.kind == "substantive"
    assert change.sections == (
        SectionChange(("T",), "modified", (WordEdit("300", "350", "T\nThe fee is $"),), 1, 1),
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# T\n\nThe **fee**.", "# T\n\nThe fee."),
        ("# T\n\nThe fee;", "# T\n\nThe fee."),
        ("# Title", "# TITLE"),
        ("# T\n\n## A\n\ntext", "# T\n\n### A\n\ntext"),
        ("- [a](/1)\n- [b](/2)", "- [b](/2)\n- [a](/1)"),
        ("[a](http://a.gov/)", "[a](https://www.a.gov)"),
        ("one. Two", "one.\n\nTwo"),
    ],
)
def test_a_change_of_spelling_is_cosmetic(old: str, new: str) -> None:
    change = compare(old, new)
    assert change is not None
    assert change.kind == "cosmetic"
    assert not any(section.words for section in change.sections)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a fee of -5%", "a fee of 5%"),
        ("a loss of ($1,200)", "a loss of $1,200"),
        ("LTV > 80%", "LTV < 80%"),
        ("rate of 5%\\*", "rate of 5%"),
        ("rate of .5%", "rate of 5%"),
        ("rate of 1.5%", "rate of 15%"),
        ("paid and/or due", "paid and or due"),
        ("- first\n- second", "- second\n- first"),
        ("H₂O", "H2O"),
    ],
)
def test_a_sign_with_a_meaning_is_substantive(old: str, new: str) -> None:
    change = compare(old, new)
    assert change is not None
    assert change.kind == "substantive"


DOCUMENT = "# T\n\n## A\n\none two three four\n\n## B\n\nfive six seven eight\n\n## C\n\nnine ten\n"


def test_sections_are_added_removed_and_moved() -> None:
    without = DOCUMENT.replace("## B\n\nfive six seven eight\n\n", "")
    assert actions(DOCUMENT, without) == [(("T", "B"), "removed")]
    assert actions(without, DOCUMENT) == [(("T", "B"), "added")]
    moved = without + "\n## B\n\nfive six seven eight\n"
    assert actions(DOCUMENT, moved) == [(("T", "B"), "moved")]


def test_a_section_that_moves_with_its_subsections_is_one_change() -> None:
    part = "## A\n\nalpha beta\n\n### A1\n\ngamma delta\n\n"
    rest = "## B\n\none\n\n### B1\n\ntwo\n\n## C\n\nthree\n\n## D\n\nfour\n\n"
    assert actions(f"# T\n\n{part}{rest}", f"# T\n\n{rest}{part}") == [(("T", "A"), "moved")]


def test_a_renamed_section_is_modified() -> None:
    renamed = DOCUMENT.replace("## B", "## Beta")
    assert actions(DOCUMENT, renamed) == [(("T", "Beta"), "modified")]


def test_the_subsections_of_a_renamed_section_are_unchanged() -> None:
    assert actions(DOCUMENT, DOCUMENT.replace("# T\n", "# Title\n", 1)) == [
        (("Title",), "modified")
    ]


def test_a_heading_in_code_starts_no_section() -> None:
    old = "# T\n\n```\n# code 1\n```\n"
    assert actions(old, old.replace("1", "2")) == [(("T",), "modified")]


def test_numbered_paragraphs_are_sections_without_headings() -> None:
    old = "§ 1024.5 Coverage.\n\n(h) One.\n\n(i) Two.\n\n(1) Three.\n\n(i) Four.\n\n(A) Five.\n"
    for word, place in {
        "Two": ("(i)",),
        "Three": ("(i)", "(1)"),
        "Four": ("(i)", "(1)", "(i)"),
        "Five": ("(i)", "(1)", "(i)", "(A)"),
    }.items():
        assert actions(old, old.replace(word, "Six")) == [(("§ 1024.5", *place), "modified")]


def test_a_change_is_json() -> None:
    change = compare("a 1", "a 2 \ud800")
    assert change is not None
    assert json.loads(json.dumps(change.as_dict())) == {
        "rules_version": "4",
        "kind": "substantive",
        "sections": [
            {
                "headings": [],
                "action": "modified",
                "words": [{"old": "1", "new": "2 \ud800", "before": "a"}],
                "added": 2,
                "removed": 1,
            }
        ],
        "truncated": False,
    }


def test_limits_cut_the_description_but_not_the_counts() -> None:
    old = "".join(f"# h{at}\n\nsame {at} word {at}\n\n" for at in range(20))
    new = old.replace("same", "other").replace("word", "term")
    change = compare(old, new, limit=Limits(sections=5, edits=1, characters=3))
    assert change is not None
    assert change.truncated
    assert len(change.sections) == 5
    assert [len(section.words) for section in change.sections] == [1] * 5
    assert all(section.added == section.removed == 2 for section in change.sections)
    assert change.sections[0].words[0].new == "oth…"
    complete = compare(old, new)
    assert complete is not None
    assert not complete.truncated
