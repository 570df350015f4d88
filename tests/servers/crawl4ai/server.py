"""crawl4ai's REST contract over its own library, without Docker.

Run by the Python of a virtual environment that has crawl4ai (it is no dependency of this project):

    python server.py PORT

``POST /crawl``, ``POST /crawl/stream`` and ``GET /health`` answer as crawl4ai's server does, which
PyPI does not ship: statuses, bodies and the result of a page, which is the library's own. ``GET
/-/journal`` is for tests: what was asked for, and how many crawls ran at once.

Environment: ``CRAWL4AI_API_TOKEN``, ``CRAWL4AI_ALLOW_INTERNAL_URLS`` (as the real server),
``BROWSER`` (path of the browser), ``MAX_PAGES``, ``REJECTED`` (more names that no browser
configuration may have, separated by blanks), and ``VERSION``: ``0.8.9`` answers as servers before
0.9 do.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import socket
import sys
import uuid
from ipaddress import ip_address
from urllib.parse import urlsplit

from aiohttp import web
from crawl4ai import AsyncWebCrawler, BrowserConfig, CrawlerRunConfig
from crawl4ai.__version__ import __version__
from crawl4ai.browser_manager import BrowserManager

TOKEN = os.environ.get("CRAWL4AI_API_TOKEN", "")
INTERNAL = os.environ.get("CRAWL4AI_ALLOW_INTERNAL_URLS", "").lower() == "true"
VERSION = os.environ.get("VERSION", __version__)
OLD = tuple(int(n) for n in VERSION.split(".")[:2]) < (0, 9)

# What a server since 0.9 takes from nobody on the network.
REJECTED_CRAWLER = {
    *("js_code", "js_code_before_wait", "magic", "simulate_user", "override_navigator"),
    *("session_id", "proxy_config", "deep_crawl_strategy"),
}
REJECTED_BROWSER = {
    *("headers", "cookies", "extra_args", "cdp_url", "chrome_channel"),
    *os.environ.get("REJECTED", "").split(),
}
LONGEST_TIMEOUT = 60_000  # ms
LARGEST_BODY = 10 * 1024 * 1024


def params(config: dict | None) -> dict:
    """The fields of a configuration, written plainly or as {"type", "params"}."""
    config = config or {}
    return config.get("params", {}) if "type" in config else config


def refuse(status: int, detail: object) -> web.HTTPException:
    kinds = {
        400: web.HTTPBadRequest,
        401: web.HTTPUnauthorized,
        422: web.HTTPUnprocessableEntity,
    }
    return kinds[status](text=json.dumps({"detail": detail}), content_type="application/json")


def is_internal(url: str) -> bool:
    """Whether the host of *url* is private, loopback or unresolvable."""
    try:
        addresses = socket.getaddrinfo(urlsplit(url).hostname, None)
    except (OSError, UnicodeError):
        return True
    return any(not ip_address(address[4][0]).is_global for address in addresses)


def check_config(browser: dict, crawler: dict) -> None:
    """Refuse what a server of this version does not take."""
    if OLD:
        if "body_visibility_timeout" in crawler:
            raise TypeError("body_visibility_timeout")
        return
    bad = sorted(REJECTED_CRAWLER & crawler.keys() | REJECTED_BROWSER & browser.keys())
    if str(crawler.get("wait_for", "")).startswith("js:"):
        bad.append("wait_for")
    if bad:
        raise refuse(400, f"Rejected config: {', '.join(bad)} not allowed")


class Server:
    """One crawler for each distinct browser configuration, as the real server's pool."""

    def __init__(self) -> None:
        self.crawlers: dict[str, AsyncWebCrawler] = {}
        self.starting = asyncio.Lock()
        self.pages = asyncio.Semaphore(int(os.environ.get("MAX_PAGES", "5")))
        self.in_flight = self.most_in_flight = 0
        self.requests: list[dict] = []

    async def crawler(self, config: dict) -> AsyncWebCrawler:
        key = json.dumps(config, sort_keys=True)
        async with self.starting:
            if key not in self.crawlers:
                crawler = AsyncWebCrawler(config=BrowserConfig(**config | {"verbose": False}))
                await crawler.start()
                self.crawlers[key] = crawler
            return self.crawlers[key]

    def question(self, body: bytes) -> tuple[list[str], dict, dict]:
        """URLs, browser and crawler configuration of a request; raises what the server answers."""
        try:
            data = json.loads(body)
            urls = data["urls"]
            browser, crawler = (
                params(data.get("browser_config")),
                params(data.get("crawler_config")),
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise refuse(422, [{"loc": ["body"], "msg": repr(error)}]) from None
        if not isinstance(urls, list) or not 1 <= len(urls) <= 100:
            raise refuse(422, [{"loc": ["body", "urls"], "msg": "1 to 100 URLs"}])
        check_config(browser, crawler)
        for url in urls:
            if not url.startswith(("raw:", "raw://")) and not INTERNAL and is_internal(url):
                raise refuse(400, "URL blocked: the host is private or does not resolve")
        for name in ("page_timeout", "wait_for_timeout"):
            if name in crawler:
                crawler[name] = min(crawler[name], LONGEST_TIMEOUT)
        self.requests.append({"urls": urls, "browser": browser, "crawler": crawler})
        return urls, browser, crawler

    async def results(self, urls: list[str], browser: dict, crawler: dict):
        """The result of each page, as it comes."""
        if OLD:
            crawler.pop("prefetch", None)
        config = CrawlerRunConfig(**crawler | {"verbose": False})
        engine = await self.crawler(browser)
        for crawl in asyncio.as_completed([self.page(engine, url, config) for url in urls]):
            yield await crawl

    async def page(self, engine: AsyncWebCrawler, url: str, config: CrawlerRunConfig) -> dict:
        async with self.pages:
            result = (await engine.arun(url, config=config)).model_dump()
        del result["pdf"]
        if OLD:
            result.pop("redirected_status_code", None)
        return result

    # Handlers

    async def crawl(self, request: web.Request) -> web.Response:
        question = self.question(await request.read())
        found = [result async for result in self.counted(*question)]
        return web.json_response({"success": True, "results": found})

    async def stream(self, request: web.Request) -> web.StreamResponse:
        question = self.question(await request.read())
        await self.crawler(question[1])
        answer = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await answer.prepare(request)
        async for result in self.counted(*question):
            await answer.write(json.dumps(result, default=str).encode() + b"\n")
        await answer.write(b'{"status": "completed"}\n')
        await answer.write_eof()
        return answer

    async def counted(self, *question):
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            async for result in self.results(*question):
                yield result
        finally:
            self.in_flight -= 1

    async def health(self, _: web.Request) -> web.Response:
        return web.json_response({"status": "ok", "version": VERSION})

    async def journal(self, request: web.Request) -> web.Response:
        told = {
            "requests": self.requests,
            "in_flight": self.in_flight,
            "most_in_flight": self.most_in_flight,
            "browsers": len(self.crawlers),
        }
        answer = web.json_response(told)
        if request.query.get("clear"):
            self.requests, self.most_in_flight = [], self.in_flight
        return answer

    async def close(self, _: web.Application) -> None:
        for crawler in self.crawlers.values():
            await crawler.close()


@web.middleware
async def guard(request: web.Request, handler) -> web.StreamResponse:
    """The token, and 500 as the real server words it."""
    if TOKEN and request.path.startswith("/crawl"):
        given = request.headers.get("Authorization", "")
        if not hmac.compare_digest(given, f"Bearer {TOKEN}"):
            raise refuse(401, "Invalid or missing token")
    try:
        return await handler(request)
    except (web.HTTPException, asyncio.CancelledError, ConnectionError):
        raise
    except Exception as error:
        sys.stderr.write(f"{error!r}\n")
        told = {"error": "Internal server error", "correlation_id": uuid.uuid4().hex}
        return web.json_response(told, status=500)


def use_browser(path: str) -> None:
    """Let crawl4ai start the browser at *path* instead of Playwright's own."""
    build = BrowserManager._build_browser_args
    BrowserManager._build_browser_args = lambda self: build(self) | {"executable_path": path}


async def main(port: int) -> None:
    if browser := os.environ.get("BROWSER"):
        use_browser(browser)
    server = Server()
    app = web.Application(middlewares=[guard], client_max_size=LARGEST_BODY)
    app.router.add_post("/crawl", server.crawl)
    app.router.add_post("/crawl/stream", server.stream)
    app.router.add_get("/health", server.health)
    app.router.add_get("/-/journal", server.journal)
    app.on_cleanup.append(server.close)
    # A client that goes away ends its crawl: that is what frees the page of one that hangs.
    runner = web.AppRunner(app, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(15, stop.set)
    await stop.wait()
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
