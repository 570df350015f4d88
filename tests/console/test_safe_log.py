"""The log has one entry for each event, whatever it contains, and no secrets."""

from __future__ import annotations

import io
import logging
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.settings import Settings

from wikicrawler.console.safe_log import protect_log

if TYPE_CHECKING:
    from collections.abc import Iterator

FORGED = "2026-01-01 00:00:00 [root] ERROR: forged"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """The output of a log handler with Scrapy's format."""
    factory, written = logging.getLogRecordFactory(), io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(logging.Formatter("%(asctime)s [%(name)s] %(levelname)s: %(message)s"))
    logger = logging.getLogger("tests.safe_log")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.addHandler(handler)
    protect_log(Settings())
    yield written
    logger.removeHandler(handler)
    logging.setLogRecordFactory(factory)


logger = logging.getLogger("tests.safe_log")


def entries(text: str) -> int:
    """Count the entries in *text*; an indented line belongs to the entry above."""
    return sum(1 for line in text.splitlines() if not line.startswith(" "))


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\x0b", "\x1e", "\x85", "\u2028", "\u2029"])
def test_a_line_end_in_an_argument_is_escaped(log: io.StringIO, end: str) -> None:
    logger.error("Crawled <GET https://x.org/%s>", f"{end}{FORGED}")
    (line,) = log.getvalue().splitlines()
    assert line.endswith(f"{FORGED}>")


def test_a_line_end_in_an_exception_as_message_is_escaped(log: io.StringIO) -> None:
    logger.error(ValueError(f"bad\n{FORGED}"))
    (line,) = log.getvalue().splitlines()
    assert line.endswith(f"bad\\n{FORGED}")


@given(said=st.text(max_size=30))
def test_a_message_is_always_printable(said: str) -> None:
    protect_log(Settings())
    record = logging.getLogger("x").makeRecord("x", 20, "f", 1, "it says %s", (said,), None)
    assert record.getMessage().isprintable()


@given(said=st.text(max_size=30))
def test_the_further_lines_of_an_entry_are_indented(said: str) -> None:
    protect_log(Settings())
    record = logging.getLogger("x").makeRecord("x", 20, "f", 1, f"Item:\n{said}", (), None)
    assert entries(record.getMessage()) == 1


@pytest.mark.parametrize("char", ["\x1b[2J", "\x00", "\u202e", "\ud800", "\u200b", "\x9b31m"])
def test_control_characters_are_escaped(log: io.StringIO, char: str) -> None:
    logger.info("title %s", char)
    assert log.getvalue().rstrip("\n").isprintable()
    assert char.encode("unicode_escape").decode() in log.getvalue()


def test_a_traceback_is_indented_below_its_entry(log: io.StringIO) -> None:
    try:
        raise ValueError(f"bad\n{FORGED}\x1b[2J https://bob:hunter2@x.org/")
    except ValueError:
        logger.exception("It failed")
    text = log.getvalue()
    assert entries(text) == 1
    assert "\n  Traceback (most recent call last):\n" in text
    assert f"\n  {FORGED}\\x1b[2J https://***@x.org/\n" in text


def test_an_indented_list_is_unchanged(log: io.StringIO) -> None:
    logger.info("Summary\n%s", "  pages   5\n  skipped 1")
    assert log.getvalue().endswith("INFO: Summary\n  pages   5\n  skipped 1\n")


def test_plain_messages_are_unchanged(log: io.StringIO) -> None:
    logger.info("Site %r is slowed: https://x.org/@user?a=b@c, Größe 5 µm 日本", "x.org")
    assert "INFO: Site 'x.org' is slowed: https://x.org/@user?a=b@c, Größe 5 µm 日本\n" in (
        log.getvalue()
    )


# Secrets


@pytest.mark.parametrize(
    "url",
    [
        "https://bob:hunter2@x.org/",
        "ftp://bob:hunter2@x.org/feed.csv",
        "http://bob:hun@ter2@[::1]:80/",
        "http://hunter2@x.org",
    ],
)
def test_the_login_of_a_url_is_hidden(log: io.StringIO, url: str) -> None:
    logger.info("Stored csv feed in: %s", url)
    assert "ter2" not in log.getvalue()
    assert "://***@" in log.getvalue()


def test_the_value_of_a_secret_setting_is_hidden_everywhere(log: io.StringIO) -> None:
    protect_log(Settings({"MY_API_TOKEN": "t0p-s3cret", "JOBDIR": "job-folder"}))
    logger.warning("header b'Bearer t0p-s3cret' of job-folder")
    assert log.getvalue().endswith("header b'Bearer ***' of job-folder\n")


@pytest.mark.parametrize(
    "shown",
    ["'FTP_PASSWORD': 'pw'", "'AWS_SECRET_ACCESS_KEY': \"k'\"", "http_pass='x'", "api_key='x'"],
)
def test_a_short_secret_is_hidden_in_a_dump_of_settings(log: io.StringIO, shown: str) -> None:
    logger.info("Overridden settings:\n%(settings)s", {"settings": f"{{{shown}}}"})
    name = re.split("[:=]", shown)[0]
    assert f"{name}" in log.getvalue()
    assert "'***'" in log.getvalue()
    assert shown not in log.getvalue()


def test_the_token_of_the_environment_is_hidden(
    log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWL4AI_API_TOKEN", "from-the-environment")
    protect_log(Settings())
    logger.info("it is from-the-environment")
    assert log.getvalue().endswith("it is ***\n")


def test_the_projects_own_record_factory_is_kept() -> None:
    class Own(logging.LogRecord):
        extra = "theirs"

    before = logging.getLogRecordFactory()
    try:
        logging.setLogRecordFactory(Own)
        protect_log(Settings())
        record = logging.getLogger("x").makeRecord("x", 20, "f", 1, "a%s", ("\n",), None)
        assert isinstance(record, Own)
        assert record.getMessage() == "a\\n"
    finally:
        logging.setLogRecordFactory(before)
