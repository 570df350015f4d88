"""What a comparison writes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lxml import etree

from bench.crawls import picture, report
from bench.crawls.floor import Floor
from bench.crawls.programs import OURS, Program
from bench.crawls.rounds import Results, Run

if TYPE_CHECKING:
    from pathlib import Path

RUN = Run(
    seconds=10,
    cpu=5,
    memory=200_000_000,
    rss=300_000_000,
    start_seconds=2,
    start_cpu=1,
    pages=100,
    missing=0,
    repeated=0,
    requests=102,
)
SETTING = report.Setting("Pages", "100 pages", kilobytes=120, links=250, rounds=3, command="bench")
OTHER = Program("other", "another", "other")
PROGRAMS = [
    Program(OURS, "this"),
    Program("ours-twice", "this again", variant=True),
    OTHER,
    Program("nothing", "no work", "other", floor=True),
]


def results() -> Results:
    slow = replace(RUN, seconds=50, cpu=40, memory=100_000_000, missing=3, pages=97)
    return Results(
        runs={
            OURS: [RUN, RUN, replace(RUN, seconds=20)],
            "ours-twice": [RUN, RUN, RUN],
            "other": [slow, replace(slow, seconds=100), slow],
            "nothing": [RUN, RUN, RUN],
        },
        fidelity={OURS: {"cells": 0.998}, "other": {"cells": 0.5}},
        floors=[Floor(0.002, 0.003)],
    )


def row(text: str, name: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(f"| {name} "))


def test_ratios_are_of_the_same_round_and_have_their_spread() -> None:
    ratio = report.ratio([2.0, 9.0, 4.0], [1.0, 3.0, 4.0])
    assert ratio == (2.0, 1.0, 3.0)
    assert str(ratio) == "2.0× (1.0–3.0)"


def test_the_section_has_programs_ratios_floor_and_fidelity() -> None:
    text = report.crawls(results(), PROGRAMS[:1], SETTING)
    assert "| **ours** | this | 100 of 100 | 10.0 (5.0–10.0) |" in text
    assert "2.0 ms CPU a page for the parse, 3.0 ms" in text
    assert "| ours | 0.998 |" in text


def test_what_reads_other_bytes_is_not_compared_with_the_others() -> None:
    asks = replace(PROGRAMS[1], asks_api=True)
    told = "`ours-twice`: answers of the wiki's API"
    assert told in report.crawls(results(), [PROGRAMS[0], asks], SETTING)
    assert told not in report.crawls(results(), PROGRAMS[:2], SETTING)


def test_pages_that_a_program_missed_are_told() -> None:
    text = report.whole_crawls(results(), PROGRAMS)
    assert "| 97 of 100 |" in row(text, "other")
    assert "5.2× (2.6–10.3)" in row(text, "other")
    assert "0.50× (0.50–0.50)" in row(text, "other")


def test_a_section_takes_the_place_of_its_own_and_leaves_others(tmp_path: Path) -> None:
    file = tmp_path / "RESULTS.md"
    report.write(file, "growth", "grows 1")
    report.write(file, "crawls", "crawls 1")
    file.write_text(f"{file.read_text('utf-8')}\n## By hand\n", "utf-8")
    report.write(file, "growth", "grows 2")
    text = file.read_text("utf-8")
    assert "grows 1" not in text
    assert text.index("grows 2") < text.index("crawls 1") < text.index("## By hand")


def test_the_picture_shows_each_program_but_floors_and_variants() -> None:
    svg = etree.fromstring(picture.bars([(results(), SETTING)], PROGRAMS).encode())
    words = " ".join(svg.itertext())
    assert "wikicrawler" in words
    assert "other" in words
    assert "nothing" not in words
    assert "ours-twice" not in words
    assert "99.8 %" in words
    bars = [float(bar.get("width")) for bar in svg.iter("{*}rect")]
    assert max(bars) == bars[0], "ours is the quickest, and the longest bar"


def test_the_picture_has_a_block_for_each_corpus() -> None:
    second = SETTING._replace(title="A & B", source="7 pages of A & B")
    compared = [(results(), SETTING), (results(), second)]
    svg = etree.fromstring(picture.bars(compared, PROGRAMS).encode())
    titles = [text for text in svg.iter("{*}text") if text.get("class") == "title"]
    assert [title.text for title in titles] == [
        "Crawling 100 pages",
        "wikicrawler",
        "Crawling 7 pages of A & B",
        "wikicrawler",
    ]
    heights = [float(text.get("y")) for text in svg.iter("{*}text")]
    assert heights[-1] == max(heights) < float(svg.get("height"))
    assert "A & B: ours 10 pages a second" in svg.get("aria-label")
