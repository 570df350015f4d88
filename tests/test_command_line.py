"""The project as a person runs it: ``scrapy`` in a shell of its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from wikicrawler.demo.server import DemoWiki

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
SCHEMA = json.loads((ROOT / "docs" / "crawl-result.schema.json").read_text())
FAST = ["-s", "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=6000"]


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoWiki]:
    with DemoWiki() as wiki:
        yield wiki


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A directory from which the project is run, as its own root is."""
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
    return tmp_path


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "scrapy", *arguments]


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)}


def scrapy(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments),
        cwd=cwd,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def records(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_a_crawl_writes_json_lines_that_are_valid_against_the_schema(
    demo: DemoWiki, project: Path
) -> None:
    seeds = f"seeds={demo.url}/wiki/Main_Page"
    done = scrapy("crawl", "wiki", "-a", seeds, "-O", "pages.jsonl", *FAST, cwd=project)
    assert done.returncode == 0, done.stderr
    pages = records(project / "pages.jsonl")
    assert len(pages) >= 30
    validator = Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER)
    assert [error.message for page in pages for error in validator.iter_errors(page)] == []
    assert done.stderr.rstrip().splitlines()[-1].startswith("  ")  # the summary is the last word
    assert f"pages written   {len(pages)}" in done.stderr
    assert "ERROR" not in done.stderr
    assert "Traceback" not in done.stderr


def test_two_crawls_of_the_same_wiki_give_the_same_records(demo: DemoWiki, project: Path) -> None:
    seeds = f"seeds={demo.url}/wiki/Main_Page"
    for name in ("first", "second"):
        scrapy("crawl", "wiki", "-a", seeds, "-O", f"{name}.jsonl", *FAST, cwd=project)
    first, second = (
        {page["url"]: page["content_hash"] for page in records(project / f"{name}.jsonl")}
        for name in ("first", "second")
    )
    assert first == second


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "argument seeds is missing"),
        (["-a", "seeds=ftp://x.org/"], "'ftp://x.org/' has the scheme 'ftp'"),
        (["-a", "seeds=nowhere.txt"], "nowhere.txt"),
        (["-a", "seed=https://x.org/"], "did you mean seeds?"),
        (["-a", "seeds=https://x.org/", "-a", "max_pages=0"], "argument max_pages"),
        (["-a", "seeds=https://x.org/", "-a", "follow=("], "argument follow: '('"),
        (["-a", "seeds=https://x.org/", "-s", "WIKICRAWLER_CONFIG=bad.yml"], "bad.yml:2: "),
        (["-a", "seeds=https://x.org/", "-s", "WIKICRAWLER_TIERS=htpp"], "no such tier: 'htpp'"),
        (
            ["-a", "seeds=https://x.org/", "-s", "WIKICRAWLER_TIER_POLICY=clever"],
            "'clever' is not a policy",
        ),
        (
            ["-a", "seeds=https://x.org/", "-s", "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=x"],
            "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE is 'x'",
        ),
        (
            ["-a", "seeds=https://x.org/", "-s", "WIKICRAWLER_MARKDOWN_ENABLED=maybe"],
            "WIKICRAWLER_MARKDOWN_ENABLED is 'maybe': True or False is needed",
        ),
        (
            ["-a", "seeds=https://x.org/", "-s", "WIKICRAWLER_TIERS_ENABLED=maybe"],
            "WIKICRAWLER_TIERS_ENABLED is 'maybe': True or False is needed",
        ),
        (
            ["-a", "seeds=https://x.org/", "-s", "WIKICRAWLER_CONTCT=me@example.org"],
            "WIKICRAWLER_CONTCT is not a setting of wikicrawler: did you mean WIKICRAWLER_CONTACT?",
        ),
        (
            [
                *("-a", "seeds=https://x.org/", "-s", 'FEEDS={"x.jsonl": {"format": "jsonlines"}}'),
                *("-s", "FEED_EXPORT_BATCH_ITEM_COUNT=2"),
            ],
            "batch_item_count): its URI needs %(batch_id)d or %(batch_time)s, like",
        ),
        (
            ["-a", "seeds=https://x.org/", "-s", 'FEEDS={"x.jsn": {"format": "jsn"}}'],
            "FEEDS: a feed cannot be exported",
        ),
        (
            ["-a", "seeds=https://x.org/", "-s", "DOWNLOAD_TLS_MIN_VERSION=TLS1.2"],
            "DOWNLOAD_TLS_MIN_VERSION is 'TLS1.2': TLSv1.0, TLSv1.1, TLSv1.2 or TLSv1.3 is needed",
        ),
        (
            ["-a", "seeds=https://x.org/", "-s", "WIKICRAWLER_CONTENT_WORKERS=many"],
            "WIKICRAWLER_CONTENT_WORKERS is 'many': a whole number, 0 or more,",
        ),
    ],
)
def test_a_mistake_is_told_in_a_line_and_the_exit_code_is_2(
    project: Path, arguments: list[str], message: str
) -> None:
    (project / "bad.yml").write_text("mediawiki_sites:\n  x.org: 5\n")
    done = scrapy("crawl", "wiki", *arguments, cwd=project)
    assert done.returncode == 2
    assert message in done.stderr.splitlines()[-1]
    assert done.stderr.splitlines()[-1].startswith("scrapy crawl wiki: error: ")
    assert "Traceback" not in done.stderr


def test_a_mistake_is_in_the_log_file_too(project: Path) -> None:
    wrong = ("-a", "seed=https://x.org/", "-s", "LOG_FILE=crawl.log")
    done = scrapy("crawl", "wiki", *wrong, cwd=project)
    assert done.returncode == 2
    (line,) = (line for line in (project / "crawl.log").read_text().splitlines() if "ERROR" in line)
    assert "no argument 'seed'" in line
    assert line.endswith("did you mean seeds?")


FAULTY = """
from pydantic import TypeAdapter

class Raises:
    def __init__(self):
        raise RuntimeError("a fault of the component")

class NeedsFile:
    def __init__(self):
        open("no-such-file")

class Validates:
    def __init__(self):
        TypeAdapter(int).validate_python("x")

class Connects:
    def open_spider(self):
        raise ConnectionRefusedError(111, "Connection refused")
"""


CRAWL = ("crawl", "wiki", "-a", "seeds=http://127.0.0.1:1/")


@pytest.mark.parametrize(
    ("command", "setting", "raised"),
    [
        (CRAWL, 'DOWNLOADER_MIDDLEWARES={"nosuch.mod": 1}', "No module named 'nosuch'"),
        (CRAWL, 'EXTENSIONS={"faulty.Raises": 1}', "a fault of the component"),
        (CRAWL, 'ITEM_PIPELINES={"faulty.NeedsFile": 1}', "No such file or directory: 'no-such"),
        (CRAWL, 'ITEM_PIPELINES={"faulty.Validates": 1}', "Input should be a valid integer"),
        (CRAWL, 'ITEM_PIPELINES={"faulty.Connects": 1}', "Connection refused"),
        (("tiers", "http://x.org/"), 'EXTENSIONS={"faulty.Raises": 1}', "a fault of the component"),
    ],
)
def test_an_error_of_a_component_at_the_start_is_logged_once_and_the_exit_code_is_1(
    project: Path, command: tuple[str, ...], setting: str, raised: str
) -> None:
    (project / "faulty.py").write_text(FAULTY)
    done = scrapy(*command, "-s", setting, "-s", "JOBDIR=job", cwd=project)
    assert done.returncode == 1
    failure = (
        "ERROR: The crawl failed with an unhandled error\n  Traceback (most recent call last):"
    )
    assert done.stderr.count(failure) == 1
    assert raised in done.stderr.partition(failure)[2]
    assert done.stderr.count(", in crawl_async\n") == 1  # nobody else logs it
    assert ": error: " not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["crawl", "wiki", "-a", "seeds=https://bob:hunter2@x.org/"],
        ["crawl", "wiki", "-a", "seeds=https://x.org/", "-s", "CRAWL4AI_URL=http://bob:hunter2@h/"],
        ["crawl", "wiki", "-a", "seeds=https://x.org/", "-a", "http_pass=hunter2"],
        ["tiers", "https://bob:hunter2@x.org/"],
    ],
)
def test_no_mistake_is_told_with_a_password(project: Path, arguments: list[str]) -> None:
    done = scrapy(*arguments, cwd=project)
    assert done.returncode == 2
    assert "hunter2" not in done.stderr + done.stdout


def test_skipped_pages_are_in_the_log_and_in_a_file_when_asked(
    demo: DemoWiki, project: Path
) -> None:
    scrapy(
        *("crawl", "wiki", "-a", f"seeds={demo.url}/wiki/Nowhere {demo.url}/wiki/Honey"),
        *("-a", "follow_links=false", "-s", "WIKICRAWLER_SKIPPED_FILE=skipped.jsonl", *FAST),
        cwd=project,
    )
    (skipped,) = records(project / "skipped.jsonl")
    assert (skipped["url"], skipped["reason"]) == (f"{demo.url}/wiki/Nowhere", "missing")


def test_ctrl_c_stops_and_the_same_command_goes_on_where_it_stopped(
    demo: DemoWiki, project: Path
) -> None:
    arguments = ["crawl", "wiki", "-a", f"seeds={demo.url}/wiki/Main_Page", "-o", "pages.jsonl"]
    arguments += ["-s", "JOBDIR=job", "-s", "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE=120"]
    before = len(demo.requests)
    process = subprocess.Popen(
        command(*arguments), cwd=project, env=environment(), stderr=subprocess.PIPE, text=True
    )
    give_up = time.monotonic() + 60
    while len(demo.requests) < before + 10 and time.monotonic() < give_up:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, log = process.communicate(timeout=120)
    first = len(records(project / "pages.jsonl"))
    assert 0 < first < 30, log
    done = scrapy(*arguments, *FAST, cwd=project)
    assert done.returncode == 0
    urls = Counter(page["url"] for page in records(project / "pages.jsonl"))
    assert len(urls) >= 30
    assert set(urls.values()) == {1}


def test_the_shell_gets_a_page_by_the_tiers(demo: DemoWiki, project: Path) -> None:
    config = project / "wiki.yml"
    config.write_text(f'mediawiki_sites:\n  "{demo.url[7:]}": {demo.api}\n')
    code = "print(response.meta['tier'], response.url, response.css('h1::text').get())"
    done = scrapy(
        "shell", "-c", code, "-s", f"WIKICRAWLER_CONFIG={config}", f"{demo.url}/wiki/Honey",
        cwd=project,
    )  # fmt: skip
    assert f"mediawiki {demo.url}/wiki/Honey Honey" in done.stdout


@pytest.mark.parametrize("command", ["shell", "fetch"])
def test_an_address_of_this_machine_may_be_asked_for_by_hand(
    demo: DemoWiki, project: Path, command: str
) -> None:
    arguments = ["-c", "print(response.text)"] if command == "shell" else ["--nolog"]
    done = scrapy(command, *arguments, f"{demo.url}/wiki/Honey", cwd=project)
    assert "<title>Honey" in done.stdout


def test_parse_check_and_list_work_without_seeds(demo: DemoWiki, project: Path) -> None:
    url = f"{demo.url}/wiki/Honey"
    parsed = scrapy("parse", "--spider", "wiki", "-c", "parse", "--nocolour", url, cwd=project)
    assert "'title': 'Honey'" in parsed.stdout
    assert scrapy("check", cwd=project).returncode == 0
    assert scrapy("list", cwd=project).stdout.split() == ["fields", "reports", "sources", "wiki"]


def test_genspider_writes_into_the_project(tmp_path: Path) -> None:
    ignore = shutil.ignore_patterns("__pycache__", "demo")
    shutil.copytree(ROOT / "wikicrawler", tmp_path / "wikicrawler", ignore=ignore)
    shutil.copy(ROOT / "scrapy.cfg", tmp_path)
    done = subprocess.run(
        command("genspider", "news", "https://news.example/"),
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "in module:\n  wikicrawler.spiders.news" in done.stdout, done.stderr
    assert (tmp_path / "wikicrawler" / "spiders" / "news.py").is_file()


def test_the_demonstration_crawl_is_one_command(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "wikicrawler.demo", "crawl", "--", "-O", "pages.jsonl"],
        cwd=project,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(records(project / "pages.jsonl")) >= 30
    assert "pages written" in done.stderr


def test_a_public_seed_without_a_contact_gives_a_warning_that_names_the_setting(
    project: Path,
) -> None:
    seeds = ["-a", "seeds=https://wiki.invalid.example.org/"]
    quick = ["-s", 'WIKICRAWLER_RETRY={"network": []}', "-s", "DNS_TIMEOUT=1"]
    warned = scrapy("crawl", "wiki", *seeds, *quick, cwd=project)
    assert "WIKICRAWLER_CONTACT is not set" in warned.stderr
    contact = ["-s", "WIKICRAWLER_CONTACT=me@example.org"]
    quiet = scrapy("crawl", "wiki", *seeds, *quick, *contact, cwd=project)
    assert "WIKICRAWLER_CONTACT is not set" not in quiet.stderr
    assert "'USER_AGENT': 'wikicrawler/0.1.0 (+me@example.org)'" in quiet.stderr


def test_who_fetches_one_page_waits_for_no_later_try(project: Path) -> None:
    learned = ["WIKICRAWLER_TIER_POLICY=learned", "WIKICRAWLER_PRIVATE_HOSTS=127.0.0.0/8"]
    at_once = ["ROBOTSTXT_OBEY=False", 'WIKICRAWLER_RETRY={"network": []}']
    options = [word for setting in (*learned, *at_once) for word in ("-s", setting)]
    done = scrapy("fetch", "http://127.0.0.1:9/", *options, cwd=project)
    assert "next: no tier left" in done.stderr
    assert "tier/put_off_count" not in done.stderr
