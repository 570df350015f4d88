"""Lines that the operator has named."""

from __future__ import annotations

import pytest

from tests.growth import LIMIT, growth
from wikicrawler.sources.changes import change_hash, compare, normalise
from wikicrawler.sources.changes.ignored import check_pattern, fingerprint

WAIT = r"Load [\d.,]+ units\."


@pytest.mark.parametrize(
    "text",
    [
        "Load {} units.",
        "- Load {} units.",
        "The fee is $45. Load {} units.",
        "Load {} units. The fee is $45.",
        "Fee $45 | Load {} units. | Form 12",
        "| Fee | Load {} units. |\n|---|---|\n| 45 | 46 |",
        "## Load {} units.",
    ],
)
def test_a_line_and_a_part_of_a_line_are_ignored(text: str) -> None:
    old, new = (f"# Title\n\n{text.format(number)}\n\nA text." for number in (14, 15))
    assert change_hash(old) != change_hash(new)
    assert change_hash(old, [WAIT]) == change_hash(new, [WAIT])
    assert compare(old, new, ignore=[WAIT]) is None
    other = new.replace("A text.", "A law.").replace("45", "50")
    assert change_hash(old, [WAIT]) != change_hash(other, [WAIT])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Load 14 units and the fee is $45.", "Load 15 units and the fee is $50."),
        ("The load 14 units. ", "The load 15 units. "),
        ("load 14 units.", "load 15 units."),
    ],
)
def test_a_pattern_has_to_match_all_of_a_part(old: str, new: str) -> None:
    assert change_hash(old, [WAIT]) != change_hash(new, [WAIT])


def test_the_place_of_a_cell_counts_without_its_text() -> None:
    old = "| Load 14 units. | 45 |\n|---|---|\n| a | b |"
    assert change_hash(old, [WAIT]) != change_hash(
        old.replace("Load 14 units. | 45", "45 |"), [WAIT]
    )


def test_fields_of_json_and_xml_are_lines_too() -> None:
    assert change_hash('{"load": 14, "fee": 45}', [r"load: \d+"]) == change_hash(
        '{"load": 15, "fee": 45}', [r"load: \d+"]
    )
    assert change_hash("<a><b>Load 14 units.</b></a>", [WAIT]) == change_hash(
        "<a><b>Load 15 units.</b></a>", [WAIT]
    )


def test_a_section_with_ignored_lines_alone_is_not_reported() -> None:
    old = "# A\n\nThe fee is $45.\n\n# B\n\nLoad 14 units.\n"
    change = compare(old, old.replace("14", "15").replace("45", "50"), ignore=[WAIT])
    assert change is not None
    assert [part.headings for part in change.sections] == [("A",)]


def test_text_that_is_no_unicode_is_matched_too() -> None:
    assert "Load" not in normalise("Load 14 units.\n\nA \ud800 text.", [WAIT])


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("a(", "column"),
        ("(?=a)b", "look-around"),
        ("a*", "matches an empty line"),
        (".+", "matches any line"),
        ("[^x]+", "matches any line"),
        ("a" * 501, "has 501 characters"),
    ],
)
def test_patterns_that_cannot_be_used_are_reported(pattern: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_pattern(pattern)


def test_the_fingerprint_is_that_of_the_set() -> None:
    assert fingerprint(()) == ""
    assert fingerprint(["a", "b"]) == fingerprint(["b", "a"])
    assert len({fingerprint(x) for x in ((), ["a"], ["a", "b"], ["ab"], ['a", "b'])}) == 5


@pytest.mark.parametrize("piece", ["a", "a | ", "A. ", "a\n\n", "· ", "Load 1 units. "])
def test_text_is_matched_in_linear_time(piece: str) -> None:
    patterns = [WAIT, "(a|b)*c", "(.*a){1,9}x"]
    size = len(piece)
    assert (
        growth(lambda text: normalise(text, patterns), lambda n: piece * (n // size), 10_000)
        < LIMIT
    )
