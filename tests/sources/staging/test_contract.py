"""What a staging folder promises, on a file system and in a bucket."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import time
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

from wikicrawler.sources.staging.location import staging_of
from wikicrawler.sources.staging.protocol import ERRORS, INDEX

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.servers.s3 import RealS3
    from wikicrawler.sources.staging.protocol import Staging


@pytest.fixture(params=["folder", "bucket", "bucket with a prefix"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Staging]:
    """Opens one staging folder, each time as another process would."""
    settings = {"WIKICRAWLER_STAGING": str(tmp_path / "staged")}
    if request.param != "folder":
        s3: RealS3 = request.getfixturevalue("s3")
        prefix = "/a/staged" if "prefix" in request.param else ""
        settings = {"WIKICRAWLER_STAGING": f"s3://{s3.new_bucket()}{prefix}", **s3.settings}

    def once() -> Staging:
        staging = staging_of(Settings(settings))
        staging.prepare()
        return staging

    return once


@pytest.fixture
def staging(opened: Callable[[], Staging]) -> Staging:
    return opened()


ONE, TWO, THREE = "a.gov/2026-02-13/one.json", "a.gov/2026-02-13/two.json", "a.gov/x/three.json"


def test_what_has_a_path_is_never_overwritten(staging: Staging) -> None:
    assert staging.write([ONE, TWO], b'{"envelope_id": "first"}') == ONE
    assert staging.write([ONE, TWO], b'{"envelope_id": "second"}') == TWO
    assert staging.read(ONE) == {"envelope_id": "first"}
    assert staging.read(TWO) == {"envelope_id": "second"}


def test_of_many_writers_at_once_one_gets_a_path(opened: Callable[[], Staging]) -> None:
    start = Barrier(8)
    paths = [f"a.gov/2026-02-13/{number}.json" for number in range(8)]

    def write(number: int) -> tuple[str, bytes]:
        staging, data = opened(), json.dumps({"envelope_id": f"{number}"}).encode()
        start.wait()
        return staging.write(paths, data), data

    with ThreadPoolExecutor(8) as pool:
        written = dict(pool.map(write, range(8)))
    assert sorted(written) == paths
    assert {path: opened().read_bytes(path) for path in paths} == written


def test_no_free_path_is_an_error(staging: Staging) -> None:
    staging.write([ONE], b"first")
    with pytest.raises(ValueError, match="no path was free"):
        staging.write([ONE], b"second")


def test_an_envelope_is_found_under_any_of_its_paths(staging: Staging) -> None:
    staging.write([ONE], b'{"envelope_id": "first"}')
    staging.write([TWO], b'{"envelope_id": "second"}')
    assert staging.find([ONE, TWO, THREE], "second") == TWO
    assert staging.find([ONE, TWO, THREE], "third") is None
    assert staging.find([THREE], "first") is None


def test_what_is_not_there_or_no_envelope_cannot_be_read(staging: Staging) -> None:
    staging.write([ONE], b"[1]")
    staging.write([TWO], b"")
    assert staging.find([TWO, THREE], "first") is None
    with pytest.raises(FileNotFoundError):
        staging.read(THREE)
    with pytest.raises(FileNotFoundError):
        staging.read_bytes(THREE)
    with pytest.raises(ValueError, match="not an envelope"):
        staging.read(ONE)
    with pytest.raises(ValueError, match="Expecting value"):
        staging.read(TWO)


def test_what_is_removed_is_gone(staging: Staging) -> None:
    staging.write([ONE], b"{}")
    staging.write([TWO], b"{}")
    staging.remove(ONE)
    staging.remove(ONE)
    assert list(staging.paths()) == [TWO]


def test_the_sizes_are_those_of_what_is_there(staging: Staging) -> None:
    staging.write([ONE], b"{}")
    staging.write([TWO], b"")
    staging.write([THREE], b"[1]")
    assert staging.sizes([ONE, TWO, "a.gov/x/four.json"]) == {ONE: 2, TWO: 0}


def test_the_paths_are_those_of_envelopes(staging: Staging) -> None:
    for path in (ONE, TWO, THREE):
        staging.write([path], b"{}")
    for name in (INDEX, ERRORS, "_confirmed.jsonl"):
        staging.append(name, {"n": 1})
    assert sorted(staging.paths()) == [ONE, TWO, THREE]


def test_a_list_has_the_lines_of_all_processes(opened: Callable[[], Staging]) -> None:
    one, two = opened(), opened()
    one.name_run("run-1")
    two.name_run("run-2")
    for number in range(3):
        one.append(INDEX, {"run": 1, "number": number})
        two.append(INDEX, {"run": 2, "number": number})
    two.append(ERRORS, {"error": "é\n"})
    lines = [json.loads(line) for line in opened().lines(INDEX)]
    for run in (1, 2):
        assert [line["number"] for line in lines if line["run"] == run] == [0, 1, 2]
    assert [json.loads(line) for line in opened().lines(ERRORS)] == [{"error": "é\n"}]
    assert list(opened().lines("_other.jsonl")) == []


def test_two_processes_of_one_run_lose_no_line(opened: Callable[[], Staging]) -> None:
    one, two = opened(), opened()
    for staging in (one, two, one, two):
        staging.name_run("run")
        staging.append(INDEX, {"n": 1})
    assert len(list(opened().lines(INDEX))) == 4


def test_lines_of_several_threads_are_whole(
    staging: Staging, opened: Callable[[], Staging]
) -> None:
    def append(writer: int) -> None:
        for number in range(20):
            staging.append(INDEX, {"writer": writer, "number": number, "text": "x" * 5000})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(append, range(4)))
    lines = [json.loads(line) for line in opened().lines(INDEX)]
    assert len(lines) == 80
    assert len({(line["writer"], line["number"]) for line in lines}) == 80


def test_half_a_surrogate_pair_is_replaced(staging: Staging) -> None:
    staging.append(INDEX, {"url": "http://x/\ud800"})
    assert [json.loads(line) for line in staging.lines(INDEX)] == [{"url": "http://x/?"}]


def test_the_index_tells_where_an_envelope_is_listed(opened: Callable[[], Staging]) -> None:
    since = time()
    one, two = opened(), opened()
    one.name_run("run-1")
    two.name_run("run-2")
    first = one.append(INDEX, {"envelope_id": "first"})
    second = two.append(INDEX, {"envelope_id": "second"})
    found = opened().listed(["first", "second", "third"], since)
    assert found == {"first": first, "second": second}


def test_a_folder_exists_once_it_was_prepared(
    opened: Callable[[], Staging], tmp_path: Path, s3: RealS3
) -> None:
    assert opened().exists()
    assert not staging_of(Settings({"WIKICRAWLER_STAGING": str(tmp_path / "other")})).exists()
    other = {"WIKICRAWLER_STAGING": f"s3://{s3.new_bucket()}", **s3.settings}
    assert not staging_of(Settings(other)).exists()


def test_it_can_be_prepared_again(opened: Callable[[], Staging]) -> None:
    opened().write([ONE], b"first")
    assert opened().read_bytes(ONE) == b"first"
