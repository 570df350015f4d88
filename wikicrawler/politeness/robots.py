"""robots.txt according to RFC 9309."""

from __future__ import annotations

import logging
from time import monotonic, time
from typing import TYPE_CHECKING

from scrapy import Request, signals
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.misc import build_from_crawler, load_object
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThread

from wikicrawler import options
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.operations import OPERATION_KEY, ROBOTS
from wikicrawler.politeness.fetch_errors import FETCH_ERRORS
from wikicrawler.politeness.robots_agents import with_own_agents
from wikicrawler.politeness.robots_answer import (
    ALLOW_ALL,
    DISALLOW_ALL,
    FAILURE_LIFETIME,
    MAX_BODY,
    RobotsAnswer,
)
from wikicrawler.politeness.robots_cache import IN_FLIGHT, Rules, RulesCache, failed_since
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.robotstxt import RobotParser

    from wikicrawler.politeness.fleet.robots import SharedRobots

logger = logging.getLogger(__name__)

_PARSE_IN_THREAD = 50 * 1024
"""Bytes from which a robots.txt is parsed in a thread: the longest takes half a second."""


class RobotsDisallowed(IgnoreRequest):
    """robots.txt of the URL's host forbids it for our User-Agent, or could not be fetched.

    :ivar cause: the exception that the fetch of robots.txt raised; None if the server answered.
    """

    def __init__(self, detail: str, cause: Exception | None = None) -> None:
        super().__init__(detail)
        self.cause = cause


class SiteRobotsMiddleware(RobotsTxtMiddleware):
    """Scrapy's RobotsTxtMiddleware with RFC 9309's rules for failures.

    - 5xx, 429 or no response, after the retries: everything on the host is disallowed, with one
      warning. Other 4xx, too many redirects: everything is allowed.
    - Any other exception (StopDownload, or that of a project's middleware): everything is allowed,
      with an error in the log, as in Scrapy.
    - The result of a fetch is cached for each scheme and host: for a day, or 30 minutes after a
      failure, unless a delayed page asks for another attempt (meta key ``robots_failed_since``).
      Bodies are parsed up to 500 KiB. Of a long list of agents, those are read that apply to
      ``ROBOTSTXT_USER_AGENT``, to ``USER_AGENT`` or to the request that had it fetched.
    - Workers that share a Redis share it, too: one of them fetches.
    - A forbidden request raises :class:`RobotsDisallowed`.
    - The meta key ``robots_exempt`` (str, the reason) skips the check, for operators who have
      permission: one warning for each host, stat ``robotstxt/exempted``.

    Settings: ``ROBOTSTXT_OBEY``, ``ROBOTSTXT_USER_AGENT``, ``ROBOTSTXT_PARSER``; meta key
    ``dont_obey_robotstxt``; all as in Scrapy.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._parser_class: type[RobotParser] = load_object(crawler.settings["ROBOTSTXT_PARSER"])
        self._rules = RulesCache()
        self._shared = _shared_robots(crawler)
        self._exempted: set[str] = set()

    @property
    def shared(self) -> SharedRobots | None:
        """What the workers of a fleet fetch for each other; None in a crawl with one worker."""
        return self._shared

    async def process_request(self, request: Request) -> None:  # type: ignore[override]
        if request.meta.get("dont_obey_robotstxt"):
            return
        if urlparse_cached(request).scheme not in ("http", "https"):
            return
        if exempt := request.meta.get("robots_exempt"):
            self._report_exempt(request, str(exempt))
            return
        self.process_request_2(await self.robot_parser(request), request)

    def process_request_2(self, rp: RobotParser | None, request: Request) -> None:
        try:
            super().process_request_2(rp, request)
        except IgnoreRequest:
            rules = self._rules.get(_origin(request))
            if rules is None or not rules.unreachable:
                raise RobotsDisallowed("Forbidden by robots.txt") from None
            raise RobotsDisallowed(rules.unreachable, rules.cause) from None

    async def robot_parser(self, request: Request) -> RobotParser | None:
        origin = _origin(request)
        rules = self._rules.use(origin)
        if rules is None or rules.is_outdated(request):
            rules = Rules()
            self._rules.add(origin, rules)
            await self._fetch(origin, rules, request)
            self._rules.loaded(origin, rules)
        elif rules.expires == IN_FLIGHT:
            # One Deferred for each: a second waiter on the same one would get None on asyncio.
            waiter: Deferred[None] = Deferred()
            rules.waiting.append(waiter)
            await maybe_deferred_to_future(waiter)
        parser = rules.parser
        if parser is None:  # dropped to free memory
            parser = rules.parser = await self._parse(rules.body)
            self._rules.loaded(origin, rules)
        return parser

    async def sitemaps(self, request: Request) -> list[str]:
        """Return the sitemaps that the robots.txt of *request*'s host names, as it names them."""
        await self.robot_parser(request)
        rules = self._rules.get(_origin(request))
        lines = rules.body.splitlines() if rules is not None else []
        named = (line.partition(b":") for line in lines)
        found = (value.strip() for name, _, value in named if name.strip().lower() == b"sitemap")
        return [value.decode("utf-8", "replace") for value in found if value]

    def _agents(self, request: Request) -> set[str]:
        """Return the names by which *request* and the crawl look for their rules."""
        settings = self.crawler.settings
        named = (settings["ROBOTSTXT_USER_AGENT"], settings["USER_AGENT"])
        own = (request.headers.get("User-Agent") or b"").decode("latin-1")
        return {str(name) for name in (*named, own) if name}

    async def _parse(self, body: bytes) -> RobotParser:
        if len(body) < _PARSE_IN_THREAD:
            return build_from_crawler(self._parser_class, self.crawler, body)
        parsed = deferToThread(build_from_crawler, self._parser_class, self.crawler, body)
        return await maybe_deferred_to_future(parsed)

    async def _fetch(self, origin: str, rules: Rules, request: Request) -> None:
        answer = RobotsAnswer(DISALLOW_ALL)  # of a crawl that ends meanwhile
        rules.body = answer.body
        try:
            answer = await self._answer(origin, request)
            rules.cause = answer.cause
            if answer.unreachable:
                self._report_unreachable(request, rules, answer.unreachable)
            rules.body = with_own_agents(answer.body, self._agents(request))
            rules.parser = await self._parse(rules.body)
            await self.crawler.signals.send_catch_log_async(
                signal=signals.robots_parsed, robotparser=rules.parser, request=request
            )
        finally:
            rules.expires, rules.ended = monotonic() + answer.left, time() - answer.age
            for waiter in rules.waiting:
                waiter.callback(None)
            rules.waiting.clear()

    async def _answer(self, origin: str, request: Request) -> RobotsAnswer:
        """Return what the server at *origin* answers, or what it answered another worker."""
        if self._shared is None:
            return await self._download(origin)
        known = await self._shared.get(origin, time() - failed_since(request))
        if known is not None:
            self.crawler.stats.inc_value("robotstxt/shared_count")
            return known
        answer = None
        try:
            answer = await self._download(origin)
        finally:
            if answer is not None and answer.is_of_server:
                self._shared.put(origin, answer)
            else:
                self._shared.give_up(origin)
        return answer

    async def _download(self, origin: str) -> RobotsAnswer:
        robots = Request(
            f"{origin}/robots.txt",
            priority=self.DOWNLOAD_PRIORITY,
            # It may redirect to another host (section 2.3.1.2).
            meta={"dont_obey_robotstxt": True, "allow_offsite": True, OPERATION_KEY: ROBOTS},
            callback=NO_CALLBACK,
        )
        self.crawler.stats.inc_value("robotstxt/request_count")
        try:
            response = await self.crawler.engine.download_async(robots)
        except Exception as e:
            return self._failed(robots, e)
        return self._answered(response)

    def _failed(self, robots: Request, error: Exception) -> RobotsAnswer:
        """Return what it means that the fetch raised *error*."""
        is_refused = policy_of(self.crawler).refused(robots.url)  # as the page itself will be
        if isinstance(error, IgnoreRequest):
            if "DOWNLOAD_MAXSIZE" in str(error):  # a decompression bomb
                return _unreachable("too large")
            # Endless redirects, a refused address: unavailable.
            logger.info("robots.txt of %r is not available: %r", robots.url, str(error))
        elif not is_refused:
            self.crawler.stats.inc_value(f"robotstxt/exception_count/{type(error)}")
            if isinstance(error, FETCH_ERRORS):
                # Without its traceback, which keeps its frames alive.
                why = one_line(f"{type(error).__name__}: {error}", 200)
                return _unreachable(why, error.with_traceback(None))
            # Raised by a component of the project.
            logger.error("Error downloading %s: %s", robots, one_line(error, 200), exc_info=error)
        return RobotsAnswer(ALLOW_ALL, is_of_server=False)

    def _answered(self, response: Response) -> RobotsAnswer:
        status = response.status
        self.crawler.stats.inc_value("robotstxt/response_count")
        self.crawler.stats.inc_value(f"robotstxt/response_status_count/{status}")
        if status >= 500 or status == 429:
            return _unreachable(f"status {status}")
        if not 200 <= status < 300:
            return RobotsAnswer(ALLOW_ALL)
        if len(response.body) <= MAX_BODY:
            return RobotsAnswer(response.body)
        # A truncated line may have a different meaning: drop it.
        return RobotsAnswer(response.body[:MAX_BODY].rpartition(b"\n")[0])

    def _report_unreachable(self, request: Request, rules: Rules, why: str) -> None:
        logger.warning(
            "robots.txt of %r could not be fetched (%s): its pages count as disallowed "
            "(RFC 9309) and are skipped. ROBOTSTXT_OBEY = False would crawl them unchecked",
            _host(request),
            why,
        )
        self.crawler.stats.inc_value("robotstxt/unreachable_count")
        rules.unreachable = f"robots.txt could not be fetched ({why})"

    def _report_exempt(self, request: Request, reason: str) -> None:
        self.crawler.stats.inc_value("robotstxt/exempted")
        host = _host(request)
        if host not in self._exempted:
            self._exempted.add(host)
            logger.warning(
                "robots.txt not consulted for %r: exempted by configuration (%s)", host, reason
            )

    def parsed_bytes(self) -> int:
        """Return the number of bytes that are cached with their parser."""
        return self._rules.parsed_bytes


def _shared_robots(crawler: Crawler) -> SharedRobots | None:
    """Return what the workers of *crawler*'s Redis have; None if it has one worker."""
    url = options.FRONTIER.read(crawler.settings)
    if not url:
        return None
    # Most crawls have one worker, and import less.
    from wikicrawler.politeness.fleet.robots import SharedRobots  # noqa: PLC0415
    from wikicrawler.politeness.fleet.robots_store import RobotsStore  # noqa: PLC0415

    return SharedRobots(crawler, RobotsStore(url))


def _unreachable(why: str, cause: Exception | None = None) -> RobotsAnswer:
    return RobotsAnswer(DISALLOW_ALL, why, cause, left=FAILURE_LIFETIME)


def _host(request: Request) -> str:
    return urlparse_cached(request).netloc.rpartition("@")[2]  # without user and password


def _origin(request: Request) -> str:
    url = urlparse_cached(request)
    return f"{url.scheme}://{url.netloc.rpartition('@')[2]}"  # without user and password
