"""The messages between a scraper and its child process."""

from __future__ import annotations

import pytest

from wikicrawler.errors import ConfigError as ProjectConfigError
from wikicrawler.fields import errors
from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.llm import errors as llm_errors
from wikicrawler.fields.models import Evidence, Finding, ScraperConfig, ScrapeResult, Usage
from wikicrawler.fields.scraper import protocol
from wikicrawler.fields.scraper.protocol import SentError, encode, read_command, read_report

ERRORS = [
    errors.ScraperError,
    errors.FetchError,
    errors.ExtractionError,
    errors.ConfigError,
    errors.AllKeysExhaustedError,
    llm_errors.ContextTooLongError,
    llm_errors.ModelNotFoundError,
    llm_errors.QuotaExhaustedError,
]


@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_keeps_its_type_message_and_details(kind: type[errors.ScraperError]) -> None:
    sent = SentError.of(kind("it failed\nin two lines", {"status": 401, "why": ["a", None]}))
    received = read_report(encode(protocol.Failed(page=1, error=sent)))
    assert isinstance(received, protocol.Failed)
    error = received.error.to_exception()
    assert type(error) is kind
    assert error.message == "it failed\nin two lines"
    assert error.details == {"status": 401, "why": ["a", None]}


class OwnError(llm_errors.QuotaExhaustedError):
    """An error that only one side knows."""


def test_an_error_of_an_unknown_type_is_sent_as_the_next_known_one() -> None:
    error = SentError.of(OwnError("no money", {"at": {1}})).to_exception()
    assert type(error) is llm_errors.QuotaExhaustedError
    assert error.details == {"at": "{1}"}
    assert type(SentError.of(ProjectConfigError("wrong")).to_exception()) is errors.ConfigError
    other = SentError.of(ZeroDivisionError("by \x1bzero")).to_exception()
    assert type(other) is errors.ScraperError
    assert other.message == r"ZeroDivisionError: by \x1bzero"
    assert SentError(type="SystemExit", message="no").to_exception().message == "no"


COMMANDS = [
    protocol.Open(
        config=ScraperConfig(api_keys=("sk-one", "sk-two"), max_cost=0.5),
        settings={"DOWNLOAD_DELAY": 1.5},
    ),
    protocol.Job(
        job=1,
        fields=tuple(
            define_fields(
                {
                    "price": {"type": "number", "minimum": 0, "enum": [1, 2.5]},
                    "tags": "list[string]",
                    "offers": {"type": "list[object]", "properties": {"price": "number"}},
                }
            )
        ),
    ),
    protocol.Page(page=2, job=1, url="https://a.example/\u2028", depth=1, hosts=("a.example",)),
    protocol.Drop(page=2),
    protocol.End(job=1),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one.kind)
def test_a_command_is_a_line_that_is_read_as_it_was(command: protocol.Command) -> None:
    line = encode(command)
    assert line.count(b"\n") == 1
    assert read_command(line) == command


def test_a_result_keeps_its_evidence() -> None:
    evidence = Evidence(url="u", start=1, end=2, text="\n")
    finding = Finding(
        field="price", value=[1, 2.5, None, "x"], evidence=evidence, marks=("hidden",)
    )
    result = ScrapeResult(
        url="u",
        success=True,
        data={"price": {"a": [1]}},
        findings=(finding,),
        usage=Usage(requests=1, cost=None),
    )
    done = protocol.Done(page=1, result=result, own_url="v", links=("w",), limit="max_tokens")
    assert read_report(encode(done)) == done


@pytest.mark.parametrize(
    "line", [b"", b"\n", b"[]", b"{}", b'{"kind": "other"}', b'{"kind": "drop"}', b"\xff"]
)
def test_what_is_no_message_is_an_error(line: bytes) -> None:
    with pytest.raises(ValueError, match="not a message"):
        read_command(line)


def test_the_error_of_a_message_does_not_show_its_values() -> None:
    line = b'{"kind": "open", "config": {"api_keys": ["sk-secret"], "max_pages": "sk-other"}}'
    with pytest.raises(ValueError, match="max_pages") as caught:
        read_command(line)
    assert "sk-" not in str(caught.value)


def test_what_cannot_be_sent_is_an_error() -> None:
    result = ScrapeResult(url="u", success=True, data={"title": "\ud800"})
    with pytest.raises(ValueError, match="surrogates"):
        encode(protocol.Done(page=1, result=result))
    long = ScrapeResult(url="u", success=True, data={"title": "x" * protocol.MAX_LINE})
    with pytest.raises(ValueError, match="at most 67,108,864"):
        encode(protocol.Done(page=1, result=long))
