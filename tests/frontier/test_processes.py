"""What ends a crawl from outside: signals, a second process, disks and pipes that take no more."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import signal
import subprocess
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pytest

from tests.frontier.sites import Crawl, ManyPages
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

JOB = ("-s", "JOBDIR=job")


@pytest.fixture
def site() -> Iterator[ManyPages]:
    with ManyPages(120, delay=0.02) as site:
        yield site


@pytest.fixture
def crawl(site: ManyPages, tmp_path: Path) -> Crawl:
    return Crawl(tmp_path, f"{site.url}/0")


def whole(crawl: Crawl, site: ManyPages) -> None:
    """All pages are in the feed, each once."""
    written = crawl.written()
    assert set(written) == site.urls()
    assert set(written.values()) == {1}


# Signals


def page(*links: str) -> Reply:
    anchors = "".join(f'<p><a href="{link}">A page</a></p>' for link in links)
    text = "<p>Some words of a page that is worth reading.</p>"
    return Reply(body=f"<!doctype html><title>T</title><main>{text}{anchors}</main>")


@pytest.fixture
def hanging() -> Iterator[ScriptedServer]:
    """A site of which one page does not answer the first time."""
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404)).on("/", page("/slow", "/a")).on("/a", page())
        server.on("/slow", Reply(delay=25), page())
        yield server


def stopped(crawl: Crawl, server: ScriptedServer, *signals: signal.Signals) -> int:
    """Exit code of a crawl that is sent the signals while only the slow page is under way."""
    process = crawl.start(*JOB)
    crawl.wait_for(lambda: "/slow" in server.paths() and len(crawl.lines()) == 2, process)
    for count, number in enumerate(signals):
        crawl.wait_for(lambda n=count: crawl.log.count("] INFO: Received SIG") == n, process)
        process.send_signal(number)
    code = process.wait(120)
    (slow,) = (x for x in server.exchanges if x.path == "/slow")
    assert slow.end == float("inf")  # it has not answered yet
    return code


def goes_on(crawl: Crawl, server: ScriptedServer) -> None:
    assert crawl.run(*JOB) == 0
    written = crawl.written()
    assert set(written) == {server.url(path) for path in ("/", "/slow", "/a")}
    assert set(written.values()) == {1}
    assert "Traceback" not in crawl.log


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_one_signal_ends_the_crawl_and_a_page_that_hangs_is_fetched_later(
    tmp_path: Path, hanging: ScriptedServer, number: signal.Signals
) -> None:
    crawl = Crawl(tmp_path, hanging.url("/"))
    assert stopped(crawl, hanging, number) == 128 + number
    abandoned = f"abandoned until the crawl is resumed: {hanging.url('/slow')}"
    assert abandoned in crawl.log
    goes_on(crawl, hanging)


def test_a_second_signal_ends_it_at_once_and_nothing_is_lost(
    tmp_path: Path, hanging: ScriptedServer
) -> None:
    crawl = Crawl(tmp_path, hanging.url("/"))
    code = stopped(crawl, hanging, signal.SIGTERM, signal.SIGTERM)
    assert code == 128 + signal.SIGTERM
    assert "given up" not in crawl.log  # the deadline had not come
    goes_on(crawl, hanging)


def test_without_a_state_folder_it_ends_in_time_too_and_names_what_is_lost(tmp_path: Path) -> None:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404)).on("/", Reply(delay=25))
        crawl = Crawl(tmp_path, server.url("/"))
        process = crawl.start()
        crawl.wait_for(lambda: "/" in server.paths(), process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(120) == 128 + signal.SIGTERM
        assert f"Unfinished pages are lost: {server.url('/')}" in crawl.log


def test_a_signal_while_the_crawl_starts_ends_it_and_nothing_is_lost(
    tmp_path: Path, hanging: ScriptedServer
) -> None:
    crawl = Crawl(tmp_path, hanging.url("/a"))
    process = crawl.start(*JOB)
    crawl.wait_for(lambda: "Enabled addons" in crawl.log, process)
    process.send_signal(signal.SIGINT)
    assert process.wait(120) == 128 + signal.SIGINT
    assert crawl.run(*JOB) == 0
    assert set(crawl.written()) == {hanging.url("/a")}


# One process a state folder


def test_a_second_process_stops_and_says_who_has_the_folder(crawl: Crawl, site: ManyPages) -> None:
    first = crawl.start(*JOB, "-s", "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=60")
    crawl.wait_for(lambda: len(crawl.lines()) > 0, first)
    second = crawl.start(*JOB, stderr=subprocess.PIPE)
    message = second.communicate(timeout=120)[1].splitlines()[-1]
    assert second.returncode == 5
    assert message.startswith("scrapy crawl wiki: error: JOBDIR job: process ")
    assert str(first.pid) in message
    first.kill()
    first.wait()
    assert crawl.run(*JOB) == 0
    whole(crawl, site)


# A state folder that cannot be used


def failing(crawl: Crawl, *arguments: str) -> tuple[int, str]:
    """Exit code and last line of a crawl that does not start."""
    process = crawl.start(*arguments, stderr=subprocess.PIPE)
    output = process.communicate(timeout=120)[1]
    assert "Traceback" not in output
    return process.returncode, output.splitlines()[-1]


def test_a_folder_that_cannot_be_made_is_told(crawl: Crawl) -> None:
    (crawl.folder / "file").write_text("")
    code, message = failing(crawl, "-s", "JOBDIR=file/job")
    assert code == 6
    assert "JOBDIR" in message
    assert "Not a directory" in message


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system")
def test_a_read_only_folder_is_told(crawl: Crawl) -> None:
    with mounted(crawl.folder / "job", "ro"):
        code, message = failing(crawl, *JOB)
    assert code == 6
    assert "JOBDIR job: cannot be used: Read-only file system" in message


@pytest.mark.parametrize("content", [b"nonsense" * 1000, b"SQLite format 3\0" + b"x" * 5000])
def test_a_damaged_database_is_told(crawl: Crawl, content: bytes) -> None:
    (crawl.folder / "job").mkdir()
    (crawl.folder / "job" / "frontier.sqlite").write_bytes(content)
    code, message = failing(crawl, *JOB)
    assert code == 6
    assert "frontier.sqlite: cannot be used: " in message


def test_a_crawl_of_scrapys_own_scheduler_is_told_how_to_go_on(crawl: Crawl) -> None:
    (crawl.folder / "job" / "requests.queue").mkdir(parents=True)
    code, message = failing(crawl, *JOB)
    assert code == 6
    assert "SCHEDULER=scrapy.core.scheduler.Scheduler" in message


# Output that cannot be written


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("cannot mount")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system")
@pytest.mark.parametrize("full", ["output", "state"])
def test_a_full_disk_stops_the_crawl_and_it_goes_on_when_there_is_room(
    crawl: Crawl, site: ManyPages, full: str
) -> None:
    disk = crawl.folder / "disk"
    with mounted(disk, "size=2m"):
        feed = disk / "pages.jsonl" if full == "output" else crawl.feed
        job = ("-s", f"JOBDIR={'job' if full == 'output' else disk}")
        output = ("-o", str(feed))
        slowly = ("-s", "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=1200")
        process = crawl.start(*job, *slowly, output=output)
        crawl.wait_for(lambda: feed.exists() and feed.read_bytes().count(b"\n") > 5, process)
        fill(disk / "filler")
        assert process.wait(120) == 4, crawl.log[-2000:]
        assert "out_of_space" in crawl.log
        lines = feed.read_text().splitlines(keepends=True)
        assert all(line.endswith("\n") and json.loads(line) for line in lines)
        assert len(lines) < site.count
        (disk / "filler").unlink()
        assert crawl.run(*job, output=output) == 0, crawl.log[-2000:]
        urls = [json.loads(line)["url"] for line in feed.open()]
    assert sorted(urls) == sorted(site.urls())
    assert "Traceback" not in crawl.log


def fill(path: Path) -> None:
    """Leave no room on the disk of *path*."""
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 4096)


def test_a_file_that_may_not_grow_stops_the_crawl_with_whole_lines(
    crawl: Crawl, site: ManyPages
) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))

    process = crawl.start(stderr=subprocess.PIPE, preexec_fn=limit)
    assert "pages.jsonl: cannot be written: File too large" in process.communicate(timeout=120)[1]
    assert process.returncode == 4
    assert 10 < len(crawl.written()) < 120


def test_an_output_that_cannot_be_opened_ends_the_crawl_before_it_begins(
    crawl: Crawl, site: ManyPages
) -> None:
    (crawl.folder / "folder.jsonl").mkdir()
    assert crawl.run(output=("-o", "folder.jsonl")) == 4
    assert "folder.jsonl: cannot be written: Is a directory" in crawl.log
    assert site.asked == []


def test_a_closed_pipe_stops_the_crawl_and_no_page_is_lost(crawl: Crawl, site: ManyPages) -> None:
    process = crawl.start(*JOB, output=("-o", "-:jsonl"), stdout=subprocess.PIPE)
    assert process.stdout is not None
    fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)  # what lies in it is lost with it
    seen = [json.loads(process.stdout.readline())["url"] for _ in range(10)]
    process.stdout.close()
    assert process.wait(120) == 4
    assert "standard output: cannot be written: Broken pipe" in crawl.log
    assert "Traceback" not in crawl.log
    assert crawl.run(*JOB) == 0  # to a file now
    # What was in the pipe when it was closed is gone with its reader, but for no page else.
    assert len(set(seen) | set(crawl.written())) > 100


# Exit codes


def test_a_crawl_that_writes_no_page_says_so(tmp_path: Path) -> None:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404)).on("/", Reply(404))
        crawl = Crawl(tmp_path, server.url("/"))
        assert crawl.run() == 3


def test_overwriting_is_appending_where_the_crawl_goes_on(crawl: Crawl, site: ManyPages) -> None:
    over = ("-O", "pages.jsonl")
    crawl.feed.write_text("old\n")
    process = crawl.start(*JOB, output=over)
    crawl.wait_for(lambda: len(crawl.lines()) > 20, process)
    process.kill()
    process.wait()
    assert crawl.run(*JOB, output=over) == 0
    whole(crawl, site)
    assert "the crawl goes on, so the file is appended to" in crawl.log
