"""litellm, in a process of its own, is asked as a server is, and answers as one."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import project_settings
from tests.crawling import run as crawl
from tests.fields.llm.asking import MESSAGES, ONE, SCHEMA, TITLE, TWO, Asking
from tests.fields.llm.wire import run
from tests.servers import openai_twists as twists
from tests.servers.openai_model import ScriptedModel
from tests.servers.scripted import ScriptedServer
from tests.spiders.test_fields import page
from wikicrawler.errors import ConfigError
from wikicrawler.fields.errors import AllKeysExhaustedError, ExtractionError
from wikicrawler.fields.litellm_extra import find_litellm, price_by_litellm
from wikicrawler.fields.llm.errors import (
    ContextTooLongError,
    ModelNotFoundError,
    QuotaExhaustedError,
)
from wikicrawler.fields.llm.litellm_process import LitellmProcess
from wikicrawler.fields.llm.requests import HttpRequest, HttpResponse, TransportError
from wikicrawler.fields.models import ScraperConfig
from wikicrawler.fields.project_settings import price_in
from wikicrawler.fields.providers import Endpoint, endpoint_of, key_variable_of
from wikicrawler.spiders.fields import FieldsSpider

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.servers.openai_twists import Twist

NAME = "hosted_vllm/m"
"""A provider of litellm at any address; what it is asked for is what OpenAI's API has."""


class ByLitellm:
    """A transport by litellm. All calls are made in one loop, in which its process is."""

    def __init__(self, process: LitellmProcess) -> None:
        self.process = process
        self.sent: list[HttpRequest] = []

    async def send(self, request: HttpRequest) -> HttpResponse:
        self.sent.append(request)
        return await self.process.ask(request)


def asked(folder: Path, model: ScriptedModel, work: Callable[..., Any], *keys: str) -> Any:
    """Return what *work* does with a client that asks by litellm."""
    process = LitellmProcess(folder, model.base_url)
    asking = Asking(
        model, *keys, transport=ByLitellm(process), name=NAME, by_litellm=True, timeout=60.0
    )

    async def call() -> Any:
        try:
            return await work(asking)
        finally:
            await process.close()

    return run(call())


async def _ask(asking: Asking) -> Any:
    return await asking.client.complete(MESSAGES, SCHEMA, max_tokens=100)


async def _failure(asking: Asking, kind: type[Exception]) -> Any:
    """Ask, and return the exception, which has no key."""
    with pytest.raises(kind) as raised:
        await _ask(asking)
    assert type(raised.value) is kind
    assert "secret" not in f"{raised.value!r} {vars(raised.value)}"
    return raised.value


def test_answers_and_their_usage_are_those_of_a_direct_request(
    model: ScriptedModel, litellm_folder: Path
) -> None:
    some: list[Twist | None] = [
        *(None, twists.fenced, twists.truncated, twists.filtered, twists.refused, twists.empty),
        *(twists.using(None), twists.texts(None)),
    ]
    direct = []
    for twist in some:
        model.reset()
        model.always(twist)
        direct.append(Asking(model, ONE).ask(max_tokens=100))

    async def work(asking: Asking) -> None:
        for twist, expected in zip(some, direct, strict=True):
            model.reset()
            model.always(twist)
            found = await _ask(asking)
            assert found._replace(model="m") == expected._replace(model="m")
            (request,) = model.requests
            assert request.key == ONE
            assert request.format == "json_schema"
            assert request.body["max_tokens"] == 100

    asked(litellm_folder, model, work, ONE)


def test_errors_mean_what_those_of_a_direct_request_do(
    model: ScriptedModel, litellm_folder: Path
) -> None:
    async def work(asking: Asking) -> None:
        model.for_key(ONE, twists.error(401, message=f"Incorrect API key provided: {ONE}"))
        assert (await _ask(asking)).key_name == "key 2"
        model.reset()
        model.always(twists.rate_limited("30"), None)
        assert (await _ask(asking)).text == TITLE
        assert asking.clock.slept == [30.0]
        model.reset()
        model.always(twists.error(400, "context_length_exceeded"))
        await _failure(asking, ContextTooLongError)
        model.reset()
        model.always(twists.error(500, message=f"it broke on {TWO}"))
        assert "it broke on ***" in (await _failure(asking, ExtractionError)).message
        assert len(model.requests) == 4
        model.reset()
        model.always(twists.no_quota())
        await _failure(asking, QuotaExhaustedError)
        other = Asking(model, ONE, transport=asking.transport, name="nobody/m", by_litellm=True)
        error = await _failure(other, ModelNotFoundError)
        assert error.details["message"] == "litellm knows no such provider"
        model.reset()
        model.always(twists.error(403, message="no"))
        again = Asking(model, ONE, TWO, transport=asking.transport, name=NAME, by_litellm=True)
        await _failure(again, AllKeysExhaustedError)
        assert [request.key for request in model.requests] == [ONE, TWO]

    asked(litellm_folder, model, work, ONE, TWO)


def _files(folder: Path) -> list[Path]:
    found = list(folder.rglob("*.json"))
    assert found
    return found


@deferred_f_from_coro_f
async def test_a_crawl_reads_a_page_by_litellm(
    litellm_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.syspath_prepend(str(litellm_folder))
    sys.path.append(sys.path.pop(0))  # this environment's own packages come first
    caplog.set_level("DEBUG")
    with ScriptedModel([ONE, TWO]) as model, ScriptedServer() as site:
        model.for_key(ONE, twists.error(401, message=f"no such key {ONE}"))
        site.on("/plans", page("Plans", "<p>Price: 14.50 EUR</p>"))
        settings = project_settings(
            WIKICRAWLER_FIELDS_MODEL=f"litellm/{NAME}",
            WIKICRAWLER_FIELDS_BASE_URL=model.base_url,
            WIKICRAWLER_FIELDS_API_KEYS=f"{ONE},{TWO}",
            WIKICRAWLER_FIELDS_CACHE=str(tmp_path / "answers"),
            ROBOTSTXT_OBEY=False,
        )
        done = await crawl(FieldsSpider, settings, url=site.url("/plans"), fields="price: number")
        (item,) = done.items
        assert item["data"] == {"price": 14.5}
        assert item["usage"]["prompt_tokens"] == model.usage.prompt_tokens
        assert item["usage"]["completion_tokens"] == model.usage.completion_tokens
        assert done.stats["fields/llm/request_count"] == len(model.requests) == 2
        assert done.stats["fields/llm/status_count/401"] == 1
    kept = "".join(one.read_text() for one in _files(tmp_path))
    assert "secret" not in f"{done.items} {done.stats} {caplog.text} {kept}"


# A litellm of these tests: the real one is slow, and does not misbehave on demand.

_FAKE = """
import os, sys, time, asyncio
print("to the terminal")
telemetry, callbacks, success_callback = True, ["spy"], ["spy"]
class ContentPolicyViolationError(Exception): pass
class ContextWindowExceededError(Exception): pass
class Response:
    def __init__(self, text): self.text = text
    def model_dump(self, mode):
        return {"choices": [{"message": {"content": self.text}}], "usage": {"prompt_tokens": 0}}
async def acompletion(messages, **given):
    word = messages[0]["content"]
    if word == "hang": time.sleep(60)
    if word == "slow": await asyncio.sleep(60)
    if word == "die": os._exit(3)
    if word == "long": return Response("x" * 10_000)
    if word == "tell": raise RuntimeError(given["api_key"] + " " + os.environ["OTHER_API_KEY"])
    names = ("LITELLM_LOCAL_MODEL_COST_MAP", "LITELLM_MODE", "LITELLM_LOG")
    return Response(str((telemetry, callbacks, success_callback, list(map(os.environ.get, names)),
        given["num_retries"], given["max_retries"])))
"""


@pytest.fixture
def fake(tmp_path: Path) -> Path:
    (tmp_path / "litellm").mkdir()
    (tmp_path / "litellm/__init__.py").write_text(_FAKE)
    return tmp_path


def question(word: str, timeout: float = 30.0, max_body: int = 1_000) -> HttpRequest:
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": word}]}).encode()
    return HttpRequest("POST", "", {"Authorization": f"Bearer {ONE}"}, body, timeout, max_body)


def with_fake(folder: Path, work: Callable[[LitellmProcess], Any]) -> Any:
    process = LitellmProcess(folder, grace=0.2)

    async def call() -> Any:
        try:
            return await work(process)
        finally:
            await process.close()

    return run(call())


def test_it_reports_nothing_to_others(fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITELLM_LOG", "DEBUG")

    async def work(process: LitellmProcess) -> None:
        answer = json.loads((await process.ask(question("settings"))).body)
        found = answer["choices"][0]["message"]["content"]
        assert found == str((False, [], [], ["True", "PRODUCTION", None], 0, 0))
        assert "usage" not in answer

    with_fake(fake, work)


def test_no_key_leaves_it(fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_API_KEY", "sk-of-another-provider")

    async def work(process: LitellmProcess) -> None:
        answer = await process.ask(question("tell"))
        assert answer.status == 500
        assert json.loads(answer.body)["error"]["message"] == "*** ***"

    with_fake(fake, work)


def test_a_process_that_hangs_is_killed_and_another_goes_on(fake: Path) -> None:
    async def work(process: LitellmProcess) -> None:
        with pytest.raises(TimeoutError):
            await process.ask(question("hang", timeout=0.5))
        assert (await process.ask(question("x"))).status == 200

    with_fake(fake, work)


def test_a_question_has_its_time_and_the_others_go_on(fake: Path) -> None:
    async def work(process: LitellmProcess) -> None:
        slow = asyncio.create_task(process.ask(question("slow", timeout=0.5)))
        assert (await process.ask(question("x"))).status == 200
        assert (await slow).status == 408
        assert (await process.ask(question("x"))).status == 200

    with_fake(fake, work)


def test_a_process_that_dies_is_a_failed_connection(fake: Path) -> None:
    async def work(process: LitellmProcess) -> None:
        with pytest.raises(TransportError):
            await process.ask(question("die"))
        assert (await process.ask(question("x"))).status == 200

    with_fake(fake, work)


def test_an_answer_is_cut_behind_its_limit(fake: Path) -> None:
    async def work(process: LitellmProcess) -> None:
        assert len((await process.ask(question("long"))).body) == 1_001

    with_fake(fake, work)


def test_a_cancelled_question_is_nobodys(fake: Path) -> None:
    async def work(process: LitellmProcess) -> None:
        asking = asyncio.create_task(process.ask(question("slow", timeout=0.3)))
        await process.ask(question("x"))
        asking.cancel()
        await asyncio.sleep(0.5)
        assert (await process.ask(question("x"))).status == 200

    with_fake(fake, work)


def test_a_litellm_that_cannot_be_imported_says_why(tmp_path: Path) -> None:
    (tmp_path / "litellm").mkdir()
    (tmp_path / "litellm/__init__.py").write_text("import no_such_module")

    async def work(process: LitellmProcess) -> None:
        with pytest.raises(ConfigError, match="No module named 'no_such_module'"):
            await process.ask(question("x"))

    with_fake(tmp_path, work)


# Which models are asked by it


@pytest.fixture
def installed(fake: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    price = {"litellm_provider": "cohere", "mode": "chat"}
    price |= {"input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6}
    (fake / "litellm/model_prices_and_context_window_backup.json").write_text(
        json.dumps({"command-r": price, "azure/gpt-4o": {"mode": "chat"}, "x/y": {"mode": "image"}})
    )
    monkeypatch.syspath_prepend(str(fake))
    return fake


@pytest.mark.parametrize(
    ("model", "base_url", "endpoint", "variable"),
    [
        ("cohere/command-r", None, Endpoint("", "cohere/command-r", False, True), "COHERE_API_KEY"),
        ("azure/mine", None, Endpoint("", "azure/mine", False, True), "AZURE_API_KEY"),
        ("litellm/a-b/m", None, Endpoint("", "a-b/m", False, True), "A_B_API_KEY"),
        (
            "litellm/anthropic/m",
            None,
            Endpoint("", "anthropic/m", False, True),
            "ANTHROPIC_API_KEY",
        ),
        ("litellm/a/m", "http://h/v1/", Endpoint("http://h/v1", "a/m", False, True), None),
        (
            "cohere/command-r",
            "http://h/v1",
            Endpoint("http://h/v1", "cohere/command-r", False),
            None,
        ),
        (
            "openai/gpt-4o",
            None,
            Endpoint("https://api.openai.com/v1", "gpt-4o", True),
            "OPENAI_API_KEY",
        ),
    ],
)
@pytest.mark.usefixtures("installed")
def test_the_models_of_other_providers_are_asked_by_it(
    model: str, base_url: str | None, endpoint: Endpoint, variable: str | None
) -> None:
    config = ScraperConfig(model=model, base_url=base_url)
    assert endpoint_of(config) == endpoint
    assert key_variable_of(config) == variable


@pytest.mark.parametrize("model", ["x/y", "opnai/m", "litellm/", "litellm/m", "litellm//m"])
@pytest.mark.usefixtures("installed")
def test_a_name_that_is_none_is_refused(model: str) -> None:
    with pytest.raises(ConfigError, match="model: "):
        endpoint_of(ScraperConfig(model=model))


@pytest.mark.parametrize("model", ["cohere/command-r", "litellm/cohere/command-r"])
def test_without_it_the_error_says_how_to_install_it(model: str) -> None:
    assert find_litellm() is None
    with pytest.raises(ConfigError, match=r"pip install 'wikicrawler\[litellm\]'"):
        endpoint_of(ScraperConfig(model=model))


@pytest.mark.parametrize("version", ["1.82.7", "1.82.8"])
def test_a_stolen_release_is_not_run(installed: Path, version: str) -> None:
    folder = installed / f"litellm-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: litellm\nVersion: {version}\n")
    with pytest.raises(ConfigError, match="compromised"):
        endpoint_of(ScraperConfig(model="cohere/command-r"))
    assert "litellm" not in sys.modules


@pytest.mark.usefixtures("installed")
def test_its_prices_count_after_those_of_the_operator() -> None:
    assert price_by_litellm("cohere/command-r") == {"input": 1e-6, "output": 2e-6}
    assert price_by_litellm("azure/command-r") is None
    config = ScraperConfig(model="litellm/cohere/command-r", max_cost=1.0)
    assert price_in(project_settings(), config) == (1e-6, 2e-6, None)
    own = {"cohere/command-r": {"input": 0, "output": 0}}
    assert price_in(project_settings(WIKICRAWLER_FIELDS_PRICES=own), config) == (0, 0, None)
    assert price_in(project_settings(), ScraperConfig(model="azure/gpt-4o")) is None
