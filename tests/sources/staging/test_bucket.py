"""The staging folder in a bucket: what its server does wrong, and what operators get wrong."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from scrapy.settings import Settings

from tests.servers.s3 import SECRET, TOKEN, Call, Fault
from wikicrawler.errors import ConfigError
from wikicrawler.sources.staging import object_list
from wikicrawler.sources.staging.location import staging_of
from wikicrawler.sources.staging.protocol import INDEX

if TYPE_CHECKING:
    from tests.servers.s3 import RealS3
    from wikicrawler.sources.staging.protocol import Staging

PATH, OTHER = "a.gov/2026-02-13/one.json", "a.gov/2026-02-13/two.json"


def bucket(s3: RealS3, **settings: Any) -> Staging:
    location = f"s3://{s3.new_bucket()}/staged"
    return staging_of(Settings({"WIKICRAWLER_STAGING": location, **s3.settings, **settings}))


def prepared(s3: RealS3) -> Staging:
    staging = bucket(s3)
    staging.prepare()
    s3.calls.clear()
    return staging


def creations(s3: RealS3, part: str = "") -> list[Call]:
    return [call for call in s3.calls if call.creates and part in call.path]


class Once:
    """The *faults*, in turn, of requests that create an object at *part*."""

    def __init__(self, part: str, *faults: Fault, creates: bool = True) -> None:
        self._part, self._faults, self._creates = part, list(faults), creates

    def __call__(self, call: Call) -> Fault | None:
        here = call.method == "PUT" and call.creates == self._creates and self._part in call.path
        return self._faults.pop(0) if here and self._faults else None


@pytest.mark.parametrize("fault", [Fault(done=True), Fault(500, done=True), Fault(503, done=True)])
def test_a_lost_answer_writes_no_envelope_twice(s3: RealS3, fault: Fault) -> None:
    staging = prepared(s3)
    s3.before = Once("one.json", fault)
    assert staging.write([PATH, OTHER], b"first") == PATH
    assert len(creations(s3)) == 2
    assert list(staging.paths()) == [PATH]


def test_a_lost_answer_lists_no_line_twice(s3: RealS3) -> None:
    staging = prepared(s3)
    s3.before = Once("_index/", Fault(done=True))
    staging.append(INDEX, {"n": 1})
    s3.before = Once("_index/", Fault(done=True), creates=False)
    staging.append(INDEX, {"n": 2})
    assert [json.loads(line) for line in staging.lines(INDEX)] == [{"n": 1}, {"n": 2}]


def test_a_conflict_with_another_write_is_tried_again(s3: RealS3) -> None:
    staging = prepared(s3)
    s3.before = Once("one.json", *[Fault(409, "ConditionalRequestConflict")] * 3)
    assert staging.write([PATH], b"first") == PATH
    assert staging.read_bytes(PATH) == b"first"


def test_what_cannot_be_written_is_an_error_of_the_system(s3: RealS3) -> None:
    staging = prepared(s3)
    s3.before = lambda _: Fault(403, "AccessDenied")
    with pytest.raises(OSError, match="put_object: HTTP 403 AccessDenied"):
        staging.write([PATH], b"first")
    with pytest.raises(OSError, match="get_object: HTTP 403 AccessDenied"):
        staging.read_bytes(PATH)


def test_a_line_that_was_not_written_leaves_the_others(s3: RealS3) -> None:
    staging = prepared(s3)
    staging.append(INDEX, {"n": 1})
    s3.before = lambda _: Fault(403, "AccessDenied")
    with pytest.raises(OSError, match="AccessDenied"):
        staging.append(INDEX, {"n": 2})
    s3.reset()
    staging.append(INDEX, {"n": 3})
    assert [json.loads(line) for line in staging.lines(INDEX)] == [{"n": 1}, {"n": 3}]


def test_a_line_whose_answer_was_lost_is_kept(s3: RealS3) -> None:
    staging = prepared(s3)
    staging.append(INDEX, {"n": 1})
    s3.before = lambda call: Fault(403, "AccessDenied", done=True) if call.method == "PUT" else None
    with pytest.raises(OSError, match="AccessDenied"):
        staging.append(INDEX, {"n": 2})
    s3.reset()
    staging.append(INDEX, {"n": 3})
    assert [json.loads(line)["n"] for line in staging.lines(INDEX)] == [1, 2, 3]


def test_a_run_has_one_object_until_it_is_long(s3: RealS3) -> None:
    staging = prepared(s3)
    staging.name_run("the-run")
    text = "x" * 1000
    paths = [staging.append(INDEX, {"n": n, "text": text}) for n in range(200)]
    size = object_list.MAX_OBJECT // 1024
    assert len(set(paths[: size - 10])) == 1
    assert len(set(paths)) == 2
    assert all(path.startswith("_index/2") and "_the-run" in path for path in paths)
    lines = [json.loads(line)["n"] for line in staging.lines(INDEX)]
    assert sorted(lines) == list(range(200))


def test_runs_of_one_second_are_read_in_their_order(s3: RealS3) -> None:
    staging = prepared(s3)
    for number in range(12):
        staging.name_run(str(uuid4()))
        staging.append(INDEX, {"n": number})
    assert [json.loads(line)["n"] for line in staging.lines(INDEX)] == list(range(12))


def test_a_server_that_ignores_conditions_is_refused(s3: RealS3) -> None:
    s3.ignores_conditions = True
    for _ in range(2):
        with pytest.raises(ConfigError, match=r"s3://staging-.*/staged .*ignores If-None-Match"):
            bucket(s3).prepare()


def test_a_server_without_conditions_is_refused(s3: RealS3) -> None:
    s3.before = lambda call: Fault(501, "NotImplemented") if call.creates else None
    with pytest.raises(ConfigError, match=r"HTTP 501 NotImplemented.*needs conditional writes"):
        bucket(s3).prepare()


def test_a_bucket_that_is_not_there_is_named(s3: RealS3) -> None:
    settings = {"WIKICRAWLER_STAGING": "s3://no-such-bucket", **s3.settings}
    with pytest.raises(ConfigError, match=r"s3://no-such-bucket cannot be used: .*NoSuchBucket"):
        staging_of(Settings(settings)).prepare()


def test_a_server_that_is_down_is_named(s3: RealS3) -> None:
    staging = bucket(s3, AWS_ENDPOINT_URL="http://127.0.0.1:1")
    with pytest.raises(ConfigError, match=r"cannot be used: .*127\.0\.0\.1:1"):
        staging.prepare()


def test_missing_credentials_are_reported(
    s3: RealS3, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    settings = {"WIKICRAWLER_STAGING": "s3://bucket", "AWS_ENDPOINT_URL": s3.url}
    with pytest.raises(ConfigError, match="Unable to locate credentials"):
        staging_of(Settings(settings)).prepare()


def test_the_endpoint_and_the_credentials_may_be_those_of_the_environment(
    s3: RealS3, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in s3.settings.items():
        monkeypatch.setenv(name, value)
    staging = staging_of(Settings({"WIKICRAWLER_STAGING": f"s3://{s3.new_bucket()}/"}))
    staging.prepare()
    assert staging.write([PATH], b"first") == PATH


@pytest.mark.parametrize(
    "wrong",
    [
        *("s3://", "s3://b", "s3:///x", "s3://bucket/../x", "s3://bucket/a//b"),
        *("s3://bucket/a?x=1", "s3://user:word@bucket", "gs://bucket/x", "s3://bucket/a b"),
    ],
)
def test_a_location_that_is_none_is_refused(wrong: str) -> None:
    with pytest.raises(
        ConfigError, match=r"^WIKICRAWLER_STAGING is .*s3://bucket/prefix is needed"
    ):
        staging_of(Settings({"WIKICRAWLER_STAGING": wrong}))


def test_no_secret_is_logged(s3: RealS3, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    staging = prepared(s3)
    staging.append(INDEX, {"n": 1})
    s3.before = lambda _: Fault(403, "AccessDenied")
    with pytest.raises(OSError, match="AccessDenied") as told:
        staging.write([PATH], b"first")
    for secret in (SECRET, TOKEN):
        assert secret not in caplog.text + str(told.value)
