"""Lines that changed at several visits, and the patterns that are proposed for them."""

from __future__ import annotations

from string import ascii_lowercase

import pytest

from tests.growth import LIMIT, growth
from wikicrawler.sources.changes.ignored import is_match
from wikicrawler.sources.staging.live import (
    MAX_LIVE_LINES,
    LiveLine,
    live_lines,
    parts_in,
    pattern_for,
)


@pytest.mark.parametrize(
    ("values", "pattern"),
    [
        (["Load 14 units.", "Load 1,205 units.", "Load 9 units."], r"Load [\d.,:]*\d units\."),
        (["Fish of the hour: carp", "Fish of the hour: red cod"], "Fish of the hour: .*"),
        (["Mood (B118) here", "Mood (C7) here"], r"Mood \S+ here"),
        (["At 10:42 all is well", "At 9:05 all is well"], r"At [\d.,:]*\d all is well"),
        (["Boats for all.", "Who painted this wall?"], None),
        (["14", "15"], None),
        (["$5 off", "$6 off"], None),
    ],
)
def test_what_all_values_have_makes_the_pattern(values: list[str], pattern: str | None) -> None:
    assert pattern_for(values) == pattern
    assert pattern is None or all(is_match(pattern, value) for value in values)


def found_in(*bodies: str) -> list[LiveLine]:
    return live_lines("https://a.example/", [parts_in(body, ()) for body in bodies])


def body(live: str, text: str = "A text.", above: str = "") -> str:
    return f"# Title\n\n{above}First part.\n\n## Below\n\n{text} {live}\n\nThe last part."


def test_a_line_that_changed_twice_is_found_wherever_it_moves() -> None:
    (line,) = found_in(
        body("Load 14 units."),
        body("Load 15 units.", above="Added at the top.\n\n"),
        body("Load 15 units.", "Another text."),
        body("Load 9 units.", "Another text."),
    )
    assert (line.heading, line.changes, line.visits) == ("Below", 2, 3)
    assert line.values == ("Load 9 units.", "Load 15 units.", "Load 14 units.")
    assert line.pattern == r"Load [\d.,:]*\d units\."
    assert (line.others, line.is_fact) == (0, False)


def test_a_line_that_changed_once_is_not_live() -> None:
    assert found_in(body("Load 14 units."), body("Load 15 units."), body("Load 15 units.")) == []


def test_a_fact_is_marked_and_other_lines_are_counted() -> None:
    bodies = [f"# T\n\nThe fee is {n} now.\n\nThe fee is 99 now." for n in (14, 15, 16)]
    (line,) = found_in(*bodies)
    assert (line.is_fact, line.others) == (True, 1)


def test_a_bounded_number_of_lines_is_described() -> None:
    names = [first + second for first in ascii_lowercase for second in "abc"]
    bodies = ["\n\n".join(f"Load of {name} is {n}." for name in names) for n in (14, 15, 16)]
    assert len(names) > MAX_LIVE_LINES == len(found_in(*bodies))


def test_lines_that_all_change_and_move_take_linear_time() -> None:
    def lines(size: int) -> str:
        return " ".join(_name(number) for number in range(size))

    def found(text: str) -> list[LiveLine]:
        names = text.split(" ")
        versions = [[("", start + name) for name in names[n:]] for n, start in enumerate("xyz")]
        return live_lines("u", versions)

    assert growth(found, lines, 300) < LIMIT


def _name(number: int) -> str:
    name = ""
    while number or not name:
        number, letter = divmod(number, 26)
        name += ascii_lowercase[letter]
    return name
