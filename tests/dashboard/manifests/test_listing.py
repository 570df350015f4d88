"""The text of a manifest beside its faults."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.sources.manifest.samples import encoded, manifest, source
from wikicrawler.dashboard.manifests.listing import MAX_LINES, listing_of
from wikicrawler.sources.manifest.reader import read_manifest

if TYPE_CHECKING:
    from wikicrawler.dashboard.manifests.listing import Listing


def listed(data: bytes) -> Listing:
    reading = read_manifest(data)
    return listing_of(reading, reading.faults)


def marked(listing: Listing) -> list[tuple[int, str]]:
    """Numbers of lines, with what is marked in them."""
    return [(x.number, piece.text) for x in listing.lines for piece in x.pieces if piece.is_marked]


def words(listing: Listing) -> list[str]:
    return ["".join(piece.text for piece in line.pieces) for line in listing.lines]


def test_a_short_text_is_shown_whole_with_the_faulty_values_marked() -> None:
    data = encoded(manifest(source(priority="urgent")))
    listing = listed(data)
    assert words(listing) == data.decode().split("\n")
    assert listing.rest == 0
    assert marked(listing) == [(18, '"urgent"')]
    assert [line.number for line in listing.lines if line.has_fault] == [18]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_the_reader_counts_them(end: str) -> None:
    text = encoded(manifest(source(priority="urgent"))).decode().replace("\n", end)
    assert marked(listed(text.encode())) == [(18, '"urgent"')]


def test_of_a_long_text_the_surroundings_of_the_faults_are_shown() -> None:
    sources = [source(id=f"s-{number}") for number in range(100)]
    sources[50]["priority"] = "urgent"
    listing = listed(encoded(manifest(*sources)))
    shown = [line.number for line in listing.lines]
    fault = next(line.number for line in listing.lines if line.has_fault)
    assert shown == list(range(fault - 3, fault + 4))
    assert listing.lines[0].skipped == fault - 4
    assert listing.rest == encoded(manifest(*sources)).count(b"\n") + 1 - shown[-1]


def test_of_a_long_text_without_faults_the_beginning_is_shown() -> None:
    sources = [source(id=f"s-{number}") for number in range(100)]
    listing = listed(encoded(manifest(*sources)))
    assert listing.lines[0].number == 1
    assert len(listing.lines) < 10


def test_of_a_long_line_the_surroundings_of_the_faults_are_shown() -> None:
    sources = [source(id=f"s-{number}") for number in range(1_000)]
    sources[500]["priority"] = "urgent"
    sources[900]["method"] = "fetch"
    listing = listed(json.dumps(manifest(*sources)).encode())
    assert marked(listing) == [(1, '"urgent"'), (1, '"fetch"')]
    assert len(words(listing)[0]) < 700
    assert words(listing)[0].count("…") == 3


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n" * (MAX_LINES * 10),
        b"\xff\xfe{",
        b"{",
        b'{"a": "\x00"}',
        b"a: [",
        b"\xef\xbb\xbf{",
    ],
)
def test_any_text_is_shown(data: bytes) -> None:
    reading = read_manifest(data)
    listing = listing_of(reading, reading.faults)
    assert {fault.place.line for fault in reading.faults} <= listing.numbers


def test_the_work_is_bounded_by_the_size_of_the_text() -> None:
    faults = ",\n".join('{"id": 1, "x": 2}' for _ in range(100_000))
    listing = listed(f'{{"sources": [{faults}]}}'.encode())
    assert len(listing.lines) <= 200 * 7
