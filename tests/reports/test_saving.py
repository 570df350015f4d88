"""Downloads to the disk in a running crawl, from a real server."""

from __future__ import annotations

import asyncio
import gzip
import json
import signal
import subprocess
import sys
import time
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.running import do
from tests.servers.documents import Document, DocumentServer
from wikicrawler.errors import TierInterruptedError
from wikicrawler.reports.errors import (
    DocumentNotFoundError,
    FetchError,
    Outcome,
    RateLimitExceededError,
    ReportError,
    RequestTimeoutError,
)
from wikicrawler.reports.saving import DocumentSaver

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wikicrawler.reports.fetching import SavedFile

BODY = b"".join(sha256(b"%d" % n).digest() for n in range(20_000))  # 640 kB
OTHER = BODY[::-1]


async def save(
    url: str, target: Path, settings: dict[str, Any] | None = None, **arguments: Any
) -> SavedFile:
    """Download *url* in a crawl of its own."""
    found: list[SavedFile] = []

    async def work(crawler: Any) -> None:
        found.append(await DocumentSaver(crawler).save(url, target, **arguments))

    await do(work, **(settings or {}))
    return found[0]


@pytest.fixture
def server() -> Iterator[DocumentServer]:
    with DocumentServer() as running:
        yield running


def left(target: Path) -> list[str]:
    """The files beside *target*, without it."""
    return sorted(path.name for path in target.parent.iterdir() if path != target)


def leave_part(target: Path, size: int, body: bytes = BODY, **state: Any) -> None:
    """Leave what a killed download leaves."""
    target.with_name(target.name + ".part").write_bytes(body[:size])
    target.with_name(target.name + ".part.json").write_text(json.dumps(state))


@deferred_f_from_coro_f
async def test_a_document_is_saved_by_one_request(server: DocumentServer, tmp_path: Path) -> None:
    server.on("/a", Document(BODY))
    target = tmp_path / "new" / "a.pdf"
    saved = await save(server.url("/a"), target)
    assert target.read_bytes() == BODY
    assert saved.size == len(BODY)
    assert (saved.url, saved.content_type, saved.resumed_at) == (
        server.url("/a"),
        "application/pdf",
        0,
    )
    assert left(target) == []
    assert server.ranges() == [""]
    assert server.log[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("body", [b"", b"small", BODY[:65536], BODY[:65537]])
@deferred_f_from_coro_f
async def test_the_size_makes_no_difference(
    body: bytes, server: DocumentServer, tmp_path: Path
) -> None:
    server.on("/a", Document(body))
    assert (await save(server.url("/a"), tmp_path / "a")).size == len(body)
    assert (tmp_path / "a").read_bytes() == body


@deferred_f_from_coro_f
async def test_a_document_of_undeclared_length_is_saved(
    server: DocumentServer, tmp_path: Path
) -> None:
    server.on("/a", Document(BODY, {"Content-Length": "", "Content-Type": ""}))
    saved = await save(server.url("/a"), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == BODY
    assert saved.content_type == ""


@deferred_f_from_coro_f
async def test_a_cut_download_goes_on_within_the_crawl(
    server: DocumentServer, tmp_path: Path
) -> None:
    server.on("/a", Document(BODY, cut=300_000), Document(BODY))
    saved = await save(server.url("/a"), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == BODY
    assert server.ranges() == ["", "bytes=300000-"]
    assert server.log[1].headers["if-range"] == '"one"'
    assert sum(one.sent for one in server.log) == len(BODY)
    assert saved.resumed_at == 0  # of an earlier run


@deferred_f_from_coro_f
async def test_without_retries_a_cut_download_fails_and_is_kept(
    server: DocumentServer, tmp_path: Path
) -> None:
    server.on("/a", Document(BODY, cut=300_000), Document(BODY))
    target = tmp_path / "a"
    with pytest.raises(FetchError):
        await save(server.url("/a"), target, retries=False)
    assert left(target) == ["a.part", "a.part.json"]
    assert len(server.log) == 1
    saved = await save(server.url("/a"), target, retries=False)
    assert saved.resumed_at == 300_000
    assert target.read_bytes() == BODY
    assert server.ranges() == ["", "bytes=300000-"]
    assert left(target) == []


@deferred_f_from_coro_f
async def test_a_download_that_is_always_cut_is_given_up(
    server: DocumentServer, tmp_path: Path
) -> None:
    server.on("/a", *(Document(BODY, cut=1000) for _ in range(9)))
    with pytest.raises(FetchError) as caught:
        await save(server.url("/a"), tmp_path / "a")
    assert caught.value.outcome is Outcome.FAILED
    assert len(server.log) == 2  # one retry, by the settings of these tests
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("headers", "etag"), [({}, ""), ({"ETag": 'W/"one"'}, '"one"'), ({"ETag": "one"}, '"one"')]
)
@deferred_f_from_coro_f
async def test_a_date_of_modification_continues_where_no_strong_etag_does(
    headers: dict[str, str], etag: str, server: DocumentServer, tmp_path: Path
) -> None:
    server.on("/a", Document(BODY, headers, cut=300_000, etag=etag), Document(BODY, headers))
    await save(server.url("/a"), tmp_path / "a")
    assert server.log[1].headers["if-range"] == "Fri, 03 Nov 2023 18:08:27 GMT"
    assert server.log[1].sent == len(BODY) - 300_000
    assert (tmp_path / "a").read_bytes() == BODY


@pytest.mark.parametrize(
    "modified",
    ["", "Tue, 24 Nov 2026 12:00:00 GMT", "yesterday", "Fri, 03 Nov 2023 99:08:27 GMT", "x" * 99],
)
@deferred_f_from_coro_f
async def test_without_a_strong_validator_a_download_starts_again(
    modified: str, server: DocumentServer, tmp_path: Path
) -> None:
    headers = {"ETag": "", "Last-Modified": modified}
    server.on("/a", Document(BODY, headers, cut=300_000), Document(OTHER, headers))
    await save(server.url("/a"), tmp_path / "a")
    assert server.ranges() == ["", ""]
    assert (tmp_path / "a").read_bytes() == OTHER


@pytest.mark.parametrize(
    "answer",
    [
        Document(OTHER, etag='"two"'),
        Document(OTHER, ranges=False),
        Document(OTHER, ranges=False, headers={"Content-Encoding": "identity"}),
    ],
    ids=["changed", "ranges ignored", "identity"],
)
@deferred_f_from_coro_f
async def test_a_whole_answer_replaces_the_part(
    answer: Document, server: DocumentServer, tmp_path: Path
) -> None:
    target = tmp_path / "a"
    server.on("/a", answer)
    leave_part(target, 300_000, url=server.url("/a"), validator='"one"', length=len(BODY))
    saved = await save(server.url("/a"), target)
    assert server.ranges() == ["bytes=300000-"]
    assert target.read_bytes() == OTHER
    assert saved.resumed_at == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Range": f"bytes 300001-{len(BODY) - 1}/{len(BODY)}"},
        {"Content-Range": f"bytes 0-{len(BODY) - 1}/{len(BODY)}"},
        {"Content-Range": "bytes 300000-639999/700000"},
        {"Content-Range": "bytes 300000-639999/640000", "ETag": '"two"'},
        {"Content-Range": "bytes 300000-639999/640000", "Content-Encoding": "gzip"},
    ],
    ids=["shifted", "from the start", "another length", "another version", "encoded"],
)
@deferred_f_from_coro_f
async def test_a_part_that_does_not_fit_is_not_appended(
    headers: dict[str, str], server: DocumentServer, tmp_path: Path
) -> None:
    target = tmp_path / "a"
    server.on("/a", Document(OTHER[300_000:], headers, status=206), Document(BODY))
    leave_part(target, 300_000, url=server.url("/a"), validator='"one"', length=len(BODY))
    await save(server.url("/a"), target)
    assert server.ranges() == ["bytes=300000-", ""]
    assert target.read_bytes() == BODY


@pytest.mark.parametrize("value", ["", "bytes 9-3/10", "bytes=1-2", "chapters 1-2/3", "bytes x"])
@deferred_f_from_coro_f
async def test_a_206_without_a_valid_range_is_not_appended(
    value: str, server: DocumentServer, tmp_path: Path
) -> None:
    target = tmp_path / "a"
    server.on("/a", Document(OTHER[300_000:], {"Content-Range": value}, status=206), Document(BODY))
    leave_part(target, 300_000, url=server.url("/a"), validator='"one"', length=len(BODY))
    await save(server.url("/a"), target)
    assert server.ranges() == ["bytes=300000-", ""]
    assert target.read_bytes() == BODY


@deferred_f_from_coro_f
async def test_a_server_may_send_less_than_the_rest(server: DocumentServer, tmp_path: Path) -> None:
    target = tmp_path / "a"
    middle = {"Content-Range": f"bytes 300000-399999/{len(BODY)}"}
    server.on("/a", Document(BODY[300_000:400_000], middle, status=206), Document(BODY))
    leave_part(target, 300_000, url=server.url("/a"), validator='"one"', length=None)
    saved = await save(server.url("/a"), target)
    assert server.ranges() == ["bytes=300000-", "bytes=400000-"]
    assert target.read_bytes() == BODY
    assert saved.resumed_at == 300_000


@deferred_f_from_coro_f
async def test_a_server_that_never_fits_is_given_up(server: DocumentServer, tmp_path: Path) -> None:
    wrong = Document(BODY, {"Content-Range": "bytes 7-8/9"}, status=206)
    server.on("/a", wrong)
    with pytest.raises(FetchError, match="do not fit"):
        await save(server.url("/a"), tmp_path / "a")
    assert len(server.log) == 4


@deferred_f_from_coro_f
async def test_a_part_that_is_complete_is_not_downloaded_again(
    server: DocumentServer, tmp_path: Path
) -> None:
    target = tmp_path / "a"
    server.on("/a", Document(BODY))
    leave_part(target, len(BODY), url=server.url("/a"), validator='"one"', length=len(BODY))
    saved = await save(server.url("/a"), target)
    assert [one.sent for one in server.log] == [0]  # 416
    assert target.read_bytes() == BODY
    assert saved.size == len(BODY)


@deferred_f_from_coro_f
async def test_a_416_for_another_length_starts_again(
    server: DocumentServer, tmp_path: Path
) -> None:
    target = tmp_path / "a"
    server.on("/a", Document(b"", {"Content-Range": "bytes */5"}, status=416), Document(OTHER))
    leave_part(target, 300_000, url=server.url("/a"), validator='"one"', length=None)
    await save(server.url("/a"), target)
    assert server.ranges() == ["bytes=300000-", ""]
    assert target.read_bytes() == OTHER


@pytest.mark.parametrize(
    "state",
    [
        {"url": "http://127.0.0.1:9/a", "validator": '"one"', "length": len(BODY)},
        {"url": "{url}", "validator": None, "length": len(BODY)},
        {"url": "{url}", "validator": '"one"', "length": 10},
        {"url": "{url}", "validator": 5, "length": 10},
        {"url": "{url}", "validator": '"one"', "length": "long"},
        {"url": "{url}", "validators": '"one"'},
        {},
    ],
    ids=["another url", "no validator", "too long", "wrong type", "wrong length", "key", "empty"],
)
@deferred_f_from_coro_f
async def test_a_part_of_unknown_origin_is_replaced(
    state: dict[str, Any], server: DocumentServer, tmp_path: Path
) -> None:
    target = tmp_path / "a"
    server.on("/a", Document(BODY))
    filled = {key: server.url("/a") if value == "{url}" else value for key, value in state.items()}
    leave_part(target, 300_000, OTHER, **filled)
    await save(server.url("/a"), target)
    assert server.ranges() == [""]
    assert target.read_bytes() == BODY


@deferred_f_from_coro_f
async def test_an_error_does_not_cost_the_part(server: DocumentServer, tmp_path: Path) -> None:
    target = tmp_path / "a"
    server.on("/a", Document(b"busy", {"Retry-After": "0"}, status=503), Document(BODY))
    leave_part(target, 300_000, url=server.url("/a"), validator='"one"', length=len(BODY))
    saved = await save(server.url("/a"), target)
    assert server.ranges() == ["bytes=300000-"] * 2
    assert saved.resumed_at == 300_000
    assert target.read_bytes() == BODY


@deferred_f_from_coro_f
async def test_an_encoded_body_is_decoded_and_not_continued(
    server: DocumentServer, tmp_path: Path
) -> None:
    packed = gzip.compress(BODY)
    coded = {"Content-Encoding": "gzip"}
    server.on("/a", Document(packed, coded, cut=300_000), Document(packed, coded))
    await save(server.url("/a"), tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == BODY
    assert server.ranges() == ["", ""]


@deferred_f_from_coro_f
async def test_redirects_are_followed_and_continued_at_their_end(
    server: DocumentServer, tmp_path: Path
) -> None:
    away = Document(b"moved", {"Location": server.url("/b")}, status=302)
    server.on("/a", away)
    server.on("/b", Document(BODY, cut=300_000), Document(BODY))
    with pytest.raises(FetchError):
        await save(server.url("/a"), tmp_path / "a", retries=False)
    saved = await save(server.url("/a"), tmp_path / "a")
    assert saved.url == server.url("/b")
    assert [(one.path, one.range) for one in server.log] == [
        ("/a", ""),
        ("/b", ""),
        ("/a", ""),
        ("/b", "bytes=300000-"),
    ]
    assert (tmp_path / "a").read_bytes() == BODY


@pytest.mark.parametrize(
    ("answer", "error", "outcome"),
    [
        (Document(b"", status=404), DocumentNotFoundError, Outcome.NOT_FOUND),
        (Document(b"", status=410), DocumentNotFoundError, Outcome.NOT_FOUND),
        (Document(b"", {"Retry-After": "7"}, status=429), RateLimitExceededError, None),
        (Document(b"", {"Retry-After": "7"}, status=503), RateLimitExceededError, None),
        (
            Document(b"<title>SEC.gov | Request Rate Threshold Exceeded</title>", status=403),
            RateLimitExceededError,
            None,
        ),
        (Document(b"AccessDenied", status=403), FetchError, Outcome.FAILED),
        (Document(BODY, status=404), DocumentNotFoundError, Outcome.NOT_FOUND),
        (Document(b"", status=500), FetchError, Outcome.FAILED),
        (Document(b"", {"Location": "ftp://x/"}, status=302), FetchError, Outcome.FAILED),
        (Document(BODY, {"Content-Encoding": "gzip"}), FetchError, Outcome.FAILED),
    ],
)
@deferred_f_from_coro_f
async def test_other_answers_are_the_errors_of_the_protocol(
    answer: Document,
    error: type[ReportError],
    outcome: Outcome | None,
    server: DocumentServer,
    tmp_path: Path,
) -> None:
    server.on("/a", answer)
    with pytest.raises(error) as caught:
        await save(server.url("/a"), tmp_path / "a", retries=False)
    assert type(caught.value) is error
    if (answer.status or 0) >= 400:
        assert caught.value.status == answer.status
        assert caught.value.body == answer.body[:8192]
    if outcome is not None:
        assert caught.value.outcome is outcome
    if "Retry-After" in answer.headers:
        assert caught.value.retry_after == 7.0  # type: ignore[attr-defined]
    assert not (tmp_path / "a").exists()
    assert len(server.log) == 1


@deferred_f_from_coro_f
async def test_robots_txt_is_obeyed(server: DocumentServer, tmp_path: Path) -> None:
    server.on("/robots.txt", Document(b"User-agent: *\nDisallow: /a\n"))
    with pytest.raises(FetchError) as caught:
        await save(server.url("/a"), tmp_path / "a")
    assert caught.value.outcome is Outcome.ROBOTS
    assert server.log == []


@pytest.mark.parametrize("headers", [{}, {"Content-Length": ""}], ids=["declared", "not declared"])
@deferred_f_from_coro_f
async def test_a_larger_document_is_stopped(
    headers: dict[str, str], server: DocumentServer, tmp_path: Path
) -> None:
    server.on("/a", Document(BODY * 20, headers))
    with pytest.raises(FetchError, match="more than 100,000 bytes") as caught:
        await save(server.url("/a"), tmp_path / "a", max_bytes=100_000)
    assert caught.value.outcome is Outcome.TOO_LARGE
    part = tmp_path / "a.part"
    assert not part.exists() or part.stat().st_size <= 100_000
    assert len(server.log) == 1


@deferred_f_from_coro_f
async def test_the_bound_counts_what_an_earlier_run_has(
    server: DocumentServer, tmp_path: Path
) -> None:
    target = tmp_path / "a"
    server.on("/a", Document(BODY))
    leave_part(target, 300_000, url=server.url("/a"), validator='"one"', length=None)
    with pytest.raises(FetchError) as caught:
        await save(server.url("/a"), target, max_bytes=500_000)
    assert caught.value.outcome is Outcome.TOO_LARGE


@deferred_f_from_coro_f
async def test_a_bomb_is_stopped_while_it_is_decoded(
    server: DocumentServer, tmp_path: Path
) -> None:
    packed = gzip.compress(bytes(5_000_000))
    server.on("/a", Document(packed, {"Content-Encoding": "gzip"}))
    with pytest.raises(FetchError) as caught:
        await save(server.url("/a"), tmp_path / "a", max_bytes=1_000_000)
    assert caught.value.outcome is Outcome.TOO_LARGE


@deferred_f_from_coro_f
async def test_the_default_of_scrapy_does_not_limit_documents(
    server: DocumentServer, tmp_path: Path
) -> None:
    server.on("/a", Document(BODY))
    await save(server.url("/a"), tmp_path / "a", {"DOWNLOAD_MAXSIZE": 1000})
    assert (tmp_path / "a").stat().st_size == len(BODY)


@deferred_f_from_coro_f
async def test_a_server_that_does_not_answer_is_a_timeout(
    server: DocumentServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wikicrawler.reports.saving.SECONDS", 0.3)
    server.on("/a", Document(BODY, hold=200_000))
    with pytest.raises(RequestTimeoutError):
        await save(server.url("/a"), tmp_path / "a", {"DOWNLOAD_TIMEOUT": 0.3}, retries=False)
    assert (tmp_path / "a.part").stat().st_size == 200_000


@deferred_f_from_coro_f
async def test_the_slot_and_the_headers_are_the_callers(
    server: DocumentServer, tmp_path: Path
) -> None:
    server.on("/a", Document(BODY))
    slots: list[str] = []

    async def work(crawler: Any) -> None:
        from scrapy import signals

        def reached(request: Any) -> None:
            slots.append(request.meta["download_slot"])

        crawler.signals.connect(reached, signals.request_reached_downloader)
        headers = {"User-Agent": "Demo demo@example.com"}
        await DocumentSaver(crawler).save(
            server.url("/a"), tmp_path / "a", headers=headers, slot="sec"
        )

    await do(work)
    assert slots[-1] == "sec"
    assert server.log[0].headers["user-agent"] == "Demo demo@example.com"


@deferred_f_from_coro_f
async def test_several_documents_are_told_apart(server: DocumentServer, tmp_path: Path) -> None:
    server.on("/a", Document(BODY, cut=300_000), Document(BODY))
    server.on("/b", Document(OTHER))

    async def work(crawler: Any) -> None:
        saver = DocumentSaver(crawler)
        both = (saver.save(server.url(path), tmp_path / path[1:]) for path in ("/a", "/b"))
        await asyncio.gather(*both)

    await do(work)
    assert (tmp_path / "a").read_bytes() == BODY
    assert (tmp_path / "b").read_bytes() == OTHER


@deferred_f_from_coro_f
async def test_a_target_is_downloaded_once_at_a_time(
    server: DocumentServer, tmp_path: Path
) -> None:
    server.on("/a", Document(BODY))

    async def work(crawler: Any) -> None:
        saver = DocumentSaver(crawler)
        both = (saver.save(server.url("/a"), tmp_path / "a") for _ in range(2))
        results = await asyncio.gather(*both, return_exceptions=True)
        assert sorted(type(one).__name__ for one in results) == ["SavedFile", "ValueError"]

    await do(work)


@deferred_f_from_coro_f
async def test_a_crawl_that_is_stopped_ends_the_download_and_keeps_the_part(
    server: DocumentServer, tmp_path: Path
) -> None:
    server.on("/a", Document(BODY, hold=200_000), Document(BODY))
    target = tmp_path / "a"

    ended: list[BaseException] = []

    async def download(crawler: Any) -> None:
        try:
            await DocumentSaver(crawler).save(server.url("/a"), target)
        except TierInterruptedError as error:
            ended.append(error)
        server.release()  # what still comes is refused

    async def work(crawler: Any) -> None:
        tasks.append(asyncio.ensure_future(download(crawler)))
        await asyncio.to_thread(server.held.wait, 60)
        tasks.append(asyncio.ensure_future(crawler.stop_async()))
        await asyncio.sleep(60)  # the crawl ends it

    tasks: list[asyncio.Future[None]] = []
    with suppress(asyncio.CancelledError):
        await do(work)
    await asyncio.gather(*tasks)
    assert len(ended) == 1
    assert not target.exists()
    assert (tmp_path / "a.part").stat().st_size <= len(BODY)
    saved = await save(server.url("/a"), target)
    assert saved.resumed_at > 0
    assert target.read_bytes() == BODY


@deferred_f_from_coro_f
async def test_a_disk_that_takes_nothing_is_an_error_of_the_download(
    server: DocumentServer, tmp_path: Path
) -> None:
    server.on("/a", Document(BODY))
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FetchError, match="cannot be written"):
        await save(server.url("/a"), tmp_path / "file" / "a")
    (tmp_path / "b").mkdir()
    with pytest.raises(FetchError, match="cannot be written"):
        await save(server.url("/a"), tmp_path / "b")  # a folder of that name


@deferred_f_from_coro_f
async def test_a_full_disk_is_an_error_of_the_download(
    server: DocumentServer, tmp_path: Path
) -> None:
    server.on("/a", Document(BODY))
    (tmp_path / "a.part").symlink_to("/dev/full")
    with pytest.raises(FetchError, match="No space left"):
        await save(server.url("/a"), tmp_path / "a")


def test_a_download_that_is_killed_resumes(server: DocumentServer, tmp_path: Path) -> None:
    target = tmp_path / "a.pdf"
    part = tmp_path / "a.pdf.part"
    server.on("/a", Document(BODY, hold=400_000), Document(BODY))
    command = [
        *(sys.executable, "-m", "tests.reports.saving_process"),
        *(server.url("/a"), str(target)),
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not (part.exists() and part.stat().st_size == 400_000):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert not target.exists()

    again = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert again.stdout.split() == ["400000"], again.stderr
    assert target.read_bytes() == BODY
    assert left(target) == []
    assert server.ranges() == ["", "bytes=400000-"]
    assert [one.sent for one in server.log] == [400_000, len(BODY) - 400_000]
