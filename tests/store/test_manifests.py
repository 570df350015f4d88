"""Activated manifests in the database."""

from __future__ import annotations

from threading import Barrier, Thread
from typing import TYPE_CHECKING

import pytest

from tests.sources.manifest.samples import EXAMPLE, encoded, manifest, source
from wikicrawler.sources.manifest.activation import (
    ActivationRefused,
    activate,
    find_active,
    new_candidate,
    old_candidate,
)
from wikicrawler.sources.manifest.reader import read_manifest
from wikicrawler.store.database import Database
from wikicrawler.store.manifests import list_activations, manifest_text

if TYPE_CHECKING:
    from pathlib import Path

    from wikicrawler.sources.manifest.activation import Candidate
    from wikicrawler.store.manifests import Activation


def text(version: str = "1.0.0", **fields: str) -> bytes:
    return encoded(manifest(source(**fields), version=version))


def make_active(database: Database, data: bytes, *, force: bool = False) -> Activation:
    candidate = new_candidate(database, read_manifest(data), force=force)
    return activate(database, candidate, by="me", reason="test", robots_checked=True)


def test_without_an_activation_nothing_is_active_and_no_tables_are_made(
    database: Database, tmp_path: Path
) -> None:
    assert find_active(database) is None
    assert list(tmp_path.iterdir()) == []


def test_an_activated_manifest_is_kept_as_it_was(database: Database) -> None:
    data = b"\xef\xbb\xbf" + EXAMPLE.replace("\n", "\r\n").replace("RESPA", "R\u00e9SPA").encode()
    made = make_active(database, data)
    with database.read() as connection:
        stored = manifest_text(connection, made.number)
    assert stored is not None
    assert stored.encode() == data
    assert find_active(database) == made
    assert (made.number, made.version, made.vertical) == (1, "1.0.0", "fthb")
    assert (made.activated_by, made.reason, made.robots_checked) == ("me", "test", True)
    assert made.sha256 == read_manifest(data).sha256


def test_the_same_content_is_recognised(database: Database) -> None:
    make_active(database, text())
    assert new_candidate(database, read_manifest(text())).is_active
    assert not new_candidate(database, read_manifest(text("1.0.1"))).is_active


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (text("1.9.9"), "version 1.9.9 is lower than the active version 1.10.0 (number 1"),
        (text("1.10.0", name="other"), "is active with other content (raise the version"),
        (encoded(manifest(vertical="cars", version="2.0.0")), "the vertical is cars"),
        (text("2.0"), "manifest:2:14: /version: "),
    ],
    ids=["lower", "same", "vertical", "faults"],
)
def test_a_manifest_that_does_not_follow_is_refused(
    database: Database, data: bytes, words: str
) -> None:
    before = make_active(database, text("1.10.0"))
    with pytest.raises(ActivationRefused) as refused:
        new_candidate(database, read_manifest(data))
    assert words in str(refused.value)
    assert find_active(database) == before


def test_force_allows_a_lower_version(database: Database) -> None:
    make_active(database, text("1.10.0"))
    make_active(database, text("1.9.9"), force=True)
    active = find_active(database)
    assert active is not None
    assert (active.number, active.version) == (2, "1.9.9")


def test_an_earlier_manifest_is_activated_as_a_new_one(database: Database) -> None:
    for version in ("1.0.0", "1.1.0", "1.2.0"):
        make_active(database, text(version))
    for version, restored in (("1.1.0", 2), ("1", 1)):
        activate(database, old_candidate(database, version), by="me", robots_checked=False)
        active = find_active(database)
        assert active is not None
        assert active.restored == restored
    with database.read() as connection:
        found = list_activations(connection)
        assert manifest_text(connection, 5) == text("1.0.0").decode()
    assert [one.version for one in found] == ["1.0.0", "1.1.0", "1.2.0", "1.1.0", "1.0.0"]
    with pytest.raises(ActivationRefused, match=r"no activation of 7 \(known: 1.0.0, 1.1.0"):
        old_candidate(database, "7")


def test_of_two_activations_at_the_same_time_one_wins_and_the_other_is_told(url: str) -> None:
    databases = [Database(url) for _ in range(4)]
    make_active(databases[0], text("1.0.0"))
    candidates = [
        new_candidate(database, read_manifest(text(f"1.{number}.0")))
        for number, database in enumerate(databases, 1)
    ]
    ready = Barrier(len(databases))
    won: list[Activation] = []
    told: list[str] = []

    def run(database: Database, candidate: Candidate) -> None:
        ready.wait()
        try:
            won.append(activate(database, candidate, by="me", robots_checked=True))
        except ActivationRefused as error:
            told.append(str(error))

    threads = [Thread(target=run, args=pair) for pair in zip(databases, candidates, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(won), len(told)) == (1, 3)
    assert find_active(databases[0]) == won[0]
    for message in told:
        assert f"version {won[0].version} (number 2" in message
        assert "was activated in the meantime" in message
    for database in databases:
        database.close()


def test_who_and_why_are_one_printable_line(database: Database) -> None:
    candidate = new_candidate(database, read_manifest(text()))
    made = activate(database, candidate, by="a\x1b\nb", reason="c\x00" * 999, robots_checked=True)
    assert made.activated_by == "a\\x1b\\nb"
    assert made.reason.isprintable()
    assert find_active(database) == made
