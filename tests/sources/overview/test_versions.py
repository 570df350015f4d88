"""The versions of a document: by the index alone, with bounds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.audit.samples import operation, outcome, write
from wikicrawler.sources.overview import versions as module
from wikicrawler.sources.overview.source import (
    calendar,
    documents,
    kept_names,
    read_kept,
    runs,
)
from wikicrawler.sources.overview.versions import (
    Body,
    Unreadable,
    chain_place,
    find_version,
    read_body,
    versions_of,
)
from wikicrawler.sources.staging.failures import KeptFailures
from wikicrawler.sources.staging.folder import StagingFolder
from wikicrawler.sources.staging.protocol import INDEX, REMOVED

if TYPE_CHECKING:
    from pathlib import Path

    from wikicrawler.store.database import Database

IDS = [f"{n}f0c2a77-0000-4000-8000-000000000000" for n in range(4)]
PATH = "a.org/2026-02-13/reg-x__1__{}.json"


@pytest.fixture
def folder(tmp_path: Path) -> StagingFolder:
    made = StagingFolder(tmp_path / "staging")
    made.prepare()
    return made


def stage(folder: StagingFolder, number: int, path: str = PATH, **facts: Any) -> str:
    """Add a line to the index, and its envelope where *path* is in the folder."""
    line = {
        "envelope_id": IDS[number],
        "manifest_id": "reg-x",
        "url": "https://a.org/1",
        "staged_at": f"2026-02-13T14:30:0{number}Z",
        "path": path.format(number),
        "change_type": "modified",
        "content_hash": "sha256:ab",
    } | facts
    folder.append(INDEX, line)
    return str(line["path"])


def write_envelope(folder: StagingFolder, path: str, number: int, body: str) -> None:
    envelope = {
        "envelope_id": IDS[number],
        "source": {"final_url": "https://a.org/1"},
        "scrape": {"engine": "http", "timestamp": "2026-02-13T14:30:00Z", "http_status": 200},
        "content": {"format": "markdown", "body": body, "body_html": None, "body_base64": None},
        "integrity": {"change": None},
        "page_metadata": {"title": "<script>"},
    }
    folder.write([path], json.dumps(envelope).encode())


def test_the_newest_versions_come_first_and_their_bodies_can_be_read(folder: StagingFolder) -> None:
    for number in range(3):
        write_envelope(folder, stage(folder, number), number, f"text {number}")
    stage(folder, 3, manifest_id="reg-y")
    found = versions_of(folder, "reg-x", limit=2)
    assert [one.envelope_id for one in found.versions] == [IDS[2], IDS[1]]
    assert found.is_cut
    body = read_body(folder, found.versions[0])
    assert isinstance(body, Body)
    assert (body.body, body.title, body.http_status) == ("text 2", "<script>", 200)
    assert find_version(folder, "reg-x", IDS[3]) is None
    assert find_version(folder, "reg-y", IDS[3]) is not None


def test_of_two_versions_of_a_second_that_listed_later_is_the_newer(folder: StagingFolder) -> None:
    for number in range(3):
        stage(folder, number, staged_at="2026-02-13T14:30:00Z")
    found = versions_of(folder, "reg-x")
    assert [one.envelope_id for one in found.versions] == [IDS[2], IDS[1], IDS[0]]


@pytest.mark.parametrize(
    "path",
    ["../../etc/passwd", "/etc/passwd", "a.org/../x/y.json", "a.org/2026-02-13/../../x.json"],
)
def test_a_path_that_is_not_that_of_an_envelope_is_not_read(
    folder: StagingFolder, path: str
) -> None:
    stage(folder, 0, path)
    (version,) = versions_of(folder, "reg-x").versions
    assert isinstance(read_body(folder, version), Unreadable)


def test_a_removed_missing_damaged_or_large_file_is_told(
    folder: StagingFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        path = stage(folder, number)
        if number in {1, 2}:
            write_envelope(folder, path, number, "x" * 9_000 * number)
    (folder.root / PATH.format(1)).write_bytes(b"{")
    monkeypatch.setattr(module, "MAX_ENVELOPE", 10_000)
    folder.append(
        REMOVED,
        {
            "removed_at": "x",
            "envelopes": [{"envelope_id": IDS[3], "manifest_id": "reg-x", "path": PATH.format(3)}],
        },
    )
    why = [read_body(folder, one) for one in versions_of(folder, "reg-x").versions]
    assert [one.why.split(" ")[2] for one in why if isinstance(one, Unreadable)] == [
        *("was", "has", "is", "is"),
    ]


def test_broken_lines_are_counted_and_no_id_reaches_a_path(folder: StagingFolder) -> None:
    stage(folder, 0)
    with (folder.root / INDEX).open("ab") as file:
        file.write(b'{"manifest_id": "reg-x", "url": 1\n')
    found = versions_of(folder, "reg-x")
    assert (len(found.versions), found.broken) == (1, 1)
    for text in ("../x", "", "reg-x\n", "reg_x", "é"):
        assert versions_of(folder, text).versions == ()
        assert kept_names(KeptFailures(folder, 5), text) == ()
    assert read_kept(KeptFailures(folder, 5), "reg-x", "../_index.jsonl") is None


def test_the_chain_has_the_place_of_a_version(
    database: Database, reader: Database, folder: StagingFolder
) -> None:
    path = stage(folder, 0)
    write(database, operation(1), operation(2), outcome(3, 2, staged_path=path), operation(4))
    (version,) = versions_of(folder, "reg-x").versions
    place = chain_place(reader, version)
    assert place is not None
    assert (place.sequence, place.is_linked, place.last_sequence) == (2, True, 4)
    stage(folder, 1, url="https://a.org/2")
    other = versions_of(folder, "reg-x", "https://a.org/2").versions[0]
    assert chain_place(reader, other) is None


def test_a_database_without_tables_has_no_visits_and_no_documents(reader: Database) -> None:
    assert runs(reader, "a\0b").visits == ()
    assert documents(reader, "a", prefix="\ud800").pages == ()
    assert len(calendar(reader, "a")) == 365
