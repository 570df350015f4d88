"""An answer is asked for once, and a broken file in the cache is as if it were not there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.crawling import project_settings
from wikicrawler.fields.cache import MAX_FILE, AnswerCache, answer_key
from wikicrawler.fields.llm.responses import Completion
from wikicrawler.fields.models import Usage
from wikicrawler.fields.project_settings import cache_of

USAGE = Usage(requests=2, prompt_tokens=100, completion_tokens=10, cached_tokens=64, cost=None)
ANSWER = Completion(
    '{"a": "ä\ud800"}', "stop", None, USAGE, "m", usage_estimated=True, key_name="k"
)
ASKED: dict[str, Any] = {
    "messages": [{"role": "user", "content": "text"}],
    "schema": {"type": "object"},
    "model": "m",
    "base_url": "http://a/v1",
    "parameters": {"temperature": 0},
}
KEY = answer_key(**ASKED)


def test_an_answer_is_found_again_with_its_usage(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "new" / "cache", clock=lambda: 5.0)
    assert cache.get(KEY) is None
    assert not (tmp_path / "new").exists()
    assert cache.put(KEY, ANSWER)
    found = AnswerCache(str(cache.folder)).get(KEY)
    assert found is not None
    assert found.completion == ANSWER._replace(key_name="cache")
    assert found.time == 5.0


def test_only_the_owner_may_read_it_and_no_key_is_in_it(tmp_path: Path) -> None:
    AnswerCache(tmp_path / "cache").put(KEY, ANSWER._replace(key_name="key-01234567"))
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.name for path in files] == [f"{KEY}.json"]
    assert files[0].stat().st_mode & 0o777 == 0o600
    assert files[0].parent.stat().st_mode & 0o777 == 0o700
    assert "key-01234567" not in files[0].read_text()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("messages", [{"role": "user", "content": "other"}]),
        ("schema", None),
        ("model", "other"),
        ("base_url", "http://b/v1"),
        ("parameters", {"temperature": 1}),
    ],
)
def test_another_question_has_another_key(name: str, value: Any) -> None:
    assert answer_key(**ASKED | {name: value}) != KEY


def test_the_same_question_has_the_same_key() -> None:
    same = ASKED | {"base_url": "http://a/v1/", "messages": [{"content": "text", "role": "user"}]}
    assert answer_key(**same) == KEY
    assert answer_key(**ASKED | {"messages": [{"content": "\ud800"}]}) != KEY


@pytest.mark.parametrize(
    "answer",
    [
        ANSWER._replace(finish_reason="length"),
        ANSWER._replace(refusal="no"),
        ANSWER._replace(finish_reason="content_filter"),
        ANSWER._replace(text=""),
        ANSWER._replace(text="x" * (MAX_FILE + 1)),
    ],
)
def test_an_answer_that_is_not_whole_is_not_stored(tmp_path: Path, answer: Completion) -> None:
    cache = AnswerCache(tmp_path)
    assert not cache.put(KEY, answer)
    assert list(tmp_path.rglob("*")) == []


VALID = {"version": 1, "time": 1, "text": "{}", "finish_reason": None, "model": "m", "usage": {}}
BROKEN = {
    "empty": b"",
    "cut": json.dumps(VALID).encode()[:-1],
    "bytes": b"\xff\x00",
    "nested": b"[" * 100_000,
    "list": b"[]",
    "version": json.dumps(VALID | {"version": 0}).encode(),
    "no text": json.dumps(VALID | {"text": None}).encode(),
    "usage": json.dumps(VALID | {"usage": {"requests": "many"}}).encode(),
    "no usage": json.dumps(VALID | {"usage": None}).encode(),
    "time": json.dumps(VALID | {"time": "now"}).encode(),
    "refused": json.dumps(VALID | {"text": ""}).encode(),
    "large": json.dumps(VALID).encode() + b" " * MAX_FILE,
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_replaced(tmp_path: Path, data: bytes) -> None:
    cache = AnswerCache(tmp_path)
    path = tmp_path / KEY[:2] / f"{KEY}.json"
    path.parent.mkdir()
    path.write_bytes(data)
    assert cache.get(KEY) is None
    assert cache.put(KEY, ANSWER)
    assert cache.get(KEY) is not None


def test_a_file_as_it_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / KEY[:2] / f"{KEY}.json"
    path.parent.mkdir()
    path.write_text(json.dumps(VALID))
    assert AnswerCache(tmp_path).get(KEY) is not None


def test_a_folder_that_cannot_be_written_to_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = AnswerCache(tmp_path / "file")
    assert not cache.put(KEY, ANSWER)
    assert cache.get(KEY) is None
    (tmp_path / KEY[:2] / f"{KEY}.json").mkdir(parents=True)
    cache = AnswerCache(tmp_path)
    assert not cache.put(KEY, ANSWER)
    assert cache.get(KEY) is None
    assert len(list(tmp_path.rglob("*.tmp"))) == 0


@given(st.text(max_size=70))
def test_a_file_has_the_name_of_a_hash_alone(key: str) -> None:
    cache = AnswerCache("/nowhere")
    assert cache.get(key) is None
    with pytest.raises(ValueError, match="not a key"):
        cache.put(key, ANSWER)


def test_processes_that_write_at_once_leave_whole_answers(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from wikicrawler.fields.cache import AnswerCache\n"
        "from wikicrawler.fields.llm.responses import Completion\n"
        "from wikicrawler.fields.models import Usage\n"
        "cache, n = AnswerCache(sys.argv[1]), int(sys.argv[3])\n"
        "for _ in range(100):\n"
        "    text = str(n) * 50_000\n"
        "    assert cache.put(sys.argv[2], Completion(text, 'stop', None, Usage(), 'm'))\n"
        "    found = cache.get(sys.argv[2])\n"
        "    assert found and len(set(found.completion.text)) == 1\n"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path), KEY, str(n)])
        for n in range(3)
    ]
    assert [process.wait(120) for process in started] == [0, 0, 0]
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [f"{KEY}.json"]


def test_a_project_without_its_file_has_the_cache_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "wikicrawler.settings")
    cache = cache_of(project_settings())
    assert cache is not None
    assert cache.folder == Path(".scrapy/fields-answers")
    assert cache_of(project_settings(WIKICRAWLER_FIELDS_CACHE="")) is None
