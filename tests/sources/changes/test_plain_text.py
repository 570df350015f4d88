"""Headings, folios and running heads of text that has no marks for them."""

from __future__ import annotations

import pytest

from wikicrawler.sources.changes import compare, normalise

PDF = """\
[page 1]
State Code 2024
CHAPTER 9: FIRE SYSTEMS
903.2 WHERE REQUIRED
Sprinklers shall be provided where the
9-1
[page 2]
State Code 2024
fire area is more than 12,000 square feet.
7.4.1 Exceptions
Dwellings of 2 units.
9-2
[page 3]
State Code 2024
Annex A (informative) Tables
250
9-3
"""


def headings(old: str, new: str) -> list[tuple[str, ...]]:
    change = compare(old, new)
    assert change is not None
    return [section.headings for section in change.sections]


def test_headings_of_a_pdf_are_named_parts_and_numbers() -> None:
    assert headings(PDF, PDF.replace("12,000", "21,000")) == [
        ("CHAPTER 9: FIRE SYSTEMS", "903.2 WHERE REQUIRED")
    ]
    assert headings(PDF, PDF.replace("250", "205")) == [("Annex A (informative) Tables",)]


@pytest.mark.parametrize(
    "heading",
    [
        "CHAPTER 9: FIRE",
        "SECTION 4: FIRST-AID MEASURES",
        "Section 4: First-aid measures",
        "SECTION 1. SHORT TITLE.",
        "ARTICLE IV",
        "PART 3",
        "Annex A",
        "903.2 Title",
        "7.4.1 Title",
        "7. TERMINATION",
        "Artículo 3. Horario",
        "Kapitel 2 Gebühren",
        "Article 3 bis",
    ],
)
def test_a_line_with_the_name_of_a_part_is_a_heading_of_plain_text(heading: str) -> None:
    text = f"Preface.\n\n{heading}\nThe fee is 5.\n"
    assert headings(text, text.replace("5.\n", "6.\n")) == [(heading,)]


@pytest.mark.parametrize(
    "line",
    [
        "Chapter 8 applies to all owners.",
        "Chapter 3.2 of the act",
        "Part of it",
        "12.50 EUR",
        "1. Studies of nature",
        "CHAPTER 9: FIRE ........ 12",
    ],
)
def test_a_sentence_an_item_or_a_line_of_contents_is_no_heading(line: str) -> None:
    text = f"Preface.\n\n{line}\n\nThe fee is 5.\n"
    assert headings(text, text.replace("5.\n", "6.\n")) == [()]


def test_a_paragraph_sign_is_a_heading_only_below_other_parts() -> None:
    law = "§ 12 Kündigung\n\n(1) Frist: 5 Tage.\n"
    assert headings(law, law.replace("5", "6")) == [("§ 12", "(1)")]
    law = f"Abschnitt 2 Ende\n\n{law}"
    assert headings(law, law.replace("5", "6")) == [("Abschnitt 2 Ende", "§ 12 Kündigung")]


def test_folios_and_running_heads_are_no_text() -> None:
    text = normalise(PDF)
    assert text.count("State Code 2024") == 1
    assert "9-2" not in text
    assert "where the fire area is" in text
    feeds = PDF.removeprefix("[page 1]\n").replace("[page 2]\n", "\f").replace("[page 3]\n", "\f")
    assert normalise(feeds) == text


def test_a_change_of_one_running_head_counts() -> None:
    parts = PDF.split("State Code 2024")
    for at in range(3):
        new = "".join(
            part + ("State Code 2025" if at == number else "State Code 2024") * (number < 3)
            for number, part in enumerate(parts)
        )
        assert compare(PDF, new) is not None


def test_a_number_that_does_not_count_pages_is_no_folio() -> None:
    old = "[page 1]\nThe fee is\n250\n[page 2]\nThe tax is\n300\n"
    assert compare(old, old.replace("300", "310")) is not None
    old = "Total\n\n                              250\n\nDue\n"
    assert compare(old, old.replace("250", "205")) is not None


def test_a_folio_in_the_middle_of_printed_text_is_noise() -> None:
    old = "Text.\n\n                              9-2\n\nMore.\n"
    assert normalise(old) == normalise(old.replace("9-2", "9-3")) == "Text.\nMore."


def test_capitals_in_code_have_a_meaning() -> None:
    change = compare("```\nx -nqr\n```", "```\nx -nqR\n```")
    assert change is not None
    assert change.kind == "substantive"
    change = compare("Use `-r` here.", "Use `-R` here.")
    assert change is not None
    assert change.kind == "substantive"


def test_a_section_moves_without_the_links_behind_it() -> None:
    old = "# T\n\n## A\n\nOne.\n\n## B\n\nTwo.\n\n## C\n\nThree.\n\n[Older](/x) · [PDF](/y.pdf)\n"
    new = "# T\n\n## C\n\nThree.\n\n## A\n\nOne.\n\n## B\n\nTwo.\n\n[Older](/x) · [PDF](/y.pdf)\n"
    change = compare(old, new)
    assert change is not None
    assert [(part.headings, part.action) for part in change.sections] == [(("T", "C"), "moved")]
    change = compare(old, new.replace("/y.pdf", "/z.pdf"))
    assert change is not None
    assert "modified" in {part.action for part in change.sections}
