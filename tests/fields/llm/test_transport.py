"""Requests to a model in a crawl: by connections of their own, without the pages' middlewares."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.fields.llm.in_crawl import asked
from tests.servers import openai_twists as twists
from tests.servers.openai_model import ScriptedModel
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.fields.llm.client import ChatClient
from wikicrawler.fields.llm.requests import ChatEndpoint, HttpRequest, TransportError

if TYPE_CHECKING:
    from wikicrawler.fields.llm.transport import HandlerTransport

KEY = "sk-correct-horse-battery"


class Keys:
    """One key."""

    def next_ready(self) -> str:
        return KEY

    def name_of(self, key: str) -> str:
        return "key 1"

    def cool_down(self, key: str, seconds: float) -> None: ...

    def retire(self, key: str) -> None: ...


def chat(model: ScriptedModel) -> HttpRequest:
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    body = b'{"model": "m", "messages": [{"role": "user", "content": "JSON"}]}'
    return HttpRequest("POST", f"{model.base_url}/chat/completions", headers, body, 5.0)


@deferred_f_from_coro_f
async def test_the_model_is_asked_and_its_key_is_nowhere_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with ScriptedModel([KEY]) as model, ScriptedServer() as proxy:
        client_endpoint = ChatEndpoint(model.base_url, "m")

        async def ask(transport: HandlerTransport) -> Any:
            client = ChatClient(transport, client_endpoint, Keys())
            return await client.complete([{"role": "user", "content": "JSON: title"}])

        answer, done = await asked(model.base_url, ask, LOG_LEVEL="DEBUG")
        assert answer.finish_reason == "stop"
        assert len(model.requests) == 1
        assert proxy.exchanges == []
    assert KEY not in caplog.text
    assert KEY not in str(done.stats)
    assert done.stats["fields/llm/request_count"] == 1
    assert done.stats["fields/llm/status_count/200"] == 1
    assert "downloader/request_count" not in done.stats


@deferred_f_from_coro_f
async def test_an_error_is_returned_and_a_lost_connection_is_raised_without_the_request() -> None:
    with ScriptedModel([KEY]) as model:
        model.at(1, twists.error(500))
        model.at(2, twists.cut_off)

        async def ask(transport: HandlerTransport) -> Any:
            first = await transport.send(chat(model))
            with pytest.raises(TransportError) as raised:
                await transport.send(chat(model))
            return first.status, raised.value

        (status, error), done = await asked(model.base_url, ask)
    assert status == 500
    assert error.__context__ is None
    assert KEY not in repr(error)
    assert done.stats["fields/llm/exception_count"] == 1


@deferred_f_from_coro_f
async def test_a_model_that_hangs_is_given_up_in_time() -> None:
    with ScriptedModel([KEY]) as model:
        model.at(1, twists.delayed(60))

        async def ask(transport: HandlerTransport) -> Any:
            return await transport.send(chat(model)._replace(timeout=0.5))

        answer, _ = await asked(model.base_url, ask)
    assert isinstance(answer, TimeoutError)


@deferred_f_from_coro_f
async def test_no_more_requests_are_in_flight_than_allowed() -> None:
    with ScriptedModel([KEY]) as model:
        model.always(twists.delayed(0.2))

        async def ask(transport: HandlerTransport) -> Any:
            return await asyncio.gather(*(transport.send(chat(model)) for _ in range(6)))

        answer, done = await asked(model.base_url, ask)
        assert model.most_in_flight == 2
    assert [one.status for one in answer] == [200] * 6
    assert done.stats["fields/llm/in_flight_max"] == 2


@deferred_f_from_coro_f
async def test_no_page_is_fetched_from_the_server_of_the_model() -> None:
    with ScriptedModel([KEY]) as model, ScriptedServer("127.0.0.3") as site:
        site.on("/", Reply(302, {"Location": f"{model.base_url}/models"}, ""))

        async def ask(transport: HandlerTransport) -> Any:
            return await transport.send(chat(model))

        url = site.url("/")
        answer, done = await asked(model.base_url, ask, url, WIKICRAWLER_PRIVATE_HOSTS=[])
        assert [one.path for one in model.requests] == ["/v1/chat/completions"]
    assert answer.status == 200
    assert done.responses == []
    assert set(done.reasons().values()) == {"private_address"}
