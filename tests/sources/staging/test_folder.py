"""The files of the staging folder."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

import pytest

from wikicrawler.errors import ConfigError
from wikicrawler.sources.staging.folder import StagingFolder
from wikicrawler.sources.staging.protocol import INDEX

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> StagingFolder:
    staging = StagingFolder(tmp_path / "staged")
    staging.prepare()
    return staging


def lines(folder: StagingFolder) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder.root / INDEX).read_text("utf-8").splitlines()]


def test_a_file_is_never_overwritten(folder: StagingFolder) -> None:
    paths = ["a/b/one.json", "a/b/two.json"]
    assert folder.write(paths, b"first") == "a/b/one.json"
    assert folder.write(paths, b"second") == "a/b/two.json"
    assert (folder.root / "a/b/one.json").read_bytes() == b"first"


def test_no_temporary_file_is_left(folder: StagingFolder) -> None:
    folder.write(["a/one.json"], b"first")
    with pytest.raises(ValueError, match="no path was free"):
        folder.write(["a/one.json"], b"second")
    assert list((folder.root / ".incoming").iterdir()) == []


def test_what_a_killed_process_tore_is_cut(folder: StagingFolder) -> None:
    folder.append(INDEX, {"n": 1})
    with (folder.root / INDEX).open("ab") as file:
        file.write(b'{"n": 2, "url": "http')
    folder.prepare()
    folder.append(INDEX, {"n": 3})
    assert lines(folder) == [{"n": 1}, {"n": 3}]


def test_lines_of_several_writers_are_whole(folder: StagingFolder) -> None:
    def append(writer: int) -> None:
        for number in range(50):
            folder.append(INDEX, {"writer": writer, "number": number, "text": "x" * 5000})

    threads = [threading.Thread(target=append, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(lines(folder)) == 200


def test_half_a_surrogate_pair_is_replaced(folder: StagingFolder) -> None:
    folder.append(INDEX, {"url": "http://x/\ud800"})
    assert lines(folder) == [{"url": "http://x/?"}]


def test_an_envelope_is_found_under_any_of_its_names(folder: StagingFolder) -> None:
    folder.write(["a/one.json"], b'{"envelope_id": "first"}')
    folder.write(["a/one-2.json"], b'{"envelope_id": "second"}')
    names = ["a/one.json", "a/one-2.json", "a/one-3.json"]
    assert folder.find(names, "second") == "a/one-2.json"
    assert folder.find(names, "third") is None


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"the staging folder .*/file/staged cannot be used"):
        StagingFolder(tmp_path / "file" / "staged").prepare()
