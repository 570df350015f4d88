"""Which feeds are found, and that nothing else is opened."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from wikicrawler.errors import ConfigError
from wikicrawler.explain import result_files as module
from wikicrawler.explain.result_files import Kind, find_result_files
from wikicrawler.explain.results import read_results

if TYPE_CHECKING:
    from pathlib import Path

PAGE = json.dumps({"type": "page", "url": "https://a.test/", "data": {}}) + "\n"
REPORT = json.dumps({"type": "report", "company": {}}) + "\n"


def write(path: Path, text: str, age: float = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    os.utime(path, (1e9 - age, 1e9 - age))
    return path


def names(root: Path, *given: str, kind: Kind = Kind.FIELDS) -> list[str]:
    return [one.name for one in find_result_files(given, root).of(kind)]


def why(root: Path, *given: str) -> dict[str, str]:
    return {one.name: one.why for one in find_result_files(given, root).skipped}


def test_feeds_are_found_by_pattern_folder_and_name(tmp_path: Path) -> None:
    for age, name in enumerate(("a.jsonl", "b/c.jl", "b/d/e.jsonl", "f.txt")):
        write(tmp_path / name, PAGE, age)
    assert names(tmp_path, "*.jsonl") == ["a.jsonl"]
    assert names(tmp_path, "b") == ["b/c.jl"]
    assert names(tmp_path, "b/**/*.jsonl", "f.txt") == ["b/d/e.jsonl", "f.txt"]
    assert names(tmp_path / "b", "../*.jsonl") == ["../a.jsonl"]
    assert names(tmp_path, str(tmp_path / "*.jsonl"), "a.jsonl", "") == ["a.jsonl"]


def test_the_newest_stand_first(tmp_path: Path) -> None:
    for age, name in ((5, "old"), (0, "new"), (3, "middle")):
        write(tmp_path / f"{name}.jsonl", PAGE, age)
    assert names(tmp_path, "*.jsonl") == ["new.jsonl", "middle.jsonl", "old.jsonl"]


def test_the_first_lines_say_what_a_feed_is(tmp_path: Path) -> None:
    write(tmp_path / "both.jsonl", "{broken\n[]\n\n" + PAGE + REPORT)
    write(tmp_path / "wiki.jsonl", '{"type": "page", "markdown": "data"}\n')
    write(tmp_path / "empty.jsonl", "")
    write(tmp_path / "late.jsonl", "{}\n" * 50 + PAGE)
    assert names(tmp_path, "*.jsonl") == ["both.jsonl"]
    assert names(tmp_path, "*.jsonl", kind=Kind.REPORTS) == ["both.jsonl"]
    told = why(tmp_path, "*.jsonl")
    assert told.keys() == {"wiki.jsonl", "empty.jsonl", "late.jsonl"}
    assert "has no records of fields or reports" in told["wiki.jsonl"]
    assert "is empty" in told["empty.jsonl"]


def test_a_first_line_that_is_long_says_it_with_its_beginning(tmp_path: Path) -> None:
    page = {"type": "page", "url": "u", "data": {}, "content": "x" * (1 << 20)}
    write(tmp_path / "long.jsonl", json.dumps(page) + "\n")
    write(tmp_path / "other.jsonl", json.dumps({"type": "page", "text": "x" * (1 << 20)}) + "\n")
    assert names(tmp_path, "*.jsonl") == ["long.jsonl"]


def test_a_feed_that_changes_is_looked_into_again(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", PAGE + PAGE[:9])
    (torn,) = find_result_files(["*.jsonl"], tmp_path).files
    assert torn.is_torn
    path.write_text(PAGE + PAGE)
    (whole,) = find_result_files(["*.jsonl"], tmp_path).files
    assert not whole.is_torn
    assert whole.token == torn.token


def test_links_that_leave_the_folder_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "out" / "secret.jsonl", PAGE)
    inner = write(tmp_path / "in" / "a.jsonl", PAGE, 1)
    (tmp_path / "in" / "b.jsonl").symlink_to(tmp_path / "out" / "secret.jsonl")
    (tmp_path / "in" / "c.jsonl").symlink_to(inner)
    (tmp_path / "in" / "d.jsonl").symlink_to("d.jsonl")
    (tmp_path / "in" / "e.jsonl").symlink_to("nowhere")
    (tmp_path / "in" / "f").symlink_to(tmp_path / "out")
    assert names(tmp_path, "in", "in/**/*.jsonl", "in/f/*.jsonl")[-1:] == ["in/a.jsonl"]
    told = why(tmp_path, "in")
    assert told.keys() == {"in/b.jsonl", "in/d.jsonl", "in/e.jsonl"}
    assert "leads out of its folder" in told["in/b.jsonl"]


def test_what_is_no_file_is_neither_opened_nor_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    assert why(tmp_path, "*.jsonl") == dict.fromkeys(
        ("pipe.jsonl", "folder.jsonl"), "is not a regular file"
    )
    with pytest.raises(ConfigError, match="cannot be read"):
        read_results(tmp_path / "pipe.jsonl")


def test_a_link_is_not_read_in_place_of_a_file(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", PAGE)
    (tmp_path / "b.jsonl").symlink_to(tmp_path / "a.jsonl")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_results(tmp_path / "b.jsonl")


def test_no_more_than_the_newest_files_are_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_FILES", 3)
    for age in range(5):
        write(tmp_path / f"{age}.jsonl", PAGE, age)
    found = find_result_files(["*.jsonl"], tmp_path)
    assert [one.name for one in found.files] == ["0.jsonl", "1.jsonl", "2.jsonl"]
    assert found.left_out == 2


@pytest.mark.parametrize("name", ["a**/*.jsonl", "a\0b", "**b"])
def test_a_name_that_is_no_pattern_says_what_would_be_right(tmp_path: Path, name: str) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(ConfigError, match="pattern"):
        find_result_files([name], tmp_path)


@pytest.mark.parametrize("name", ["nothing.jsonl", "nothing/*.jsonl", "x" * 5_000])
def test_a_name_of_nothing_finds_nothing(tmp_path: Path, name: str) -> None:
    assert find_result_files([name], tmp_path).files == ()
